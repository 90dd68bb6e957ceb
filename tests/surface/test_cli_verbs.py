"""What does each verb give, as text and as JSON?"""

import json
import re
import sqlite3
from pathlib import Path

import pytest

AT = "2023-05-20T09:12:00+01:00"


def told(cli, text="I moved to Edinburgh last March.", **options):
    arguments = {"at": AT, "speaker": "Nora", "id": "n1", "conversation": "telegram:42"} | options
    flags = [part for name, value in arguments.items() for part in (f"--{name.replace('_', '-')}", value)]
    return cli("record", text, *flags)


def test_record_answers_with_a_receipt_and_the_id(cli):
    result = told(cli)

    assert result.code == 0
    assert "stored 1" in result.out
    assert "n1" in result.out
    assert result.err == ""


def test_recording_the_same_id_again_says_that_it_was_there(cli):
    told(cli)

    assert "was there already" in told(cli).out
    assert "other words" in told(cli, "I moved to Leith last March.").out


def test_record_reads_stdin_when_no_text_is_given(cli):
    assert cli("record", "--json", stdin="Я живу в Лейте\n".encode()).json["recorded"][0]["outcome"] == "stored"

    assert cli("recall", "Лейте", "--json").json["hits"][0]["text"] == "Я живу в Лейте"


def test_record_reads_messages_from_stdin_line_by_line(cli):
    lines = b'{"role": "user", "content": "one"}\n{"role": "assistant", "content": "two"}\n'

    receipt = cli("record", "--jsonl", "--json", stdin=lines).json

    assert (receipt["stored"], receipt["rejected"]) == (2, 0)


def test_record_without_embedding_says_how_much_is_left_and_the_worker_does_it(cli):
    assert cli("record", "later", "--no-embed", "--json").json["pending"] == 1

    assert cli("worker", "--once", "--json").json == {"pending": 0, "failed": 0, "embedded": 1}


def test_recall_shows_the_words_the_speaker_the_date_in_their_zone_and_the_event_time(cli):
    told(cli)

    shown = cli("recall", "When did I move?").out

    assert "I moved to Edinburgh last March." in shown
    assert "Nora, Sat 20 May 2023, 09:12 +01:00" in shown
    assert "happened March 2023" in shown
    assert "session 2023-05-20" in shown
    assert "telegram:42" in shown


def test_recall_explains_why_each_hit_was_found_when_asked(cli):
    told(cli)

    assert "why: " not in cli("recall", "moved").out
    assert "why: words “moved”" in cli("recall", "moved", "--explain").out
    assert cli("recall", "moved", "--json").json["hits"][0]["trace"] is None
    assert cli("recall", "moved", "--json", "--explain").json["hits"][0]["trace"]["matched_terms"] == ["move"]


def test_recall_prints_the_block_for_a_prompt(cli):
    told(cli)

    block = cli("recall", "moved", "--text", "--tokens", "200").out

    assert "Nora" in block
    assert "2023-05-20" in block
    assert len(block.encode()) <= 200 * 4 + 1
    assert cli("recall", "moved", "--text", "--json").json["text"] == cli("recall", "moved", "--text").out.rstrip("\n")


def test_recall_passes_every_filter_on(cli):
    told(cli, project="atlas", tag="home")
    told(cli, "I moved to Leith.", id="n2", at="2024-02-01")

    def texts(*flags):
        return [hit["text"] for hit in cli("recall", "moved", "--json", *flags).json["hits"]]

    assert len(texts()) == 2
    assert texts("--project", "atlas", "--tag", "home") == ["I moved to Edinburgh last March."]
    assert texts("--as-of", "2023-12-31") == ["I moved to Edinburgh last March."]
    assert texts("--said-since", "2024-01-01") == ["I moved to Leith."]
    assert texts("--until", "2023-04-01") == ["I moved to Edinburgh last March."]
    assert texts("--namespace", "knowledge") == ["I moved to Leith."]  # the fact; the words are episodic
    assert texts("--namespace", "preference") == []
    assert len(texts("--limit", "1")) == 1
    assert len(texts("--per", "session")) == 2


def test_recall_stays_in_its_scope(cli):
    told(cli)

    assert cli("recall", "moved", "--workspace", "other", "--json").json["hits"] == []
    assert cli("recall", "moved", "--owner", "other", "--json").json["hits"] == []
    assert cli("recall", "moved", "--conversation", "telegram:43", "--json").json["hits"] == []
    assert len(cli("recall", "moved", "--conversation", "telegram:42", "--json").json["hits"]) == 1


def test_recall_says_what_was_missing(cli):
    told(cli)

    assert "without embedder" in cli("recall", "moved", "--embedder", "none").out


def test_forget_shows_first_and_erases_only_with_yes(cli):
    told(cli)

    shown = cli("forget", "n1")
    assert "Would be erased for good: 1 message" in shown.out
    assert "add --yes" in shown.err
    assert cli("recall", "moved", "--json").json["hits"]

    assert "still found afterwards  0" in cli("forget", "n1", "--yes").out
    assert cli("recall", "moved", "--json").json["hits"] == []


def test_forget_needs_everything_for_a_wide_delete(cli):
    told(cli)

    refused = cli("forget", "--yes")
    assert refused.code == 2
    assert cli("recall", "moved", "--json").json["hits"]

    assert cli("forget", "--everything", "--yes", "--json").json["receipt"]["remaining_count"] == 0
    assert cli("status", "--json").json["file"]["message_count"] == 0


def test_forget_takes_no_wildcard(cli):
    told(cli)

    assert cli("forget", "*", "--yes").code == 2
    assert cli("recall", "moved", "--json").json["hits"]


def test_forget_erases_a_conversation_and_no_other(cli):
    told(cli)
    told(cli, "I moved again.", id="n2", conversation="telegram:43")

    cli("forget", "--conversation", "telegram:42", "--yes")

    assert [hit["message_ids"] for hit in cli("recall", "moved", "--json").json["hits"]] == [["n2"]]


def test_status_counts_the_file_and_the_scope(cli):
    told(cli)
    told(cli, "Elsewhere.", id="w1", workspace="other")

    counts = cli("status", "--json").json

    assert (counts["file"]["message_count"], counts["scope"]["message_count"]) == (2, 1)
    assert re.search(r"messages\s+2\s+1", cli("status").out)


def test_doctor_finds_a_sound_file_well(cli):
    told(cli)

    result = cli("doctor")
    assert (result.code, "all is well" in result.out) == (0, True)
    assert cli("doctor", "--repair", "--json").json["ok"] is True


def test_a_backup_can_be_restored_and_answers_the_same(cli, tmp_path):
    told(cli)
    copy, other = tmp_path / "copy of it.db", tmp_path / "other.db"

    assert cli("backup", copy).code == 0
    assert cli("restore", copy, "--db", other).code == 0
    assert cli("recall", "moved", "--db", other, "--json").json["hits"][0]["message_ids"] == ["n1"]
    assert cli("restore", copy, "--db", other).code == 2
    assert cli("backup", copy).code != 0


def test_version_names_what_a_report_needs(cli):
    assert set(cli("version", "--json").json) >= {"glossator", "python", "sqlite", "embedder"}


VERBS_WITH_JSON = {
    "demo": (),
    "record": ("hello",),
    "ingest": ("EXPORT",),
    "recall": ("moved",),
    "forget": ("n1",),
    "status": (),
    "doctor": (),
    "backup": ("NEW",),
    "worker": ("--once",),
    "version": (),
}


@pytest.mark.parametrize("verb", VERBS_WITH_JSON)
def test_stdout_carries_one_json_document_and_stderr_nothing(cli, tmp_path, verb):
    told(cli)
    export = tmp_path / "talk.txt"
    export.write_text("User: hello\nAssistant: hi\n", encoding="utf-8")
    places = {"EXPORT": export, "NEW": tmp_path / "new.db"}

    result = cli(verb, *(places.get(each, each) for each in VERBS_WITH_JSON[verb]), "--json")

    json.loads(result.out)
    assert (result.code, result.err) == (0, "")


def test_bench_passes_its_report_on(cli, tmp_path):
    data = Path(__file__).parents[3] / "shared" / "data" / "memdaily"
    files = sorted(data.glob("*.json"))
    if not files:
        pytest.skip("no benchmark data in ../shared/data")
    out = tmp_path / "report.json"

    result = cli("bench", "memdaily", "--data", files[0], "--limit-questions", "2", "--k", "5", "--out", out, "--json")

    assert result.code == 0
    assert result.json["dataset"] == "memdaily"
    assert json.loads(out.read_text(encoding="utf-8"))["dataset"] == "memdaily"


def test_stored_words_cannot_steer_the_terminal(cli):
    cli("record", "red \x1b[31malert\x1b]0;title\x07 \u202ereversed [bold]tag[/bold]")

    shown = cli("recall", "tag").out

    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert "[bold]tag[/bold]" in shown


def test_doctor_tells_what_drifted_and_repairs_it(cli, tmp_path):
    told(cli)
    with sqlite3.connect(tmp_path / "memory.db") as connection:
        connection.execute("DELETE FROM vectors")
    connection.close()

    sick = cli("doctor")
    assert (sick.code, "wrong" in sick.out) == (1, True)
    assert cli("doctor", "--json").json["ok"] is False

    assert cli("doctor", "--repair").code == 0
    cli("worker", "--once")
    assert cli("doctor").code == 0
    assert cli("status", "--json").json["file"]["vector_count"] == 1


def test_a_long_text_is_shown_around_its_match_without_splitting_an_emoji(cli):
    family = "👩‍👩‍👧"
    cli("record", family * 400 + " the kettle is blue " + family * 400)

    shown = cli("recall", "kettle", "-n", "1").out

    assert "the kettle is blue" in shown.replace("\n    ", " ")
    assert len(shown) < 2000
    assert "\u200d…" not in shown
    assert "…\u200d" not in shown
