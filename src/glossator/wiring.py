"""How do options, environment and TOML become a Memory? The only reader of the environment and of the clock."""

import atexit
import os
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import uuid_utils

from glossator import aio, facade
from glossator.errors import ProviderError, UsageError
from glossator.options import Options
from glossator.ports import Clock, Embedder, Ids, Ranker, Reranker
from glossator.stores.sqlite import SqliteStore

PREFIX = "GLOSSATOR_"
FILE_NAME = "memory.db"
EMBEDDERS = (
    "choose minilm, hashing, none, onnx:FOLDER, openai:MODEL@http://HOST/v1, sentence-transformers:MODEL or "
    "fastembed:MODEL"
)


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC)


class TimeOrderedIds:
    """UUID version 7: unique, and rising with time."""

    def new(self) -> str:
        """A fresh id."""
        return str(uuid_utils.uuid7())


class Memory(facade.Memory):
    """`glossator.facade.Memory` that can be opened from a path."""

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        options: Options | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        embedder: Embedder | None = None,
        ranker: Ranker | None = None,
        reranker: Reranker | None = None,
    ) -> Self:
        """Open the SQLite file at `path`; it is created or migrated (with a backup first) as needed.

        `embedder` and `reranker` override the options' names, `ranker` the one that ships. Raises UsageError for a
        wrong path or option, StoreError for a file that is locked, read-only, damaged or of a newer version.
        """
        options = options or Options()
        chosen = embedder or embedder_named(options.embedder, threads=options.embed_threads)
        store = SqliteStore(Path(path), options=options)
        shipped, missing = default_ranker(options) if ranker is None else (ranker, "")
        memory = cls(
            store,
            clock=clock or SystemClock(),
            ids=ids or TimeOrderedIds(),
            options=options,
            embedder=chosen,
            ranker=shipped,
            ranker_missing=missing,
            reranker=reranker or reranker_named(options.reranker),
        )
        atexit.register(memory.close)  # a model that loads or runs while the interpreter ends would abort the process
        memory.start()
        return memory

    def close(self) -> None:
        """Stop the worker and release the store. Open work stays for the next time. Closing twice is fine."""
        atexit.unregister(self.close)
        super().close()


class AsyncMemory(aio.AsyncMemory):
    """`glossator.aio.AsyncMemory` that can be opened from a path."""

    @classmethod
    def open(cls, path: str | Path, *, options: Options | None = None, embedder: Embedder | None = None) -> Self:
        """As `Memory.open`; opening is quick and happens at once."""
        return cls(Memory.open(path, options=options, embedder=embedder))


def embedder_named(name: str, *, threads: int = 0) -> Embedder | None:
    """The embedder of a name: "minilm", "hashing", "none", "onnx:FOLDER", "openai:MODEL@URL", ...

    Nothing is loaded yet. Raises UsageError for an unknown name.
    """
    provider, _, rest = name.partition(":")
    match provider:
        case "none":
            return None
        case "minilm":
            from glossator.providers.minilm import MiniLM

            return MiniLM(threads=threads)
        case "hashing":
            from glossator.providers.hashing import HashingEmbedder

            return HashingEmbedder()
        case "onnx" if rest:
            from glossator.providers.onnx_folder import OnnxFolder

            return OnnxFolder(Path(rest), threads=threads)
        case "openai" if rest:
            from glossator.providers.openai_embeddings import OpenAIEmbeddings

            model, _, address = rest.partition("@")
            key = os.environ.get(f"{PREFIX}EMBEDDER_KEY") or os.environ.get("OPENAI_API_KEY", "")
            return OpenAIEmbeddings(model=model, base_url=address or "https://api.openai.com/v1", api_key=key)
        case "sentence-transformers" if rest:
            from glossator.providers.extras import SentenceTransformersEmbedder

            return SentenceTransformersEmbedder(rest)
        case "fastembed" if rest:
            from glossator.providers.extras import FastEmbedEmbedder

            return FastEmbedEmbedder(rest)
    raise UsageError("options.embedder", f"{name!r} is unknown", remedy=EMBEDDERS)


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


def default_embedder(options: Options) -> Embedder | None:
    """The embedder that `Memory.open` would use."""
    return embedder_named(options.embedder, threads=options.embed_threads)


def default_ranker(options: Options) -> tuple[Ranker | None, str]:
    """The learned ranker that ships with the package, or None and why."""
    if "ranker" not in options.signals:
        return None, "switched off"
    from glossator.providers.ranker import OnnxRanker

    try:
        return OnnxRanker.shipped("turn_ranker"), ""
    except ProviderError as error:
        return None, str(error)


def default_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the store lies: GLOSSATOR_DB, else memory.db in GLOSSATOR_HOME or in the platform's data folder."""
    if environment.get(f"{PREFIX}DB"):
        return Path(environment[f"{PREFIX}DB"])
    if environment.get(f"{PREFIX}HOME"):
        return Path(environment[f"{PREFIX}HOME"]) / FILE_NAME
    base = environment.get("XDG_DATA_HOME") or environment.get("LOCALAPPDATA")
    folder = Path(base) if base else Path(environment.get("HOME", "~")).expanduser() / ".local" / "share"
    return folder / "glossator" / FILE_NAME


def options_from(environment: Mapping[str, str] = os.environ, toml: Path | None = None) -> Options:
    """Options from a TOML file (table [glossator]) and, over it, GLOSSATOR_<NAME>.

    An unknown name is refused in the file. In the environment it is not: others set names there too, Kubernetes for
    example GLOSSATOR_PORT for a service that is called so.
    """
    values: dict[str, object] = {}
    arguments: dict[str, str] = {}
    if toml is not None:
        try:
            values.update(tomllib.loads(toml.read_text(encoding="utf-8")).get("glossator", {}))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise UsageError("config", f"{toml} cannot be read: {error}") from error
    known = {field.name: field for field in fields(Options)}
    for name in known:
        text = environment.get(PREFIX + name.upper())
        if text is not None:
            values[name] = text
            arguments[name] = PREFIX + name.upper()
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise UsageError("config", f"unknown: {unknown}", remedy=f"known are {sorted(known)}")
    typed = {name: _typed(name, value, arguments.get(name, f"options.{name}")) for name, value in values.items()}
    return replace(Options(), **typed)  # type: ignore[arg-type]


def setting(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The value of GLOSSATOR_<NAME>, for the surfaces' own defaults (workspace, agent, owner, ...)."""
    return environment.get(PREFIX + name.upper()) or None


def restore(backup: Path, path: Path) -> None:
    """Put a backup in place at `path`, which must not exist yet, and check it by opening it.

    Raises UsageError for a missing backup or an existing target, StoreError when the backup is damaged.
    """
    if not backup.is_file():
        raise UsageError("backup", f"{backup} is no file", remedy="name a file made by `glossator backup`")
    if path.exists():
        raise UsageError("path", f"{path} exists already", remedy="move it away first; a restore never overwrites")
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".restoring")
    try:
        shutil.copyfile(backup, partial)
        SqliteStore(partial, options=Options(embedder="none")).close()
        partial.replace(path)
    finally:  # what is still there has failed
        for ending in ("", "-wal", "-shm", "-journal"):
            partial.with_name(partial.name + ending).unlink(missing_ok=True)


def _typed(name: str, value: object, argument: str) -> object:
    default = getattr(Options(), name)
    try:
        if isinstance(default, bool):
            if isinstance(value, bool):
                return value
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[str(value).lower()]
        if isinstance(default, frozenset):
            parts = value.split(",") if isinstance(value, str) else list(value)  # type: ignore[call-overload]
            return frozenset(str(part).strip() for part in parts)
        return type(default)(value)
    except (KeyError, TypeError, ValueError) as error:
        kind = {bool: "choice of true and false", int: "whole number", float: "number"}.get(type(default), "text")
        raise UsageError(argument, f"{value!r} is no {kind}", remedy=f"for example {default}") from error
