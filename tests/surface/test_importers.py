"""What is read from each format, and what becomes of the nasty ones?"""

import json
import random
import zipfile
from contextlib import suppress
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from glossator.errors import UsageError
from glossator.surfaces.importers import Home, LeftOut, Note, Page, Rejected, Transcript, input_files, read_file


def pieces(path, *, kind=None, **home):
    return [
        piece for file in input_files(path) for piece in read_file(file, home=Home(name="", **home), kind=kind)
    ]  # fmt: skip


def of_type(found, kind):
    return [piece for piece in found if isinstance(piece, kind)]


def messages(found):
    return [message for piece in of_type(found, Transcript) for message in piece.messages]


def written(folder: Path, name: str, content: str | bytes | list | dict) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(content, ensure_ascii=False) if isinstance(content, list | dict) else content
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def node(key, parent, role, *parts, created=1684545660.0, children=(), kind="text", **message):
    content = {"content_type": kind, "parts": list(parts)}
    author = {"role": role, "name": None, "metadata": {}}
    message = {"id": key, "author": author, "create_time": created, "content": content, "weight": 1.0} | message
    return {"id": key, "parent": parent, "children": list(children), "message": message}


def chatgpt(*nodes, current, conversation_id="abcdef12-0000", **fields):
    mapping = {each["id"]: each for each in nodes}
    return {"title": "T", "create_time": 1684545660.0, "conversation_id": conversation_id, "mapping": mapping,
            "current_node": current} | fields  # fmt: skip


ROOT = {"id": "root", "parent": None, "children": ["s"], "message": None}


class TestOwnJsonLines:
    def test_a_broken_line_is_rejected_with_its_number_and_the_others_are_read(self, tmp_path):  # proves: K28
        lines = b'{"role":"user","content":"one"}\n{"role":"user","cont\n\n{"role":"assistant","content":"two"}\n{"ro'

        found = pieces(written(tmp_path, "talk.jsonl", lines))

        assert [each.content for each in messages(found)] == ["one", "two"]
        assert [each.where for each in of_type(found, Rejected)] == ["line 2", "line 5"]
        assert of_type(found, Rejected)[0].excerpt == '{"role":"user","cont'

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ('{"content":"x"}', "role is missing"),
            ('{"role":"boss","content":"x"}', "role 'boss' is unknown"),
            ('{"role":"user"}', "content is missing"),
            ('{"role":"user","content":" \\n"}', "content is blank"),
            ('{"role":"user","content":7}', "content is blank"),
            ("[1, 2]", "is no JSON object"),
            ('"words"', "is no JSON object"),
            ("words", "is no JSON"),
            ("[" * 100_000, "is no JSON"),
            ("9" * 10_000, "is no JSON"),
        ],
    )
    def test_what_is_no_message_is_rejected_with_the_reason(self, tmp_path, line, reason):
        (rejected,) = pieces(written(tmp_path, "talk.jsonl", line))

        assert rejected.reason == reason

    def test_fields_are_taken_over_and_unknown_ones_ignored(self, tmp_path):
        line = {"role": "human", "content": "hi", "speaker": "Ann", "at": "2023-05-20", "id": 7, "mood": "fine",
                "conversation": "telegram:42", "session": "s1"}  # fmt: skip

        (piece,) = pieces(written(tmp_path, "talk.jsonl", json.dumps(line)))

        assert (piece.conversation, piece.session) == ("telegram:42", "s1")
        message = piece.messages[0]
        assert (message.role, message.speaker, message.at, message.message_id) == ("user", "Ann", "2023-05-20", "7")

    def test_sessions_and_long_files_come_in_parts(self, tmp_path):
        lines = [{"role": "user", "content": f"n{number}", "session": f"s{number // 300}"} for number in range(600)]

        found = pieces(written(tmp_path, "talk.jsonl", "\n".join(map(json.dumps, lines))))

        assert [(each.session, len(each.messages)) for each in found] == [
            ("s0", 200), ("s0", 100), ("s1", 200), ("s1", 100)
        ]  # fmt: skip
        assert 0 < found[0].share < found[1].share < found[-1].share == 1.0

    def test_a_line_separator_inside_a_text_ends_no_line(self, tmp_path):
        data = json.dumps({"role": "user", "content": "a\u2028b\x0bc"}, ensure_ascii=False).encode() + b"\r\n"

        assert messages(pieces(written(tmp_path, "talk.jsonl", data)))[0].content == "a\u2028b\x0bc"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_byte_order_marks_are_read(self, tmp_path, encoding):
        data = '{"role":"user","content":"Grüße 猫"}\r\n{"role":"user","content":"two"}\r\n'.encode(encoding)

        assert [each.content for each in messages(pieces(written(tmp_path, "t.jsonl", data)))] == ["Grüße 猫", "two"]

    def test_bytes_that_are_no_utf8_are_replaced_and_that_is_noted(self, tmp_path):
        found = pieces(written(tmp_path, "talk.jsonl", b'{"role":"user","content":"caf\xe9"}'))

        assert messages(found)[0].content == "caf\ufffd"
        assert of_type(found, Note)[0].where == "line 1"


class TestChatGpt:
    def test_the_path_to_the_current_node_is_read_in_order(self, tmp_path):
        export = [chatgpt(
            ROOT, node("s", "root", "system", ""), node("u", "s", "user", "Hello?"),
            node("old", "u", "assistant", "Bad answer."), node("new", "u", "assistant", "Good answer."), current="new",
        )]  # fmt: skip

        found = pieces(written(tmp_path, "conversations.json", export))

        (transcript,) = of_type(found, Transcript)
        assert [(each.message_id, each.content) for each in transcript.messages] == [
            ("u", "Hello?"), ("new", "Good answer.")
        ]  # fmt: skip
        assert transcript.conversation == "chatgpt:abcdef12-0000"
        assert transcript.session == "2023-05-20 abcdef12"
        assert transcript.messages[1].speaker == "ChatGPT"
        assert of_type(found, LeftOut) == [LeftOut(reason="on branches that were edited or regenerated away")]

    def test_times_are_shown_on_the_speakers_clock(self, tmp_path):
        path = written(tmp_path, "conversations.json", [chatgpt(ROOT, node("u", "root", "user", "hi"), current="u")])

        assert messages(pieces(path))[0].at == "2023-05-20T01:21:00+00:00"
        assert messages(pieces(path, zone=ZoneInfo("Asia/Tokyo")))[0].at == "2023-05-20T10:21:00+09:00"

    def test_hidden_messages_tool_calls_and_reasoning_are_left_out_and_counted(self, tmp_path):
        export = [chatgpt(
            ROOT,
            node("a", "root", "user", "profile", kind="user_editable_context"),
            node("b", "a", "user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
            node("c", "b", "user", "Draw a cat."),
            node("d", "c", "assistant", "hmm", kind="thoughts"),
            node("e", "d", "assistant", '{"prompt": "cat"}', recipient="dalle.text2im"),
            node("f", "e", "tool", "file saved", author={"role": "tool", "name": "dalle"}),
            node("g", "f", "assistant", ""),
            node("h", "g", "assistant", "Here it is."),
            current="h",
        )]  # fmt: skip

        found = pieces(written(tmp_path, "conversations.json", export))

        assert [(each.role, each.speaker, each.content) for each in messages(found)] == [
            ("user", "user", "Draw a cat."), ("tool", "dalle", "file saved"), ("assistant", "ChatGPT", "Here it is."),
        ]  # fmt: skip
        assert {each.reason: each.count for each in of_type(found, LeftOut)} == {
            "custom instructions": 1, "hidden by ChatGPT": 1, "the model's reasoning": 1, "calls of tools": 1,
            "without words": 1,
        }  # fmt: skip

    def test_parts_that_are_no_text_leave_a_mark(self, tmp_path):
        image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
        speech = {"content_type": "audio_transcription", "text": "What is this?"}
        export = [chatgpt(ROOT, node("u", "root", "user", image, speech, "See?", kind="multimodal_text"), current="u")]

        assert messages(pieces(written(tmp_path, "c.json", export)))[0].content == "[image]\nWhat is this?\nSee?"

    def test_a_circle_or_a_missing_current_node_ends_the_walk(self, tmp_path):
        circle = chatgpt(node("a", "b", "user", "one"), node("b", "a", "user", "two"), current="a")
        headless = chatgpt(
            ROOT, node("u", "root", "user", "q", children=["x", "y"], created=1.0),
            node("x", "u", "assistant", "older", created=2.0), node("y", "u", "assistant", "newer", created=3.0),
            current="gone", conversation_id="two",
        )  # fmt: skip

        found = pieces(written(tmp_path, "conversations.json", [circle, headless]))

        assert [[each.content for each in piece.messages] for piece in of_type(found, Transcript)] == [
            ["two", "one"], ["q", "newer"]
        ]  # fmt: skip

    def test_odd_conversations_are_rejected_one_by_one(self, tmp_path):
        odd = chatgpt(
            ROOT, node("u", "root", "user", "hi", created="soon", author="me"),
            node("v", "u", "user", "ok", created=None),
            node("w", "v", "user", "far", created=1e300), current="w",
        )  # fmt: skip

        export = [odd, {"mapping": {}}, {"id": "x", "mapping": []}, None, 7, "text"]
        found = pieces(written(tmp_path, "conversations.json", export))

        assert [each.content for each in messages(found)] == ["ok", "far"]
        assert [each.at for each in messages(found)] == ["2023-05-20T01:21:00+00:00"] * 2
        assert len(of_type(found, Rejected)) == 6

    def test_a_file_that_breaks_off_gives_what_came_before(self, tmp_path):
        first = chatgpt(ROOT, node("u", "root", "user", "whole"), current="u")
        text = json.dumps([first, first])

        found = pieces(written(tmp_path, "conversations.json", text[:-40]))

        assert [each.content for each in messages(found)] == ["whole"]
        assert [each.where for each in of_type(found, Rejected)] == ["conversation 2"]


def claude(*chat_messages, uuid="0f0f0f0f-1111"):
    return {
        "uuid": uuid,
        "name": "T",
        "created_at": "2024-01-15T10:30:00.123456Z",
        "chat_messages": list(chat_messages),
    }


def said(uuid, sender, text, **fields):
    return {"uuid": uuid, "sender": sender, "text": text, "content": [{"type": "text", "text": text}],
            "created_at": "2024-01-15T10:30:00.123456Z"} | fields  # fmt: skip


class TestClaude:
    def test_turns_are_read_with_sender_time_and_id(self, tmp_path):
        path = written(tmp_path, "c.json", [claude(said("m1", "human", "Hi."), said("m2", "assistant", "Hello."))])

        (transcript,) = pieces(path)

        assert [(each.message_id, each.role, each.speaker, each.content, each.at) for each in transcript.messages] == [
            ("m1", "user", "user", "Hi.", "2024-01-15T10:30:00.123456+00:00"),
            ("m2", "assistant", "Claude", "Hello.", "2024-01-15T10:30:00.123456+00:00"),
        ]
        assert (transcript.conversation, transcript.session) == ("claude:0f0f0f0f-1111", "2024-01-15 0f0f0f0f")

    def test_text_blocks_count_and_tool_blocks_are_left_out(self, tmp_path):
        blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "One."},
                  {"type": "tool_use", "name": "x"},
                  {"type": "tool_result", "content": []}, {"type": "text", "text": "Two."}, None, "odd"]  # fmt: skip

        found = pieces(written(tmp_path, "c.json", [claude(said("m", "assistant", "placeholder", content=blocks))]))

        assert messages(found)[0].content == "One.\nTwo."
        assert {each.reason for each in of_type(found, LeftOut)} == {
            "calls of tools", "results of tools", "the model's reasoning"
        }  # fmt: skip

    def test_an_older_export_has_its_words_in_text(self, tmp_path):
        old = said("m", "human", "Old words.")
        del old["content"]

        assert messages(pieces(written(tmp_path, "c.json", [claude(old)])))[0].content == "Old words."

    def test_a_pasted_attachment_is_a_message_of_its_own(self, tmp_path):
        pasted = [{"file_name": "paste.txt", "extracted_content": "Long text."}, {"file_name": "cat.png"}, None]

        found = messages(
            pieces(written(tmp_path, "c.json", [claude(said("m", "human", "See this.", attachments=pasted))]))
        )

        assert [(each.message_id, each.content) for each in found] == [
            ("m", "See this."), ("m/attachment-1", "Long text.")
        ]  # fmt: skip

    def test_odd_messages_are_rejected_one_by_one(self, tmp_path):
        export = [
            claude(None, {"sender": "human"}, said("m", "weather", "x"), said("n", "human", "fine")),
            {"uuid": "u"},
            3,
        ]

        found = pieces(written(tmp_path, "c.json", export))

        assert [each.content for each in messages(found)] == ["fine"]
        assert len(of_type(found, Rejected)) == 5


class TestPlainText:
    def test_speaker_lines_begin_turns_and_other_lines_go_on(self, tmp_path):
        text = "User: Hello there\nand more\n\nstill me\nAssistant: Hi\r\nUser:\n  indented\n"

        found = messages(pieces(written(tmp_path, "talk.txt", text)))

        assert [(each.role, each.content) for each in found] == [
            ("user", "Hello there\nand more\n\nstill me"), ("assistant", "Hi"), ("user", "indented")
        ]  # fmt: skip

    def test_dates_open_sessions(self, tmp_path):
        text = "2023-05-20\nUser: one\n\n--- 2023-05-21 09:30 ---\nUser: two\n"

        found = pieces(written(tmp_path, "talk.txt", text))

        assert [(each.session, each.messages[0].at) for each in found] == [
            ("2023-05-20", "2023-05-20"), ("2023-05-21", "2023-05-21T09:30")
        ]  # fmt: skip

    def test_names_that_come_back_are_speakers(self, tmp_path):
        text = "[2023-05-20 10:03] Ann: hi\n[2023-05-20 10:04] Bob O'Hara: hi\n[2023-05-20 10:05] Ann: see: this\n" * 2

        found = messages(pieces(written(tmp_path, "talk.txt", text)))

        assert [(each.speaker, each.at, each.content) for each in found[:3]] == [
            ("Ann", "2023-05-20T10:03", "hi"), ("Bob O'Hara", "2023-05-20T10:04", "hi"),
            ("Ann", "2023-05-20T10:05", "see: this"),
        ]  # fmt: skip

    def test_a_word_with_a_colon_inside_an_answer_is_no_speaker(self, tmp_path):
        text = "User: how?\nAssistant: so:\nNote: mind this\nExample: that\nNote: again\n"
        text += "```\nUser: quoted\n```\nUser: thanks\n"

        assert [each.content for each in messages(pieces(written(tmp_path, "talk.txt", text)))] == [
            "how?", "so:\nNote: mind this\nExample: that\nNote: again\n```\nUser: quoted\n```", "thanks"
        ]  # fmt: skip

    def test_prose_is_a_page(self, tmp_path):
        text = "Dear diary,\n\nNote: rain. Note: more rain.\nUser: the one who uses.\n"

        assert pieces(written(tmp_path, "diary.txt", text)) == [Page(document_id="diary.txt", text=text)]

    def test_a_blank_file_is_rejected(self, tmp_path):
        assert of_type(pieces(written(tmp_path, "empty.txt", b"\xef\xbb\xbf \r\n")), Rejected)[0].reason == "is blank"


class TestMarkdown:
    def test_front_matter_dates_and_tags_a_page(self, tmp_path):
        text = "---\ntitle: Trip\ndate: 2023-05-20\ntags:\n  - travel\n  - '#food'\n---\n# Trip\n\nWe went.\n"

        (page,) = pieces(written(tmp_path, "notes/trip.md", text).parent)

        assert (page.document_id, page.at, page.tags) == ("trip.md", "2023-05-20", ("travel", "food"))
        assert page.text == "# Trip\n\nWe went.\n"

    @pytest.mark.parametrize("text", [
        "# Chat\n\n**User:** Hello\n\n**Assistant:** Hi\n", "## User\n\nHello\n\n## Assistant\n\nHi\n",
        "---\ndate: 2024-01-01\n---\nUser: Hello\n\nAssistant: Hi\n", "> User: Hello\n\n> Assistant: Hi",
    ])  # fmt: skip
    def test_a_saved_chat_is_a_transcript(self, tmp_path, text):
        found = messages(pieces(written(tmp_path, "chat.md", text)))

        assert [(each.role, each.content) for each in found] == [("user", "Hello"), ("assistant", "Hi")]

    def test_a_rule_at_the_top_is_no_front_matter(self, tmp_path):
        (page,) = pieces(written(tmp_path, "n.md", "---\n\nText without an end of it.\n"))

        assert page.text.startswith("---")


class TestPlaces:
    def test_a_folder_is_read_by_name_and_other_files_are_left_out(self, tmp_path):
        written(tmp_path, "b/talk.txt", "User: from b\n")
        written(tmp_path, "a.jsonl", '{"role":"user","content":"from a"}')
        written(tmp_path, "user.json", {"email": "x@example.org"})
        written(tmp_path, "photo.jpg", b"\xff\xd8\xff")
        written(tmp_path, ".git/config.txt", "User: hidden\n")

        found = pieces(tmp_path)

        assert [each.content for each in messages(found)] == ["from a", "from b"]
        assert [each.conversation for each in of_type(found, Transcript)] == ["file:a", "file:b/talk"]
        assert sum(each.count for each in of_type(found, LeftOut)) == 2

    def test_a_zip_archive_is_read_like_its_folder(self, tmp_path):
        path = tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("chat.html", "<html>")
            archive.writestr("conversations.json", json.dumps([claude(said("m1", "human", "Hi."))]))

        assert [each.content for each in messages(pieces(path))] == ["Hi."]

    def test_a_file_alone_of_no_known_kind_is_rejected_and_a_missing_one_is_misuse(self, tmp_path):
        assert of_type(pieces(written(tmp_path, "x.json", {"a": 1})), Rejected)
        assert of_type(pieces(written(tmp_path, "x.bin", b"\x00\x01\x02")), Rejected)
        with pytest.raises(UsageError, match="does not exist"):
            input_files(tmp_path / "gone.json")

    @pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.txt", "t.md", "t.zip", "t.bin"])
    @pytest.mark.parametrize(
        "data",
        [b"", b"\xff\xfe", b"\x00" * 64, b"[", b"{", b"[[[[", b'[{"mapping": ', b"\xf0\x9f\x91", b"PK\x03\x04",
         b'[{"mapping": {"a": {"parent": "a"}}, "id": "1"}]', b'[{"chat_messages": {}, "uuid": 1}]',
         b'{"role": "user", "content": "\\ud83d"}'],
    )  # fmt: skip
    def test_nothing_that_a_file_holds_makes_a_reader_fall_over(self, tmp_path, name, data):
        path = written(tmp_path, name, data)

        with suppress(UsageError):  # a zip archive that is none
            assert all(pieces(path))

    @pytest.mark.parametrize("seed", range(20))
    def test_no_value_in_the_wrong_place_makes_a_reader_fall_over(self, tmp_path, seed):
        draw = random.Random(seed)
        odd = [None, True, -1, 1e308, 10**400, "", " ", "\ud83d", [], {}, [None], {"a": None}, "9999-12-31T23:59:59Z"]
        for number in range(40):
            tree = chatgpt(ROOT, node("u", "root", "user", "hi", {"content_type": "x"}), current="u")
            export = json.loads(json.dumps([tree, claude(said("m", "human", "hi")), {"role": "user", "content": "hi"}]))
            place: object = export
            while isinstance(place, list | dict) and place:
                key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
                if draw.random() < 0.3 or not isinstance(place[key], list | dict) or not place[key]:
                    place[key] = draw.choice(odd)
                    break
                place = place[key]
            path = written(tmp_path, f"{number}.json", json.dumps(export[draw.randrange(3) :]))

            for kind in ("chatgpt", "claude", "json", None):
                assert all(pieces(path, kind=kind, zone=ZoneInfo("America/New_York")))
