"""Which sessions does a question have to be answered from, where the haystack is made and not given?"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glossator.errors import UsageError
from glossator.evaluate.values import Haystack, SessionData

__all__ = ["Pooled", "pool_of_all", "pool_of_size"]

ALL = "all sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """The haystacks, and for each wanted question, in order, the one that it is asked over."""

    haystacks: tuple[Haystack, ...]
    of_question: tuple[Haystack, ...]
    mended: Mapping[str, int]
    protocol: str


def pool_of_all(
    owned: Sequence[tuple[str, tuple[SessionData, ...]]], wanted: Sequence[str], extra: Sequence[SessionData]
) -> Pooled:
    """One haystack of every question's sessions and the extra ones, each session once.

    A session that several questions share keeps its first date.
    """
    sessions, mended = _distinct([*(session for _, own in owned for session in own), *extra])
    ordered = tuple(sorted(sessions.values(), key=lambda session: (session.said_at, session.name)))
    haystack = Haystack(id=ALL, sessions=ordered)
    return Pooled(
        haystacks=(haystack,),
        of_question=(haystack,) * len(wanted),
        mended=mended,
        protocol=f"all {len(ordered)} sessions of the file and the filler in one scope",
    )


def pool_of_size(
    owned: Sequence[tuple[str, tuple[SessionData, ...]]],
    wanted: Sequence[str],
    extra: Sequence[SessionData],
    *,
    size: int,
    seed: int,
) -> Pooled:
    """For each wanted question its own sessions and others drawn with a seed, `size` in all, in time order.

    A question with more sessions of its own keeps them all. Its draw depends on the seed and its id alone.
    """
    sessions, mended = _distinct([*(session for _, own in owned for session in own), *extra])
    own_of = dict(owned)
    names = sorted(sessions)
    haystacks = []
    for question_id in wanted:
        own = {session.name: session for session in own_of[question_id]}
        others = [name for name in names if name not in own]
        missing = max(size - len(own), 0)
        if missing > len(others):
            raise UsageError(
                "pool",
                f"{size} sessions are not there, only {len(own) + len(others)}",
                remedy="pass --filler FILE with more sessions, or a smaller pool",
            )
        drawn = random.Random(f"{seed}:{question_id}").sample(others, missing)  # noqa: S311 - a draw, no secret
        chosen = [*own.values(), *(sessions[name] for name in drawn)]
        ordered = tuple(sorted(chosen, key=lambda session: (session.said_at, session.name)))
        haystacks.append(Haystack(id=question_id, sessions=ordered))
    return Pooled(
        haystacks=tuple(haystacks),
        of_question=tuple(haystacks),
        mended=mended,
        protocol=f"each question over {size} sessions: its own and others drawn with seed {seed}, in its own scope",
    )


def _distinct(sessions: Sequence[SessionData]) -> tuple[dict[str, SessionData], dict[str, int]]:
    """Each name once, as first given, and how many copies had another date."""
    first: dict[str, SessionData] = {}
    redated = 0
    for session in sessions:
        redated += first.setdefault(session.name, session).said_at != session.said_at
    return first, {"copies of a session with another date (first kept)": redated} if redated else {}
