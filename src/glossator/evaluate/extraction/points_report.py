"""How many memory points of a benchmark are found among the stored facts, and how much of what is stored is junk?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from glossator.evaluate.extraction.match import LOOSE, MAIN, STRICT, Words, one_supports, overlap, share_of, words_of
from glossator.evaluate.extraction.naive import naive_facts
from glossator.evaluate.extraction.rates import rate_of
from glossator.evaluate.extraction.values import GoldPoint, GoldSession, Person, StoredFact

__all__ = ["POINTS_PROTOCOL", "Remembered", "points_figures"]

POINTS_PROTOCOL = (
    f"found: one fact of this session or an earlier one has at least {MAIN:g} of a gold point's content words and of "
    f"its numbers; stricter at {STRICT:g}, looser at {LOOSE:g}; no model judges",
    f"ceiling: the same ({MAIN:g}) for all words of the user in the session, taken as one fact; and for all by then",
    f"trap taken: a fact of the session matches the trap at {STRICT:g} or more, and better than it matches the truth",
    f"matching nothing gold: neither has {MAIN:g} of the other's content words, for any point that is no trap",
    f"unsupported: less than {MAIN:g} of the fact's content words are in what the user said in its session",
    "a session's facts are those first stored in it; facts are read when all sessions are recorded, closed ones too",
    "date errors: facts without a date of their own that are not dated by the time of their session",
    "95 % intervals: percentile bootstrap over sessions, 2,000 resamples; the rule of three for all or nothing",
)
DAY = timedelta(days=1)
LISTED_MAX = 200
"""Misses in a report: enough to read, not the whole benchmark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What was stored of one person, by the session that first said it."""

    person: Person
    facts: tuple[StoredFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    """A gold point with the best share that any fact so far has of it, and the best fact.

    `ceiling` is the share that the user's own words in the session have of it, `ceiling_so_far` all until then.
    """

    gold: GoldPoint
    best: float
    fact: StoredFact | None
    ceiling: float
    ceiling_so_far: float
    trapped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    """The figures of one session, from which all shares are made."""

    gold: GoldSession
    points: tuple[_Point, ...]
    facts: tuple[StoredFact, ...]
    strangers: tuple[StoredFact, ...]
    unsupported: tuple[StoredFact, ...]
    misdated: int
    undated: int
    updated: int
    closed: int


def points_figures(people: Sequence[Remembered], *, seed: int, listed: bool = True) -> dict[str, object]:
    """All figures of one extractor on these people."""
    sessions = [session for each in people for session in _sessions(each)]
    truths = [(session, point) for session in sessions for point in session.points if not point.gold.trap]
    groups = sorted({point.gold.group for _, point in truths})
    origins = sorted({point.gold.origin for _, point in truths})
    report: dict[str, object] = {
        **_rates(sessions, seed),
        "by_group": {name: _group_found(sessions, seed, group=name) for name in groups},
        "by_origin": {name: _group_found(sessions, seed, origin=name) for name in origins},
        "facts": sum(len(session.facts) for session in sessions),
        "facts_per_session": round(sum(len(session.facts) for session in sessions) / max(len(sessions), 1), 2),
        "sessions": len(sessions),
    }
    if listed:
        reachable = [(session, point) for session, point in truths if _reachable_miss(point)][:LISTED_MAX]
        report["misses"] = [_missed(session, point) for session, point in reachable]
        report["traps_taken"] = [_missed(session, p) for session in sessions for p in session.points if p.trapped]
        report["strangers"] = [each.text for session in sessions for each in session.strangers][:LISTED_MAX]
        report["unsupported_facts"] = [each.text for session in sessions for each in session.unsupported][:LISTED_MAX]
    return report


def _rates(sessions: Sequence[_Session], seed: int) -> dict[str, object]:
    def rate(parts: Iterable[int], wholes: Iterable[int]) -> dict[str, object]:
        return rate_of(list(parts), list(wholes), seed=seed).written()

    truths = [[point for point in session.points if not point.gold.trap] for session in sessions]
    traps = [[point for point in session.points if point.gold.trap] for session in sessions]
    updates = [[point for point in group if point.gold.update] for group in truths]
    counts = [len(group) for group in truths]
    stored = [len(session.facts) for session in sessions]

    def reached(groups: Sequence[Sequence[_Point]], share: float) -> list[int]:
        return [sum(point.best >= share for point in group) for group in groups]

    return {
        "found": rate(reached(truths, MAIN), counts),
        "found_strict": rate(reached(truths, STRICT), counts),
        "found_loose": rate(reached(truths, LOOSE), counts),
        "ceiling": rate([sum(point.ceiling >= MAIN for point in group) for group in truths], counts),
        "ceiling_so_far": rate([sum(point.ceiling_so_far >= MAIN for point in group) for group in truths], counts),
        "updates_found": rate(reached(updates, MAIN), map(len, updates)),
        "updates_closed_old": rate([each.closed for each in sessions], [each.updated for each in sessions]),
        "traps": rate([sum(point.trapped for point in group) for group in traps], map(len, traps)),
        "matching_nothing_gold": rate([len(each.strangers) for each in sessions], stored),
        "unsupported": rate([len(each.unsupported) for each in sessions], stored),
        "date_errors": rate([each.misdated for each in sessions], [each.undated for each in sessions]),
    }


def _group_found(sessions: Sequence[_Session], seed: int, *, group: str = "", origin: str = "") -> dict[str, object]:
    chosen = [
        [
            point
            for point in session.points
            if not point.gold.trap and group in ("", point.gold.group) and origin in ("", point.gold.origin)
        ]
        for session in sessions
    ]
    found = [sum(point.best >= MAIN for point in each) for each in chosen]
    ceiling = sum(point.ceiling >= MAIN for each in chosen for point in each)
    whole = sum(map(len, chosen))
    return {
        **rate_of(found, [len(each) for each in chosen], seed=seed).written(),
        "ceiling": round(ceiling / whole, 4) if whole else None,
    }


def _sessions(remembered: Remembered) -> list[_Session]:
    person = remembered.person
    golds = [
        words_of(point.text, person.names) for session in person.sessions for point in session.points if not point.trap
    ]
    so_far: list[tuple[Words, StoredFact]] = []
    said: set[str] = set()
    rows = []
    for session in person.sessions:
        own = [fact for fact in remembered.facts if fact.session == session.name]
        before = list(so_far)
        so_far.extend((words_of(fact.text, person.names), fact) for fact in own)
        here = {term for turn in session.turns if turn.role == "user" for term in words_of(turn.text).content}
        said |= here
        rows.append(_session(session, person, own, (before, so_far), (here, said), golds))
    return rows


def _session(
    session: GoldSession,
    person: Person,
    own: Sequence[StoredFact],
    known: tuple[Sequence[tuple[Words, StoredFact]], Sequence[tuple[Words, StoredFact]]],
    spoken: tuple[set[str], set[str]],
    golds: Sequence[Words],
) -> _Session:
    before, so_far = known
    fresh = [(words_of(fact.text, person.names), fact) for fact in own]
    undated = [fact for fact in own if fact.event_source in ("session", "ingest") and fact.event_start is not None]
    points = tuple(_point(point, person, so_far, fresh, spoken) for point in session.points)
    replaced = [_nearest(words_of(old, person.names), before) for point in session.points for old in point.updates]
    met = [fact for best, fact in replaced if best >= MAIN and fact is not None]
    return _Session(
        gold=session,
        points=points,
        facts=tuple(own),
        strangers=tuple(fact for words, fact in fresh if not any(one_supports(words, gold, MAIN) for gold in golds)),
        unsupported=tuple(fact for words, fact in fresh if words.content and overlap(words, spoken[0]) < MAIN),
        misdated=sum(not _of_session(fact, session) for fact in undated),
        undated=len(undated),
        updated=len(met),
        closed=sum(not fact.current for fact in met),
    )


def _point(
    gold: GoldPoint,
    person: Person,
    so_far: Sequence[tuple[Words, StoredFact]],
    fresh: Sequence[tuple[Words, StoredFact]],
    spoken: tuple[set[str], set[str]],
) -> _Point:
    words = words_of(gold.text, person.names)
    best, fact = _nearest(words, fresh if gold.trap else so_far)
    truth = words_of(gold.reference, person.names)
    here, said = spoken
    trapped = gold.trap and any(share_of(words, each) >= max(STRICT, share_of(truth, each) + 1e-9) for each, _ in fresh)
    return _Point(
        gold=gold,
        best=best,
        fact=fact,
        ceiling=overlap(words, here),
        ceiling_so_far=overlap(words, said),
        trapped=trapped,
    )


def _nearest(words: Words, facts: Sequence[tuple[Words, StoredFact]]) -> tuple[float, StoredFact | None]:
    shares = ((share_of(words, each), fact) for each, fact in facts)
    return max(shares, key=lambda pair: pair[0], default=(0.0, None))


def _of_session(fact: StoredFact, session: GoldSession) -> bool:
    start = fact.event_start
    assert start is not None
    last = session.turns[-1].at if session.turns else session.said_at
    return session.said_at - DAY <= start <= last + DAY


def _reachable_miss(point: _Point) -> bool:
    return point.best < MAIN <= point.ceiling


def _missed(session: _Session, point: _Point) -> dict[str, object]:
    """The point, the fact that came nearest, and the sentence that would have come nearest."""
    words = words_of(point.gold.text)
    said = [fact for turn in session.gold.turns for fact in naive_facts(turn.text, role=turn.role)]
    sentence = max(said, key=lambda fact: share_of(words, words_of(fact.text)), default=None)
    return {
        "session": session.gold.name,
        "gold": point.gold.text,
        "nearest": None if point.fact is None else point.fact.text,
        "share": round(point.best, 3),
        "said": None if sentence is None else sentence.text,
    }
