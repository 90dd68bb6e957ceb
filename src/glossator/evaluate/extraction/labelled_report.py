"""What do the verdicts on labelled turns amount to? Precision, recall, errors, junk, and the dev half's misses."""

from collections.abc import Callable, Iterable, Sequence

from glossator.evaluate.extraction.judging import Found, Judged
from glossator.evaluate.extraction.rates import rate_of
from glossator.evaluate.extraction.values import StoredFact

__all__ = ["LABELLED_PROTOCOL", "labelled_figures"]

LABELLED_PROTOCOL = (
    "each turn is a conversation of its own in a scope of its own of one memory, recorded with its role, speaker and "
    "time; what was said just before it is recorded first",
    "right: all words that a label wants, none that it forbids, its polarity, and the user or another as its subject",
    "precision: right facts of all stored; recall: labels found of those that are not optional",
    "polarity errors: a label's words stored with the opposite polarity, or a dislike stored as a like",
    "junk: facts that are not right, from turns in which nothing is to be found",
    "95 % intervals: percentile bootstrap over turns, 2,000 resamples; the rule of three for all or nothing",
)
Count = Callable[[Judged], int]


def labelled_figures(judged: Sequence[Judged], *, seed: int) -> dict[str, object]:
    """All figures of one extractor on these turns; the turns of the test half are counted and never listed."""
    shown = [each for each in judged if each.turn.half != "test"]
    return {
        **_rates(judged, seed),
        "polarity_errors": sum(each.count("polarity") for each in judged),
        "subject_errors": sum(each.count("subject") for each in judged),
        "repeats": sum(each.repeats for each in judged),
        "by_sort": {
            sort: _sort_figures([each for each in judged if each.turn.sort == sort])
            for sort in sorted({each.turn.sort for each in judged})
        },
        "misses": [_miss(each, number) for each in shown for number in range(len(each.missed))],
        "false_positives": [row for each in shown for row in _false_positives(each)],
        "date_misses": [row for each in shown for row in _date_misses(each)],
    }


def _rates(judged: Sequence[Judged], seed: int) -> dict[str, object]:
    def rate(part: Count, whole: Count) -> dict[str, object]:
        return rate_of([part(each) for each in judged], [whole(each) for each in judged], seed=seed).written()

    return {
        "precision": rate(lambda each: each.count("right"), lambda each: len(each.verdicts)),
        "recall": rate(_found_count, lambda each: _found_count(each) + len(each.missed)),
        "junk_turns": rate(lambda each: int(each.wrong > 0), lambda each: int(each.turn.negative)),
        "junk_facts": rate(lambda each: each.wrong * each.turn.negative, lambda each: len(each.verdicts)),
        "date_errors": rate(_date_error_count, _dated_count),
        "category_agreement": rate(lambda each: sum(found.category_right for found in each.found), _all_found),
        "kind_agreement": rate(lambda each: sum(found.kind_right for found in each.found), _all_found),
    }


def _found_count(judged: Judged) -> int:
    return sum(not found.label.optional for found in judged.found)


def _all_found(judged: Judged) -> int:
    return len(judged.found)


def _dated_count(judged: Judged) -> int:
    return len(_dated(judged.found))


def _date_error_count(judged: Judged) -> int:
    return sum(not found.date_right for found in _dated(judged.found))


def _dated(found: Iterable[Found]) -> list[Found]:
    return [each for each in found if each.date_right is not None]


def _sort_figures(judged: Sequence[Judged]) -> dict[str, int]:
    return {
        "turns": len(judged),
        "labels": sum(not label.optional for each in judged for label in each.turn.facts),
        "found": sum(_found_count(each) for each in judged),
        "stored": sum(len(each.verdicts) for each in judged),
        "wrong": sum(each.wrong for each in judged),
    }


def _miss(judged: Judged, number: int) -> dict[str, object]:
    label = judged.missed[number]
    return {"turn": judged.turn.id, "text": judged.turn.text, "quote": label.quote, "stored": _texts(judged)}


def _false_positives(judged: Judged) -> list[dict[str, object]]:
    return [
        {"turn": judged.turn.id, "why": verdict, "text": judged.turn.text, **_written(fact)}
        for fact, verdict in judged.verdicts
        if verdict != "right"
    ]


def _date_misses(judged: Judged) -> list[dict[str, object]]:
    return [
        {"turn": judged.turn.id, "quote": found.label.quote, "stored": [_written(fact) for fact, _ in judged.verdicts]}
        for found in judged.found
        if found.date_right is False
    ]


def _texts(judged: Judged) -> list[str]:
    return [fact.text for fact, _ in judged.verdicts]


def _written(fact: StoredFact) -> dict[str, object]:
    ends = [None if each is None else each.isoformat() for each in (fact.event_start, fact.event_end)]
    return {
        "fact": fact.text,
        "subject": fact.subject,
        "value": fact.value,
        "category": fact.category,
        "polarity": fact.polarity,
        "event": ends if fact.event_source == "own" else None,
    }
