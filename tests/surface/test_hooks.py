"""What the hooks of coding agents keep and say, event by event, in this process."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator import Memory, Options, Scope
from glossator.facade.waiting_room import WaitingRoom
from glossator.model import ForgetPreview, Message
from glossator.surfaces.cli import app
from glossator.surfaces.hooks.acting import waiting, write_of
from glossator.surfaces.hooks.arguments import TEXT_OPTIONS, TOKENS, HookArguments, is_quick, read_arguments
from glossator.surfaces.hooks.event import CLIENTS, EVENT_KINDS, Client, project_of, read_event
from glossator.surfaces.hooks.mishaps import Mishaps
from glossator.surfaces.hooks.replying import CHARACTERS_MAX, Reply, written
from glossator.surfaces.hooks.running import Hook
from glossator.surfaces.hooks.samples import FILES, sample
from glossator.surfaces.hooks.transcript import last_answer
from glossator.surfaces.hooks.words import HEAD, shortened, without_recalled
from glossator.surfaces.installation import executable
from glossator.testing.contract.base import NASTY

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCOPE = Scope(workspace="default")
KEY = "sk-ant-" + "abcdefghijklmnop1234"

Run = Callable[..., str]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def hook(db: Path) -> Run:
    """Run one hook on the memory of this test; gives what it writes to stdout."""

    def run(kind: str, *, options: str = "", **event: Any) -> str:
        arguments = read_arguments(["hook", kind, "--db", str(db), *options.split()])
        sent = {"session_id": "4c1d", "cwd": str(db.parent), "hook_event_name": kind, **event}
        return Hook(arguments).run(json.dumps(sent).encode())

    return run


def kept(db: Path, scope: Scope = SCOPE) -> list[Message]:
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        return list(memory.messages(scope=scope))


def injected(said: str) -> str:
    return str(json.loads(said)["hookSpecificOutput"]["additionalContext"])


def test_a_prompt_is_kept_word_for_word_under_its_session_and_project(hook: Run, db: Path) -> None:
    (db.parent / ".git").mkdir()
    (db.parent / "src" / "deep").mkdir(parents=True)

    hook("user-prompt-submit", prompt="  Use tabs,\nalways.  ", cwd=str(db.parent / "src" / "deep"))

    (message,) = kept(db)
    assert (message.role, message.content.strip()) == ("user", "Use tabs,\nalways.")
    assert (message.conversation.channel, message.conversation.chat) == ("claude-code", "4c1d")
    with Memory.open(db, options=Options(embedder="none")) as memory:
        assert memory.recall("tabs", scope=SCOPE, project=db.parent.name).hits
        assert not memory.recall("tabs", scope=SCOPE, project="another").hits


def test_what_bears_on_a_prompt_is_given_fenced_and_nothing_where_nothing_does(hook: Run) -> None:
    hook("user-prompt-submit", prompt="The parser of the invoices lives in billing/parse.py.", session_id="first")

    said = hook("user-prompt-submit", prompt="Where does the parser of the invoices live?", session_id="second")
    assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert "billing/parse.py" in injected(said)
    assert injected(said).startswith("<memory-context")
    assert injected(said).rstrip().endswith("</memory-context>")
    assert hook("user-prompt-submit", prompt="Explain quantum tunnelling to a child.", session_id="second") == ""
    assert hook("user-prompt-submit", prompt="continue", session_id="second") == ""


def test_a_session_is_not_told_again_what_it_said_itself(hook: Run) -> None:
    hook("user-prompt-submit", prompt="The parser of the invoices lives in billing/parse.py.")

    assert "billing/parse.py" not in hook("user-prompt-submit", prompt="Where does the parser of the invoices live?")


def test_recalled_blocks_that_come_back_in_a_prompt_or_an_answer_are_not_kept(hook: Run, db: Path) -> None:
    block = '<memory-context note="x">\nThe owner likes gin.\n</memory-context>'
    hook("user-prompt-submit", prompt=f"{block}\n\nPlease fix the login.\n{block}")
    hook("stop", last_assistant_message=f"{block}\nDone.")
    hook("user-prompt-submit", prompt=f"{block}")
    hook("user-prompt-submit", prompt="<MEMORY-CONTEXT> never closed, likes gin")

    assert [each.content for each in kept(db)] == ["Please fix the login.", "Done."]


def test_the_answer_is_kept_as_the_assistants_and_never_as_the_users_fact(hook: Run, db: Path) -> None:
    hook("stop", last_assistant_message="I live in Paris and my name is Claude.", stop_hook_active=True)

    assert [(each.role, each.content) for each in kept(db)] == [("assistant", "I live in Paris and my name is Claude.")]
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        memory.drain()
        assert list(memory.facts(scope=SCOPE)) == []


def test_a_session_begins_with_the_prompt_files_and_the_time_of_the_last_talk(hook: Run, db: Path) -> None:
    assert hook("session-start", source="startup") == ""
    hook("user-prompt-submit", prompt="I live in Oslo.")
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        memory.drain()

    context = injected(hook("session-start", source="startup", session_id="next"))
    assert re.match(
        r"Last talk that is remembered: \d{4}-\d\d-\d\d \(\w{3}\) \d\d:\d\d UTC\.\n\n<memory-context", context
    )
    assert "I live in Oslo" in context
    assert "Last talk" not in injected(hook("session-start", source="compact"))


def test_the_end_of_a_session_queues_one_extraction_over_it(hook: Run, db: Path) -> None:
    hook("session-end", reason="exit")
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        assert memory.waiting(SCOPE) == 0
    hook("stop", last_assistant_message="The build is green.")

    assert hook("session-end", reason="exit") == ""
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        assert memory.waiting(SCOPE) == 1


def test_tools_are_kept_only_when_asked_for_as_steps_short_and_without_secrets(hook: Run, db: Path) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "make test"}}
    hook("post-tool-use", **call, tool_response={"stdout": "ok"})
    assert not db.exists()

    long = f"export API_KEY={KEY}\n" + "x" * 5_000 + "\nFAILED test_parser"
    hook("post-tool-use", options="--tools", **call, tool_response={"stdout": long})
    hook("post-tool-use", options="--tools", **call, tool_response={"exit": 0, "token": KEY})
    with Memory.open(db, options=Options(embedder="none")) as memory:
        first, second = memory.steps("claude-code:4c1d", scope=SCOPE)
        assert first.action == 'Bash {"command": "make test"}'
        assert len(first.observation) < 1_600
        assert "FAILED test_parser" in first.observation
        assert KEY not in first.observation + second.observation
        assert KEY[:12] not in first.observation + second.observation
        assert memory.recall("make test parser", scope=SCOPE).hits == ()


def test_a_secret_is_not_cut_in_half() -> None:
    text = "y" * (HEAD - 20) + f" {KEY} " + "z" * 3_000

    assert KEY[:10] not in shortened(text)


def test_a_hook_that_two_configurations_run_keeps_a_turn_once(hook: Run, db: Path) -> None:
    for _ in range(2):
        hook("user-prompt-submit", prompt="Fix it.", turn_id="t1")
        hook("stop", last_assistant_message="Fixed.", turn_id="t1")
    hook("user-prompt-submit", prompt="Fix it.", turn_id="t2")

    assert [each.content for each in kept(db)] == ["Fix it.", "Fixed.", "Fix it."]
    assert {each.conversation.channel for each in kept(db)} == {"codex"}


def test_the_same_prompt_said_twice_is_kept_twice(hook: Run, db: Path) -> None:
    hook("user-prompt-submit", prompt="Go on.")
    hook("user-prompt-submit", prompt="Go on.")

    assert len(kept(db)) == 2


def test_whose_memory_it_is_comes_from_options_then_the_environment(
    hook: Run, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLOSSATOR_WORKSPACE", "acme")
    monkeypatch.setenv("GLOSSATOR_OWNER", "ana")
    hook("user-prompt-submit", prompt="One.")
    hook("user-prompt-submit", prompt="Two.", options="--workspace other --owner=bob")

    assert [each.content for each in kept(db, Scope(workspace="acme", owner="ana"))] == ["One."]
    assert [each.content for each in kept(db, Scope(workspace="other", owner="bob"))] == ["Two."]


def of_claude(role: str, *content: dict[str, Any], name: str = "m2", **more: Any) -> dict[str, Any]:
    return {"type": role, "message": {"id": name, "role": role, "content": list(content)}, **more}


def of_codex(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}


def words(text: str, kind: str = "text") -> dict[str, Any]:
    return {"type": kind, "text": text}


CLAUDE = [
    {"type": "user", "message": {"role": "user", "content": "Hello"}},
    of_claude("assistant", words("Old."), name="m1"),
    of_claude("user", {"type": "tool_result", "content": "secret output"}, name="u"),
    of_claude("assistant", {"type": "thinking", "thinking": "hm"}),
    of_claude("assistant", words("One.")),
    of_claude("assistant", words("Two.")),
    of_claude("assistant", words("sub-agent"), name="s", isSidechain=True),
    of_claude("assistant", {"type": "tool_use", "name": "Bash"}),
    {"type": "summary", "summary": "A talk"},
]
CODEX = [
    {"type": "session_meta", "payload": {"id": "x"}},
    of_codex(type="message", role="user", content=[words("Hi", "input_text")]),
    of_codex(type="reasoning", summary=[]),
    of_codex(type="message", role="assistant", content=[words("Done.", "output_text")]),
    {"type": "event_msg", "payload": {"type": "token_count"}},
]
CURSOR = [
    {"role": "user", "message": {"content": [words("Hi")]}},
    {"role": "assistant", "message": {"content": [words("Hello.")]}},
]


@pytest.mark.parametrize(
    ("lines", "answer"), [(CLAUDE, "One.\n\nTwo."), (CODEX, "Done."), (CURSOR, "Hello."), (CLAUDE[:1], ""), ([], "")]
)
def test_the_answer_is_found_in_the_transcript_where_the_event_has_none(
    tmp_path: Path, hook: Run, db: Path, lines: list[dict[str, Any]], answer: str
) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + '\n{"type":"assistant","mess', encoding="utf-8")

    assert last_answer(str(path)) == answer
    hook("stop", transcript_path=str(path))
    assert (kept(db) if db.exists() else []) == [] if not answer else kept(db)[0].content == answer


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    filler = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 1_000}}) + "\n"
    path.write_text(json.dumps(CLAUDE[1]) + "\n" + filler * 3_000 + json.dumps(CLAUDE[5]), encoding="utf-8")

    assert last_answer(str(path)) == "Two."


@pytest.mark.parametrize("name", ["", "missing.jsonl", ".", "\0", "/dev/zero", "~nobody-at-all/x"])
def test_a_transcript_that_is_none_is_no_answer(tmp_path: Path, name: str) -> None:
    assert last_answer(name if not name or name[0] in "/~\0" else str(tmp_path / name)) == ""


@pytest.mark.parametrize(
    ("value", "client", "conversation"),
    [
        ({"session_id": "4c1d"}, "claude-code", "claude-code:4c1d"),
        ({"session_id": "4c1d", "turn_id": "t"}, "codex", "codex:4c1d"),
        ({"conversation_id": "4c1d", "cursor_version": "3"}, "cursor", "cursor:4c1d"),
        ({"session_id": "a:b/c d\n"}, "claude-code", "claude-code:a-b-c-d"),
        ({"session_id": ["x"]}, "claude-code", "claude-code:unnamed"),
        ({}, "claude-code", "claude-code:unnamed"),
    ],
)
def test_every_agent_and_session_has_a_conversation(value: dict[str, Any], client: str, conversation: str) -> None:
    event = read_event("stop", value)

    assert (event.client, event.conversation) == (client, conversation)


FIELDS = """session_id prompt cwd transcript_path tool_name tool_input tool_response last_assistant_message source
turn_id workspace_roots cursor_version text""".split()
EVENTS = st.dictionaries(
    st.sampled_from(FIELDS),
    st.sampled_from(NASTY)
    | st.none()
    | st.integers()
    | st.text(max_size=20)
    | st.lists(st.text(max_size=5), max_size=2)
    | st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
)


@pytest.mark.parametrize("kind", EVENT_KINDS)
@given(EVENTS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_an_event_holds_a_hook_says_valid_json_or_nothing(
    tmp_path: Path, kind: str, event: dict[str, Any]
) -> None:
    db = tmp_path / "memory.db"
    hook = Hook(read_arguments(["hook", kind, "--db", str(db), "--tools"]))
    said = hook.run(json.dumps(event).encode())

    assert said == "" or isinstance(json.loads(said), dict)
    assert not Mishaps(db).path.exists(), Mishaps(db).path.read_text()


@pytest.mark.parametrize(
    "data",
    [b"", b"garbage", b"[]", b"null", b'"x"', b"\xff\xfe", b"{", b"[" * 100_000, b'{"prompt": "x"', b"1" * 9_999],
)
def test_what_is_no_event_is_told_at_the_next_session_and_fails_nothing(db: Path, hook: Run, data: bytes) -> None:
    assert Hook(read_arguments(["hook", "stop", "--db", str(db)])).run(data) == ""

    notice = json.loads(hook("session-start"))["systemMessage"]
    assert "failed once" in notice
    assert "stdin: is no JSON object" in notice
    assert hook("session-start") == ""  # told once


def test_a_misspelt_option_is_told_and_the_hook_does_its_work(db: Path, hook: Run) -> None:
    hook("user-prompt-submit", prompt="Kept.", options="--tokns 5 --client copilot --tokens many")

    assert [each.content for each in kept(db)] == ["Kept."]
    notice = json.loads(hook("session-start"))["systemMessage"]
    assert "not understood: --tokns, 5, --client copilot, --tokens many" in notice


def test_no_words_of_a_talk_are_in_the_file_of_mishaps(db: Path, hook: Run) -> None:
    db.parent.joinpath("memory.db").write_bytes(b"this is no database at all" * 100)
    hook("user-prompt-submit", prompt="my private words")

    text = Mishaps(db).path.read_text()
    assert "StoreCorruptError" in text
    assert "private" not in text
    assert Mishaps(db).path.stat().st_mode & 0o777 == 0o600


def test_what_the_memory_cannot_take_waits_and_is_kept_by_the_next_hook_with_its_time(db: Path, hook: Run) -> None:
    db.write_bytes(b"this is no database at all" * 100)
    hook("user-prompt-submit", prompt="First.", session_id="one")
    hook("stop", last_assistant_message="Second.", session_id="one")
    assert WaitingRoom(db).count() == 2
    folder = db.with_name("memory.db.waiting")
    assert all(each.stat().st_mode & 0o077 == 0 for each in (folder, *folder.iterdir()))
    db.unlink()

    hook("user-prompt-submit", prompt="Third.", session_id="two")
    assert [each.content for each in kept(db)] == ["First.", "Second.", "Third."]
    assert WaitingRoom(db).count() == 0
    first, _, third = kept(db)
    assert first.said.at <= third.said.at
    assert first.conversation.chat == "one"


def test_a_write_that_was_made_after_all_is_not_made_twice(db: Path) -> None:
    event = read_event("stop", {"session_id": "4c1d", "last_assistant_message": "Once."})
    write = write_of(event, tools=False)
    assert write is not None
    hook = Hook(read_arguments(["hook", "stop", "--db", str(db)]))
    room = WaitingRoom(db)
    for name in ("a", "b"):
        room.keep(waiting(write, SCOPE, "2026-01-01T00:00:00+00:00"), name=name)
    hook.run(json.dumps({"session_id": "4c1d", "last_assistant_message": "Later."}).encode())

    assert [each.content for each in kept(db)] == ["Once.", "Later."]
    assert room.count() == 0


def test_a_secret_does_not_wait_on_the_disk(db: Path, hook: Run) -> None:
    db.write_bytes(b"this is no database at all" * 100)
    hook("user-prompt-submit", prompt=f"Use {KEY} for it.")

    (path,) = db.with_name("memory.db.waiting").iterdir()
    assert KEY not in path.read_text()


def test_a_damaged_write_does_not_hold_up_those_behind_it(db: Path, hook: Run) -> None:
    room = WaitingRoom(db)
    for name, write in (("a", {"nothing": 1}), ("b", {"conversation": "x", "message": {"content": 5}})):
        room.keep(write, name=name)
    folder = db.with_name("memory.db.waiting")
    (folder / "00000000000000000000-c.json").write_bytes(b"{half")

    hook("user-prompt-submit", prompt="Kept.")

    assert [each.content for each in kept(db)] == ["Kept."]
    assert sorted(each.suffix for each in folder.iterdir()) == [".damaged"] * 3


def test_what_waits_is_erased_with_all_else_and_does_not_come_back(db: Path, hook: Run) -> None:
    hook("user-prompt-submit", prompt="My pin is 4711.", session_id="one")
    room = WaitingRoom(db)
    for number, text in enumerate(("My pin is still 4711.", "The sky is blue.")):
        event = read_event("stop", {"session_id": ("one", "two")[number], "last_assistant_message": text})
        write = write_of(event, tools=False)
        assert write is not None
        room.keep(waiting(write, SCOPE, "2026-01-01T00:00:00+00:00"), name=str(number))
    damaged = db.with_name("memory.db.waiting") / "00000000000000000000-c.json"
    damaged.write_bytes(b'{"message": {"content": "My pin is 4711')

    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        seen = memory.forget(scope=SCOPE, conversation="claude-code:one")
        assert isinstance(seen, ForgetPreview)
        assert seen.message_count == 2
        memory.forget(scope=SCOPE, conversation="claude-code:one", confirm=seen.token)

    hook("user-prompt-submit", prompt="Next.", session_id="two")
    assert [each.content for each in kept(db)] == ["The sky is blue.", "Next."]
    left = [each for each in db.parent.rglob("*") if each.is_file() and b"4711" in each.read_bytes()]
    assert left == []


def test_a_step_that_waits_is_kept_by_the_next_hook(db: Path, hook: Run) -> None:
    write = write_of(read_event("post-tool-use", {"session_id": "one", "tool_name": "Bash"}), tools=True)
    assert write is not None
    WaitingRoom(db).keep(waiting(write, SCOPE, "2026-01-01T00:00:00+00:00"), name="a")

    hook("stop", last_assistant_message="Done.")

    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        (step,) = memory.steps("claude-code:one", scope=SCOPE)
    assert step.action == "Bash"


def test_a_hook_that_runs_out_of_time_keeps_its_words_aside(db: Path) -> None:
    hook = Hook(read_arguments(["hook", "stop", "--db", str(db)]))
    event = read_event("stop", {"session_id": "4c1d", "last_assistant_message": "Not lost."})
    hook._unkept = write_of(event, tools=False)
    hook.failed("before")
    hook.ran_out_of_time()

    assert WaitingRoom(db).count() == 1
    assert "took longer than" in Mishaps(db).path.read_text()


def test_a_hook_that_is_done_just_as_its_time_runs_out_keeps_its_words_once(db: Path, hook: Run) -> None:
    late = Hook(read_arguments(["hook", "stop", "--db", str(db)]))
    late._unkept = write_of(read_event("stop", {"session_id": "4c1d", "last_assistant_message": "Once."}), tools=False)
    late.ran_out_of_time()
    late.settle()
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        late.make(memory, SCOPE)
    hook("stop", last_assistant_message="Next.")

    assert [each.content for each in kept(db)] == ["Once.", "Next."]


@pytest.mark.parametrize("client", CLIENTS)
def test_each_agent_is_answered_in_its_own_form(client: Client) -> None:
    reply = Reply(context="<memory-context>x</memory-context>", notice="Failed.")
    started = json.loads(written(reply, event="session-start", client=client))
    asked = json.loads(written(reply, event="user-prompt-submit", client=client))

    if client == "cursor":
        assert started == {"additional_context": reply.context}
        assert asked["continue"] is True
    else:
        specific = {"hookEventName": "SessionStart", "additionalContext": reply.context}
        assert started == {"systemMessage": "Failed.", "hookSpecificOutput": specific}
        assert asked["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert written(Reply(context="x"), event="stop", client=client) == ""


def test_a_long_context_is_cut_and_its_fence_stays_closed() -> None:
    said = written(Reply(context="<memory-context>" + "x" * 20_000), event="session-start", client="codex")

    context = json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert len(context) <= CHARACTERS_MAX
    assert context.endswith("</memory-context>")


def test_without_recalled_leaves_all_other_text_as_it_is() -> None:
    for text in NASTY:
        if "memory-context" not in text.casefold():
            assert without_recalled(text) == text


@pytest.mark.parametrize(
    ("folder", "name"),
    [("/home/ana/shop", "shop"), ("", None), ("/", None), ("a\0b", None), ("y" * 5_000, "y" * 200)],
)
def test_a_project_is_called_as_its_folder(folder: str, name: str | None) -> None:
    assert project_of(folder) == name


def test_the_quick_path_and_the_command_line_have_the_same_options() -> None:
    group = typer.main.get_command(app).commands["hook"]  # type: ignore[attr-defined]
    for kind in EVENT_KINDS:
        flags = {flag for each in group.commands[kind].params for flag in (*each.opts, *each.secondary_opts)}
        ours = {f"--{name}" for name in TEXT_OPTIONS} | {"--tools", "--no-tools"}
        assert flags - {"--help", "-h"} == ours
        assert is_quick(["hook", kind, "--db", "x"])
        assert not is_quick(["hook", kind, "--help"])
    assert not is_quick(["hook", "install"])
    assert not is_quick(["recall", "stop"])
    assert read_arguments(["hook", "stop"]) == HookArguments(event="stop", tokens=TOKENS)


@pytest.mark.parametrize("client", CLIENTS)
def test_install_prints_commands_that_any_shell_can_run_on_this_memory(
    cli: Any, client: Client, tmp_path: Path
) -> None:
    printed = cli("hook", "install", "--print", client, "--owner", "Jürgen O'Hara")

    program, memory = executable(), ("--db", str(tmp_path / "memory.db"), "--owner", "Jürgen O'Hara")
    assert json.loads(printed.out) == sample(client, program=program, memory=memory)
    assert FILES[client] in printed.err
    commands = re.findall(r'"command": (".*")', printed.out)
    for command in commands:
        words = shlex.split(json.loads(command))
        assert Path(words[0]).is_absolute()
        called = words[words.index("hook") :]
        read = read_arguments(called)
        assert is_quick(called)
        assert not read.misread
        assert (read.db, read.owner) == (tmp_path / "memory.db", "Jürgen O'Hara")
    assert len(commands) == {"claude-code": 4, "codex": 3, "cursor": 4}[client]
    assert "--tools" not in printed.out
    assert "post-tool-use" in json.dumps(sample(client, tools=True))


def test_the_page_shows_what_install_prints() -> None:
    page = (DOCS / "hooks.md").read_text(encoding="utf-8")
    shown = re.search(r"--print claude-code\n(\{.*?\n\})\n", page, flags=re.DOTALL)

    assert shown is not None
    program, memory = "/home/ana/venv/bin/glossator", ("--db", "/home/ana/.local/share/glossator/memory.db")
    assert json.loads(shown[1]) == sample("claude-code", program=(program,), memory=memory)
    assert all(FILES[client] in page for client in CLIENTS)


def test_an_unknown_agent_is_told(cli: Any) -> None:
    result = cli("hook", "install", "--print", "emacs")

    assert result.code == 2
    assert "choose from claude-code, codex, cursor" in result.err


def test_the_command_line_does_the_same_as_the_quick_path(cli: Any) -> None:
    event = json.dumps({"session_id": "1", "prompt": "The red door leads to the cellar."}).encode()
    assert cli("hook", "user-prompt-submit", stdin=event).code == 0

    event = json.dumps({"session_id": "2", "prompt": "Where does the red door lead to?"}).encode()
    assert "cellar" in injected(cli("hook", "user-prompt-submit", stdin=event).out)
    assert cli("hook", "stop", stdin=b"garbage").code == 0
