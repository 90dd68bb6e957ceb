"""What does `glossator resource` show of a prompt's texts, and does it change only what it was told to?"""

import json

import pytest

from glossator import Memory, Options, Scope
from glossator.model import RevisionDraft
from glossator.testing.clock import START

ME = Scope(workspace="default")
BRIEF, LONG = "# Rules\n\n- Keep it short.\n", "# Rules\n\n- Keep it short.\n- Name your sources.\n"
OSLO, BERGEN = "## About\n- home: Oslo\n", "## About\n- home: Bergen\n"


@pytest.fixture
def kept(cli, tmp_path):
    """A memory with two revisions of the rules, two of USER.md and a checkpoint."""
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="hashing", worker=False)) as memory:
        memory.write_resource("rules", BRIEF, scope=ME)
        memory.write_resource("rules", LONG, scope=ME, reason="asked for sources")
        rebuilt = {"source": "extraction_rebuild", "trigger": "review of telegram:42", "by": "reviewer"}
        drafts = [
            RevisionDraft(kind="user_md", content=OSLO, memory_ids=(1,), **rebuilt),
            RevisionDraft(kind="user_md", content=BERGEN, memory_ids=(2, 3), **rebuilt),
            RevisionDraft(
                kind="checkpoint", content="They spoke of tea.", source="compaction", trigger="preflight",
                message_ids=(1, 2), conversation="telegram:42:root",
            ),
        ]  # fmt: skip
        for draft in drafts:
            memory._store.commit_revision(ME, draft, now=START)
    return cli


def test_the_list_names_each_text_with_its_newest_revision(kept):
    # proves: F55
    shown = kept("resource", "list")
    value = kept("resource", "list", "--json").json

    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert [line.split("  ")[:2] for line in lines if not line.startswith(" ")] == [
        ["RULES.md", "revision 2"],
        ["USER.md", "revision 2"],
        ["checkpoint of telegram:42", "revision 1"],
    ]
    words = " ".join(shown.out.split())
    assert "edited by hand · asked for sources · by owner · 47 bytes" in words
    assert "rebuilt from facts · review of telegram:42 · by reviewer · 2 facts · 24 bytes" in words
    assert "written by compaction · preflight · 2 messages · 18 bytes" in words
    assert [(each["kind"], each["number"]) for each in value["resources"]] == [
        ("rules", 2),
        ("user_md", 2),
        ("checkpoint", 1),
    ]
    assert all("content" not in each for each in value["resources"])


def test_a_list_without_texts_says_where_they_come_from(cli):
    cli("record", "Good morning.")
    assert "glossator memory" in cli("resource", "list").out
    assert cli("resource", "list", "--json").json == {"resources": []}
    assert cli("resource", "history", "rules").out == "RULES.md has no revision yet\n"


def test_the_history_is_newest_first_and_says_when_it_was_cut(kept):
    # proves: F55
    shown = kept("resource", "history", "USER.md", "--zone", "Europe/Oslo")
    cut = kept("resource", "history", "user-md", "-n", "1")
    value = kept("resource", "history", "user_md", "--limit", "1", "--json").json

    lines = shown.out.splitlines()
    assert lines[0] == "USER.md"
    assert [line[:3] for line in lines[1::2]] == ["2  ", "1  "]
    assert lines[1].endswith(("CET", "CEST"))
    assert lines[2].strip() == "rebuilt from facts · review of telegram:42 · by reviewer · 2 facts · 24 bytes"
    assert "--limit" not in shown.out
    assert cut.out.splitlines()[-1] == "there are more; --limit shows them"
    assert ([each["number"] for each in value["revisions"]], value["more"]) == ([2], True)
    assert value["revisions"][0]["memory_ids"] == [2, 3]


def test_a_revision_is_shown_with_its_text_and_its_sha256(kept):
    # proves: F55
    shown = kept("resource", "show", "rules", "1")
    value = kept("resource", "show", "rules", "--json").json["revision"]

    assert shown.out.startswith("RULES.md revision 1  ")
    assert shown.out.endswith("\n\n" + BRIEF)
    assert (value["number"], value["content"]) == (2, LONG)
    assert f"sha256 {value['sha256']}\n" in kept("resource", "show", "rules").out
    assert kept("resource", "show", "rules", "2", "--text").out == LONG
    assert "They spoke of tea." in kept("resource", "show", "checkpoint", "--conversation", "telegram:42").out


def test_a_diff_shows_what_came_and_what_went(kept):
    # proves: F55
    shown = kept("resource", "diff", "rules", "1", "2")
    value = kept("resource", "diff", "RULES.md", "2", "1", "--json").json

    assert shown.out.splitlines()[:2] == ["--- RULES.md revision 1", "+++ RULES.md revision 2"]
    assert "\n+- Name your sources.\n" in shown.out
    assert "\n-- Name your sources.\n" in value["diff"]
    assert (value["type"], value["from"], value["to"]) == ("rules", 2, 1)
    assert "say the same" in kept("resource", "diff", "rules", "2", "2").out


def test_a_diff_goes_to_a_pipe_to_the_letter(cli, tmp_path):
    # proves: F55
    long = "- " + "a line that no terminal is wide enough for " * 5 + "\n"
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="hashing", worker=False)) as memory:
        memory.write_resource("rules", "one\n\n" + long, scope=ME)
        memory.write_resource("rules", "two\n\n" + long, scope=ME)
        diff = memory.resource_diff("rules", 1, 2, scope=ME)
    assert cli("resource", "diff", "rules", "1", "2").out == diff
    assert "\n \n" in diff


def test_a_rollback_first_shows_what_would_change_with_the_warning_and_changes_nothing(kept):
    # proves: F54, F55
    shown = kept("resource", "rollback", "user_md", "1")
    value = kept("resource", "rollback", "user_md", "1", "--json").json

    words = " ".join(shown.out.split())
    assert "Would come back: USER.md revision 1, in place of 2 (1 line in, 1 line out)" in words
    assert "-- home: Bergen +- home: Oslo" in words
    assert "the next rebuild writes it anew" in words
    assert "--yes" in shown.err
    assert value["revision"] is None
    assert (value["preview"]["from"], value["preview"]["to"]) == (2, 1)
    assert "next rebuild" in value["preview"]["warning"]
    assert len(kept("resource", "history", "user_md", "--json").json["revisions"]) == 2


def test_a_rollback_with_yes_makes_a_new_revision_and_then_there_is_nothing_to_do(kept):
    # proves: F54, F55
    done = kept("resource", "rollback", "user_md", "1", "--yes")
    again = kept("resource", "rollback", "USER.md", "1", "--yes")
    value = kept("resource", "rollback", "rules", "1", "--yes", "--json").json

    assert "next rebuild" in " ".join(done.out.split())
    assert "Rolled back  USER.md is at revision 3" in done.out
    assert "rolled back from 2 to 1" in done.out
    assert (again.code, again.err) == (0, "")
    assert "there is nothing to do" in " ".join(again.out.split())
    assert "Rolled back" not in again.out
    assert kept("resource", "show", "user_md", "--text").out == OSLO
    assert value["preview"]["warning"] == ""
    assert (value["revision"]["number"], value["revision"]["target"], value["revision"]["origin"]) == (3, 1, 2)
    numbers = [each["number"] for each in kept("resource", "history", "user_md", "--json").json["revisions"]]
    assert numbers == [3, 2, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "songs"], "TYPE: 'songs' is no kind of resource"),
        (["show", "rules", "9"], "REV: rules has no revision 9"),
        (["show", "soul"], "TYPE: soul has no revision"),
        (["show", "rules", "0"], "REV: 0 is no number"),
        (["diff", "rules", "1", "9"], "B: rules has no revision 9"),
        (["diff", "rules", "9", "1"], "A: rules has no revision 9"),
        (["history", "rules", "--limit", "0"], "--limit: 0 is not between 1 and 1000"),
        (["history", "checkpoint"], "--conversation: is missing"),
        (["rollback", "checkpoint", "1", "--yes", "--conversation", "telegram:42"], "TYPE: checkpoint is kept"),
        (["rollback", "rules", "9", "--yes"], "REV: rules has no revision 9"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_not_there_is_told_in_one_line(kept, arguments, words):
    result = kept("resource", *arguments)
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert result.err.count("\n") == 1
    assert words.partition(":")[0] == kept("resource", *arguments, "--json").json["error"]["argument"]


# proves: K22
@pytest.mark.parametrize("flag", ["--workspace", "--agent", "--owner"])
def test_texts_of_another_scope_are_neither_listed_nor_shown_nor_brought_back(kept, flag):
    assert kept("resource", "list", flag, "other", "--json").json == {"resources": []}
    assert kept("resource", "history", "rules", flag, "other", "--json").json["revisions"] == []
    for verb in (["show", "rules", "1"], ["diff", "rules", "1", "2"], ["rollback", "rules", "1", "--yes"]):
        result = kept("resource", *verb, flag, "other")
        assert result.code == 2
        assert "Keep it short" not in result.out + result.err


def test_stored_words_do_not_steer_the_terminal(cli, tmp_path):
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="hashing", worker=False)) as memory:
        memory.write_resource("rules", "plain\n", scope=ME)
        memory.write_resource("rules", "\x1b[31mred\x1b[0m [bold]x[/bold]\n", scope=ME)
    for verb in (["show", "rules"], ["diff", "rules", "1", "2"], ["rollback", "rules", "1"]):
        shown = cli("resource", *verb)
        assert "\x1b" not in shown.out
        assert "[bold]x[/bold]" in shown.out


def test_resource_without_a_verb_says_which_there_are(cli):
    result = cli("resource")
    assert (result.code, result.err) == (0, "")
    assert all(verb in result.out for verb in ("list", "history", "show", "diff", "rollback"))


def test_a_process_of_its_own_rolls_back_and_writes_the_text_to_the_letter(kept, process):
    # proves: F55
    assert process("resource", "rollback", "rules", "1", "--yes").code == 0
    shown = process("resource", "show", "rules", "--text")
    assert (shown.code, shown.out, shown.err) == (0, BRIEF, "")
    assert json.loads(process("resource", "show", "rules", "--json").out)["revision"]["source"] == "rollback"
