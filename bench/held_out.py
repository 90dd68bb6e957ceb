"""What does recall reach on talk that its ranker was not trained on? The figures of README's table.

    python bench/held_out.py train --cache vectors.db --rankers FOLDER --data ../shared/data
    python bench/held_out.py locomo --cache vectors.db --rankers FOLDER --data ../shared/data [--out FILE.json]

`train` makes five rankers, each without one fold (a LoCoMo conversation, a RealMem persona, a fifth of the LongMemEval
questions). The others go through the same runner and the same report as `glossator bench`; each question is answered by
the ranker that did not see its fold. The shipped ranker is trained on all folds, so `glossator bench` on the dev data
itself shows figures that are a little too good.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from collect import Seen
from glossator import Options
from glossator.evaluate.datasets import load
from glossator.evaluate.embedding import caching
from glossator.evaluate.figures import Choices, report_of
from glossator.evaluate.report import write
from glossator.evaluate.runner import Run, run
from glossator.evaluate.values import Dataset
from glossator.providers.minilm import MiniLM
from glossator.providers.ranker import OnnxRanker
from onnx_trees import ensemble_of
from train_ranker import FOLDS, collected, folds_of, train

LONGMEMEVAL = ("longmemeval/longmemeval_oracle_dev.json", "longmemeval/filler_sessions.jsonl")
RUNS: dict[str, tuple[str, str, str | None]] = {
    "locomo": ("locomo", "locomo/locomo5_dev.json", None),
    "longmemeval-48": ("longmemeval", LONGMEMEVAL[0], "48"),
    "longmemeval-all": ("longmemeval", LONGMEMEVAL[0], "all"),
    "realmem": ("realmem", "realmem", None),
    "memdaily": ("memdaily", "memdaily", None),
}


def fold_files(seen: list[Seen], folder: Path) -> None:
    """Write the five rankers, and which fold each question is in."""
    folds = folds_of(seen)
    of_question = {f"{each.dataset}/{each.question.id}": fold for each, fold in zip(seen, folds, strict=True)}
    for fold in range(FOLDS):
        ranker = train([each for each, at in zip(seen, folds, strict=True) if at != fold])
        (folder / f"fold{fold}.onnx").write_bytes(ensemble_of(ranker.booster, len(ranker.features)))
        card = {
            "name": f"fold{fold}", "embedder": MiniLM.name, "features": list(ranker.features),
            "anchor": {"column": ranker.anchor[0], "weight": ranker.anchor[1]},
        }  # fmt: skip
        (folder / f"fold{fold}.json").write_text(json.dumps(card), encoding="utf-8")
    (folder / "folds.json").write_text(json.dumps(of_question), encoding="utf-8")


def held_out(dataset: Dataset, folder: Path, cache: Path) -> Run:
    """Every question answered with the ranker of its fold, in the order of the dataset."""
    fold_of = json.loads((folder / "folds.json").read_text(encoding="utf-8"))
    answered: dict[str, dict[str, object]] = {}
    ingest = None
    for fold in range(FOLDS):
        chosen = tuple(each for each in dataset.questions if fold_of[f"{dataset.name}/{each.id}"] == fold)
        if not chosen:
            continue
        done = run(
            replace(dataset, questions=chosen),
            options=Options(embed_threads=1),
            embedder=caching(MiniLM(threads=1), file=cache),
            ranker=OnnxRanker.from_files(folder / f"fold{fold}"),
        )
        ingest = ingest or done.ingest
        for variant, answers in done.asked.items():
            answered.setdefault(variant, {}).update({each.question.id: each for each in answers})
        print(f"fold {fold}: {len(chosen)} questions", flush=True)
    assert ingest is not None
    order = [each.id for each in dataset.questions]
    return Run(
        asked={variant: tuple(rows[key] for key in order) for variant, rows in answered.items()},  # type: ignore[misc]
        ingest=ingest,
    )


def main() -> None:
    """Train, or measure one dataset."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", *RUNS])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--rankers", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    if chosen.what == "train":
        chosen.rankers.mkdir(parents=True, exist_ok=True)
        fold_files(collected(chosen.data, chosen.cache), chosen.rankers)
        return
    name, path, pool = RUNS[chosen.what]
    filler = chosen.data / LONGMEMEVAL[1] if pool else None
    dataset = load(name, chosen.data / path, pool=pool, filler=filler, seed=0)
    done = held_out(dataset, chosen.rankers, chosen.cache)
    choices = Choices(ks=(1, 5, 10, 20), seed=0, published_ndcg=name == "longmemeval")
    figures = report_of(dataset, done, choices)
    report: dict[str, object] = {"dataset": chosen.what, "data": dataset.source, "pool": pool, **figures}
    if chosen.out:
        write(report, chosen.out)
    print(json.dumps(report)[:200])


if __name__ == "__main__":
    main()
