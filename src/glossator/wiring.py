"""How do options, environment and TOML become a Memory? The only reader of the environment and of the clock."""

import atexit
import os
import random
import shutil
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import uuid_utils

from glossator import aio, facade
from glossator.bounded import BoundedModel, NamedModel, RoutedModel
from glossator.configuring import PREFIX, configured
from glossator.errors import ProviderError, UsageError
from glossator.facade.offline import Rules
from glossator.facade.waiting_room import WaitingRoom
from glossator.model import Vitals
from glossator.naming import files_for, redactor_named, reranker_named, tracer_named, watched
from glossator.options import Options
from glossator.ports import Clock, Embedder, Extractor, Files, Ids, LanguageModel, Ranker, Redactor, Reranker, Tracer
from glossator.providers.random_secrets import RandomSecrets
from glossator.providers.signing import Ed25519Signer
from glossator.rules.given import check_given
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.vitals import look

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
        language_model: LanguageModel | None = None,
        language_model_fallback: LanguageModel | None = None,
        extractor: Extractor | None = None,
        redactor: Redactor | None = None,
        files: Files | None = None,
        tracer: Tracer | None = None,
    ) -> Self:
        """Open the SQLite file at `path`; it is created or migrated (with a backup first) as needed.

        `embedder`, `reranker`, `redactor` and both language models override the options' names, `ranker` the one that
        ships, `extractor` whatever the options would take facts with, `files` where prompt files lie, `tracer` what
        `Options.tracing` names. Raises UsageError for a wrong path or option, StoreError for a file that is locked,
        read-only, damaged or of a newer version.
        """
        check_given(cls.open, {"path": path, "options": options})
        options = options or Options()
        tracer = tracer or tracer_named(options.tracing)
        model = watched(model_of(options, language_model, language_model_fallback), tracer)
        chosen_extractor = extractor or extractor_of(options, model)
        chosen = embedder or embedder_named(options.embedder, threads=options.embed_threads)
        store = SqliteStore(Path(path), options=options)
        shipped, missing = default_ranker(options) if ranker is None else (ranker, "")
        memory = cls(
            watched(store, tracer),
            clock=clock or SystemClock(),
            ids=ids or TimeOrderedIds(),
            options=options,
            embedder=watched(chosen, tracer),
            ranker=watched(shipped, tracer),
            ranker_missing=missing,
            reranker=watched(reranker or reranker_named(options.reranker), tracer),
            extractor=chosen_extractor,
            language_model=model,
            redactor=redactor or redactor_named(options.redact_personal),
            files=files or files_for(options.prompt_folder, store),
            signer=Ed25519Signer(),
            secrets=RandomSecrets(),
            tracer=tracer,
            room=WaitingRoom(Path(path)),
            draw=random.SystemRandom().random,
            monotonic_s=time.monotonic if clock is None else lambda: clock.now().timestamp(),
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


def model_of(
    options: Options, given: LanguageModel | None = None, given_fallback: LanguageModel | None = None
) -> LanguageModel | None:
    """The language model of these options with its fallback, None where there is none.

    Raises UsageError for a name that is wrong, and where a key is missing for what is asked behind every turn.
    """
    if given is None and options.language_model == "none" and options.language_model_fallback != "none":
        raise UsageError("options.language_model_fallback", "is a fallback for nothing", remedy="name a language_model")
    named = options.extracts_by == "model" or options.reviews
    models = [
        each or (language_model_named(name) if named else NamedModel(name, language_model_named))
        for name, each in ((options.language_model, given), (options.language_model_fallback, given_fallback))
        if each is not None or name != "none"
    ]
    match models:
        case []:
            return None
        case [only]:
            return BoundedModel(only)
        case _:
            return RoutedModel(*models)


def extractor_of(options: Options, language_model: LanguageModel | None = None) -> Extractor | None:
    """What takes facts out of turns under these options: the rules, a model, or nothing."""
    options.checked_model(given=language_model is not None)
    match options.extracts_by:
        case "none":
            return None
        case "rules":
            return Rules()
        case "model":
            from glossator.retain.modelled.extractor import ModelExtractor

            model = language_model or BoundedModel(language_model_named(options.language_model))
            return ModelExtractor(model, timeout_s=options.extraction_timeout_s)


def language_model_named(name: str, environment: Mapping[str, str] = os.environ) -> LanguageModel:
    """The model of a name such as "openai:gpt-5-mini" or "ollama:llama3"; its key comes from the environment."""
    from glossator.providers.language import key_variables, model_named

    keys = (environment.get(variable, "") for variable in key_variables(name))
    return model_named(name, api_key=next((key for key in keys if key), ""))


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
    """Options from a TOML file (table [glossator]) and, over it, the environment; see configuring.py."""
    return configured(environment, toml).options


def origins_from(environment: Mapping[str, str] = os.environ, toml: Path | None = None) -> Mapping[str, str]:
    """Where each option's value comes from: "default", "environment GLOSSATOR_X" or "file PATH"."""
    return configured(environment, toml).origins


def setting(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The value of GLOSSATOR_<NAME>, for the surfaces' own defaults (workspace, agent, owner, ...)."""
    return environment.get(PREFIX + name.upper()) or None


def vitals_at(path: Path) -> Vitals:
    """How the memory at `path` is doing, by a look that opens, migrates and locks nothing. Raises StoreError."""
    return look(path, now=SystemClock().now())


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
