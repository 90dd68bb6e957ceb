"""What is in the memory after files were taken in, once and again?"""

import json

import pytest


def written(folder, name, content):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def longer_chatgpt(count):
    def node(number):
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"Turn {number}."]}}
        return {"parent": f"n{number - 1}" if number else None, "message": {"id": f"m{number}", **message}}

    mapping = {f"n{number}": node(number) for number in range(count)}
    return [{"id": "c1", "create_time": 1684545660.0, "current_node": f"n{count - 1}", "mapping": mapping}]


def claude(*chat_messages):
    return {"uuid": "c1", "created_at": "2024-01-15T10:30:00Z", "chat_messages": list(chat_messages)}


def said(uuid, sender, text):
    return {"uuid": uuid, "sender": sender, "text": text, "created_at": "2024-01-15T10:30:00Z"}


def longer_claude(count):
    return [claude(*(said(f"m{number}", "human", f"Turn {number}.") for number in range(count)))]


EXPORTS = {
    "conversations.json": longer_chatgpt,
    "claude.json": longer_claude,
    "talk.jsonl": lambda count: "".join(
        json.dumps({"role": "user", "content": f"Turn {number % 3}."}) + "\n" for number in range(count)
    ),
    "talk.txt": lambda count: "".join(f"User: Turn {number % 3}.\nAssistant: Yes.\n" for number in range(count)),
    "talk.md": lambda count: "# Talk\n\n" + "".join(f"**User:** Turn {number % 3}.\n\n" for number in range(count)),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_a_longer_export_adds_only_what_is_new(cli, tmp_path, name):
    first = cli("ingest", written(tmp_path, name, EXPORTS[name](4)), "--json").json
    again = cli("ingest", tmp_path / name, "--json").json
    longer = cli("ingest", written(tmp_path, name, EXPORTS[name](6)), "--json").json

    assert first["duplicate"] == again["stored"] == 0
    assert again["duplicate"] == first["stored"] == longer["duplicate"]
    assert longer["stored"] * 2 == first["stored"]
    assert longer["conflict"] == longer["rejected"] == 0


def test_the_receipt_says_what_became_of_each_part(cli, tmp_path):
    lines = '{"role":"user","content":"good"}\n{"role":"user","content":"bad date","at":"someday"}\n{"half\n'
    path = written(tmp_path, "talk.jsonl", lines)

    receipt = cli("ingest", path, "--json").json

    assert (receipt["stored"], receipt["rejected"], receipt["pending"]) == (1, 2, 0)
    reasons = {each["where"]: each["reason"] for each in receipt["rejected_items"]}
    assert reasons["line 3"] == "is no complete JSON object"
    assert "someday" in reasons["line 2"]
    shown = cli("ingest", path)
    assert shown.code == 0
    assert "line 3" in shown.out
    assert "there already" in shown.out


def test_a_broken_line_stops_neither_the_ingest_nor_later_questions(cli, tmp_path):  # proves: K28
    path = written(tmp_path, "talk.jsonl", '{"role":"user","content":"the kettle is blue"}\n{"role":"us')

    assert cli("ingest", path).code == 0
    assert cli("recall", "kettle", "--json").json["hits"][0]["text"] == "the kettle is blue"


def test_an_export_without_anything_to_keep_is_misuse(cli, tmp_path):
    result = cli("ingest", written(tmp_path, "x.json", {"a": 1}))

    assert result.code == 2
    assert "holds no conversations" in result.out


def test_other_words_under_a_known_id_are_a_conflict_that_is_shown(cli, tmp_path):
    cli("ingest", written(tmp_path, "claude.json", [claude(said("m", "human", "Blue."))]))

    receipt = cli("ingest", written(tmp_path, "claude.json", [claude(said("m", "human", "Green."))]), "--json").json

    assert (receipt["conflict"], receipt["conflict_ids"]) == (1, ["m"])
    assert [hit["text"] for hit in cli("recall", "blue", "--json").json["hits"]] == ["Blue."]


def test_a_page_is_found_with_its_date_and_project(cli, tmp_path):
    path = written(
        tmp_path, "trip.md", "---\ndate: 2023-05-20\ntags: [travel]\n---\n# Trip\n\nThe ferry left from Stornoway.\n"
    )

    assert cli("ingest", path, "--project", "atlas", "--json").json["documents"] == 1
    (hit, *_) = cli("recall", "Stornoway", "--project", "atlas", "--tag", "travel", "--json").json["hits"]
    assert "Stornoway" in hit["text"]
    assert hit["said_at"].startswith("2023-05-20")


def test_everything_can_go_into_one_conversation_and_undated_turns_get_a_date(cli, tmp_path):
    path = written(tmp_path, "talk.txt", "User: The kettle is blue.\n")

    cli("ingest", path, "--conversation", "telegram:42", "--at", "2023-05-20")

    (hit,) = cli("recall", "kettle", "--json").json["hits"]
    assert (hit["conversation"], hit["said_at"][:10]) == ("telegram:42:root", "2023-05-20")


def test_forgotten_messages_are_not_taken_back(cli, tmp_path):
    path = written(tmp_path, "claude.json", longer_claude(3))
    cli("ingest", path)
    cli("forget", "m1", "--yes")

    receipt = cli("ingest", path, "--json").json

    assert (receipt["erased"], receipt["duplicate"], receipt["stored"]) == (1, 2, 0)


def test_an_edited_page_is_kept_beside_the_old_one_and_that_is_said(cli, tmp_path):
    cli("ingest", written(tmp_path, "limits.md", "The limit is 10 requests.\n"))
    edited = cli("ingest", written(tmp_path, "limits.md", "The limit is 20 requests.\n"), "--json").json
    again = cli("ingest", tmp_path / "limits.md", "--json").json

    assert (edited["stored"], edited["conflict"], again["stored"], again["duplicate"]) == (1, 0, 0, 1)
    assert any("has changed" in note for note in edited["notes"])
    texts = {hit["text"].strip() for hit in cli("recall", "limit requests", "--json").json["hits"]}
    assert texts == {"The limit is 10 requests.", "The limit is 20 requests."}


def test_live_messages_without_ids_are_new_each_time(cli):
    line = b'{"role": "user", "content": "yes"}\n'

    receipts = [cli("record", "--jsonl", "--json", stdin=line).json for _ in range(2)]

    assert [receipt["stored"] for receipt in receipts] == [1, 1]


def test_times_of_an_export_are_kept_on_the_clock_of_the_zone(cli, tmp_path):
    line = {"role": "user", "content": "I fainted yesterday.", "at": "2025-03-01T15:30:00Z"}

    cli("ingest", written(tmp_path, "talk.jsonl", json.dumps(line)), "--zone", "Asia/Tokyo")

    shown = cli("recall", "fainted").out
    assert "Sun 2 Mar 2025, 00:30 +09:00" in shown
    assert "happened Sat 1 Mar 2025" in shown
