"""Glossator: the memory of an agent. Every conversation word for word, and the turn that answers a question."""

from typing import TYPE_CHECKING, Any

from glossator.errors import (
    ConflictError,
    GlossatorError,
    NotDrainedError,
    NotFoundError,
    ProviderError,
    ProviderTimeoutError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreTooNewError,
    UsageError,
)

if TYPE_CHECKING:
    from glossator.facade import AgentRun
    from glossator.model import Answer, Explanation, Fact, FactList, ForgetPreview, ForgetReceipt, Hit, Receipt, Scope
    from glossator.options import Options
    from glossator.wiring import AsyncMemory, Memory

__version__ = "0.1.0"

_HOMES = {
    "AgentRun": "glossator.facade",
    "Answer": "glossator.model",
    "AsyncMemory": "glossator.wiring",
    "Explanation": "glossator.model",
    "Fact": "glossator.model",
    "FactList": "glossator.model",
    "ForgetPreview": "glossator.model",
    "ForgetReceipt": "glossator.model",
    "Hit": "glossator.model",
    "Memory": "glossator.wiring",
    "Options": "glossator.options",
    "Receipt": "glossator.model",
    "Scope": "glossator.model",
}

__all__ = [
    "AgentRun",
    "Answer",
    "AsyncMemory",
    "ConflictError",
    "Explanation",
    "Fact",
    "FactList",
    "ForgetPreview",
    "ForgetReceipt",
    "GlossatorError",
    "Hit",
    "Memory",
    "NotDrainedError",
    "NotFoundError",
    "Options",
    "ProviderError",
    "ProviderTimeoutError",
    "Receipt",
    "Scope",
    "StoreCorruptError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreReadOnlyError",
    "StoreTooNewError",
    "UsageError",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that `import glossator` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'glossator' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
