"""Does the installed command behave in a shell, whatever the locale, the path and the pipe?"""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"

LOCALES = {
    "posix": {"LC_ALL": "C"},
    "ascii for sure": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "western": {"PYTHONIOENCODING": "cp1252"},
    "utf-8": {"LC_ALL": "C.UTF-8"},
}


@pytest.mark.parametrize("locale", LOCALES)
def test_any_locale_and_a_path_with_spaces_and_umlauts_keep_every_script(process, tmp_path, locale):  # proves: K33
    folder = tmp_path / "Gedächtnis von Jürgen"
    folder.mkdir()
    text = "Grüße aus Łódź: 猫を二匹飼っています 👩‍👩‍👧"
    environment = LOCALES[locale] | {"GLOSSATOR_DB": str(folder / "größe 猫.db")}
    export = folder / "übung.txt"
    export.write_text("User: Ещё одна строка\n", encoding="utf-8")

    assert process("record", text, environment=environment).code == 0
    assert process("ingest", export, "--json", environment=environment).json["stored"] == 1
    hits = process("recall", "猫", "--json", environment=environment).json["hits"]
    shown = process("recall", "Łódź", environment=environment)

    assert hits[0]["text"] == text
    assert (shown.code, "猫を二匹飼っています" in shown.out) == (0, True)
    assert process("recall", "строка", "--json", environment=environment).json["hits"][0]["text"] == "Ещё одна строка"


def test_help_needs_no_engine(process):
    code = "import sys; from glossator.surfaces.cli import called; called(['--help']); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(SOURCES)}, check=True
    )

    assert done.stdout.splitlines()[-1] == "False"


def test_every_verb_has_help_that_fits_80_columns(process):
    top = process("--help").out

    for verb in ("demo", "record", "ingest", "recall", "forget", "status", "doctor", "backup", "restore", "bench",
                 "worker", "version"):  # fmt: skip
        assert verb in top
        shown = process(verb, "--help", environment={"COLUMNS": "80"})
        assert shown.code == 0
        assert "--json" in shown.out
        assert max(len(line) for line in shown.out.splitlines()) <= 80


def test_the_demo_runs_when_piped_without_colour_and_leaves_nothing(process, tmp_path):
    result = process("demo", environment={"TMPDIR": str(tmp_path), "NO_COLOR": "1", "GLOSSATOR_EMBEDDER": "minilm"})

    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert "happened March 2023" in result.out
    assert "happened Sun 1 Oct 2023" in result.out
    assert "is not among" in result.out
    assert list(tmp_path.glob("glossator-demo-*")) == []


def test_each_question_of_the_demo_is_answered_by_its_first_hit(process):
    shown = process("demo", "--json", environment={"GLOSSATOR_EMBEDDER": "minilm"}).json

    best = [answer["hits"][0]["text"] for answer in shown["answers"]]
    for text, words in zip(
        best,
        (
            "last March",
            "soap",
            "ruined the sofa",
            "猫を二匹飼っています",
            "KX-4471-0093",
            "swimming lesson",
            "anatomy teacher",
            "nurse",
        ),
        strict=True,
    ):
        assert words in text
    assert shown["forgotten"]["receipt"]["remaining_count"] == 0
    assert shown["forgotten"]["found_again"] is False
    chain = shown["facts"]["explained"]["chain"]
    assert [(fact["state"], fact["value"]) for fact in chain][-1] == ("active", "anatomy teacher")
    assert [fact["state"] for fact in chain] == ["superseded", "active"]
    assert any("nurse" in fact["text"] for fact in shown["facts"]["then"])


def test_a_closed_pipe_is_no_failure_worth_words(tmp_path, process):
    process("record", "some words")
    command = f"{sys.executable} -m glossator.surfaces.cli recall words | true"
    environment = {
        "PYTHONPATH": str(SOURCES),
        "GLOSSATOR_DB": str(tmp_path / "memory.db"),
        "GLOSSATOR_EMBEDDER": "none",
    }
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, env=environment, check=False)

    assert done.stderr == ""


def test_the_worker_stops_when_it_is_told_to(tmp_path, process):
    process("record", "to embed", "--no-embed")
    environment = {
        "PYTHONPATH": str(SOURCES),
        "GLOSSATOR_DB": str(tmp_path / "memory.db"),
        "GLOSSATOR_EMBEDDER": "hashing",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "glossator.surfaces.cli", "worker", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    ) as worker:  # fmt: skip
        while process("status", "--json").json["file"]["pending_count"]:
            assert worker.poll() is None
        worker.send_signal(signal.SIGTERM)
        out, err = worker.communicate(timeout=30)

    assert (worker.returncode, err) == (0, "")
    assert json.loads(out) == {"pending": 0, "failed": 0, "embedded": 1}


def listen_to_ctrl_c() -> None:
    """A suite that runs in the background has SIGINT ignored, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_says_what_was_kept_and_the_same_command_goes_on_from_there(tmp_path, process):
    export = tmp_path / "talk.jsonl"
    lines = [json.dumps({"role": "user", "content": f"line {number}", "id": str(number)}) for number in range(40_000)]
    export.write_text("\n".join(lines), encoding="utf-8")
    process("record", "first")
    environment = {
        "PYTHONPATH": str(SOURCES),
        "GLOSSATOR_DB": str(tmp_path / "memory.db"),
        "GLOSSATOR_EMBEDDER": "none",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "glossator.surfaces.cli", "ingest", export, "--no-embed"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=listen_to_ctrl_c,
    ) as ingest:  # fmt: skip
        while process("status", "--json").json["file"]["message_count"] < 2:
            assert ingest.poll() is None
        ingest.send_signal(signal.SIGINT)
        out, err = ingest.communicate(timeout=30)

    kept = int(re.search(r"([\d,]+) messages kept", err)[1].replace(",", ""))
    assert (ingest.returncode, out) == (130, "")
    assert kept <= process("status", "--json").json["file"]["message_count"] - 1 <= kept + 200
    head = tmp_path / "head.jsonl"
    head.write_text("\n".join(lines[:kept]), encoding="utf-8")
    again = process("ingest", head, "--conversation", "file:talk", "--no-embed", "--json").json
    assert (again["duplicate"], again["stored"]) == (kept, 0)


def test_progress_is_seen_on_a_terminal_and_never_on_stdout(tmp_path, process):
    export = tmp_path / "talk.jsonl"
    export.write_text('{"role": "user", "content": "hello"}\n' * 300, encoding="utf-8")
    environment = {"PYTHONPATH": str(SOURCES), "GLOSSATOR_DB": str(tmp_path / "memory.db"), "TERM": "xterm"}
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "glossator.surfaces.cli", "ingest", export, "--embedder", "hashing"],
        stdout=subprocess.PIPE, stderr=theirs, env=environment,
    ) as ingest:  # fmt: skip
        os.close(theirs)
        progress = until_closed(ours)
        assert ingest.stdout is not None
        out = ingest.stdout.read().decode("utf-8")

    assert ingest.returncode == 0
    assert "reading" in progress
    assert "\x1b" not in out
    assert out.startswith("read ")


def until_closed(terminal: int) -> str:
    """All that comes out of a terminal until its other end is gone."""
    parts = []
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 65536):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode("utf-8", "replace")


def test_the_lines_that_the_demo_ends_with_run(tmp_path, monkeypatch):
    from glossator.surfaces.verbs.demo import OWN_CODE

    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(OWN_CODE, names)
    names["memory"].close()  # type: ignore[attr-defined]

    assert "I like tea." in str(names["prompt"])
