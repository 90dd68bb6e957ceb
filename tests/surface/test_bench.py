"""Does `run_bench` measure what the product answers? On tiny datasets of our own, without a model."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from glossator import Options, UsageError
from glossator.evaluate import run_bench, show

OPTIONS = Options(embedder="hashing")
ISSUE_KEYS = {
    "dataset",
    "data",
    "questions",
    "scored",
    "empty_recalls",
    "turn",
    "session",
    "by_category",
    "budget",
    "newest_first",
    "baselines",
    "latency_ms",
    "ingest",
    "versions",
    "seed",
}
THINGS = ("kayak", "violin", "telescope", "greenhouse", "typewriter", "accordion", "hammock", "bicycle")


def locomo_file(folder: Path) -> Path:
    conversation: dict[str, object] = {"speaker_a": "Ann", "speaker_b": "Bob"}
    questions = []
    for number, thing in enumerate(THINGS, start=1):
        conversation[f"session_{number}_date_time"] = f"1:56 pm on {number} May, 2023"
        conversation[f"session_{number}"] = [
            {"speaker": "Ann", "dia_id": f"D{number}:1", "text": "Hello, what is new with you?"},
            {"speaker": "Bob", "dia_id": f"D{number}:2", "text": f"I bought a {thing} at the market in Leith."},
            {"speaker": "Ann", "dia_id": f"D{number}:3", "text": "That sounds lovely, tell me more."},
        ]
        questions.append({"question": f"Where did Bob buy the {thing}?", "category": 4, "evidence": [f"D{number}:2"]})
    questions.append({"question": "Why?", "category": 3, "evidence": []})
    path = folder / "tiny_locomo.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": conversation, "qa": questions}]))
    return path


def longmemeval_file(folder: Path) -> Path:
    rows = []
    for number, thing in enumerate(THINGS, start=1):
        sessions, dates = [], []
        for month, city in ((1, "York"), (4, "Leith")):
            dates.append(f"2023/{month:02}/{number:02} (Mon) 10:00")
            sessions.append(
                [
                    {"role": "user", "content": f"I keep my {thing} in {city} now.", "has_answer": True},
                    {"role": "assistant", "content": "Thank you, noted.", "has_answer": False},
                ]
            )
        names = [f"{thing}_1", f"{thing}_2"]
        rows.append(
            {
                "question_id": f"q{number}",
                "question_type": "knowledge-update",
                "answer_session_ids": names,
                "question": f"Where do I keep my {thing}?",
                "question_date": "2023/06/01 (Thu) 10:00",
                "haystack_dates": dates,
                "haystack_session_ids": names,
                "haystack_sessions": sessions,
            }
        )
    path = folder / "tiny_longmemeval.json"
    path.write_text(json.dumps(rows))
    return path


def realmem_file(folder: Path) -> Path:
    dialogues = []
    for number, thing in enumerate(THINGS, start=1):
        turns: list[dict[str, object]] = []
        if number > 1:
            turns += [
                {
                    "speaker": "User",
                    "is_query": True,
                    "query_id": f"Q{number}",
                    "category_name": "Recall",
                    "content": f"What did I tell you about the {THINGS[number - 2]}?",
                },
                {
                    "speaker": "Assistant",
                    "is_query": False,
                    "content": "It is in the shed.",
                    "memory_session_uuids": [f"s{number - 1}"],
                    "memory_used": [],
                },
            ]
        turns.append({"speaker": "User", "is_query": False, "content": f"The {thing} is in the shed."})
        dialogues.append(
            {
                "session_identifier": f"S{number}",
                "session_uuid": f"s{number}",
                "current_time": f"2026-01-{number:02} (Monday)",
                "dialogue_turns": turns,
                "extracted_memory": [],
            }
        )
    path = folder / "tiny_realmem.json"
    path.write_text(json.dumps({"_metadata": {}, "dialogues": dialogues}))
    return path


def memdaily_file(folder: Path) -> Path:
    rows = [
        {
            "tid": number,
            "message_list": [
                {"mid": 0, "message": f"我的{name}在北京工作。", "time": "2024年04月01日 周一 08:30", "place": "深圳"},
                {"mid": 1, "message": "今天天气很好。", "time": "2024年04月02日 周二 08:30", "place": "深圳"},
            ],
            "question_list": [
                {
                    "qid": 0,
                    "question": f"我的{name}在哪里工作？",
                    "target_step_id": [0],
                    "time": "2024年04月03日 周三 08:30",
                }
            ],
        }
        for number, name in enumerate(("同事", "上司", "邻居"))
    ]
    path = folder / "tiny_memdaily.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def test_the_report_has_the_agreed_shape_and_counts_what_was_not_scored(tmp_path: Path) -> None:
    # proves: D49, D50
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, out=tmp_path / "r.json")

    assert set(report) >= ISSUE_KEYS
    assert (report["dataset"], report["data"], report["seed"]) == ("locomo", "tiny_locomo.json", 0)
    assert (report["questions"], report["scored"], report["empty_recalls"]) == (9, 8, 0)
    assert {"recall@1", "recall@5", "recall@10", "recall@20", "hit@5", "ndcg@10", "mrr"} <= set(report["turn"])
    assert {"recall_any@5", "recall_all@5", "recall_all@10", "ndcg@10"} <= set(report["session"])
    assert set(report["baselines"]) == {"bm25", "vector"}
    assert set(report["budget"]) == {"tokens@2000", "tokens@4000"}
    assert {"glossator", "python", "sqlite", "onnxruntime", "numpy", "model"} <= set(report["versions"])
    assert report["by_category"]["single-hop"]["count"] == 8
    assert report["newest_first"] is None
    assert json.loads((tmp_path / "r.json").read_text()) == report


def test_the_figures_are_those_of_what_recall_finds(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS)

    assert report["turn"]["recall@5"] == report["turn"]["hit@5"] == 1.0
    assert report["baselines"]["bm25"]["turn"]["recall@1"] == 1.0
    assert report["session"]["recall_all@5"] == 1.0
    assert report["budget"]["tokens@2000"]["evidence_recall"] == 1.0
    assert report["published"]["turn"] == report["turn"]
    assert report["intervals"]["turn"]["recall@5"] == [1.0, 1.0]


def test_ingest_and_latency_are_measured(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS)

    assert report["ingest"]["messages"] == 24
    assert report["ingest"]["messages_per_s"] > 0
    assert report["latency_ms"]["recall_p95"] >= report["latency_ms"]["recall_p50"] > 0


def test_a_figure_whose_k_reaches_the_whole_corpus_is_named(tmp_path: Path) -> None:
    # proves: D49
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS)

    assert report["saturated"] == ["session @10", "session @20"]


def test_vectors_from_a_cache_leave_the_embedding_speed_unmeasured(tmp_path: Path) -> None:
    cache = tmp_path / "vectors.db"
    path = locomo_file(tmp_path)

    run_bench("locomo", path, options=OPTIONS, cache=cache)
    report: dict[str, Any] = run_bench("locomo", path, options=OPTIONS, cache=cache)

    assert report["ingest"]["embedded_per_s"] is None
    assert report["ingest"]["taken_from_cache"] == report["ingest"]["embedded"] > 0
    assert any("cache" in line for line in report["protocol"])


def test_the_same_run_gives_the_same_figures(tmp_path: Path) -> None:
    path = longmemeval_file(tmp_path)
    one: dict[str, Any] = run_bench("longmemeval", path, pool="6", seed=5, options=OPTIONS)
    two: dict[str, Any] = run_bench("longmemeval", path, pool="6", seed=5, options=OPTIONS)

    for key in ("turn", "session", "baselines", "intervals", "gain", "by_category", "budget", "newest_first"):
        assert one[key] == two[key]


@pytest.mark.parametrize(("pool", "sessions"), [(None, 2), ("6", 6), (6, 6), ("all", 16)])
def test_longmemeval_is_asked_over_the_pool_that_was_chosen(
    pool: str | int | None, sessions: int, tmp_path: Path
) -> None:
    report: dict[str, Any] = run_bench("longmemeval", longmemeval_file(tmp_path), pool=pool, options=OPTIONS)

    assert report["corpus"]["sessions"] == {"min": sessions, "median": sessions, "max": sessions}
    assert report["session"]["recall_all@5"] == 1.0
    assert report["newest_first"] is not None
    assert "ndcg_any@10" in report["session"]


def test_realmem_asks_before_the_session_is_recorded(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("realmem", realmem_file(tmp_path), options=OPTIONS)

    assert (report["questions"], report["scored"], report["scored_turns"]) == (7, 7, 0)
    assert report["corpus"]["sessions"] == {"min": 1, "median": 4, "max": 7}
    assert report["session"]["recall_all@5"] == 1.0
    assert report["turn"] == {}


def test_memdaily_finds_chinese_messages(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("memdaily", memdaily_file(tmp_path), options=OPTIONS)

    assert (report["scored"], report["empty_recalls"], report["corpus"]["haystacks"]) == (3, 0, 3)
    assert report["baselines"]["bm25"]["turn"]["recall@1"] == 1.0


def test_without_an_embedder_the_answers_are_told_to_be_degraded_or_lexical(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=Options(embedder="none"))

    assert report["versions"]["model"] == "none"
    assert report["ingest"]["embedded"] == 0
    assert report["turn"]["hit@5"] == 1.0


def test_limit_questions_asks_the_first_only_and_the_report_says_so(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, limit_questions=3)

    assert (report["questions"], report["scored"]) == (9, 3)
    assert any("first 3" in line for line in report["protocol"])


def test_progress_rises_to_all_messages_and_all_questions(tmp_path: Path) -> None:
    seen: dict[str, list[tuple[int, int]]] = {}

    run_bench(
        "locomo",
        locomo_file(tmp_path),
        options=OPTIONS,
        progress=lambda done, total, what: seen.setdefault(what, []).append((done, total)),
    )

    assert set(seen) == {"messages", "questions"}
    assert (seen["messages"][-1], seen["questions"][-1]) == ((24, 24), (8, 8))
    assert all(steps == sorted(steps) for steps in seen.values())


def test_the_cut_offs_asked_for_stand_beside_the_usual_ones(tmp_path: Path) -> None:
    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, k="3,50")

    assert report["k"] == [1, 3, 5, 10, 20, 50]
    assert {"recall@3", "recall@50"} <= set(report["turn"])


def test_the_table_shows_intervals_and_baselines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, path in (("locomo", locomo_file(tmp_path)), ("realmem", realmem_file(tmp_path))):
        show(run_bench(name, path, options=OPTIONS), Console(width=160))

        shown = capsys.readouterr().out
        assert all(word in shown for word in ("95 %", "bm25", "vector", "recall_all@5", "recall p50", path.name))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"dataset": "squad"}, "dataset"),
        ({"data": "nowhere.json"}, "data"),
        ({"k": "five"}, "k"),
        ({"k": "0"}, "k"),
        ({"k": [1000]}, "k"),
        ({"pool": "48"}, "pool"),
        ({"limit_questions": 0}, "limit_questions"),
        ({"seed": -1}, "seed"),
        ({"out": "no/such/folder/r.json"}, "out"),
        ({"cache": "."}, "cache"),
    ],
)
def test_a_wrong_argument_is_named_before_any_work(changed: dict[str, Any], named: str, tmp_path: Path) -> None:
    arguments = {"dataset": "locomo", "data": locomo_file(tmp_path), "options": OPTIONS, **changed}

    with pytest.raises(UsageError) as caught:
        run_bench(**arguments)

    assert caught.value.argument == named
