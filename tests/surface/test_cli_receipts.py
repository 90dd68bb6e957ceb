"""What do `--receipt` and `glossator receipt` show, write and refuse?"""

import json

import pytest


@pytest.fixture
def forgotten(cli, tmp_path):
    """A memory in which one of two messages was erased, and the file of the receipt."""
    cli("record", "I live in Oslo.", "--id", "m1", "--at", "2026-01-05T10:00+01:00")
    cli("record", "I love jazz.", "--id", "m2", "--at", "2026-01-06T10:00+01:00")
    path = tmp_path / "erased.json"
    done = cli("forget", "m1", "--yes", "--receipt", str(path))
    assert done.code == 0, done.err
    return cli, path


def test_the_receipt_is_written_listed_and_genuine(forgotten):
    # proves: K20
    cli, path = forgotten
    told = json.loads(path.read_text())
    assert (told["message_ids"], told["fact_ids"], told["state"]) == (["m1"], ["f1"], "erased")
    assert "oslo" not in path.read_text().lower()
    listed = cli("receipt", "list")
    assert "r1" in listed.out
    assert "erased 1 message, 1 fact (m1, f1)" in listed.out
    assert cli("receipt", "list", "--json").json["receipts"] == [told]
    shown = cli("receipt", "verify", str(path))
    assert (shown.code, "erased.json is genuine" in shown.out) == (0, True)


def test_the_key_alone_is_enough_to_check(forgotten, tmp_path):
    cli, path = forgotten
    key = tmp_path / "key.pem"
    key.write_text(cli("receipt", "key").out)
    elsewhere = str(tmp_path / "nowhere.db")
    assert key.read_text().startswith("-----BEGIN PUBLIC KEY-----")
    assert cli("receipt", "verify", str(path), "--key", str(key), "--db", elsewhere).code == 0
    digits = json.loads(path.read_text())["public_key"]
    assert cli("receipt", "verify", str(path), "--key", digits, "--json").json == {"genuine": True}


def test_a_changed_receipt_is_told_and_ends_with_1(forgotten, tmp_path):
    cli, path = forgotten
    changed = tmp_path / "changed.json"
    changed.write_text(path.read_text().replace("m1", "m7"))
    shown = cli("receipt", "verify", str(changed))
    assert (shown.code, "is not what this key signed" in shown.out) == (1, True)
    assert cli("receipt", "verify", str(changed), "--json").json == {"genuine": False}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("verify", "missing.json"), "cannot be read"),
        (("verify", "{path}", "--key", "abc"), "is no Ed25519 public key"),
    ],
)
def test_what_cannot_be_checked_is_refused(forgotten, arguments, words):
    cli, path = forgotten
    refused = cli("receipt", *(each.format(path=path) for each in arguments))
    assert (refused.code, words in refused.err) == (2, True)


def test_a_receipt_that_cannot_be_written_is_said_before_anything_is_erased(forgotten):
    cli, path = forgotten
    for verb in (("forget", "m2"), ("facts", "forget", "f2")):
        refused = cli(*verb, "--yes", "--receipt", str(path))
        assert (refused.code, "is not overwritten" in refused.err) == (2, True)
        refused = cli(*verb, "--yes", "--receipt", str(path.parent / "no" / "x.json"))
        assert (refused.code, "does not exist" in refused.err) == (2, True)
    assert [fact["id"] for fact in cli("facts", "list", "--json").json["facts"]] == ["f2"]


def test_forgetting_a_fact_leaves_a_receipt_too(forgotten, tmp_path):
    cli, _ = forgotten
    path = tmp_path / "fact.json"
    cli("facts", "forget", "f2", "--yes", "--erase", "--receipt", str(path))
    assert (json.loads(path.read_text())["fact_ids"], cli("receipt", "verify", str(path)).code) == (["f2"], 0)


def test_a_fact_takes_its_place_back_where_that_is_asked_for(cli):
    cli("record", "I live in Oslo.", "--at", "2026-01-05T10:00+01:00")
    cli("record", "I live in Rome.", "--at", "2026-02-05T10:00+01:00")
    refused = cli("facts", "restore", "f1")
    assert (refused.code, "pass --replace to archive f2" in refused.err) == (2, True)
    assert cli("facts", "restore", "f1", "--replace").code == 0
    assert [fact["id"] for fact in cli("facts", "list", "--json").json["facts"]] == ["f1"]


def test_nothing_forgotten_is_said(cli):
    cli("record", "I live in Oslo.")
    assert "nothing was forgotten here" in cli("receipt", "list").out
