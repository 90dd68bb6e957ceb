"""Glossator: the memory of an agent. Every conversation word for word, and the turn that answers a question."""

from typing import TYPE_CHECKING, Any

from glossator.errors import (
    ConflictError,
    GlossatorError,
    NotDrainedError,
    NotFoundError,
    PermissionDeniedError,
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
    from glossator.context.compose import compose_system
    from glossator.context.placing import with_context
    from glossator.context.tool_pairs import sanitize_tool_pairs
    from glossator.context.truncate import truncate_to_context
    from glossator.facade import AgentRun
    from glossator.model import (
        Answer,
        CompactionResult,
        ContextBlock,
        Explanation,
        Fact,
        FactList,
        ForgetPreview,
        ForgetReceipt,
        Hit,
        PromptFiles,
        Receipt,
        ReviewResult,
        Revision,
        Scope,
        SignedReceipt,
    )
    from glossator.options import Options
    from glossator.providers.signing import verify_receipt
    from glossator.wiring import AsyncMemory, Memory

__version__ = "0.1.0"

_HOMES = {
    "AgentRun": "glossator.facade",
    "Answer": "glossator.model",
    "AsyncMemory": "glossator.wiring",
    "CompactionResult": "glossator.model",
    "ContextBlock": "glossator.model",
    "Explanation": "glossator.model",
    "Fact": "glossator.model",
    "FactList": "glossator.model",
    "ForgetPreview": "glossator.model",
    "ForgetReceipt": "glossator.model",
    "Hit": "glossator.model",
    "Memory": "glossator.wiring",
    "Options": "glossator.options",
    "PromptFiles": "glossator.model",
    "Receipt": "glossator.model",
    "ReviewResult": "glossator.model",
    "Revision": "glossator.model",
    "Scope": "glossator.model",
    "SignedReceipt": "glossator.model",
    "compose_system": "glossator.context.compose",
    "sanitize_tool_pairs": "glossator.context.tool_pairs",
    "truncate_to_context": "glossator.context.truncate",
    "verify_receipt": "glossator.providers.signing",
    "with_context": "glossator.context.placing",
}

__all__ = [
    "AgentRun",
    "Answer",
    "AsyncMemory",
    "CompactionResult",
    "ConflictError",
    "ContextBlock",
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
    "PermissionDeniedError",
    "PromptFiles",
    "ProviderError",
    "ProviderTimeoutError",
    "Receipt",
    "ReviewResult",
    "Revision",
    "Scope",
    "SignedReceipt",
    "StoreCorruptError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreReadOnlyError",
    "StoreTooNewError",
    "UsageError",
    "compose_system",
    "sanitize_tool_pairs",
    "truncate_to_context",
    "verify_receipt",
    "with_context",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that `import glossator` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'glossator' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
