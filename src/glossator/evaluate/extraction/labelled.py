"""How is the labelled set read? One JSON object a line, every mistake in it told with its file, line and remedy."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from glossator.errors import UsageError
from glossator.evaluate.datasets.reading import lines_of
from glossator.evaluate.extraction.values import ANY, LabelledFact, LabelledTurn, WrittenSpan
from glossator.model.fact import CATEGORIES, KINDS
from glossator.model.time import Precision

__all__ = ["HALVES", "is_labelled", "load_labelled"]

HALVES = ("dev", "test")
ROLES = ("user", "assistant", "system", "tool")
TURN_KEYS = frozenset({"id", "sort", "role", "speaker", "said", "before", "text", "facts"})
FACT_KEYS = frozenset(
    {"must", "must_not", "category", "kind", "polarity", "subject", "event", "quote", "optional"},
)
POLARITIES = ("positive", "negative", ANY)
REMEDY = "see bench/labelled/README.md for the format"


def is_labelled(value: object) -> bool:
    """Whether the first value of a file is a labelled turn."""
    return isinstance(value, Mapping) and {"id", "sort", "role", "text", "facts"} <= value.keys()


def load_labelled(files: Sequence[Path]) -> tuple[LabelledTurn, ...]:
    """The turns of these files. A file whose name ends in "_test" is the test half, any other the dev half."""
    turns: list[LabelledTurn] = []
    for file in files:
        half = "test" if file.stem.endswith("_test") else "dev"
        for number, row in enumerate(lines_of(file, argument="data"), start=1):
            try:
                turns.append(_turn(row, half))
            except (KeyError, TypeError, ValueError, AttributeError) as exc:
                reason = f"{file}:{number} is no labelled turn ({type(exc).__name__}: {exc})"
                raise UsageError("data", reason, remedy=REMEDY) from exc
    _check_ids(turns)
    return tuple(turns)


def _check_ids(turns: Sequence[LabelledTurn]) -> None:
    seen: set[str] = set()
    for turn in turns:
        if turn.id in seen:
            raise UsageError("data", f"the id {turn.id!r} is there twice", remedy="give each turn an id of its own")
        seen.add(turn.id)


def _turn(row: Mapping[str, Any], half: str) -> LabelledTurn:
    _known(row, TURN_KEYS)
    role = _one_of("role", row["role"], ROLES)
    said = _instant(row["said"])
    facts = tuple(_fact(each, row["text"]) for each in row["facts"])
    sort = _words("sort", row["sort"])
    if sort.startswith("negative:") and any(not fact.optional for fact in facts):
        raise ValueError("a negative turn has a fact that is not optional")
    before = row.get("before")
    return LabelledTurn(
        id=_words("id", row["id"]),
        half=half,
        sort=sort,
        role=role,
        speaker=_words("speaker", row["speaker"]),
        said=said,
        text=_words("text", row["text"]),
        before=None if before is None else _words("before", before),
        facts=facts,
    )


def _fact(row: Mapping[str, Any], text: str) -> LabelledFact:
    _known(row, FACT_KEYS)
    quote = _words("quote", row["quote"])
    if quote not in text:
        raise ValueError(f"the quote {quote!r} is not in the text")
    must = tuple(tuple(each.strip() for each in entry.split("|")) for entry in row["must"])
    if not must or any(not all(alternatives) for alternatives in must):
        raise ValueError("must has no words, or an empty alternative")
    event = row.get("event")
    return LabelledFact(
        must=must,
        must_not=tuple(_words("must_not", each) for each in row["must_not"]),
        categories=tuple(_one_of("category", each, CATEGORIES) for each in _listed(row["category"])),
        kinds=tuple(None if each is None else _one_of("kind", each, KINDS) for each in _listed(row["kind"])),
        polarity=_one_of("polarity", row["polarity"], POLARITIES),
        subject=_words("subject", row["subject"]),
        quote=quote,
        event=None if event is None else _span(event),
        optional=bool(row.get("optional", False)),
    )


def _span(row: Mapping[str, Any]) -> WrittenSpan:
    ends = {name: None if row[name] is None else _instant(row[name]) for name in ("start", "end")}
    precision = _one_of("precision", row["precision"], get_args(Precision))
    return WrittenSpan(start=ends["start"], end=ends["end"], precision=precision)


def _instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text!r} has no offset from UTC")
    return at


def _known(row: Mapping[str, Any], keys: frozenset[str]) -> None:
    if unknown := row.keys() - keys:
        raise ValueError(f"unknown: {sorted(unknown)}")


def _words(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"{name} is no text")
    return value


def _one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} {value!r} is none of {', '.join(allowed)}")
    return value


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]
