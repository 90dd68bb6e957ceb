"""What does `glossator memory` do: review with each of its flags, restore, and what it says when there is nothing?"""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from glossator import Memory, ReviewResult, Scope
from glossator.wiring import options_from


@pytest.fixture
def talked(cli, monkeypatch):
    """A memory whose reviewer has not read anything yet."""
    monkeypatch.setenv("GLOSSATOR_CAPTURE_MODE", "review")
    told(cli, "I live in Oslo. I love jazz.")
    return cli


def told(cli, text, *flags, conversation="telegram:42"):
    assert cli("record", text, "--speaker", "Ana", "--conversation", conversation, *flags).code == 0


def listed(cli, *flags):
    return {fact["text"].rstrip(".") for fact in cli("facts", "list", "--json", *flags).json["facts"]}


def test_review_reads_what_was_said_and_says_what_it_kept(talked):
    # proves: F37
    assert listed(talked) == set()
    shown = talked("memory", "review", "--now")

    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines()[:2] == ["telegram:42", "  added 2"]
    assert "read 1 message, " in shown.out
    assert listed(talked) == {"I live in Oslo", "I love jazz"}
    assert talked("memory", "review", "--now").out == "nothing new was said in any conversation\n"


def test_without_now_the_interval_holds(talked):
    # proves: F37, F23
    talked("memory", "review")
    told(talked, "I like tea.")

    assert "reviewed a short while ago; --now does not wait" in talked("memory", "review").out
    assert "I like tea" not in listed(talked)
    assert talked("memory", "review", "--json").json["reviews"][0]["skip_reason"] == "under_interval"
    assert talked("memory", "review", "--now").code == 0
    assert "I like tea" in listed(talked)


def test_all_conversations_with_something_new_are_reviewed_or_the_one_that_is_named(talked):
    # proves: F37
    told(talked, "I like tea.", conversation="telegram:43")
    told(talked, "Good morning.", "--role", "assistant", conversation="telegram:44")
    one = talked("memory", "review", "--now", "--conversation", "telegram:43", "--json").json

    assert [each["conversation"] for each in one["reviews"]] == ["telegram:43:root"]
    assert listed(talked) == {"I like tea"}
    rest = talked("memory", "review", "--now", "--json").json
    assert [each["conversation"] for each in rest["reviews"]] == ["telegram:42:root"]
    again = talked("memory", "review", "--now", "--conversation", "telegram:43", "--json").json
    assert again["reviews"][0]["skip_reason"] == "no_new_messages"
    assert "nothing new was said" in talked("memory", "review", "--now", "--conversation", "telegram:43").out


def test_agent_and_owner_choose_whose_conversations_are_reviewed(talked):
    # proves: F37
    told(talked, "I live in Bonn.", "--owner", "bob", "--agent", "clerk")

    assert talked("memory", "review", "--now", "--owner", "bob", "--json").json == {"reviews": []}
    (his,) = talked("memory", "review", "--now", "--owner", "bob", "--agent", "clerk", "--json").json["reviews"]
    assert (his["agent"], his["owner"], his["added"]) == ("clerk", "bob", 1)
    assert listed(talked, "--owner", "bob", "--agent", "clerk") == {"I live in Bonn"}
    assert listed(talked) == set()


def test_the_json_has_every_field_of_a_result_and_nothing_else_is_on_stdout(talked):
    # proves: F37
    shown = talked("memory", "review", "--now", "--json")
    (result,) = json.loads(shown.out)["reviews"]

    assert set(result) == {field.name for field in fields(ReviewResult)}
    assert (result["status"], result["added"], result["more"], result["failure"]) == ("ok", 2, False, "")
    assert (result["input_messages"], result["input_tokens"] > 0, result["skipped_ops"]) == (1, True, {})


def test_a_model_that_fails_is_told_with_exit_code_1(talked, monkeypatch):
    monkeypatch.setenv("GLOSSATOR_LANGUAGE_MODEL", "ollama:none@http://127.0.0.1:9/v1")
    shown = talked("memory", "review", "--now")

    assert shown.code == 1
    assert "failed: ollama:none@http://127.0.0.1:9/v1 cannot be reached" in shown.out
    assert talked("memory", "review", "--json").json["reviews"][0]["skip_reason"] == "in_failure_backoff"
    monkeypatch.delenv("GLOSSATOR_LANGUAGE_MODEL")
    assert talked("memory", "review", "--now").code == 0
    assert listed(talked) == {"I live in Oslo", "I love jazz"}


def test_a_conversation_that_is_not_there_is_misuse(talked):
    shown = talked("memory", "review", "--now", "--conversation", "telegram:7")

    assert (shown.code, shown.out) == (2, "")
    assert "--conversation: 'telegram:7:root' is not in this scope" in shown.err


def test_reviews_that_are_switched_off_say_so(talked, monkeypatch):
    # proves: F35
    monkeypatch.setenv("GLOSSATOR_REVIEW_INTERVAL_HOURS", "0")

    assert "reviews are switched off; --now asks for one" in talked("memory", "review").out
    assert talked("memory", "review", "--now", "--json").json["reviews"][0]["added"] == 2


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("REVIEW_INTERVAL_HOURS", "soon"),
        ("REVIEW_INTERVAL_HOURS", "-1"),
        ("REVIEW_FAILURE_BACKOFF_MS", "1.5"),
        ("REVIEW_MAX_MESSAGES", "0"),
        ("REVIEW_INPUT_TOKEN_BUDGET", "10"),
    ],
)
def test_a_knob_that_is_nonsense_is_misuse(talked, monkeypatch, name, wrong):
    # proves: F34
    monkeypatch.setenv(f"GLOSSATOR_{name}", wrong)
    shown = talked("memory", "review")

    assert shown.code == 2
    assert name.casefold() in shown.err.casefold()


def test_the_knobs_are_read_from_the_file_of_settings(process, tmp_path):
    # proves: F34
    (tmp_path / "settings.toml").write_text("[glossator]\nreview_interval_hours = 6\nreview_max_messages = 9\n")
    shown = process("config", "--file", tmp_path / "settings.toml", "--json")

    assert shown.code == 0
    values = {each["option"]: each["value"] for each in shown.json["options"]}
    assert (values["review_interval_hours"], values["review_max_messages"]) == (6, 9)


def test_restore_brings_an_archived_fact_back_into_recall_and_prompt_files(talked, monkeypatch, tmp_path):
    # proves: F12
    monkeypatch.setenv("GLOSSATOR_PROMPT_FOLDER", str(tmp_path / "prompts"))
    talked("memory", "review", "--now")
    (jazz,) = [fact["id"] for fact in talked("facts", "list", "--json").json["facts"] if "jazz" in fact["text"]]
    with Memory.open(tmp_path / "memory.db", options=options_from()) as memory:
        memory.archive_facts([jazz], scope=Scope(workspace="default"), reason="tidied up")
    assert listed(talked) == {"I live in Oslo"}
    assert "jazz" not in prompt_files(tmp_path)
    shown = talked("memory", "restore", jazz)

    assert shown.code == 0
    assert shown.out.startswith("restored\n")
    assert "Ana: I love jazz." in shown.out
    assert "it is recalled again, and back in the prompt files" in shown.out
    assert listed(talked) == {"I live in Oslo", "I love jazz"}
    assert "jazz" in prompt_files(tmp_path)


def test_restore_gives_the_fact_as_json_and_refuses_what_is_not_gone(talked):
    # proves: F12
    talked("memory", "review", "--now")
    (jazz,) = [fact["id"] for fact in talked("facts", "list", "--json").json["facts"] if "jazz" in fact["text"]]

    shown = talked("memory", "restore", jazz)
    assert (shown.code, shown.out) == (2, "")
    assert f"ID: {jazz} is active" in shown.err
    assert talked("memory", "restore", "f999").code == 2
    assert talked("memory", "restore", "jazz").code == 2
    assert talked("memory", "restore", jazz, "--json").json["error"]["argument"] == "ID"


def prompt_files(folder):
    return "".join(path.read_text() for path in (folder / "prompts").rglob("*.md"))


def test_a_fact_whose_place_is_taken_comes_back_only_in_its_stead(talked):
    # proves: F12
    talked("memory", "review", "--now")
    told(talked, "I moved to Bergen last week.", "--at", "2030-01-01T10:00")
    talked("memory", "review", "--now")
    (oslo,) = [
        fact["id"]
        for fact in talked("facts", "list", "--state", "superseded", "--json").json["facts"]
        if "Oslo" in fact["text"]
    ]
    refused = talked("memory", "restore", oslo)

    assert refused.code == 2
    assert f"the place of {oslo} is taken by" in refused.err
    assert talked("memory", "restore", oslo, "--replace").code == 0
    assert listed(talked) == {"I live in Oslo", "I love jazz"}


def test_files_prints_both_prompt_files_with_what_is_left_out_and_where_they_lie(cli, monkeypatch, tmp_path):
    # proves: F5
    told(cli, "I live in Oslo. I love jazz.")
    shown = cli("memory", "files")

    assert (shown.code, shown.err) == (0, "")
    assert "USER.md  2 of 2 facts" in shown.out
    assert "- home: I live in Oslo." in shown.out
    assert "MEMORY.md  0 of 0 facts" in shown.out
    assert "(empty)" in shown.out
    assert "written to no folder; GLOSSATOR_PROMPT_FOLDER names one" in shown.out

    monkeypatch.setenv("GLOSSATOR_PROMPT_FOLDER", str(tmp_path / "prompts"))
    told(cli, "I love tea.", "--id", "b1")
    answer = cli("memory", "files", "--json").json
    assert list(answer) == ["folder", "files", "block"]
    assert [each["name"] for each in answer["files"]] == ["USER.md", "MEMORY.md"]
    assert "<memory-context" in answer["block"]
    lies = Path(answer["folder"]) / "USER.md"
    assert lies.read_text(encoding="utf-8") == answer["files"][0]["text"]


def test_sources_lists_where_facts_come_from_and_jobs_with_their_last_run(cli, tmp_path):
    # proves: F51
    told(cli, "I live in Oslo. I love jazz.")
    with Memory.open(tmp_path / "memory.db", options=options_from()) as memory:
        scope = Scope(workspace="default")
        memory.add_job("nightly", scope=scope, name="Night [red]watch", description="reads the mail")
        shown = cli("memory", "sources").out
        assert "job · 0 facts · not run yet" in shown
        memory.finish_job_run(memory.begin_job_run("nightly", scope=scope), final_text="done")
    shown = cli("memory", "sources").out.splitlines()

    assert shown[0].startswith("telegram:42")
    assert shown[1].strip().startswith("conversation · 2 facts · last seen ")
    assert "Night [red]watch" in shown
    assert any("job · 0 facts · 1 run, the last done " in line for line in shown)
    named = [each["source_id"] for each in cli("memory", "sources", "--json").json["sources"]]
    assert named == ["telegram:42:root", "job:nightly"]
    assert "no sources" in cli("memory", "sources", "--owner", "nobody").out
