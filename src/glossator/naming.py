"""Which optional part does a name mean? Rerankers, finders of personal data, the folder of the prompt files."""

from pathlib import Path
from typing import TypeVar

from glossator.errors import UsageError
from glossator.ports import Files, Redactor, Reranker, Tracer
from glossator.stores.sqlite import SqliteStore

T = TypeVar("T")


def reranker_named(name: str) -> Reranker | None:
    """The reranker of a name: "none", "cross-encoder:MODEL" or "flashrank:MODEL". Nothing is loaded yet."""
    provider, _, model = name.partition(":")
    match provider:
        case "none":
            return None
        case "cross-encoder" if model:
            from glossator.providers.extras import CrossEncoderReranker

            return CrossEncoderReranker(model)
        case "flashrank" if model:
            from glossator.providers.extras import FlashRankReranker

            return FlashRankReranker(model)
    raise UsageError(
        "options.reranker", f"{name!r} is unknown", remedy="choose none, cross-encoder:MODEL or flashrank:MODEL"
    )


def redactor_named(name: str) -> Redactor | None:
    """The finder of personal data of a name: "none" or "presidio". Nothing is loaded yet."""
    if name == "presidio":
        from glossator.providers.extras import PresidioRedactor

        return PresidioRedactor()
    return None


def tracer_named(name: str) -> Tracer | None:
    """The tracer of a name: "none" or "opentelemetry", which sends to where the process has set OpenTelemetry up."""
    if name == "opentelemetry":
        from glossator.providers.tracing import OpenTelemetryTracer

        return OpenTelemetryTracer()
    return None


def watched(part: T, tracer: Tracer | None) -> T:
    """The part (store, embedder, model ...) with its calls told to the tracer; as it is without one."""
    if tracer is None or part is None:
        return part
    from glossator.providers.tracing import traced

    return traced(part, tracer)


def files_for(folder: str, store: SqliteStore) -> Files | None:
    """Where the prompt files of the store lie: in the folder that is named, else in the one that was named last.

    So whoever forgets something takes it out of the files too, also where the folder is not named. None where none
    ever was, or where it is gone.
    """
    from glossator.providers.files import FolderFiles

    kept = store.prompt_folder()
    if folder:
        whole = str(Path(folder).resolve())
        if whole != kept:
            store.keep_prompt_folder(whole)
        return FolderFiles(folder)
    return FolderFiles(kept) if kept and Path(kept).is_dir() else None
