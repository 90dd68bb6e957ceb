"""What is decided about the drafts of a turn? Fetches the facts near each one and hands them to admit.decide."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from glossator.model import (
    RECALLABLE,
    SELF,
    Admit,
    Contradiction,
    Decision,
    DecisionName,
    Draft,
    Fact,
    FactAsk,
    FactFilter,
    Hold,
    Merge,
    NewFact,
    Refuse,
    Scope,
    Supersede,
    Trust,
    Turn,
)
from glossator.options import Options
from glossator.ports import Facts
from glossator.retain.admit import Setting, decide
from glossator.retain.breaker import Breaker
from glossator.retain.placing import placed, trust_of
from glossator.retain.recent import RecentHashes
from glossator.retain.tripwire import Tripwire
from glossator.rules.canonical import normalised
from glossator.rules.injection import suspicion
from glossator.rules.related import RELATED
from glossator.rules.tokens import query_terms
from glossator.rules.trust import OPERATORS_ONLY, may_change, shows_directives, stated_category

NEAR_MAX = 20
"""Facts with similar words that a draft is compared with: a duplicate is among the first, or is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What a learner remembers between turns."""

    breaker: Breaker
    recent: RecentHashes
    tripwire: Tripwire


KNOWN = "known already"
"""Said where the words are a directive's: whoever may not see directives learns no more of it."""
CORRECTABLE = ("owner", "agent")
"""Where a correction may find what it denies ("no, she is Anja" does not say that it speaks of the family), and a
conclusion what was stated."""


class Judge:
    """Decides about drafts, one turn at a time. `monotonic_s` is the time for what is watched."""

    def __init__(self, facts: Facts, options: Options, watch: Watch, *, monotonic_s: Callable[[], float]) -> None:
        self._facts = facts
        self._options = options
        self._watch = watch
        self._monotonic_s = monotonic_s

    def decided(self, turn: Turn, drafts: Sequence[Draft], *, explicit: bool) -> tuple[Decision, ...]:
        """One decision per draft. Of two drafts of one turn about the same question the later is what was meant."""
        decisions: list[Decision] = []
        taken: dict[tuple[str, str], None] = {}
        for given in reversed(drafts):
            trust = trust_of(turn.passages[given.passage])
            category = stated_category(given.category, trust=trust, asked_for=explicit)
            if category is None:
                decisions.append(Refuse(draft=given, reason=f"a {given.category} takes an operator (trust: {trust})"))
                continue
            draft = replace(given, category=category)
            new = placed(draft, turn)
            ways = [("hash", new.content_hash)]
            ways += [("key", f"{draft.subject.casefold()} {draft.key}")] if draft.key else []
            if any(way in taken for way in ways):
                decisions.append(Refuse(draft=draft, reason="said again later in the same turn"))
                continue
            taken.update(dict.fromkeys(ways))
            decisions.append(self._decision(turn, new, explicit=explicit))
        decisions.reverse()
        return _without_clashes(decisions)

    def _decision(self, turn: Turn, new: NewFact, *, explicit: bool) -> Decision:
        near = self._near(turn.scope, new)
        new = _as_known(new, near, turn)
        now_s = self._monotonic_s()
        held = self._options.poison_tripwire and self._watch.tripwire.quarantined(source_of(turn), now_s)
        sign = suspicion(new.draft.text)
        setting = Setting(
            said_at=turn.passages[new.draft.passage].said.at,
            recent=not explicit and self._watch.recent.holds(recent_key(turn, new.content_hash), now_s),
            place=lambda draft: placed(draft, turn),
            quarantined="this source has just closed too many facts"
            if held
            else f"reads like an instruction to the model ({sign})"
            if sign
            else "",
        )
        return _permitted(decide(new, near, setting), trust=new.source_trust)

    def _near(self, scope: Scope, new: NewFact) -> tuple[Fact, ...]:
        """Facts that may say the same, the opposite or another answer."""
        whole = scope.whole
        draft = new.draft
        found: dict[int, Fact] = {}
        asked = [FactFilter(hashes=(new.content_hash,))]
        if draft.key:
            keys = [draft.key, *([RELATED[draft.key]] if draft.key in RELATED else [])]
            asked.append(FactFilter(keys=tuple((whose, key) for whose in (draft.subject, SELF) for key in keys)))
        if draft.denies:
            asked.append(FactFilter(values=(draft.denies, draft.denies.casefold())))
        for each in asked:
            found.update({fact.fact_id: fact for fact in self._facts.facts(whole, each)})
        words = query_terms(f"{draft.text} {draft.denies}")
        ask = FactAsk(scope=whole, filters=FactFilter(states=RECALLABLE), terms=words, candidates_max=NEAR_MAX)
        found.update({match.fact.fact_id: match.fact for match in self._facts.match_facts(ask).matches})
        place = (new.scope_type, new.scope_id)
        reaches = draft.denies or draft.epistemic == "inferred"  # what is concluded must not stand beside what was said
        return tuple(
            fact
            for fact in found.values()
            if ((fact.scope_type, fact.scope_id) == place or (reaches and fact.scope_type in CORRECTABLE))
            and (fact.category == "note") == (draft.category == "note")  # a note is replaced under its key alone
            and (shows_directives(new.source_trust) or fact.category not in OPERATORS_ONLY or _is_same(fact, new))
        )

    def contradictions(self, turn: Turn, drafts: Sequence[Draft]) -> tuple[Contradiction, ...]:
        """What admitting the statements of the turn would close or collide with; nothing is written."""
        found: list[Contradiction] = []
        for draft in drafts:
            decision = self._decision(turn, placed(draft, turn), explicit=True)
            match decision:
                case Supersede(new=new, olds=olds, reason=reason):  # the same again, surer, collides with nothing
                    found += [_collision(fact, draft, decision, reason) for fact in olds if not _is_same(fact, new)]
                case Hold(reason=reason) | Refuse(reason=reason):
                    rivals = [fact for fact in self._near(turn.scope, placed(draft, turn)) if fact.key == draft.key]
                    found += [_collision(fact, draft, decision, reason) for fact in rivals if draft.key]
                case Admit() | Merge():
                    pass
                case _ as never:
                    assert_never(never)
        return tuple(found)


def _is_same(fact: Fact, new: NewFact) -> bool:
    return fact.content_hash == new.content_hash


def _permitted(decision: Decision, *, trust: Trust) -> Decision:
    """A directive is closed by whoever may give one, and rests on their words alone."""
    match decision:
        case Supersede(new=new, olds=olds) if not all(may_change(fact.category, trust=trust) for fact in olds):
            if not shows_directives(trust):
                return Refuse(draft=new.draft, reason=KNOWN)
            kept = ", ".join(fact.id for fact in olds if not may_change(fact.category, trust=trust))
            return Refuse(draft=new.draft, reason=f"would close a directive ({kept}, trust: {trust})")
        case Merge(draft=draft, fact=fact) if not may_change(fact.category, trust=trust):
            return Refuse(draft=draft, reason=KNOWN)
        case _:
            return decision


def _as_known(new: NewFact, near: Sequence[Fact], turn: Turn) -> NewFact:
    """With the subject spelt as it is known: "qzt" and "QZT" are one name."""
    mine = normalised(new.draft.subject)
    known = next((fact.subject for fact in near if normalised(fact.subject) == mine), new.draft.subject)
    return new if known == new.draft.subject else placed(replace(new.draft, subject=known), turn)


def _collision(fact: Fact, draft: Draft, decision: Decision, reason: str) -> Contradiction:
    return Contradiction(fact=fact, statement=draft.text, outcome=decision_name(decision), reason=reason)


def decision_name(decision: Decision) -> DecisionName:
    """The decision's name in logs and counters."""
    names: dict[type[Decision], DecisionName] = {
        Admit: "admit", Merge: "merge", Supersede: "supersede", Hold: "hold", Refuse: "refuse",
    }  # fmt: skip
    return names[type(decision)]


def _without_clashes(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """A fact is closed once: the second decision of one turn that would close it is refused."""
    closed: set[int] = set()
    kept: list[Decision] = []
    for decision in decisions:
        if isinstance(decision, Supersede):
            olds = {fact.fact_id for fact in decision.olds}
            if olds & closed:
                kept.append(Refuse(draft=decision.new.draft, reason="said again later in the same turn"))
                continue
            closed |= olds
        kept.append(decision)
    return tuple(
        Refuse(draft=each.draft, reason="of a fact that the same turn closes")
        if isinstance(each, Merge) and each.fact.fact_id in closed
        else each
        for each in kept
    )


def source_of(turn: Turn) -> str:
    passage = turn.passages[0] if turn.passages else None
    return f"{turn.scope.owner}:{turn.run_id or ''}:{passage.session if passage else ''}"


def recent_key(turn: Turn, content_hash: str) -> str:
    return f"{turn.scope.agent}\0{turn.scope.owner}\0{content_hash}"
