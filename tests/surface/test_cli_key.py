"""What do `glossator key add | list | rotate | revoke` print, and for whom is a key?"""

import json
import re

import pytest

SECRET = re.compile(r"gl_[A-Za-z0-9_-]{43}\n")


@pytest.fixture
def added(cli):
    """A memory with a key to workspace "acme" and its secret."""
    done = cli("key", "add", "web", "--workspace", "acme")
    assert done.code == 0, done.err
    return cli, done


def test_the_secret_stands_alone_on_stdout(added):
    cli, done = added
    assert SECRET.fullmatch(done.out)
    assert done.out.strip() not in done.err
    assert "k1 (web) is made" in done.err
    assert done.out.strip() not in cli("key", "list").out + cli("key", "list", "--json").out


def test_a_key_is_for_the_agent_and_the_owner_that_were_chosen(cli, monkeypatch):
    cli("key", "add", "all", "--workspace", "acme")
    done = cli(
        "key", "add", "one", "--workspace", "acme", "--agent", "helper", "--owner", "ana", "--trust", "guest",
        "--tier", "junior", "--expires", "2199-01-01", "--json",
    )  # fmt: skip
    assert SECRET.fullmatch(done.json["secret"] + "\n")
    told = done.json["key"]
    assert (told["key_id"], told["name"], told["workspace"]) == ("k2", "one", "acme")
    assert (told["agent"], told["owner"], told["trust"], told["tier"]) == ("helper", "ana", "guest", "INTERN")
    monkeypatch.setenv("GLOSSATOR_OWNER", "bob")
    cli("key", "add", "bobs")
    keys = cli("key", "list", "--json").json["keys"]
    assert [(key["workspace"], key["agent"], key["owner"]) for key in keys] == [
        ("acme", None, None), ("acme", "helper", "ana"), ("default", None, "bob"),
    ]  # fmt: skip


def test_keys_are_listed_with_whom_they_are_for_and_whether_they_open(added):
    cli, _ = added
    cli("key", "add", "bot", "--workspace", "acme", "--owner", "ana", "--expires", "2199-01-01")
    cli("key", "add", "old", "--workspace", "other")
    cli("key", "revoke", "k3")
    lines = [line.split() for line in cli("key", "list").out.splitlines()]
    assert lines[1:] == [
        ["k1", "web", "acme/*/*", "owner", "open", "never"],
        ["k2", "bot", "acme/*/ana", "owner", "until", "2199-01-01", "never"],
        ["k3", "old", "other/*/*", "owner", "revoked", "never"],
    ]
    assert [key["key_id"] for key in cli("key", "list", "--workspace", "acme", "--json").json["keys"]] == ["k1", "k2"]
    assert "there are no keys" in cli("key", "list", "--workspace", "nobody").out


def test_rotating_gives_another_secret(added):
    cli, done = added
    rotated = cli("key", "rotate", "k1", "--grace", "3600")
    assert SECRET.fullmatch(rotated.out)
    assert rotated.out != done.out
    assert "the old one opens for another 3,600 s" in rotated.err
    assert "the old one opens no more" in cli("key", "rotate", "k1").err
    assert SECRET.fullmatch(cli("key", "rotate", "1", "--json").json["secret"] + "\n")


def test_revoking_asks_nothing_and_says_what_it_did(added):
    cli, _ = added
    revoked = cli("key", "revoke", "k1")
    assert revoked.code == 0
    assert "k1 (web) opens nothing since" in revoked.out
    assert cli("key", "revoke", "k1", "--json").json["key"]["revoked_at"]
    refused = cli("key", "rotate", "k1")
    assert (refused.code, refused.out, "was revoked" in refused.err) == (2, "", True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("add", "web", "--workspace", "acme"), "NAME: a key of workspace 'acme' has the name 'web'"),
        (("add", " "), "NAME: is no printable name"),
        (("add", "x", "--trust", "boss"), "--trust: 'boss' is unknown (choose from operator, owner, guest"),
        (("add", "x", "--tier", "boss"), "--tier: 'boss' is unknown (choose from STUDENT, INTERN"),
        (("add", "x", "--expires", "2020-01-01"), "--expires: 2020-01-01T00:00:00+00:00 has passed"),
        (("add", "x", "--expires", "soon"), "--expires: 'soon' is no date or time"),
        (("rotate", "k9"), "ID: there is no key k9"),
        (("rotate", "web"), "ID: 'web' is no id of a key"),
        (("rotate", "k1", "--grace", "-1"), "--grace: -1 is not between 0 and"),
        (("revoke", "k9"), "ID: there is no key k9"),
    ],
)
def test_what_is_wrong_is_told_as_it_was_typed(added, arguments, words):
    cli, _ = added
    refused = cli("key", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err


def test_keys_of_a_memory_that_is_not_there_are_not_made_up(cli):
    for verb in (("list",), ("rotate", "k1"), ("revoke", "k1")):
        refused = cli("key", *verb)
        assert (refused.code, "there is no memory at" in refused.err) == (1, True)


def test_a_script_takes_the_secret_from_a_process_of_its_own(process):
    done = process("key", "add", "web")
    assert (done.code, SECRET.fullmatch(done.out) is not None) == (0, True)
    assert json.loads(process("key", "list", "--json").out)["keys"][0]["name"] == "web"


def test_a_name_cannot_steer_the_terminal(cli):
    refused = cli("key", "add", "a\x1b[2Jb")
    assert refused.code == 2
    assert "\x1b" not in refused.err
