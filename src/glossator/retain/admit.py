"""What becomes of a draft: Admit, Merge, Supersede, Hold or Refuse?

A pure decision over the draft and the facts near it, which the corridor fetched. Three things look alike and are not
(C-5): the same statement again is another sighting; another answer to the same question closes the old one; the same in
other words, with the same polarity, numbers and names, is corroboration. The same subject alone is no conflict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from glossator.model import (
    RECALLABLE,
    SELF,
    Admit,
    Decision,
    Draft,
    Fact,
    Hold,
    Merge,
    NewFact,
    Refuse,
    Supersede,
)
from glossator.rules.canonical import normalised
from glossator.rules.related import answers_otherwise
from glossator.rules.similar import Likeness, likeness, says_another_number, says_the_opposite, says_the_same
from glossator.rules.tokens import fold
from glossator.rules.trust import TRUSTED

SUPERSEDE_MARGIN = 0.1
"""The same statement with a confidence higher by strictly more than this becomes a new version of the fact (A39)."""
EWMA_NEW = 0.3
"""Weight of the newest confidence when a statement is repeated (A40)."""
_ROUNDING = 1e-9
"""0.7 is not more than 0.6 by "strictly more than 0.1", whatever binary fractions say."""
CORRECTION_REACH = timedelta(days=7)
"""A bare "not 10" means what was said lately, not every ten that was ever told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a decision depends on beside the draft and the facts near it."""

    said_at: datetime
    recent: bool = False
    """The same statement was handled within the last minutes: it is counted as seen, its confidence stays (A41)."""
    place: Callable[[Draft], NewFact]
    """Gives a draft its place, hash and index words anew: a correction rewrites the old fact's words."""
    quarantined: str = ""
    """Why this source is not to be trusted at the moment (retain/tripwire.py)."""


def decide(new: NewFact, near: Sequence[Fact], setting: Setting) -> Decision:
    """The decision about one draft; `near` are the facts that share its hash, its key, its words or what it denies."""
    draft = new.draft
    live = [fact for fact in near if fact.state in RECALLABLE]
    if draft.denies:
        return _guarded(_correction(new, live, setting), setting)
    same = next((fact for fact in live if fact.content_hash == new.content_hash), None)
    if same is not None:
        return _guarded(_repeated(new, same, setting), setting)
    return _guarded(_about_the_same(new, [fact for fact in live if _same_subject(fact, draft)], setting), setting)


def blended(stored: float, new: float) -> float:
    """0.7 x stored + 0.3 x new, within 0 and 1 (A40)."""
    return round(min(1.0, max(0.0, (1 - EWMA_NEW) * stored + EWMA_NEW * new)), 6)


def _repeated(new: NewFact, same: Fact, setting: Setting) -> Decision:
    draft = new.draft
    if setting.recent and not _lends_trust(new, same):
        return Merge(draft=draft, fact=same, confidence=same.confidence, reason="said again within minutes")
    surer = draft.confidence > same.confidence + SUPERSEDE_MARGIN + _ROUNDING
    if surer and not _doubted(new, [same]):
        return _superseding(new, [same], setting, "the same statement, clearly surer")
    return _said_again(new, same, setting, blended(same.confidence, draft.confidence), "said again")


def _about_the_same(new: NewFact, live: Sequence[Fact], setting: Setting) -> Decision:
    """Nothing has the same words: does a fact about the same subject answer the same question, or say the same?"""
    draft = new.draft
    rivals = [fact for fact in live if draft.key and (fact.key == draft.key or _answers_otherwise(fact, draft))]
    agreeing = next((fact for fact in rivals if fact.key == draft.key and _agrees(fact, draft)), None)
    if agreeing is not None:
        if _adds_nothing(draft, agreeing):
            return _corroborated(new, agreeing, setting, "the same answer in other words")
        return _replacing(new, rivals, setting, "told anew, with more")
    if rivals:
        return _replacing(new, rivals, setting, f"another {draft.key.partition(':')[0].replace('_', ' ')}")
    mine = likeness(draft.text)
    for fact, theirs in ((fact, likeness(fact.text)) for fact in live):
        if says_the_opposite(mine, theirs) or (mine.terms == theirs.terms and fact.polarity != draft.polarity):
            return _replacing(new, [fact], setting, "a change of mind")
        if _measures(fact, draft) and says_another_number(mine, theirs):
            return _replacing(new, [fact], setting, "another value")
        if _compatible(fact, draft) and _same_in_other_words(mine, theirs, draft):
            return _corroborated(new, fact, setting, "the same in other words")
    return Admit(new=new, reason="new")


def _correction(new: NewFact, live: Sequence[Fact], setting: Setting) -> Decision:
    """ "No, she is Anja, not Ana": the fact that says the denied value is closed by one that says the new value."""
    draft = new.draft
    denied = fold(draft.denies)
    live = [fact for fact in live if abs(setting.said_at - fact.last_seen_at) <= CORRECTION_REACH]
    wrong = [fact for fact in live if fold(fact.value) == denied] or [fact for fact in live if _says(fact.text, denied)]
    named = [fact for fact in wrong if draft.key and fact.key == draft.key]
    if not wrong:
        if draft.key and draft.value:
            return _about_the_same(new, live, setting)
        return Refuse(draft=draft, reason="corrects something that was never stated")
    old = max(named or wrong, key=lambda fact: (fact.last_seen_at, fact.fact_id))
    if not draft.value:
        return _believed(new, [old], setting, "taken back")
    text = _replaced(old.text, draft.denies, _as_said(draft))
    corrected = replace(
        draft, text=text or draft.text, subject=old.subject, key=old.key, category=old.category, kind=old.kind,
        value=_replaced(old.value, draft.denies, draft.value) or draft.value, denies="",
    )  # fmt: skip
    return _believed(setting.place(corrected), [old], setting, f"corrected: not {draft.denies}")


def _replacing(new: NewFact, olds: Sequence[Fact], setting: Setting, reason: str) -> Decision:
    """Close the old facts, unless the new statement is weaker or older than what they rest on."""
    draft = new.draft
    if draft.epistemic == "inferred" and any(fact.epistemic == "stated" for fact in olds):
        return Refuse(draft=draft, reason="only inferred, and stated otherwise")
    latest = max(olds, key=lambda fact: fact.last_seen_at)
    if setting.said_at < latest.last_seen_at and not _doubted(new, olds):
        return Refuse(draft=draft, reason=f"older than what holds now ({latest.id})")
    return _believed(new, olds, setting, reason)


def _believed(new: NewFact, olds: Sequence[Fact], setting: Setting, reason: str) -> Decision:
    """Close the old facts, unless whoever says so is believed less than who said them."""
    if _doubted(new, olds):
        return Hold(new=new, reason=f"contradicts what the owner said ({reason})")
    return _superseding(new, olds, setting, reason)


def _doubted(new: NewFact, olds: Sequence[Fact]) -> bool:
    """True for a guest against the owner, and for a conclusion against what somebody said."""
    guessed = new.draft.epistemic == "inferred" and any(fact.epistemic == "stated" for fact in olds)
    return guessed or (new.source_trust not in TRUSTED and any(fact.source_trust in TRUSTED for fact in olds))


def _lends_trust(new: NewFact, fact: Fact) -> bool:
    return new.source_trust in TRUSTED and fact.source_trust not in TRUSTED


def _superseding(new: NewFact, olds: Sequence[Fact], setting: Setting, reason: str) -> Supersede:
    return Supersede(new=new, olds=tuple(olds), closed_at=setting.said_at, reason=reason)


def _corroborated(new: NewFact, fact: Fact, setting: Setting, reason: str) -> Decision:
    """Other words for the same: one more source. Its confidence may only rise by it, as no denial is in it."""
    confidence = max(fact.confidence, blended(fact.confidence, new.draft.confidence))
    return _said_again(new, fact, setting, confidence, reason)


def _said_again(new: NewFact, fact: Fact, setting: Setting, confidence: float, reason: str) -> Decision:
    """One more source. A guest's words make nothing surer or less sure that the owner said, and what a guest had said
    first becomes the owner's own when the owner says it.
    """
    if _lends_trust(new, fact):
        return _superseding(new, [fact], setting, f"{reason}, by the owner")
    kept = fact.confidence if _doubted(new, [fact]) else confidence
    return Merge(draft=new.draft, fact=fact, confidence=kept, reason=reason)


def _guarded(decision: Decision, setting: Setting) -> Decision:
    """A source in quarantine may repeat what is known; what it adds is held, what it would close stays open."""
    if not setting.quarantined:
        return decision
    match decision:
        case Admit(new=new):
            return Hold(new=new, reason=setting.quarantined)
        case Supersede(new=new):
            return Refuse(draft=new.draft, reason=f"would close a fact: {setting.quarantined}")
        case _:
            return decision


def _same_subject(fact: Fact, draft: Draft) -> bool:
    """The same name; and what the owner said before they had a name is theirs."""
    unnamed = fact.subject == SELF and fact.scope_type == "owner" and draft.category != "context"
    return unnamed or _name(fact.subject) == _name(draft.subject)


def _name(subject: str) -> str:
    return normalised(subject or SELF)


def _agrees(fact: Fact, draft: Draft) -> bool:
    return normalised(fact.value) == normalised(draft.value) and fact.polarity == draft.polarity


def _answers_otherwise(fact: Fact, draft: Draft) -> bool:
    return answers_otherwise(draft.key, draft.value, draft.text, fact.key, fact.value, fact.text)


def _adds_nothing(draft: Draft, fact: Fact) -> bool:
    """True if the words say no more than the answer that is known: "I work at Acme as a director" does.

    Where the key holds the answer ("taste:jazz") there is no more to say.
    """
    mine, theirs = likeness(draft.text), likeness(fact.text)
    return ":" in draft.key or mine.terms <= theirs.terms or says_the_same(mine, theirs)


def _compatible(fact: Fact, draft: Draft) -> bool:
    """May two statements be one? Not if both have a key, and different ones; nor if their polarity differs."""
    return fact.polarity == draft.polarity and not (fact.key and draft.key and fact.key != draft.key)


def _measures(fact: Fact, draft: Draft) -> bool:
    return any(each.kind in ("exact_value", "hard_constraint") for each in (fact, draft))


def _same_in_other_words(mine: Likeness, theirs: Likeness, draft: Draft) -> bool:
    return says_the_same(mine, theirs, in_order=draft.kind in ("cross_task_dep", "decision_reason"))


def _says(text: str, denied: str) -> bool:
    return bool(denied) and f" {denied} " in f" {normalised(fold(text))} "


def _as_said(draft: Draft) -> str:
    """The value in the letters that it was said in."""
    at = draft.text.casefold().find(draft.value.casefold())
    return draft.value if at < 0 else draft.text[at : at + len(draft.value)]


def _replaced(text: str, denied: str, value: str) -> str:
    """The old words with the denied value replaced; "" where it does not stand in them."""
    at = text.casefold().find(denied.casefold())
    return "" if at < 0 else text[:at] + value + text[at + len(denied) :]
