"""Train the ranker of recall on the dev data, through the product itself; validate it; write it where it ships.

    python bench/train_ranker.py --data ../shared/data --cache vectors.db [--only-validate]

What is printed:
- out of fold: fold k holds out LoCoMo conversation k, RealMem persona k, a fifth of the LongMemEval questions and a
  fifth of the MemDaily trajectories. This is the estimate for conversations that were not seen.
- leave one dataset out: trained without the dataset that is scored, beside the hand-set blend on it.
- what each group of features is worth: trained without it.

Deterministic: fixed seeds, one thread. Monotone constraints where sense demands them: a better word match, cosine or
blend can only help.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm as lgb
import numpy as np
from numpy.typing import NDArray

from collect import Seen, questions_seen
from glossator.providers.minilm import MiniLM
from glossator.recall.fuse import mixed
from onnx_trees import ensemble_of

HOME = Path(__file__).resolve().parents[1]
SHIPPED = HOME / "src" / "glossator" / "providers"
FOLDS = 5
WEIGHTS = {"locomo": 1.0, "longmemeval": 2.0, "realmem": 0.5, "memdaily": 0.0}
"""How much a dataset's rows count: by how varied its questions are, not by how many there are. MemDaily is Chinese,
which the default embedder does not know: there recall keeps to the blend, so nothing is learned from it."""
ROUNDS = 220
ANCHOR = ("blend", 1.0)
"""The trees learn what to add to the hand-set order, times this; so on talk unlike any that was trained on, they stay
near it."""
PARAMETERS: dict[str, object] = {
    "objective": "lambdarank", "learning_rate": 0.05, "num_leaves": 15, "min_data_in_leaf": 40, "lambda_l2": 5.0,
    "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambdarank_truncation_level": 20,
    "num_threads": 1, "verbosity": -1, "deterministic": True, "force_row_wise": True, "max_bin": 127, "seed": 7,
}  # fmt: skip
UP = set(
    "bm25_top bm25_abs cover cover_terms cover_w1 rarest sim sim_scaled sim_gap base score pairs session_text blend"
    " late late_gap late_near late_near_gap".split()
)
DOWN = set("bm25_rank sim_rank base_rank score_rank session_text_rank late_rank late_near_rank".split())
GROUPS: Mapping[str, Callable[[str], bool]] = {
    "late interaction": lambda name: name.startswith("late"),
    "cosine": lambda name: name.startswith("sim"),
    "feedback (likeness to the best rows)": lambda name: name.startswith("like") or name == "rocchio",
    "word coverage": lambda name: name.startswith("cover") or name in {"hits", "rarest", "pairs"},
    "session": lambda name: name.startswith("session"),
    "neighbours": lambda name: "prev" in name or "next" in name,
    "speaker": lambda name: name in {"named", "named_count", "turn_change", "role", "answers"},
    "looks (date, number, question ...)": lambda name: (
        name
        in set("date number capital asks first_person ends_asking when_date many_number where_capital length".split())
    ),
}

F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trained:
    """A booster, the columns it was given, in order, and what `anchor` times the anchor column adds to it."""

    booster: lgb.Booster
    features: tuple[str, ...]
    anchor: tuple[str, float]

    def score(self, columns: Mapping[str, F32]) -> F32:
        """Scores of the rows."""
        rows = np.stack([columns[name] for name in self.features], axis=1)
        trees = np.asarray(self.booster.predict(rows, num_threads=1), np.float32)
        return trees + np.float32(self.anchor[1]) * columns[self.anchor[0]]


def fold_of(seen: Seen, order: Mapping[str, int]) -> int:
    """Which fold holds the question out."""
    if seen.dataset in {"locomo", "realmem"}:
        return order[seen.fold_key] % FOLDS
    return int(hashlib.md5(seen.fold_key.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def train(seen: Sequence[Seen], drop: Callable[[str], bool] = lambda name: False) -> Trained:
    """A ranker of these questions; those without a positive row teach nothing."""
    kept = [each for each in seen if each.trusted and each.gold.any()]
    features = tuple(name for name in kept[0].turns if not drop(name))
    rows = np.concatenate([np.stack([each.turns[name] for name in features], axis=1) for each in kept])
    labels = np.concatenate([each.gold for each in kept]).astype(np.int8)
    weights = np.concatenate([np.full(len(each.gold), WEIGHTS[each.dataset]) for each in kept])
    start = np.concatenate([ANCHOR[1] * each.turns[ANCHOR[0]] for each in kept])
    constraints = [1 if name in UP else -1 if name in DOWN else 0 for name in features]
    groups = [len(each.gold) for each in kept]
    data = lgb.Dataset(
        rows, labels, group=groups, weight=weights, init_score=start, feature_name=list(features)
    )  # fmt: skip
    booster = lgb.train(PARAMETERS | {"monotone_constraints": constraints}, data, ROUNDS)
    return Trained(booster, features, ANCHOR)


def ranked_by(ranker: Trained, seen: Seen) -> F32:
    """The scores of the candidates as recall orders them: the ranker's with a share of the blend's, or the blend's."""
    return mixed(ranker.score(seen.turns), seen.turns["blend"]) if seen.trusted else seen.turns["blend"]


def out_of_fold(
    seen: Sequence[Seen], folds: Sequence[int], drop: Callable[[str], bool] = lambda name: False
) -> list[F32]:
    """Turn scores of every question by a ranker that did not see its fold."""
    scores: list[F32] = [np.zeros(0, np.float32)] * len(seen)
    for fold in range(FOLDS):
        ranker = train([each for each, at in zip(seen, folds, strict=True) if at != fold], drop)
        for place, each in enumerate(seen):
            if folds[place] == fold:
                scores[place] = ranked_by(ranker, each)
    return scores


def turn_figures(seen: Seen, score: F32) -> dict[str, float]:
    """Recall of evidence turns among the first k distinct turns."""
    if not seen.gold_count:
        return {}
    order = np.argsort(-score, kind="stable")
    _, first = np.unique(seen.messages[order], return_index=True)
    ranked = seen.gold[order][np.sort(first)]
    return {f"turn@{k}": float(ranked[:k].sum() / seen.gold_count) for k in (1, 5, 10, 20)}


def session_figures(seen: Seen, score: F32) -> dict[str, float]:
    """any, all and share of evidence sessions among the first k."""
    order = np.argsort(-score, kind="stable")
    ranked = seen.gold_sessions[order]
    total = max(int(seen.gold_sessions.sum()), 1)
    figures = {
        "any@5": float(ranked[:5].any()), "all@5": float(ranked[:5].sum() == total),
        "all@10": float(ranked[:10].sum() == total), "share@5": float(ranked[:5].sum() / total),
    }  # fmt: skip
    if seen.newest >= 0:
        place = {int(session): at for at, session in enumerate(order)}
        best = min(place[int(each)] for each in np.flatnonzero(seen.gold_sessions))
        figures["newest_first"] = float(place[seen.newest] == best)
    return figures


def by_turns(seen: Seen, score: F32) -> F32:
    """Sessions by their best turn."""
    found = np.full(len(seen.gold_sessions), -np.inf, np.float32)
    np.maximum.at(found, seen.where, score)
    return found


def figures(seen: Seen, score: F32) -> dict[str, float]:
    """Turn and session figures of one question."""
    return turn_figures(seen, score) | session_figures(seen, by_turns(seen, score))


def summary(figures: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Means in percent, each over the questions that have it."""
    rows = list(figures)
    names = sorted({name for row in rows for name in row})
    return {name: round(100 * float(np.mean([row[name] for row in rows if name in row])), 1) for name in names}


def report_on(seen: Sequence[Seen], scores: Sequence[F32]) -> dict[str, dict[str, float]]:
    """Figures per dataset."""
    together = list(zip(seen, scores, strict=True))
    return {name: summary(figures(each, score) for each, score in together if each.dataset == name) for name in WEIGHTS}


def validated(seen: Sequence[Seen], folds: Sequence[int]) -> None:
    """Print BM25, blend, out of fold, leave one dataset out, and ablations, in percent."""

    def note(name: str, scores: Sequence[F32]) -> None:
        print(name, json.dumps(report_on(seen, scores)), flush=True)

    note("bm25 among the candidates", [each.turns["bm25_top"] for each in seen])
    note("blend", [each.turns["blend"] for each in seen])
    note("out of fold", out_of_fold(seen, folds))
    left_out = {name: train([each for each in seen if each.dataset != name]) for name in WEIGHTS}
    note("trained without the dataset", [ranked_by(left_out[each.dataset], each) for each in seen])
    for name, drop in GROUPS.items():
        note(f"out of fold, without {name}", out_of_fold(seen, folds, drop))


def write(ranker: Trained, stem: str) -> None:
    """The ONNX file and its card."""
    (SHIPPED / f"{stem}.onnx").write_bytes(ensemble_of(ranker.booster, len(ranker.features)))
    card = {
        "name": f"{stem}-1", "embedder": MiniLM.name, "features": list(ranker.features),
        "anchor": {"column": ranker.anchor[0], "weight": ranker.anchor[1]},
        "trained_on": "dev parts of LoCoMo, LongMemEval, RealMem, MemDaily", "script": "bench/train_ranker.py",
    }  # fmt: skip
    (SHIPPED / f"{stem}.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def collected(data: Path, cache: Path) -> list[Seen]:
    """Every dev question of every dataset."""
    longmemeval = data / "longmemeval"
    sources = [
        ("locomo", data / "locomo" / "locomo5_dev.json", None, None),
        ("memdaily", data / "memdaily", None, None),
        ("longmemeval", longmemeval / "longmemeval_oracle_dev.json", "all", longmemeval / "filler_sessions.jsonl"),
        ("realmem", data / "realmem", None, None),
    ]
    seen: list[Seen] = []
    for name, path, pool, filler in sources:
        seen.extend(questions_seen(name, path, cache=cache, pool=pool, filler=filler))
        print(name, len(seen), flush=True)
    return seen


def folds_of(seen: Sequence[Seen]) -> list[int]:
    """The fold of every question."""
    places: dict[str, dict[str, int]] = {name: {} for name in WEIGHTS}
    for each in seen:
        places[each.dataset].setdefault(each.fold_key, len(places[each.dataset]))
    return [fold_of(each, places[each.dataset]) for each in seen]


def main() -> None:
    """Collect, validate, train on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=HOME.parent / "shared" / "data")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--only-validate", action="store_true")
    chosen = parser.parse_args()
    run(collected(chosen.data, chosen.cache), ship=not chosen.only_validate)


def run(seen: Sequence[Seen], *, ship: bool) -> None:
    """Validate, and with `ship` train on everything and write."""
    validated(seen, folds_of(seen))
    if ship:
        write(train(seen), "turn_ranker")


if __name__ == "__main__":
    main()
