"""Are the published formats read rightly? Tiny datasets of our own in each format, with the real ones' faults."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from glossator.errors import UsageError
from glossator.evaluate.datasets import load
from glossator.evaluate.datasets.locomo import mend_labels
from glossator.evaluate.values import Dataset

DATA = Path(os.environ.get("GLOSSATOR_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"benchmark data is not at {DATA}; set GLOSSATOR_DATA")


def read(name: str, content: object, folder: Path, *, pool: str | None = None, filler: Path | None = None) -> Dataset:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return load(name, path, pool=pool, filler=filler, seed=0)


def locomo_turn(turn_id: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": turn_id, "speaker": speaker, "text": text, **more}


def locomo(*qa: dict[str, object]) -> list[dict[str, object]]:
    conversation = {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_2_date_time": "12:05 am on 1 June, 2023",
        "session_2": [locomo_turn("D2:1", "Bob", "I bought a kayak."), locomo_turn("D2:2", "Ann", "Where?")],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            locomo_turn("D1:1", "Ann", "Look at my boat!", blip_caption="a photo of a red boat"),
            locomo_turn("D1:2", "Bob", "", blip_caption="a photo of a lake"),
            locomo_turn("D1:3", "Ann", "Nice."),
        ],
        "session_3_date_time": "2:00 pm on 2 June, 2023",
    }
    return [{"sample_id": "conv-1", "conversation": conversation, "qa": list(qa)}]


def locomo_question(evidence: list[str], **more: object) -> dict[str, object]:
    return {"question": "What did Bob buy?", "category": 4, "evidence": evidence, **more}


def test_locomo_sessions_stand_in_order_with_dates_and_rising_turn_times(tmp_path: Path) -> None:
    haystack = read("locomo", locomo(locomo_question(["D2:1"])), tmp_path).haystacks[0]

    assert [session.name for session in haystack.sessions] == ["session_1", "session_2"]
    assert haystack.sessions[0].said_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert haystack.sessions[1].said_at == datetime(2023, 6, 1, 0, 5, tzinfo=UTC)
    times = [turn.at for session in haystack.sessions for turn in session.turns]
    assert times == sorted(set(times))


def test_a_locomo_turn_is_its_text_and_its_image_caption_with_the_speaker_apart(tmp_path: Path) -> None:
    turns = read("locomo", locomo(locomo_question(["D2:1"])), tmp_path).haystacks[0].sessions[0].turns

    assert turns[0].text == "Look at my boat! [image: a photo of a red boat]"
    assert turns[0].speaker == "Ann"
    assert turns[1].text == "[image: a photo of a lake]"


def test_a_locomo_question_is_asked_after_the_last_session(tmp_path: Path) -> None:
    # proves: D51
    question = read("locomo", locomo(locomo_question(["D2:1"])), tmp_path).questions[0]

    assert datetime(2023, 6, 1, 0, 5, tzinfo=UTC) < question.now < datetime(2023, 6, 2, tzinfo=UTC)


def test_malformed_locomo_labels_are_mended_in_the_published_file(tmp_path: Path) -> None:
    asked = read("locomo", locomo(locomo_question(["D1:1; D2:1", "D:2:02", "D", "D1:1"])), tmp_path)

    assert asked.questions[0].gold_turns == ("D1:1", "D2:1", "D2:2")
    assert asked.questions[0].gold_sessions == ("session_1", "session_2")
    assert asked.mended["labels that name no turn"] == 1


@pytest.mark.parametrize(
    ("labels", "expected", "lost"),
    [
        (["D8:6; D9:17"], ("D8:6", "D9:17"), 0),
        (["D:11:26"], ("D11:26",), 0),
        (["D30:05"], ("D30:5",), 0),
        (["D8:6 D9:17"], ("D8:6", "D9:17"), 0),
        (["D"], (), 1),
        (["D10:99"], (), 1),
        ([], (), 0),
        (["D8:6", "D8:6"], ("D8:6",), 0),
    ],
)
def test_each_known_malformed_label_names_the_turns_that_were_meant(
    labels: list[str], expected: tuple[str, ...], lost: int
) -> None:
    known = {(8, 6): "D8:6", (9, 17): "D9:17", (11, 26): "D11:26", (30, 5): "D30:5"}

    assert mend_labels(labels, known) == (expected, lost)


def test_audited_labels_win_over_clean_ones_and_the_published_are_kept_beside(tmp_path: Path) -> None:
    content = locomo(
        locomo_question(["D1:1"], evidence_clean=["D1:3"], evidence_audited=["D2:2"]),
        locomo_question(["D1:1; D1:3"], evidence_clean=["D1:1", "D1:3"]),
    )

    first, second = read("locomo", content, tmp_path).questions

    assert (first.gold_turns, first.published_turns) == (("D2:2",), ("D1:1",))
    assert (first.gold_sessions, first.published_sessions) == (("session_2",), ("session_1",))
    assert second.gold_turns == second.published_turns == ("D1:1", "D1:3")


def test_a_locomo_question_without_evidence_is_counted_and_not_scored(tmp_path: Path) -> None:
    content = locomo(locomo_question([]), locomo_question(["D1:1"], evidence_audited=[]), locomo_question(["D1:1"]))

    asked = read("locomo", content, tmp_path)

    assert (asked.question_count, len(asked.questions), asked.skipped) == (3, 1, {"without evidence": 2})


def lme_session(*texts: str, labelled: int | None = None, first: str = "user") -> list[dict[str, object]]:
    roles = ("user", "assistant") if first == "user" else ("assistant", "user")
    return [
        {"role": roles[place % 2], "content": text, "has_answer": place == labelled} for place, text in enumerate(texts)
    ]


def lme_question(
    name: str, sessions: dict[str, tuple[str, list[dict[str, object]]]], **more: object
) -> dict[str, object]:
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": f"question of {name}?",
        "question_date": "2023/05/28 (Sun) 06:47",
        "haystack_session_ids": list(sessions),
        "haystack_dates": [date for date, _ in sessions.values()],
        "haystack_sessions": [turns for _, turns in sessions.values()],
        "answer_session_ids": list(sessions)[:1],
        **more,
    }


MAY_20, MAY_21 = "2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 09:00"


def test_longmemeval_gold_are_the_labelled_user_turns_and_the_answer_sessions(tmp_path: Path) -> None:
    content = [lme_question("q1", {"s1": (MAY_20, lme_session("hi", "hello", "I ski", labelled=2))})]

    question = read("longmemeval", content, tmp_path).questions[0]

    assert (question.gold_turns, question.gold_sessions) == (("s1:2",), ("s1",))
    assert question.now == datetime(2023, 5, 28, 6, 47, tzinfo=UTC)


def test_longmemeval_skips_abstention_and_questions_without_a_labelled_user_turn(tmp_path: Path) -> None:
    content = [
        lme_question("q1_abs", {"s1": (MAY_20, lme_session("a", "b", labelled=0))}),
        lme_question("q2", {"s2": (MAY_20, lme_session("c", "d"))}),
        lme_question("q3", {"s3": (MAY_20, lme_session("e", "f", labelled=1))}),
        lme_question("q4", {"s4": (MAY_20, lme_session("g", "h", labelled=0))}),
    ]

    asked = read("longmemeval", content, tmp_path)

    assert [question.id for question in asked.questions] == ["q4"]
    assert asked.skipped == {
        "abstention": 1,
        "without a labelled turn": 1,
        "evidence in assistant turns only": 1,
    }


def test_without_a_pool_each_question_has_the_haystack_of_the_file_in_time_order(tmp_path: Path) -> None:
    content = [
        lme_question(
            "q1",
            {
                "late": (MAY_21, lme_session("x", "y", labelled=0)),
                "early": (MAY_20, lme_session("v", "w")),
            },
        )
    ]

    haystacks = read("longmemeval", content, tmp_path).haystacks

    assert [session.name for session in haystacks[0].sessions] == ["early", "late"]


def test_a_turn_with_nothing_to_see_is_left_out_and_the_others_keep_their_ids(tmp_path: Path) -> None:
    content = [lme_question("q1", {"s1": (MAY_20, lme_session("hi", "\u200b", "I ski", labelled=2))})]

    asked = read("longmemeval", content, tmp_path)

    assert [turn.id for turn in asked.haystacks[0].sessions[0].turns] == ["s1:0", "s1:2"]
    assert asked.mended == {"blank turns left out": 1}


def pool_content(count: int) -> list[dict[str, object]]:
    return [
        lme_question(f"q{n}", {f"s{n}": (MAY_20, lme_session(f"fact {n}", "ok", labelled=0))}) for n in range(count)
    ]


def test_a_pool_of_all_holds_every_session_and_the_filler_once(tmp_path: Path) -> None:
    filler = tmp_path / "filler.jsonl"
    filler.write_text(json.dumps({"session_id": "f1", "date": MAY_21, "turns": lme_session("noise", "ok")}) + "\n\n")
    content = pool_content(3)
    content.append(lme_question("again", {"s0": (MAY_21, lme_session("fact 0", "ok", labelled=0))}))

    asked = read("longmemeval", content, tmp_path, pool="all", filler=filler)

    assert sorted(session.name for session in asked.haystacks[0].sessions) == ["f1", "s0", "s1", "s2"]
    assert {question.haystack_id for question in asked.questions} == {asked.haystacks[0].id}
    assert asked.mended == {"copies of a session with another date (first kept)": 1}


def test_one_name_with_two_contents_becomes_two_sessions_and_the_labels_follow(tmp_path: Path) -> None:
    content = pool_content(1)
    content.append(lme_question("other", {"s0": (MAY_21, lme_session("another fact", "ok", labelled=0))}))

    asked = read("longmemeval", content, tmp_path, pool="all")

    assert [session.name for session in asked.haystacks[0].sessions] == ["s0", "s0~2"]
    assert asked.questions[1].gold_sessions == ("s0~2",)
    assert asked.questions[1].gold_turns == ("s0~2:0",)
    assert asked.haystacks[0].sessions[1].turns[0].id == "s0~2:0"


def test_a_pool_of_a_size_holds_the_own_sessions_and_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    first = read("longmemeval", pool_content(9), tmp_path, pool="4")
    again = read("longmemeval", pool_content(9), tmp_path, pool="4")

    assert first == again
    for question, haystack in zip(first.questions, first.haystacks, strict=True):
        names = [session.name for session in haystack.sessions]
        assert len(names) == len(set(names)) == 4
        assert set(question.gold_sessions) <= set(names)
    drawn = {tuple(session.name for session in haystack.sessions) for haystack in first.haystacks}
    assert len(drawn) > 5


def test_a_pool_larger_than_all_sessions_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pool.*filler"):
        read("longmemeval", pool_content(3), tmp_path, pool="48")


def test_the_newest_evidence_session_is_told_for_knowledge_updates_only(tmp_path: Path) -> None:
    sessions = {
        "new": (MAY_21, lme_session("I now live in Leith", "ok", labelled=0)),
        "old": (MAY_20, lme_session("I live in York", "ok", labelled=0)),
    }
    both = {"answer_session_ids": ["new", "old"]}
    content = [
        lme_question("q1", sessions, question_type="knowledge-update", **both),
        lme_question("q2", sessions, question_type="multi-session", **both),
        lme_question("q3", sessions, question_type="knowledge-update", answer_session_ids=["new"]),
    ]

    newest = [question.newest_session for question in read("longmemeval", content, tmp_path).questions]

    assert newest == ["new", None, None]


def realmem_turn(speaker: str, content: str, **more: object) -> dict[str, object]:
    return {"speaker": speaker, "is_query": False, "content": content, "query_id": None, **more}


def realmem_session(name: str, day: str, *turns: dict[str, object], points: object = None) -> dict[str, object]:
    return {
        "session_identifier": f"T:{name}",
        "session_uuid": name,
        "current_time": day,
        "dialogue_turns": list(turns),
        "extracted_memory": points,
    }


def realmem() -> dict[str, object]:
    point = {
        "content": "User eats   no meat.",
        "source_turn": 1,
        "source_content_snapshot": "I eat no meat.",
        "session_uuid": "one",
    }
    used = [{"session_uuid": "one", "content": "User eats no meat."}]
    query = realmem_turn("User", "What may I cook?", is_query=True, query_id="Q-1", category_name="Dynamic Updating")
    own = realmem_turn("User", "And now?", is_query=True, query_id="Q-2", category_name="Dynamic Updating")
    return {
        "_metadata": {},
        "dialogues": [
            realmem_session(
                "two",
                "2026-01-02 (Friday)",
                query,
                realmem_turn("Assistant", "Beans.", memory_session_uuids=["one", "one", "later"], memory_used=used),
                own,
                realmem_turn("Assistant", "More beans.", memory_session_uuids=["two"]),
            ),
            realmem_session(
                "one",
                "2026-01-01 (Thursday)",
                realmem_turn("User", "I eat no meat."),
                realmem_turn("Assistant", " "),
                points=[point],
            ),
            realmem_session("later", "2026-01-02 (Friday)", {"speaker": "User", "content": "No flag here."}),
        ],
    }


def test_realmem_sessions_are_replayed_in_time_order_and_blank_turns_left_out(tmp_path: Path) -> None:
    asked = read("realmem", realmem(), tmp_path)

    assert [session.name for session in asked.haystacks[0].sessions] == ["one", "two", "later"]
    assert asked.haystacks[0].turn_count == 6
    assert asked.mended == {"blank turns left out": 1}
    times = [turn.at for session in asked.haystacks[0].sessions for turn in session.turns]
    assert times == sorted(set(times))


def test_a_realmem_query_is_asked_before_its_session_and_only_what_was_seen_is_gold(tmp_path: Path) -> None:
    asked = read("realmem", realmem(), tmp_path)

    (question,) = asked.questions
    assert (question.sessions_before, question.gold_sessions) == (1, ("one",))
    assert question.now == asked.haystacks[0].sessions[1].said_at
    assert (asked.question_count, asked.skipped) == (2, {"no gold session recorded by then": 1})


def test_a_realmem_memory_point_is_traced_to_the_turn_that_it_was_taken_from(tmp_path: Path) -> None:
    assert read("realmem", realmem(), tmp_path).questions[0].gold_turns == ("one:0",)


def memdaily_trajectory(tid: int = 7) -> dict[str, object]:
    return {
        "tid": tid,
        "message_list": [
            {"mid": 0, "message": "我要去参加论坛。", "time": "2024年04月01日 周一 08:30", "place": "深圳"},
            {"mid": 1, "message": "论坛在北京。", "time": "2024年04月02日 周二 07:08", "place": "深圳"},
            {"mid": 2, "message": "论坛有三千人。", "time": "2024年04月02日 周二 09:08", "place": "深圳"},
        ],
        "question_list": [
            {"qid": 0, "question": "论坛在哪里？", "target_step_id": [1], "time": "2024年04月03日 周三 07:42"},
            {"qid": 1, "question": "天气如何？", "target_step_id": [], "time": "2024年04月03日 周三 07:42"},
        ],
    }


def test_a_memdaily_trajectory_is_a_haystack_with_a_session_per_day(tmp_path: Path) -> None:
    asked = read("memdaily", [memdaily_trajectory()], tmp_path)

    assert [session.name for session in asked.haystacks[0].sessions] == ["2024-04-01", "2024-04-02"]
    turn = asked.haystacks[0].sessions[0].turns[0]
    assert (turn.at, turn.metadata["place"]) == (datetime(2024, 4, 1, 8, 30, tzinfo=UTC), "深圳")
    assert (asked.questions[0].gold_turns, asked.questions[0].gold_sessions) == (("1",), ("2024-04-02",))
    assert asked.skipped == {"without a target message": 1}


def test_the_nested_published_memdaily_file_gives_each_kind_its_category(tmp_path: Path) -> None:
    content = {"simple": {"roles": [memdaily_trajectory(0)], "events": [memdaily_trajectory(0)]}}

    asked = read("memdaily", content, tmp_path)

    assert [question.category for question in asked.questions] == ["simple/roles", "simple/events"]
    assert len({haystack.id for haystack in asked.haystacks}) == 2


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps([memdaily_trajectory(0)]))

    asked = load("memdaily", tmp_path, pool=None, filler=None, seed=0)

    assert [question.category for question in asked.questions] == ["a", "b"]
    assert len({haystack.id for haystack in asked.haystacks}) == 2


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "memdaily", "realmem"])
@pytest.mark.parametrize("content", [{"a": 1}, [1, 2], [{"tid": 1}], "text", None, [{"question_id": 3}]])
def test_a_file_of_another_format_is_refused_naming_the_argument(name: str, content: object, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^data: .*published format"):
        read(name, content, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"dataset": "squad"}, "dataset"),
        ({"data": "nowhere.json"}, "data"),
        ({"pool": "48"}, "pool"),
        ({"filler": "f.jsonl"}, "filler"),
        ({"dataset": "longmemeval", "pool": "-1"}, "pool"),
        ({"dataset": "longmemeval", "pool": "half"}, "pool"),
        ({"dataset": "longmemeval", "pool": "all", "filler": "nowhere.jsonl"}, "filler"),
        ({"dataset": "longmemeval", "filler": "f.jsonl"}, "filler"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, str], named: str, tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(locomo(locomo_question(["D2:1"]))))
    values = {"dataset": "locomo", "data": path, "pool": None, "filler": None, **arguments}

    with pytest.raises(UsageError) as caught:
        load(str(values["dataset"]), str(values["data"]), pool=values["pool"], filler=values["filler"], seed=0)  # type: ignore[arg-type]

    assert caught.value.argument == named


def test_a_file_that_is_no_json_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_bytes(b"\xff\xfe{")
    (tmp_path / "empty").mkdir()

    for path in (tmp_path / "broken.json", tmp_path / "empty"):
        with pytest.raises(UsageError, match=r"^data: "):
            load("locomo", path, pool=None, filler=None, seed=0)


@needs_data
@pytest.mark.parametrize(
    ("name", "path", "pool", "scored", "haystacks"),
    [
        ("locomo", "locomo/locomo5_dev.json", None, 997, 5),
        ("longmemeval", "longmemeval/longmemeval_oracle_dev.json", "all", 216, 1),
        ("longmemeval", "longmemeval/longmemeval_s_dev.json", None, 2, 2),
        ("realmem", "realmem", None, 697, 5),
        ("memdaily", "memdaily", None, 400, 400),
    ],
)
def test_the_real_files_are_read_whole(name: str, path: str, pool: str | None, scored: int, haystacks: int) -> None:
    filler = DATA / "longmemeval" / "filler_sessions.jsonl" if pool else None

    asked = load(name, DATA / path, pool=pool, filler=filler, seed=0)

    assert (len(asked.questions), len(asked.haystacks)) == (scored, haystacks)
    assert len(asked.questions) + sum(asked.skipped.values()) == asked.question_count
    home = {each.id: {turn.id for session in each.sessions for turn in session.turns} for each in asked.haystacks}
    assert all(set(question.gold_turns) <= home[question.haystack_id] for question in asked.questions)
