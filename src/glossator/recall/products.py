"""How do rows meet a few vectors on one core? BLAS wakes a thread per core for a product, and the others wait spinning.

A product of some hundred rows with a question's pieces takes 0.2 ms on one core. Shared out among two it cost 2 to 6 ms
of the processor, as each thread waits for the other without sleeping, and more where others have work for that core.
"""

import numpy as np

from glossator.recall.layout import F32

BLOCK_PRODUCTS = 2**17
"""Multiplications in one call: below 2**18 OpenBLAS stays in the caller's thread."""


def products(rows: F32, vectors: F32) -> F32:
    """The product of each row with each vector, a column per vector."""
    columns = vectors.T
    step = max(1, BLOCK_PRODUCTS // max(1, vectors.size))
    out = np.empty((len(rows), len(vectors)), np.float32)
    for first in range(0, len(rows), step):
        np.matmul(rows[first : first + step], columns, out=out[first : first + step])
    return out
