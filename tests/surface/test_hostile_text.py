"""Does stored text ever steer the terminal that shows it? On a real terminal, by those verbs that show most."""

import os
import pty
import re
import sys
from pathlib import Path

import pytest
from tests.surface.conftest import SOURCES, Cli

from glossator import Memory, Options, Scope

HOSTILE = "\x1b[41mOWNED\x1b[0m\x07\x9b31m\u202eabc\u2066[red]x[/red]\r\b\x1b]0;title\x07"
STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile(r"\x1b\[(?:0|1|2|3[1-6]|1;3[1-6])m")
"""The colours that the verbs use themselves; none of them sets a background."""
SHOWING = (
    ["explain", "f1"],
    ["recall", "jazz bell", "--text"],
    ["recall", "jazz bell", "--json"],
    ["memory", "sources"],
    ["resource", "show", "rules", "--text"],
    ["resource", "diff", "rules", "1", "2"],
    ["forget", "--everything"],
    ["receipt", "list"],
    ["facts", "show", f"f{HOSTILE}"],
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory in which every text that may be given is hostile."""
    path = tmp_path_factory.mktemp("hostile") / "memory.db"
    scope = Scope(workspace="default", trust="operator")
    place = {"scope": scope, "conversation": "chat:a", "project": f"p{HOSTILE}", "tags": [f"t{HOSTILE}"]}
    with Memory.open(path, options=Options(embedder="none", worker=False)) as memory:
        said = f"I live in Oslo {HOSTILE} now. I love jazz bell {HOSTILE}."
        memory.record([{"content": said, "speaker": f"Ana{HOSTILE}", "id": f"i{HOSTILE}"}], **place)  # type: ignore[arg-type]
        memory.remember(f"I work at {HOSTILE}", scope=scope, speaker=f"Bo{HOSTILE}", project=f"p{HOSTILE}")
        for text in ("one \x1b[41mOWNED", "two \x1b[41mOWNED\x9b"):
            memory.write_resource("rules", text, scope=scope, reason=f"why {HOSTILE}")
        memory.add_job(f"night {HOSTILE[:10].strip(chr(27))}", scope=scope, name=HOSTILE, description=HOSTILE)
        memory.drain()
        memory.archive_facts(["f1"], scope=scope, reason=f"r {HOSTILE}")
        memory.reinstate_facts(["f1"], scope=scope, reason=f"r {HOSTILE}")
        gone = f"gone{HOSTILE}"
        memory.record([{"content": "Bye then.", "id": gone}], scope=scope, conversation="chat:b")
        preview = memory.forget(scope=scope, message_ids=[gone])
        memory.forget(scope=scope, message_ids=[gone], confirm=preview.token)
    return path


def on_a_terminal(arguments: list[str], path: Path) -> str:
    """All that a terminal is sent, of stdout and stderr; a question is answered with no."""
    process_id, terminal = pty.fork()
    if process_id == 0:  # pragma: no cover - the child
        settings = {"PYTHONPATH": str(SOURCES), "GLOSSATOR_DB": str(path), "GLOSSATOR_EMBEDDER": "none"}
        os.environ.update(settings, TERM="xterm-256color", COLUMNS="80")
        os.execv(sys.executable, [sys.executable, "-m", "glossator.surfaces.cli", *arguments])
    sent = b""
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # its end, on Linux
            break
        if not piece:
            break
        sent += piece
        if sent.endswith(b"[y/N] "):
            os.write(terminal, b"n\n")
    os.close(terminal)
    os.waitpid(process_id, 0)
    return sent.decode("utf-8")


@pytest.mark.parametrize("arguments", SHOWING, ids=lambda each: " ".join(each[:3])[:24])
def test_no_stored_text_steers_the_terminal(arguments: list[str], hostile: Path) -> None:
    shown = OURS.sub("", on_a_terminal(arguments, hostile))

    assert shown.strip()
    assert sorted(set(STEERING.findall(shown))) == []


def test_a_pipe_gets_the_text_to_the_letter(process: Cli, hostile: Path) -> None:
    there = {"GLOSSATOR_DB": str(hostile), "GLOSSATOR_EMBEDDER": "none"}

    assert process("resource", "show", "rules", "--text", environment=there).out == "two \x1b[41mOWNED\x9b"
    shown = process("recall", "jazz bell", "--json", environment=there)
    assert "\x9b" not in shown.out
    assert HOSTILE in shown.json["hits"][0]["text"]
