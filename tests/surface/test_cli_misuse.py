"""What does a user see who got something wrong, or whose file is in a bad way?"""

import sqlite3
from pathlib import Path

import pytest

MISUSES = {
    "unknown verb": ("remind",),
    "unknown option": ("recall", "x", "--frobnicate"),
    "missing question": ("recall",),
    "blank question": ("recall", "  "),
    "bad date": ("recall", "x", "--since", "the day after never"),
    "bad now": ("recall", "x", "--now", "2023-02-30"),
    "negative limit": ("recall", "x", "--limit", "-1"),
    "huge limit": ("recall", "x", "--limit", "1000000"),
    "limit that is no number": ("recall", "x", "--limit", "ten"),
    "no tokens": ("recall", "x", "--text", "--tokens", "0"),
    "unknown grouping": ("recall", "x", "--per", "day"),
    "unknown namespace": ("recall", "x", "--namespace", "secrets"),
    "blank text": ("record", " \n "),
    "unknown role": ("record", "x", "--role", "boss"),
    "bad time": ("record", "x", "--at", "yesterday-ish"),
    "blank workspace": ("record", "x", "--workspace", "  "),
    "unknown zone": ("record", "x", "--zone", "Mars/Olympus"),
    "unknown embedder": ("record", "x", "--embedder", "telepathy"),
    "text and --jsonl": ("record", "x", "--jsonl"),
    "missing file": ("ingest", "/nowhere/at/all.json"),
    "unknown format": ("ingest", "HERE", "--format", "fax"),
    "nothing to forget": ("forget",),
    "unknown id": ("forget", "no-such-id", "--yes"),
    "missing backup": ("restore", "/nowhere/at/all.db"),
    "unknown benchmark": ("bench", "trivia", "--data", "HERE"),
}


@pytest.mark.parametrize("kind", MISUSES)
def test_misuse_is_one_line_on_stderr_and_exit_code_2(cli, tmp_path, kind):
    cli("record", "something to find")
    (tmp_path / "talk.txt").write_text("User: hi\n", encoding="utf-8")
    arguments = [tmp_path / "talk.txt" if each == "HERE" else each for each in MISUSES[kind]]

    plain, as_json = cli(*arguments), cli(*arguments, "--json")

    assert (plain.code, plain.out) == (2, "")
    assert plain.err.startswith("glossator: ")
    assert plain.err.count("\n") == 1
    assert "Traceback" not in plain.err
    assert as_json.code == 2
    assert as_json.json["error"]["message"]


def test_asking_where_nothing_was_recorded_says_so_and_makes_no_file(cli, tmp_path):
    result = cli("recall", "anything")

    assert result.code == 1
    assert "there is no memory at" in result.err
    assert not (tmp_path / "memory.db").exists()


def broken(path: Path, kind: str) -> None:
    if kind == "no database":
        path.write_bytes(b"this is a shopping list\n" * 500)
    elif kind == "another program's database":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.close()
    elif kind == "torn":
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


@pytest.mark.parametrize("kind", ["no database", "another program's database", "torn"])
@pytest.mark.parametrize("verb", [("status",), ("recall", "word"), ("record", "word"), ("doctor",)])
def test_a_damaged_file_is_told_in_words_with_exit_code_1(cli, tmp_path, kind, verb):
    path = tmp_path / "memory.db"
    if kind == "torn":
        for number in range(30):
            cli("record", f"word number {number} " * 20, "--no-embed")
    broken(path, kind)

    result = cli(*verb)

    assert result.code == 1
    assert "Traceback" not in result.err + result.out
    assert result.err.count("\n") <= 1


def test_a_locked_file_is_told_and_can_be_tried_again(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("GLOSSATOR_BUSY_TIMEOUT_S", "0.1")
    cli("record", "first")
    with sqlite3.connect(tmp_path / "memory.db", isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        result = cli("record", "second", "--json")
        holder.execute("ROLLBACK")
    holder.close()

    assert result.code == 1
    assert result.json["error"] == result.json["error"] | {"kind": "StoreLockedError", "retryable": True}
    assert cli("record", "second").code == 0
