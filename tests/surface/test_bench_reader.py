"""Does `glossator bench --reader` put the accuracy of answers beside retrieval, for chunks, facts alone and both?"""

import importlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.surface.conftest import Cli
from tests.surface.test_language_servers import Handler, Serve, good, serve

from glossator import Options, UsageError
from glossator.errors import ProviderTimeoutError
from glossator.evaluate import render, run_bench
from glossator.model import Prompt
from glossator.testing.scripted import Line, ScriptedModel

__all__ = ["serve"]  # the fixture of the loopback servers

OPTIONS = Options(embedder="hashing")
HOMES = {"Ann": "Lisbon", "Bob": "Quimper", "Eve": "Tartu", "Dan": "Leith"}
RIGHT, WRONG = '{"verdict": "right"}', '{"verdict": "wrong"}'


def locomo_file(folder: Path) -> Path:
    """Each person tells one thing that is a fact and one that is none, and one premise is swapped."""
    rows = []
    for name, city in HOMES.items():
        said = [
            {"speaker": name, "dia_id": "D1:1", "text": f"I live in {city}."},
            {"speaker": "Zoe", "dia_id": "D1:2", "text": "The kettle was humming when the ferry came in."},
        ]
        evidence: dict[str, object] = {"evidence": ["D1:1"], "category": 4}
        qa = [
            {"question": f"Where does {name} live?", "answer": city, **evidence},
            {"question": "What was humming?", "answer": "the kettle", "evidence": ["D1:2"], "category": 1},
            {"question": f"Where does {name} ski?", "adversarial_answer": city, "evidence": ["D1:1"], "category": 5},
            {"question": f"What is the colour of {name}'s bus?", **evidence},
        ]
        conversation = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": said}
        rows.append({"sample_id": name, "conversation": conversation, "qa": qa})
    path = folder / "tiny.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def reads(prompt: Prompt) -> str:
    """A reader that knows what its block says and nothing else."""
    notes, _, question = prompt.text.rpartition("The question is asked on")
    if "ski" in question:
        return "That was not said."
    words = ("kettle",) if "humming" in question else tuple(HOMES.values())
    return next((word for word in words if word in notes), "I do not know.")


def judges(prompt: Prompt) -> str:
    """A judge that looks for the gold answer in the answer."""
    shown = json.loads(prompt.text)
    known = shown.get("known answer", "not said").removeprefix("the ")
    return RIGHT if known in shown["answer to judge"] else WRONG


def models(reader: Callable[[Prompt], str] = reads) -> dict[str, Any]:
    lines: list[Line] = [reader] * 100
    verdicts: list[Line] = [judges] * 100
    return {"reader": ScriptedModel(lines, name="scripted:r"), "judge": ScriptedModel(verdicts, name="scripted:j")}


def shown(report: dict[str, object], width: int = 120) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(report))
    return console.export_text()


def test_accuracy_retrieval_and_empty_recalls_are_printed_per_category_for_raw_facts_only_and_both(
    tmp_path: Path,
) -> None:
    # proves: O31
    out = tmp_path / "report.json"
    report: Any = run_bench("locomo", locomo_file(tmp_path), facts="offline", out=out, options=OPTIONS, **models())

    answering = report["answering"]
    rows = answering["by_category"]
    assert set(rows) == {"all", "single-hop", "multi-hop", "adversarial"}
    assert all(list(row) == ["raw", "facts only", "both"] for row in rows.values())
    accuracy = {name: [cell["accuracy"] for cell in row.values()] for name, row in rows.items()}
    # What somebody lives in is a fact, a humming kettle is none.
    assert accuracy["single-hop"] == [1.0, 1.0, 1.0]
    assert accuracy["multi-hop"] == [1.0, 0.0, 1.0]
    assert rows["multi-hop"]["facts only"]["retrieval"] == {"recall_any@5": 0.0, "recall_all@5": 0.0}
    assert rows["multi-hop"]["facts only"]["empty_recalls"] == 4
    assert rows["all"]["raw"]["empty_recalls"] == 0
    assert rows["single-hop"]["both"]["retrieval"] == {"recall_any@5": 1.0, "recall_all@5": 1.0}
    assert rows["single-hop"]["raw"]["judged"] == 4
    assert json.loads(out.read_text(encoding="utf-8")) == report
    text = shown(report)
    assert all(word in text for word in ("QA accuracy", "any@5", "all@5", "empty", "judged", "95 %"))
    lines = [line.replace("│", " ").split() for line in text[text.index("answers read by") :].splitlines()]
    for category, row in rows.items():
        begin = next(place for place, words in enumerate(lines) if words == [category])
        for line, (variant, cell) in zip(lines[begin + 1 :], row.items(), strict=False):
            assert " ".join(line).startswith(f"{variant} {cell['judged']}/{cell['asked']} {cell['accuracy']:.3f}")
            assert line[-1] == str(cell["empty_recalls"])


def test_every_answer_and_verdict_is_kept_and_questions_without_gold_are_counted(tmp_path: Path) -> None:
    report: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, **models())

    answering = report["answering"]
    assert (answering["questions"], answering["without_gold"], answering["variants"]) == (12, 4, ["raw"])
    assert len(answering["answers"]) == 12
    first = answering["answers"][0]
    assert (first["answer"], first["gold"], first["verdict"], first["rule"]) == ("Lisbon", "Lisbon", "right", "plain")
    assert answering["calls"]["reader"]["count"] == answering["calls"]["judge"]["count"] == 12
    assert answering["calls"]["reader"]["tokens_in"] > 0
    assert answering["by_category"]["all"]["raw"]["interval"] == [1.0, 1.0]


def test_retrieval_figures_are_those_of_a_run_without_a_reader(tmp_path: Path) -> None:
    plain: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS)
    read: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, **models())

    assert "answering" not in plain
    for key in ("questions", "scored", "turn", "session", "by_category", "baselines", "skipped", "corpus"):
        assert read[key] == plain[key]


def test_facts_in_place_of_chunks_are_facts_only_and_are_not_paid_for_twice(tmp_path: Path) -> None:
    given = models()
    path = locomo_file(tmp_path)
    report: Any = run_bench("locomo", path, facts="offline", join="replace", options=OPTIONS, **given)

    assert report["answering"]["variants"] == ["raw", "facts only"]
    assert set(report["baselines"]) == {"without facts", "bm25", "vector"}
    assert report["answering"]["by_category"]["multi-hop"]["facts only"]["accuracy"] == 0.0


def test_failures_are_shown_and_not_taken_for_wrong_answers(tmp_path: Path) -> None:
    lines: list[Line] = [ProviderTimeoutError("late"), *[reads] * 20]
    verdicts: list[Line] = ["who knows", *[judges] * 20]
    reader = ScriptedModel(lines, name="scripted:r")
    report: Any = run_bench(
        "locomo", locomo_file(tmp_path), options=OPTIONS, reader=reader, judge=ScriptedModel(verdicts)
    )

    cell = report["answering"]["by_category"]["all"]["raw"]
    assert (cell["asked"], cell["judged"], cell["accuracy"]) == (12, 10, 1.0)
    text = shown(report, 160)
    assert "10/12" in text
    assert "not judged, neither right nor wrong: reader timed out 1, unreadable verdict 1" in text


def test_the_report_says_that_reader_and_judge_are_one_model(tmp_path: Path) -> None:
    def both(prompt: Prompt) -> str:
        return judges(prompt) if prompt.tag == "judge" else reads(prompt)

    lines: list[Line] = [both] * 100
    alone: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, reader=ScriptedModel(lines))
    apart: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, **models())

    assert alone["answering"]["one_model"]
    assert "reader and judge are one model (scripted:test)" in shown(alone, 160)
    assert "one model" not in shown(apart, 160)
    assert "answers read by scripted:r, judged by scripted:j" in shown(apart)


def test_limit_questions_limits_the_calls(tmp_path: Path) -> None:
    given = models()
    report: Any = run_bench("locomo", locomo_file(tmp_path), options=OPTIONS, limit_questions=2, **given)

    assert report["answering"]["questions"] == len(given["reader"].prompts) == 2


def test_abstention_questions_are_answered_and_not_scored_on_retrieval(tmp_path: Path) -> None:
    def row(name: str, answer: str) -> dict[str, object]:
        turn = {"role": "user", "content": "I keep my kayak in Leith.", "has_answer": True}
        return {
            "question_id": name,
            "question_type": "multi-session",
            "answer_session_ids": [name],
            "question": "Where do I keep my kayak?",
            "answer": answer,
            "question_date": "2023/06/01 (Thu) 10:00",
            "haystack_dates": ["2023/01/01 (Sun) 10:00"],
            "haystack_session_ids": [name],
            "haystack_sessions": [[turn]],
        }

    path = tmp_path / "lme.json"
    path.write_text(json.dumps([row("q1_abs", "You never said where."), row("q2", "Leith")]), encoding="utf-8")
    report: Any = run_bench("longmemeval", path, options=OPTIONS, **models())

    assert (report["scored"], report["skipped"]) == (1, {"abstention": 1})
    rows = report["answering"]["by_category"]
    assert set(rows) == {"all", "abstention", "multi-session"}
    assert (rows["abstention"]["raw"]["judged"], rows["abstention"]["raw"]["retrieval"]) == (1, {})


def test_a_dataset_without_answers_is_refused_before_any_work(tmp_path: Path) -> None:
    from tests.surface.test_bench import realmem_file

    given = models()
    with pytest.raises(UsageError) as caught:
        run_bench("realmem", realmem_file(tmp_path), options=OPTIONS, **given)

    assert caught.value.argument == "reader"
    assert given["reader"].prompts == []


def test_the_tables_fit_a_terminal_of_80_columns(tmp_path: Path) -> None:
    text = shown(run_bench("locomo", locomo_file(tmp_path), facts="offline", options=OPTIONS, **models()), 80)

    table = text[text.index("answers read by") :]
    assert max(map(len, table.splitlines())) <= 80
    assert "…" not in table.partition("recall p50")[0]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--reader", "guesswork"), "--reader"),
        (("--reader", "openai:m"), "--reader"),
        (("--reader", "ollama:m", "--judge", "anthropic:m"), "--judge"),
        (("--judge", "ollama:m"), "--judge"),
    ],
)
def test_an_unknown_model_or_a_missing_key_is_refused_before_anything_is_recorded(
    arguments: tuple[str, ...], named: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GLOSSATOR_LANGUAGE_MODEL_KEY"):
        monkeypatch.delenv(variable, raising=False)
    bench = importlib.import_module("glossator.evaluate.bench")
    monkeypatch.setattr(bench, "load", lambda *given, **chosen: pytest.fail("the data was read"))

    refused = cli("bench", "locomo", "--data", locomo_file(tmp_path), *arguments)

    assert (refused.code, refused.out) == (2, "")
    assert named in refused.err


@pytest.mark.parametrize("option", ["--reader", "--judge"])
def test_extract_has_no_reader(option: str, tmp_path: Path, cli: Cli) -> None:
    refused = cli("bench", "extract", "--data", tmp_path, option, "ollama:m")

    assert refused.code == 2
    assert option in refused.err


def test_from_the_command_line_a_server_reads_and_judges(tmp_path: Path, cli: Cli, serve: Serve) -> None:
    def server(handler: Handler) -> None:
        _, _, body = handler.script.requests[-1]
        system, text = (message["content"] for message in body["messages"])
        judging = "You judge an answer" in system
        prompt = Prompt(system=system, text=text, tag="judge" if judging else "reader", timeout_s=1)
        answer = json.dumps(good("openai", judges(prompt) if judging else reads(prompt))).encode()
        handler.answer(200, answer, Content_Type="application/json")

    address, script = serve(server)
    out = tmp_path / "report.json"

    done = cli(
        "bench", "locomo", "--data", locomo_file(tmp_path), "--reader", f"openai:m@{address}", "--out", out,
        "--facts", "offline", "--limit-questions", "3", "--json",
    )  # fmt: skip

    assert done.code == 0, done.err
    answering = done.json["answering"]
    assert answering == json.loads(out.read_text(encoding="utf-8"))["answering"]
    assert answering["one_model"]
    assert answering["calls"]["reader"]["tokens_in"] == 11 * answering["calls"]["reader"]["count"] > 0
    assert len(script.requests) == answering["calls"]["reader"]["count"] + answering["calls"]["judge"]["count"]
    assert {body["temperature"] for _, _, body in script.requests} == {0.0}
    assert answering["by_category"]["single-hop"]["both"]["accuracy"] == 1.0


def test_a_server_that_fails_leaves_the_retrieval_figures(tmp_path: Path, cli: Cli, serve: Serve) -> None:
    address, _ = serve(lambda handler: handler.answer(401, b'{"error": {"message": "no"}}'))

    done = cli("bench", "locomo", "--data", locomo_file(tmp_path), "--reader", f"openai:m@{address}", "--json")

    assert done.code == 0, done.err
    assert done.json["answering"]["failures"] == {"reader failed": 10, "not asked any more": 2}
    assert done.json["answering"]["by_category"]["all"]["raw"]["accuracy"] is None
    assert done.json["scored"] == 16
