"""Does `glossator bench extract` measure what the product stores? On tiny data of our own, without a model."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.surface.conftest import Cli
from tests.surface.test_bench import locomo_file

from glossator import Options, UsageError
from glossator.evaluate import run_bench
from glossator.evaluate.extraction import render_extract, run_extract

SAID = "2026-03-10T12:00:00+00:00"


def labelled_fact(quote: str, *must: str, **given: object) -> dict[str, object]:
    plain: dict[str, object] = {
        "must": list(must),
        "must_not": [],
        "category": ["identity", "context", "preference", "interest"],
        "kind": [None, "implicit_pref", "exact_value", "hard_constraint"],
        "polarity": "positive",
        "subject": "user",
        "quote": quote,
    }
    return plain | given


def row(name: str, text: str, *facts: dict[str, object], sort: str = "identity", **given: object) -> dict[str, object]:
    plain = {"id": name, "sort": sort, "role": "user", "speaker": "Mara", "said": SAID, "text": text}
    return {**plain, "facts": list(facts), **given}


def labelled_folder(folder: Path) -> Path:
    halves = {
        "dev": [
            row("d1", "I live in Paris.", labelled_fact("I live in Paris", "paris")),
            row("d2", "I hate cilantro.", labelled_fact("I hate cilantro", "cilantro", polarity="negative")),
            row("d3", "Do you like the sea in winter?", sort="negative:question"),
            row("d4", "I love rainy mornings.", role="assistant", speaker="assistant", sort="negative:assistant"),
        ],
        "test": [row("t1", "I live in Quimper.", labelled_fact("I live in Quimper", "quimper"), before="And you?")],
    }
    for half, rows in halves.items():
        lines = "\n".join(json.dumps(each) for each in rows)
        (folder / f"turns_{half}.jsonl").write_text(lines + "\n", encoding="utf-8")
    return folder


def halumem_file(folder: Path) -> Path:
    point = {"memory_type": "Persona Memory", "is_update": "False", "original_memories": [], "index": 1}
    truth = {**point, "memory_content": "Ana Bell lives in Paris.", "memory_source": "secondary"}
    trap = {
        **point,
        "memory_content": "Ana Bell lives in Rome.",
        "memory_source": "interference",
        "reference_memory_content": "Ana Bell lives in Paris.",
    }
    dialogue = [
        {"role": "user", "content": "I live in Paris.", "timestamp": "Jan 15, 2029, 15:12:20", "dialogue_turn": 0},
        {"role": "assistant", "content": "You live in Rome.", "timestamp": "Jan 15, 2029, 15:12:20"},
    ]
    session = {"start_time": "Jan 15, 2029, 15:12:20", "memory_points": [truth, trap], "dialogue": dialogue}
    person = {"uuid": "u1", "persona_info": "Name: Ana Bell; Gender: Female", "sessions": [session]}
    path = folder / "tiny_halumem.jsonl"
    path.write_text(json.dumps(person) + "\n", encoding="utf-8")
    return path


def realmem_points_file(folder: Path) -> Path:
    said = "I live in Paris."
    point = {
        "index": "P-1",
        "type": "Static",
        "content": "【Home】 User lives in Paris.",
        "source_turn": 1,
        "source_content_snapshot": said,
        "source_role_snapshot": "User",
        "session_uuid": "s1",
    }
    dialogue = {
        "session_identifier": "S1",
        "session_uuid": "s1",
        "current_time": "2026-01-01 (Thursday)",
        "dialogue_turns": [{"speaker": "User", "is_query": False, "content": said}],
        "extracted_memory": [point, {**point, "content": {"a": "table"}}],
    }
    path = folder / "Ana_Bell_dialogues_256k.json"
    path.write_text(json.dumps({"_metadata": {}, "dialogues": [dialogue]}), encoding="utf-8")
    return path


def figures(report: dict[str, object]) -> Any:
    return report["figures"]


def test_what_the_rules_store_of_labelled_turns_is_judged_turn_by_turn(tmp_path: Path) -> None:
    report: dict[str, Any] = run_extract(labelled_folder(tmp_path), half="both")

    assert (report["kind"], report["turns"], report["negative_turns"]) == ("labelled", 5, 2)
    assert report["figures"]["recall"]["share"] == 1.0
    assert report["figures"]["precision"]["share"] == 1.0
    assert report["figures"]["polarity_errors"] == 0
    assert report["figures"]["junk_turns"]["part"] == 0
    assert report["naive"]["polarity_errors"] == 0
    assert report["naive"]["junk_turns"]["part"] == 1


def test_the_dev_half_is_the_default_and_the_test_half_is_read_when_asked_for(tmp_path: Path) -> None:
    folder = labelled_folder(tmp_path)

    assert run_extract(folder)["turns"] == 4
    tested = run_extract(folder, half="test")
    assert tested["turns"] == 1
    assert "Quimper" not in json.dumps(tested)


def test_a_single_file_of_turns_is_enough(tmp_path: Path) -> None:
    assert run_extract(labelled_folder(tmp_path) / "turns_dev.jsonl")["turns"] == 4


def test_gold_points_of_halumem_are_found_and_the_assistants_trap_is_not_taken(tmp_path: Path) -> None:
    # proves: D42
    report = run_extract(halumem_file(tmp_path))

    assert report["kind"] == "halumem"
    assert figures(report)["found"]["share"] == 1.0
    assert figures(report)["traps"] == {"part": 0, "of": 1, "share": 0.0, "interval": [0.0, 1.0]}
    assert figures(report)["unsupported"]["share"] == 0.0


def test_gold_points_of_realmem_are_found_and_tables_left_out(tmp_path: Path) -> None:
    report = run_extract(realmem_points_file(tmp_path))

    assert report["kind"] == "realmem"
    assert figures(report)["by_origin"]["user"]["share"] == 1.0
    assert report["mended"] == {"points that are no sentence left out": 1}


def test_the_report_goes_to_the_screen_and_to_a_file(tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "report.json"

    shown = cli("bench", "extract", "--data", halumem_file(tmp_path), "--out", out)

    assert shown.code == 0
    assert "gold points found" in shown.out
    assert json.loads(out.read_text(encoding="utf-8"))["bench"] == "extract"


@pytest.mark.parametrize("made", [labelled_folder, halumem_file, realmem_points_file])
def test_every_table_fits_a_terminal_of_80_columns(made: Any, tmp_path: Path) -> None:
    console = Console(width=80, record=True)
    console.print(render_extract(run_extract(made(tmp_path))))

    text = console.export_text()

    assert "naive" in text
    assert "…│" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("choices", "argument"),
    [
        ({"extractor": "guesswork"}, "extractor"),
        ({"half": "third"}, "half"),
        ({"limit": 0}, "limit_questions"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_wrong_choice_is_refused_before_any_work(choices: dict[str, Any], argument: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        run_extract(labelled_folder(tmp_path), **choices)

    assert caught.value.argument == argument


def test_other_data_is_told(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("[1, 2]", encoding="utf-8")

    for wrong in (path, tmp_path / "missing.jsonl"):
        with pytest.raises(UsageError) as caught:
            run_extract(wrong)

        assert caught.value.argument == "data"


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract", "--pool", "48"),
        ("extract", "--k", "3"),
        ("extract", "--facts", "offline"),
        ("locomo", "--extractor", "offline"),
        ("locomo", "--half", "dev"),
        ("locomo", "--join", "merge"),
        ("locomo", "--facts", "sometimes"),
        ("nothing",),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(arguments: tuple[str, ...], tmp_path: Path, cli: Cli) -> None:
    refused = cli("bench", *arguments, "--data", locomo_file(tmp_path))

    assert refused.code == 2
    assert refused.out == ""


@pytest.mark.parametrize("join", ["separate", "merge", "replace"])
def test_with_facts_the_report_has_the_same_questions_without_them(join: str, tmp_path: Path) -> None:
    options = Options(embedder="none")

    report: dict[str, Any] = run_bench("locomo", locomo_file(tmp_path), facts="offline", join=join, options=options)

    assert set(report["baselines"]) == {"without facts", "bm25", "vector"}
    facts = report["facts"]
    assert (facts["by"], facts["join"]) == ("offline", join)
    assert set(facts["by_category"]) == {"all", *report["by_category"]}
    assert facts["by_category"]["all"]["count"] == report["scored"]


def test_without_facts_a_report_is_what_it_was(tmp_path: Path) -> None:
    report = run_bench("locomo", locomo_file(tmp_path), options=Options(embedder="none"))

    assert "facts" not in report
    assert set(report["baselines"]) == {"bm25", "vector"}  # type: ignore[call-overload]
