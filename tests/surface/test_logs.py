"""No line of a log has a word that somebody said, whatever fails and whoever formats it; and nothing goes to stdout."""

import ast
import contextlib
import io
import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator import Memory, Options, Scope
from glossator.bounded import BoundedModel
from glossator.errors import GlossatorError, ProviderError, StoreError, UsageError
from glossator.providers.hashing import HashingEmbedder
from glossator.rules.log_words import content_of, kind_of, place_of
from glossator.stores.sqlite import SqliteStore
from glossator.surfaces.watch.logs import UNKNOWN, StderrHandler, log_to_stderr
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import ScriptedModel

SOURCE = Path(__file__).parents[2] / "src" / "glossator"
MARK = "Zanzibar-7"
"""In everything that is said, named or raised."""
WHO = Scope(workspace=MARK, agent=MARK, owner=MARK, trust="operator")
CHAT = f"telegram:{MARK}"
ON = {"capture_mode": "both", "turn_fact_extraction_enabled": True, "review_interval_hours": 1}


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    root, glossator = logging.getLogger(), logging.getLogger("glossator")
    before = glossator.level
    yield
    for each in [each for each in root.handlers if isinstance(each, StderrHandler)]:
        root.removeHandler(each)
    glossator.setLevel(before)


@pytest.fixture
def written() -> Iterator[Callable[[], str]]:
    """All that a plain handler of the standard library has written, from debug on."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("glossator").setLevel(logging.DEBUG)
    yield stream.getvalue
    root.removeHandler(handler)


class Failing:
    """A store in which chosen methods fail with a message that quotes what it was given."""

    def __init__(self, store: SqliteStore, *names: str) -> None:
        self._store, self.names = store, set(names)

    def __getattr__(self, name: str) -> Any:
        if name in self.names:

            def fail(*_args: object, **_kwargs: object) -> None:
                raise StoreError(f"cannot keep {MARK}", retryable=True) from ValueError(MARK)

            return fail
        return getattr(self._store, name)


class Broken(HashingEmbedder):
    """An embedder that quotes what it cannot embed."""

    def embed(self, texts: Any) -> Any:
        raise ValueError(f"cannot embed {MARK} {texts}")


def opened(
    path: Path, *failing: str, model: ScriptedModel | None = None, embedder: Any = None, **choices: Any
) -> Memory:
    from glossator.facade.offline import Rules
    from glossator.retain.modelled.extractor import ModelExtractor

    options = Options(**{"embedder": "hashing", "worker": False, **choices})
    clock, model = FakeClock(), None if model is None else BoundedModel(model)
    return Memory(
        Failing(SqliteStore(path, options=options), *failing),  # type: ignore[arg-type]
        clock=clock, ids=CountingIds(), options=options, embedder=embedder or HashingEmbedder(),
        extractor=Rules() if model is None else ModelExtractor(model, timeout_s=5), language_model=model,
        draw=lambda: 0.5, monotonic_s=lambda: clock.now().timestamp(),
    )  # fmt: skip


def quietly(call: Callable[[], object]) -> None:
    with contextlib.suppress(GlossatorError, OSError):
        call()


def use(memory: Memory) -> None:
    """Everything an agent does, over and over what is marked."""
    run = memory.run(scope=WHO, conversation=CHAT)
    run.record([{"content": f"I live in {MARK}. I like {MARK}.", "id": MARK}])
    run.prefetch(MARK)
    run.context(MARK, budget=500)
    steps: list[Callable[[], object]] = [
        lambda: memory.record([{"role": "user", "content": MARK}], scope=WHO, conversation=CHAT),
        lambda: memory.recall(f"where is {MARK}?", scope=WHO),
        lambda: memory.remember(f"I love {MARK}", scope=WHO),
        lambda: memory.drain(5),
        lambda: memory.drain(5),
        lambda: memory.review(scope=WHO, now=True),
        lambda: memory.compact(scope=WHO, conversation=CHAT),
        lambda: memory.forget_facts(scope=WHO, fact_ids=[MARK]),
        lambda: memory.recall(MARK, scope=WHO, per=MARK),  # type: ignore[arg-type]
        lambda: memory.rebuild_prompt_files(scope=WHO),
    ]
    for step in steps:
        quietly(step)
    quietly(lambda: run.finish(request=MARK, final_answer=MARK))


WAYS: dict[str, Callable[[Path], Memory]] = {
    "a store that cannot write": lambda path: opened(path, "append", "commit", "push", "record_steps"),
    "a store that cannot be searched": lambda path: opened(path, "survey", "match_facts", "facts", "hinted"),
    "a store that cannot settle": lambda path: opened(path, "settle", "fail", "claim", "finish_review"),
    "an embedder that quotes": lambda path: opened(path, embedder=Broken()),
    "a model that breaks": lambda path: opened(path, model=ScriptedModel([RuntimeError(MARK)] * 20), **ON),
    "a model that refuses": lambda path: opened(
        path, model=ScriptedModel([ProviderError(f"answered 400: {MARK}", retryable=True)] * 20), **ON
    ),
    "a model that writes nonsense": lambda path: opened(path, model=ScriptedModel([f"no JSON: {MARK}"] * 20), **ON),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_fails_is_told_without_a_word_of_what_was_said(
    way: str, tmp_path: Path, written: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    log_to_stderr("debug", as_json=True)
    memory = WAYS[way](tmp_path / "memory.db")
    use(memory)
    memory.close()

    shown = capsys.readouterr()
    assert written().strip(), "something has failed, and nothing was told"
    assert MARK.lower() not in written().lower()
    assert shown.err.strip()
    assert MARK.lower() not in shown.err.lower()
    assert shown.out == ""
    assert all(json.loads(line)["event"] for line in shown.err.splitlines())


def test_who_asks_for_content_gets_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("debug", as_json=True, content=True)
    memory = WAYS["a model that writes nonsense"](tmp_path / "memory.db")
    use(memory)
    memory.close()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert any(MARK in each.get("content", "") for each in lines)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_traceback_is_told_as_its_places(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("info", as_json=as_json)
    try:
        json.loads(f"{{{MARK}")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
        logging.getLogger("glossator.http").exception("a request failed")
    shown = capsys.readouterr().err
    assert MARK not in shown
    assert shown.count("JSONDecodeError") == 2
    assert shown.count("decoder.py:") >= 2
    assert len(shown.splitlines()) == 2


def test_other_libraries_are_told_without_their_message(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("debug", as_json=True)
    logging.getLogger("mcp.server").warning(f"cannot read {MARK}")
    logging.getLogger("mcp.server").info(f"read {MARK}")
    logging.getLogger("uvicorn.access").info('"GET /?q=%s"', MARK)
    logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" 403', "1.2.3.4", f"/?q={MARK}")
    (line,) = [json.loads(each) for each in capsys.readouterr().err.splitlines()]
    assert (line["event"], line["logger"], line["level"]) == (UNKNOWN, "mcp.server", "warning")


def test_structlog_itself_goes_to_stderr_too(capsys: pytest.CaptureFixture[str]) -> None:
    import structlog

    log_to_stderr("info", as_json=True)
    structlog.get_logger("glossator.mcp").info("tool called", tool="recall")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert json.loads(shown.err)["tool"] == "recall"


def test_calling_it_again_changes_the_level_and_doubles_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("debug", as_json=True)
    log_to_stderr("WARNING", as_json=False)
    logging.getLogger("glossator.worker").info("hidden")
    logging.getLogger("glossator.worker").warning("shown\x1b[31m")
    (line,) = capsys.readouterr().err.splitlines()
    assert "shown" in line
    assert "\x1b" not in line


def test_a_wrong_level_and_a_missing_package_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="log_level"):
        log_to_stderr("loud", as_json=True)
    monkeypatch.setitem(sys.modules, "structlog", None)
    with pytest.raises(UsageError) as caught:
        log_to_stderr("info", as_json=True)
    assert caught.value.remedy == 'pip install "glossator[server]"'


def test_an_error_is_named_by_its_class_its_causes_and_numbers_of_the_system() -> None:
    def raised(error: Exception, cause: Exception | None = None) -> Exception:
        try:
            raise error from cause
        except Exception as caught:
            return caught

    assert kind_of(raised(StoreError(MARK), OSError(28, MARK))) == "StoreError (OSError, ENOSPC)"
    assert kind_of(raised(ProviderError(f"openai:x: answered 429: {MARK}"))) == "ProviderError (HTTP 429)"
    assert kind_of(raised(ProviderError(MARK), ValueError("[Errno 111] refused"))) == (
        "ProviderError (ValueError, ECONNREFUSED)"
    )
    assert place_of(raised(ValueError(MARK))).startswith("test_logs.py:")
    assert place_of(ValueError(MARK)) == ""
    assert content_of(StoreError(MARK)) == {"content": MARK}


TRACED = {"surfaces/http/safety.py"}
"""May hand a traceback over: the server always sets its own formatter up, which tells places alone."""


def loose_arguments(tree: ast.AST) -> Iterator[int]:
    """Lines where a logger is given an error itself, or a traceback."""
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if ast.unparse(call.func.value).lower() not in ("logger", "log", "self._log", "self._logger"):
            continue
        given = [ast.unparse(each) for each in call.args[1:]]
        quoting = any(each in ("error", "exc", "str(error)", "str(exc)", "repr(error)") for each in given)
        interpolated = bool(call.args) and isinstance(call.args[0], ast.JoinedStr)
        traced = call.func.attr == "exception" or any(each.arg == "exc_info" for each in call.keywords)
        if quoting or interpolated or traced:
            yield call.lineno


def test_no_logger_is_given_an_error_itself() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).as_posix() not in TRACED
        for line in loose_arguments(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
