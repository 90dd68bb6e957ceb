"""Does the command line speak of what the user typed, tell each thing once, and leave nothing behind?"""

import json
import logging
import os
import shlex
import subprocess
import zipfile
from pathlib import Path

import pytest
from tests.surface.conftest import SOURCES

from glossator.surfaces.show.screen import Screen
from glossator.surfaces.verbs.upkeep import told_by_the_worker

UNREACHABLE = {"GLOSSATOR_EMBEDDER": "openai:any@http://127.0.0.1:9/v1"}


def test_a_failed_restore_leaves_nothing_beside_the_memory(cli, tmp_path):
    (tmp_path / "notes.md").write_text("# Notes\n" * 200, encoding="utf-8")

    result = cli("restore", tmp_path / "notes.md", "--db", tmp_path / "new.db")

    assert result.code == 1
    assert "notes.md" in result.err
    assert list(tmp_path.glob("new.db*")) == []


def test_a_conversation_of_the_environment_is_no_target_by_itself(cli, monkeypatch):
    cli("record", "one", "--id", "a", "--conversation", "telegram:42")
    cli("record", "two", "--id", "b", "--conversation", "telegram:42", "--session", "s")
    monkeypatch.setenv("GLOSSATOR_CONVERSATION", "telegram:42")

    refused, everything = cli("forget", "--yes"), cli("forget", "--everything", "--yes")

    assert (refused.code, everything.code) == (2, 2)
    assert "--conversation" in refused.err
    assert "GLOSSATOR_CONVERSATION" in everything.err
    assert cli("forget", "a", "--yes", "--json").json["receipt"]["message_ids"] == ["a"]
    assert cli("forget", "--session", "s", "--json").json["preview"]["message_count"] == 1
    assert cli("forget", "--conversation", "telegram:42", "--json").json["preview"]["message_count"] == 1


def test_a_conversation_of_the_environment_narrows_ids(cli, monkeypatch):
    cli("record", "one", "--id", "a", "--conversation", "telegram:42")
    monkeypatch.setenv("GLOSSATOR_CONVERSATION", "telegram:43")

    assert cli("forget", "a", "--yes").code == 2


@pytest.mark.parametrize("verb", [("record", "hello"), ("worker", "--once")])
@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_an_embedder_that_cannot_be_reached_is_told_in_one_line(process, verb, flags):
    process("record", "first", "--no-embed")

    result = process(*verb, *flags, environment=UNREACHABLE)

    assert result.code == (1 if verb[0] == "worker" else 0)
    assert result.err.count("\n") == 1
    assert "of work left undone" in result.err
    if flags:
        assert result.json["pending"] >= 1


def test_a_worker_that_goes_on_still_tells_what_failed(capsys):
    logger = logging.getLogger("glossator.worker")
    with told_by_the_worker(Screen(as_json=True)):
        logger.warning("embedding failed:\n%s", "no route")
    logger.warning("nobody asked")

    assert capsys.readouterr().err.splitlines() == ["embedding failed: no route"]


def test_a_worker_that_can_neither_embed_nor_take_facts_is_refused(cli, monkeypatch):
    cli("record", "waits", "--no-embed")
    monkeypatch.setenv("GLOSSATOR_CAPTURE_MODE", "off")

    for flags in (("--once",), ()):
        result = cli("worker", *flags, "--embedder", "none")
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("glossator: --embedder: ")


def test_without_an_embedder_the_true_backlog_is_told(cli):
    assert cli("record", "waits", "--embedder", "none", "--json").json["pending"] == 1


def test_a_worker_makes_no_memory_of_a_mistyped_path(cli, tmp_path):
    for flags in (("--once",), ()):
        result = cli("worker", *flags, "--db", tmp_path / "typo.db")
        assert result.code == 1
        assert "there is no memory at" in result.err
    assert not (tmp_path / "typo.db").exists()


LINES = b'{"content": "bare"}\n{"role": "assistant", "speaker": "Juno", "session": "own", "content": "full"}\n'


def test_lines_take_role_speaker_and_session_from_the_options_where_they_have_none(cli):
    cli("record", "--jsonl", "--role", "tool", "--speaker", "Ana", "--session", "s1", stdin=LINES)

    hits = {hit["text"]: hit for hit in cli("recall", "bare full", "--json").json["hits"]}

    assert [hits["bare"][part] for part in ("role", "speaker", "session")] == ["tool", "Ana", "s1"]
    assert [hits["full"][part] for part in ("role", "speaker", "session")] == ["assistant", "Juno", "own"]


@pytest.mark.parametrize("flags", [("--id", "x"), ("--at", "2023-05-20"), ("--role", "boss")])
def test_lines_take_no_id_time_or_unknown_role_from_the_options(cli, tmp_path, flags):
    result = cli("record", "--jsonl", *flags, stdin=LINES)

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"glossator: {flags[0]}: ")
    assert not (tmp_path / "memory.db").exists()


def zipped(path: Path, *names: str) -> bytes:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "words")
    return path.read_bytes()


BINARIES = {
    "f.pdf": (b"%PDF-1.7\nplain words\n", "PDF"),
    "f.txt": (b"%PDF-1.7\nplain words\n", "PDF"),
    "f.png": (b"\x89PNG\r\n\x1a\nplain", "PNG"),
    "f.jpg": (b"\xff\xd8\xff\xe0plain", "JPEG"),
    "f.gif": (b"GIF89aplain", "GIF"),
    "f.webp": (b"RIFF1234WEBPplain", "WebP"),
    "f.gz": (b"\x1f\x8bplain", "gzip"),
    "f.zip": (b"PK\x03\x04torn", "zip"),
    "f": (b"%PDF-1.4 without an ending", "PDF"),
}


@pytest.mark.parametrize("flags", [(), ("--format", "text")])
@pytest.mark.parametrize("name", BINARIES)
def test_a_binary_file_is_rejected_with_what_it_is(cli, tmp_path, name, flags):
    data, what = BINARIES[name]
    (tmp_path / name).write_bytes(data)

    result = cli("ingest", tmp_path / name, *flags, "--json")

    assert (result.code, result.json["stored"]) == (2, 0)
    assert what in result.json["rejected_items"][0]["reason"]


def test_a_document_that_is_packed_as_zip_is_rejected_and_an_export_is_read(cli, tmp_path):
    zipped(tmp_path / "letter.docx", "[Content_Types].xml", "word/document.xml", "docProps/notes.txt")
    zipped(tmp_path / "export.zip", "talk.txt")

    letter, export = cli("ingest", tmp_path / "letter.docx", "--json"), cli("ingest", tmp_path / "export.zip", "--json")

    assert (letter.code, letter.json["stored"]) == (2, 0)
    assert "zip" in letter.json["rejected_items"][0]["reason"]
    assert (export.code, export.json["stored"]) == (0, 1)


@pytest.mark.parametrize("text", ["\n<!DOCTYPE html>\n<p>The kettle is blue.", "<HTML><p>The kettle is blue.", "<p>x"])
def test_a_web_page_is_read_only_where_text_is_asked_for(cli, tmp_path, text):
    (tmp_path / "page.html").write_text(text, encoding="utf-8")

    refused = cli("ingest", tmp_path / "page.html")

    assert refused.code == 2
    assert "--format text" in refused.out
    assert cli("ingest", tmp_path / "page.html", "--format", "text", "--json").json["stored"] == 1


@pytest.mark.parametrize("kind", ["torn", "no database"])
def test_the_doctor_gives_a_remedy_for_a_file_that_cannot_be_examined(cli, tmp_path, kind):
    path = tmp_path / "memory.db"
    for number in range(30):
        cli("record", f"word number {number} " * 20, "--no-embed")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096) if kind == "torn" else b"a shopping list\n" * 500)

    result = cli("doctor")

    assert result.code == 1
    assert "run the doctor" not in result.err
    assert "glossator restore" in result.err


def test_the_command_that_a_kept_demo_ends_with_can_be_pasted(process, tmp_path):
    path = tmp_path / "a folder with quite a long name, so that the line is longer than a screen" / "demo's own.db"
    path.parent.mkdir()

    result = process("demo", "--db", path, environment={"COLUMNS": "80"})

    lines = [shlex.split(each) for each in result.out.splitlines() if f"--db {shlex.quote(str(path))}" in each]
    recall, serve = (words[words.index("--db") :] for words in lines)
    assert (recall[1], recall[-1]) == (str(path), "Who is Tomasz?")
    assert serve == ["--db", str(path), "--workspace", "demo", "--no-key", "--trust", "operator"]
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "GLOSSATOR_EMBEDDER": "hashing"}
    asked = subprocess.run(lines[0], capture_output=True, text=True, timeout=60, check=True, env=bare)
    assert "Tomasz" in asked.stdout
    assert [line.split()[:3] for line in result.out.splitlines() if "mcp add" in line] == [["claude", "mcp", "add"]]


TYPED = {
    "--limit": ("recall", "x", "--limit", "0"),
    "--since": ("recall", "x", "--since", "soon"),
    "--said-until": ("recall", "x", "--said-until", "soon"),
    "--as-of": ("recall", "x", "--as-of", "soon"),
    "--now": ("recall", "x", "--now", "soon"),
    "--per": ("recall", "x", "--per", "day"),
    "--tokens": ("recall", "x", "--text", "--tokens", "0"),
    "--namespace": ("recall", "x", "--namespace", "secrets"),
    "--workspace": ("recall", "x", "--workspace", " "),
    "--zone": ("recall", "x", "--zone", "Mars"),
    "--embedder": ("recall", "x", "--embedder", "telepathy"),
    "QUERY": ("recall", " "),
    "TEXT": ("record", " "),
    "--role": ("record", "x", "--role", "boss"),
    "--at": ("record", "x", "--at", "soon"),
    "--id": ("record", "x", "--id", "x" * 600),
    "--session": ("record", "x", "--session", " "),
    "--tag": ("record", "x", "--tag", " "),
    "--format": ("ingest", "HERE", "--format", "fax"),
    "PATH": ("ingest", "/nowhere/at/all.json"),
    "--db": ("record", "x", "--db", "/nowhere/at/all.db"),
    "ID": ("forget",),
    "--everything": ("forget", "x", "--everything"),
    "--data": ("bench", "locomo", "--data", "/nowhere/at/all"),
    "DATASET": ("bench", "trivia", "--data", "HERE"),
}


@pytest.mark.parametrize("typed", TYPED)
def test_an_error_names_what_the_user_typed(cli, tmp_path, typed):
    cli("record", "something to find")
    (tmp_path / "talk.txt").write_text("User: hi\n", encoding="utf-8")
    arguments = [tmp_path / "talk.txt" if each == "HERE" else each for each in TYPED[typed]]

    plain, as_json = cli(*arguments), cli(*arguments, "--json").json["error"]

    assert plain.err.startswith(f"glossator: {typed}: ")
    assert "=True" not in plain.err
    assert "('" not in plain.err
    assert as_json["argument"] == typed
    assert as_json["message"].startswith(f"{typed}: ")


def test_restore_and_backup_name_the_file_that_is_meant(cli, tmp_path):
    cli("record", "something")
    cli("backup", tmp_path / "copy.db")

    assert cli("backup", tmp_path / "copy.db").err.startswith("glossator: PATH: ")
    assert cli("restore", tmp_path / "copy.db").err.startswith("glossator: --db: ")
    assert cli("restore", tmp_path / "gone.db", "--db", tmp_path / "new.db").err.startswith("glossator: PATH: ")


VARIABLES = {
    "GLOSSATOR_BUSY_TIMEOUT_S": "abc",
    "GLOSSATOR_EMBED_THREADS": "two",
    "GLOSSATOR_MESSAGE_BYTES_MAX": "0",
    "GLOSSATOR_SIGNALS": "smell",
    "GLOSSATOR_ZONE": "Mars",
    "GLOSSATOR_EMBEDDER": "telepathy",
    "GLOSSATOR_WORKSPACE": "x" * 300,
}


@pytest.mark.parametrize("name", VARIABLES)
def test_a_wrong_variable_is_named_with_a_remedy(cli, monkeypatch, name):
    monkeypatch.setenv(name, VARIABLES[name])

    result = cli("record", "x", "--json")

    assert result.code == 2
    assert result.json["error"]["argument"] == name
    assert result.json["error"]["remedy"]
    assert "['" not in result.err


def test_version_is_an_option_that_help_shows_and_json_goes_with_it(cli):
    assert "--version" in cli("--help").out
    assert cli("--version").out == cli("version").out
    assert cli("--version", "--json").json == cli("version", "--json").json
    assert cli("--version", "recall", "x").out == cli("version").out


def test_a_wrong_option_is_told_in_whole_sentences(cli):
    assert cli("recall", "x", "--bogus").err == (
        "glossator: No such option: --bogus. See `glossator recall --help`.\n"
    )  # fmt: skip


def test_piped_tables_end_without_blanks(cli):
    cli("record", "something")

    for arguments in (("status",), ("doctor",), ("recall", "something"), ("forget", "--everything")):
        assert [line for line in cli(*arguments).out.splitlines() if line != line.rstrip()] == []


EMPTY = {"empty.jsonl": b"", "empty.json": b"[]", "empty.txt": b" \n", "empty.md": b"", "empty": b""}


@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_file_is_nothing_to_read(cli, tmp_path, name):
    (tmp_path / name).write_bytes(EMPTY[name])

    result, as_json = cli("ingest", tmp_path / name), cli("ingest", tmp_path / name, "--json")

    assert (result.code, result.out, as_json.code) == (2, "", 2)
    assert "nothing to read" in result.err
    assert as_json.json["error"]["argument"] == "PATH"


def test_a_folder_without_a_file_that_can_be_read_is_nothing_to_read(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"\xff\xd8\xff")

    assert "nothing to read" in cli("ingest", tmp_path / "empty").err
    photos = cli("ingest", tmp_path / "photos")
    assert photos.code == 2
    assert "files of other kinds" in photos.err


def test_an_export_of_which_nothing_is_kept_on_purpose_was_read(cli, tmp_path):
    message = {"uuid": "m", "sender": "assistant", "content": [{"type": "tool_use", "name": "x"}]}
    export = [{"uuid": "u", "created_at": "2024-01-15T10:30:00Z", "chat_messages": [message]}]
    (tmp_path / "c.json").write_text(json.dumps(export), encoding="utf-8")

    assert cli("ingest", tmp_path / "c.json").code == 0


def test_a_variable_of_somebody_else_is_ignored(cli, monkeypatch):
    monkeypatch.setenv("GLOSSATOR_PORT", "tcp://10.0.0.1:80")

    assert cli("record", "x").code == 0
