"""How do arrays grow without being copied at each append, while readers keep what they have?

Rows are written behind the last one, where no reader looks; a view ends at the row that was last when it was taken.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

BLOCK_ROWS = 65_536
"""Rows of one block of a matrix: 100 MB at 384 dimensions, so that a large matrix never has to be copied to grow."""
SPARE_SHARE = 8
"""A full array grows by an eighth, at least by FIRST_ROWS."""
FIRST_ROWS = 256


class Growing:
    """An array that grows at its end."""

    def __init__(self, dtype: DTypeLike, *, width: int | None = None, rows_max: int | None = None) -> None:
        self._dtype = dtype
        self._width = width
        self._rows_max = rows_max
        self._rows = self._empty(0)
        self.count = 0

    def reserve(self, count: int) -> None:
        """Make room for `count` more rows with one allocation."""
        wanted = self.count + count
        if wanted <= len(self._rows):
            return
        capacity = wanted + max(FIRST_ROWS, wanted // SPARE_SHARE)
        rows = self._empty(capacity if self._rows_max is None else max(wanted, min(capacity, self._rows_max)))
        rows[: self.count] = self._rows[: self.count]
        self._rows = rows

    def extend(self, values: NDArray[Any]) -> None:
        """Append the rows."""
        self.reserve(len(values))
        self._rows[self.count : self.count + len(values)] = values
        self.count += len(values)

    def view(self) -> NDArray[Any]:
        """The rows so far; read-only, and never changed afterwards."""
        view = self._rows[: self.count]
        view.flags.writeable = False
        return view

    def _empty(self, count: int) -> NDArray[Any]:
        return np.empty(count if self._width is None else (count, self._width), self._dtype)


class Matrix:
    """Vectors of one dimension, float32, in blocks."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._blocks: list[Growing] = []
        self.count = 0

    def extend(self, vectors: NDArray[Any], *, expected: int = 0) -> None:
        """Append the rows. `expected`: about how many will follow; room that stays unused costs no memory."""
        while len(vectors):
            if self.count == len(self._blocks) * BLOCK_ROWS:
                self._blocks.append(Growing(np.float32, width=self._dimension, rows_max=BLOCK_ROWS))
                self._blocks[-1].reserve(min(BLOCK_ROWS, max(len(vectors), expected)))
            last = self._blocks[-1]
            taken = vectors[: BLOCK_ROWS - last.count]
            last.extend(taken)
            self.count += len(taken)
            vectors = vectors[len(taken) :]

    def view(self) -> "MatrixView":
        """The rows so far."""
        return MatrixView(tuple(block.view() for block in self._blocks), self._dimension)


def products(rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of each row with the query.

    einsum, not `@`: it is bound by memory all the same, but BLAS wakes a thread per core and waits for all, which on a
    busy machine cost 12-25 ms where the product takes 0.2.
    """
    return np.asarray(np.einsum("ij,j->i", rows, query))


class MatrixView:
    """Vectors as they were when the view was taken."""

    def __init__(self, blocks: tuple[NDArray[np.float32], ...], dimension: int) -> None:
        self._blocks = blocks
        self._dimension = dimension

    def dot(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The product of every row with the query."""
        if not self._blocks:
            return np.empty(0, np.float32)
        return np.concatenate([products(block, query) for block in self._blocks])

    def rows(self, indices: NDArray[np.int32]) -> NDArray[np.float32]:
        """A copy of the rows at these indices; zeros where an index is negative."""
        out = np.empty((len(indices), self._dimension), np.float32)
        for number, block in enumerate(self._blocks):
            here = np.flatnonzero(indices // BLOCK_ROWS == number)
            if not len(here):
                continue
            local = indices[here] - number * BLOCK_ROWS
            first, last = int(here[0]), int(here[-1])
            if last - first + 1 == len(here):
                np.take(block, local, axis=0, out=out[first : last + 1], mode="clip")
            else:
                out[here] = block[local]
        out[indices < 0] = 0
        return out

    def first(self, count: int) -> NDArray[np.float32]:
        """The first rows without copying; they must lie in one block."""
        if not self._blocks:
            return np.zeros((count, self._dimension), np.float32)
        return self._blocks[0][:count]
