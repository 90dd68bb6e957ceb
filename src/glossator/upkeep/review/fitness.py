"""Is a value fit to stand in a prompt file: one short declarative clause about the user or the work?"""

from typing import Literal

import regex

from glossator.model import Category
from glossator.rules import grounding
from glossator.rules.injection import suspicion
from glossator.rules.patterns import late
from glossator.rules.secrets import redacted
from glossator.upkeep.review.passing import is_over, points_elsewhere
from glossator.upkeep.review.prompt import VALUE_CHARACTERS_MAX

Unfit = Literal[
    "blank",
    "too_long",
    "secret",
    "suspicious",
    "question",
    "reports_speech",
    "own_behaviour",
    "note_to_self",
    "transient",
    "points_elsewhere",
    "not_one_clause",
]
_STANDS: tuple[Category, ...] = ("identity", "directive")
"""Who somebody is may be what they once did; a rule is no event."""
_BLACKENED = "[redacted"

_VISIBLE = late(r"[\p{L}\p{N}]")
_SENTENCE_ENDS = late(r"(?<=\p{Ll}{4}|\d{2})[.!?]\s+(?=\p{Lu})|[。！？](?=.)|\n")
"""Behind a word of four letters: "Dr. Moe" and "St. Mary's" end nothing."""
_ASSISTANT = r"(?:assistant|chatbot|agent|ai|bot)"
_REFUSES = (
    r"(?:refus\w+|declin\w+|reject\w+|cannot|can['’]?t|could not|couldn['’]t|will not|won['’]t|would not|wouldn['’]t"
    r"|did not|didn['’]t|does not (?:comply|help|assist)|is (?:not able|unable|not allowed)|apologi[sz]\w+|warned)"
)
_OWN_BEHAVIOUR = late(
    rf"\b{_ASSISTANT}\b[^.;]{{0,40}}\b{_REFUSES}\b"
    r"|\b(?:request|question|demand|jailbreak)\w*\b[^.;]{0,60}\b(?:refused|declined|rejected|denied|turned down)\b"
    r"|^(?:always |please )?(?:refuse|decline|reject)\b|^(?:never|do not|don['’]t) (?:comply|assist|help|engage)\b"
    rf"|^(?:the )?{_ASSISTANT} (?:answered|replied|said|told|explained|suggested|recommended|offered|provided|wrote"
    r"|translated|summari[sz]ed|helped|gave|showed)\b",
    regex.IGNORECASE,
)
_LIMITS = r"(?:filters?|limits?|limitations?|restrictions?|censorship|guardrails?|safety|moderation)"
_LIFTS_LIMITS = late(
    r"\b(?:never|not|n['’]t) (?:ever )?(?:refuse|decline|reject|say no to|turn down)\b[^.;]{0,20}"
    r"\b(?:me|us|the user|anything|any|requests?)\b"
    r"|\b(?:comply with|obey|accept|fulfil+|follow) (?:every|any|all) (?:\w+ ){0,2}(?:requests?|orders?|commands?"
    r"|instructions?)\b"
    rf"|\b(?:answer|say|tell|do|respond|reply|speak|explain)\w*\b[^.;]{{0,40}}\b(?:without|no) (?:any )?{_LIMITS}\b"
    r"|\b(?:ai|assistant|chatbot|model|bot|you (?:are|have))\b[^.;]{0,40}\b(?:without|no|free of) (?:any )?"
    rf"(?:{_LIMITS}|rules|morals?|ethics)\b"
    r"|\b(?:developer|dan|god|jailbreak|unrestricted|unfiltered|uncensored|unlocked) mode\b|\bjailbr[eo]\w+"
    r"|\b(?:unfiltered|uncensored|unrestricted) (?:ai|assistant|chatbot|model|answers?|repl\w+|responses?)\b",
    regex.IGNORECASE,
)
_TO_THE_AGENT = late(
    rf"\b(?:the )?{_ASSISTANT} (?:should|must|has to|needs to|is to|may|shall|will|ought to)\b"
    r"|^you (?:should|must|have to)\b"
    r"|^(?:please )?(?:from now on,? )?(?:always|never|do not|don['’]t|only) (?!\w+s\b)\p{Ll}+"
    r"|^(?:please )?(?:from now on,? )?(?:answer|reply|respond|use|speak|write|call|address|treat|keep|avoid|stop"
    r"|ignore|obey|follow|send|tell|ask|give|show|make sure|ensure|refer|pretend|act|behave)\b",
    regex.IGNORECASE,
)
_NOTE_TO_SELF = late(
    r"^(?:please )?(?:remember|note|recall|keep in mind|bear in mind|make sure|be sure|don['’]t forget|remind)\b"
    r"|^(?:i|you|we) (?:should|must|need to|have to|will|ought to) (?:always |never )?(?:remember|recall|note|mention"
    r"|ask|remind|tell|answer|respond|reply|avoid|address|call|treat|check|use|keep)\b",
    regex.IGNORECASE,
)


def unfit(value: str, *, category: Category, characters_max: int = VALUE_CHARACTERS_MAX) -> Unfit | None:
    """Why the value may not be kept, or None. A directive may speak to the agent; all others may not."""
    if not _VISIBLE.search(value):
        return "blank"
    if len(value) > characters_max:
        return "too_long"
    if _BLACKENED in value or redacted(value)[0] != value:
        return "secret"
    if is_suspicious(value):
        return "suspicious"
    if value.rstrip("\"'”’) ").endswith(("?", "？", "؟")):
        return "question"
    if grounding.is_report(value):
        return "reports_speech"
    if _OWN_BEHAVIOUR.search(value):
        return "own_behaviour"
    if category != "directive" and _NOTE_TO_SELF.search(value):
        return "note_to_self"
    return _unreadable_later(value, category) or ("not_one_clause" if _SENTENCE_ENDS.search(value.strip()) else None)


def _unreadable_later(value: str, category: Category) -> Unfit | None:
    """Why the value says nothing to a reader who was not there, or None."""
    if grounding.is_transient(value) or (category not in _STANDS and is_over(value)):
        return "transient"
    return "points_elsewhere" if category != "directive" and points_elsewhere(value) else None


def is_suspicious(text: str) -> bool:
    """True for a text that reads like an instruction to the model, or that would lift the limits which it keeps to."""
    return bool(suspicion(text)) or _LIFTS_LIMITS.search(text) is not None


def tells_the_agent(value: str) -> bool:
    """True for a value that is an order to the agent, under whatever category it goes."""
    return _TO_THE_AGENT.search(value) is not None
