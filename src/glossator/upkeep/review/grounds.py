"""Which words of which user does a statement rest on, and why do others not carry it?

What no user said is not kept: so a refusal, an answer of the assistant's and a model's own guess become no row (F15).
A message that tries to turn the assistant against its rules carries nothing at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import regex

from glossator.model import Category, Grounds, Packed, PackedMessage, Passage
from glossator.rules import grounding
from glossator.rules.canonical import normalised
from glossator.rules.patterns import late
from glossator.rules.support import (
    OVERLAP_MIN,
    USER_WORDS,
    telling_terms,
    unsupported_name,
    unsupported_number,
)
from glossator.rules.tokens import fold, index_terms
from glossator.rules.trust import stated_category
from glossator.upkeep.review.fitness import is_suspicious, tells_the_agent
from glossator.upkeep.review.packing import passage_of

Ungrounded = Literal[
    "no_support",
    "suspicious_source",
    "question",
    "hypothesis",
    "polarity",
    "other_person",
    "given_once",
    "directive_not_by_operator",
]
NAMED_MIN = 1 / 3
"""Share of the telling words where the reviewer names the message. Measured on gold statements of other talks against
right ones: 1/4 lets 8 % of the others pass for 75 % of the right ones, 1/3 lets 2 % for 65 %, 1/2 none for 41 %."""
WHOLE_MESSAGE_MIN = 0.75
"""Share of the telling words that a message must have where no single sentence of it has enough of them."""
STEM_LETTERS_MIN = 4
CANDIDATES_MAX = 8
"""Sentences that are looked at for one statement."""

_SENTENCE = late(r"[^\s](?:[^\n.!?。！？]|[.!?](?!\s|$))*+(?:[.!?]++|[。！？])?")
_STANDING = late(
    r"\b(?:always|never|from now on|from here on|going forward|in (?:the )?future|every time|each time|whenever"
    r"|when(?=\b[^.]{0,60},)|by default|as a rule|at all times|prefer\w*|no longer|any ?more|call me|usually|generally"
    r"|(?:all|any|every|each|your) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|dates?|units?|numbers?)|stop \w+ing"
    r"|must|(?:i|we) (?:do not|don['’]t) (?:want|like)|(?:i|we) (?:want|like|need|expect)(?! (?:you to|this|that|it)\b)"
    r"|our (?:rule|policy|convention|standard)s?|immer|nie(?:mals)?|ab (?:jetzt|sofort)|künftig|toujours|jamais"
    r"|use (?:the )?(?:metric|imperial|celsius|fahrenheit|24[- ]hour|12[- ]hour|british|american|iso)\b"
    r"|(?:don['’]t|do not|no|stop|avoid)(?: using| use)?(?: any)? (?:emojis?|emoticons|bullet points|markdown|jargon"
    r"|tables|headings|slang|small talk|exclamation marks|filler)"
    r"|(?:answer|reply|respond|speak|talk)(?: to)? me(?: only)? in (?:\w+ )?(?:english|german|french|spanish|italian"
    r"|portuguese|dutch|danish|swedish|norwegian|finnish|polish|turkish|russian|japanese|chinese|korean|arabic|hindi)"
    r"|désormais|siempre|nunca|a partir de ahora|sempre|mai|всегда|никогда|впредь)\b"
    r"|总是|永远|以后|每次|今后|从现在|いつも|必ず|常に|今後|これから|항상|앞으로",
    regex.IGNORECASE,
)
"""What makes a rule of a request."""
_TASKS = (
    "write|translate|summari[sz]e|explain|tell|show|give|list|make|create|draft|find|search|calculate|compute|convert|fix"
    "|check|compare|describe|generate|rewrite|rephrase|send|open|run|look|book|remind|play|draw|code|implement|add|remove"
    "|delete|help|answer|reply|respond|recommend|suggest|pretend|act|imagine|ignore|print|read|plan|design|review|correct"
    "|proofread|shorten|expand|continue|start|repeat|say|schreib\\w*|übersetz\\w*|erklär\\w*|zeig\\w*|écris|traduis|explique"
    "|escribe|traduce|explica"
)
_REQUEST = late(
    rf"^\W*(?:(?:and|so|now|then|ok(?:ay)?|hey|hi|also|great|thanks|well)\b[,:]?\s+)*"
    rf"(?:(?:please|just|bitte)\s+|(?:don['’]t|do not|no need to)\s+|(?:can|could|would|will) you (?:please |just )?"
    rf"|i(?:['’]d like| would like| want| need) you to )*(?:{_TASKS})\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a packed message: `text` is what stands at `start:end` of the message's content."""

    message: PackedMessage
    text: str
    start: int
    end: int
    terms: frozenset[str]
    suspicious: bool

    @property
    def grounds(self) -> Grounds:
        """The sentence as evidence."""
        return Grounds(message_id=self.message.message_id, start=self.start, end=self.end, trust=self.message.trust)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """All that users said, ready to be searched; `speaking` are words that only name a speaker."""

    sentences: tuple[Sentence, ...]
    passages: tuple[Passage, ...]
    terms_of: dict[int, frozenset[str]]
    speaking: frozenset[str]

    def text_of(self, grounds: Grounds) -> str:
        """The sentence that these grounds are."""
        return next(each.text for each in self.sentences if each.grounds == grounds)


def said_in(packed: Packed) -> Said:
    """What the packed messages say, sentence by sentence."""
    speakers = frozenset(term for message in packed.messages for term in index_terms(message.speaker))
    return Said(
        sentences=tuple(sentence for message in packed.messages for sentence in _sentences(message)),
        passages=tuple(replace(passage_of(message), text=message.text) for message in packed.messages),
        terms_of={message.message_id: frozenset(index_terms(message.text)) for message in packed.messages},
        speaking=USER_WORDS | speakers,
    )


def grounds_of(
    value: str, said: Said, *, category: Category, named: int | None = None, beside: Sequence[str] = ()
) -> Grounds | Ungrounded:
    """The sentence that carries the value best, or why none does.

    `named` is the message that the reviewer says it has it from; `beside` are rows whose words may stand in it too,
    for a value that adds to what is known. A directive is carried by an operator's words only.
    """
    if _is_invented(value, said, beside):
        return "no_support"
    reason: Ungrounded = "no_support"
    for number, sentence in enumerate(_candidates(value, said, named=named, beside=beside)):
        found = _against(value, sentence, said, category)
        if found is None:
            return sentence.grounds
        reason = found if number == 0 else reason
    return reason


def touching(text: str, said: Said, *, share_min: float) -> Iterator[Sentence]:
    """The sentences that share a telling word with the text, and at least this share of all; the latest last."""
    told = telling_terms(text) - said.speaking
    for sentence in said.sentences:
        shared = len(told & sentence.terms)
        if shared and shared >= share_min * len(told) and not sentence.suspicious:
            yield sentence


def _sentences(message: PackedMessage) -> Iterator[Sentence]:
    suspicious = is_suspicious(message.text)
    for found in _SENTENCE.finditer(message.text):
        text = found.group().rstrip()
        yield Sentence(
            message=message, text=text, start=message.start + found.start(),
            end=message.start + found.start() + len(text), terms=frozenset(index_terms(text)), suspicious=suspicious,
        )  # fmt: skip


def _is_invented(value: str, said: Said, beside: Sequence[str]) -> bool:
    """Does it have a number or a name that nobody said? A verb at its beginning is no name."""
    from glossator.rules.statements.english_verbs import is_known  # tables that not every process needs

    if is_known(fold(value.partition(" ")[0])):
        value = value[:1].lower() + value[1:]
    texts = [*(passage.text for passage in said.passages), *beside]
    if unsupported_number(value, texts, said.passages) is not None:
        return True
    return unsupported_name(value, texts, said.passages, speaking=said.speaking) is not None


def _candidates(value: str, said: Said, *, named: int | None, beside: Sequence[str]) -> list[Sentence]:
    """The sentences with the largest share of the value's telling words, the latest first among equals.

    Where some have the very words, only those: what speaks against them is not mended by words that are like them.
    """
    told = telling_terms(value) - said.speaking or telling_terms(value)
    known = frozenset(term for text in beside for term in index_terms(text))
    new = told - known or told
    scored: list[tuple[float, int, int, Sentence]] = []
    for place, sentence in enumerate(said.sentences):
        message_id = sentence.message.message_id
        share = _shared(new, sentence.terms)
        whole = _shared(new, said.terms_of[message_id]) if share else 0.0
        needed = NAMED_MIN if message_id == named or not told - known else OVERLAP_MIN
        if share and (share >= needed or whole >= WHOLE_MESSAGE_MIN):
            scored.append((share, message_id == named, place, sentence))
    scored.sort(key=lambda each: each[:3], reverse=True)
    found = [sentence for *_, sentence in scored[:CANDIDATES_MAX]]
    words = normalised(value)
    return [sentence for sentence in found if words in normalised(sentence.text)] or found


def _shared(told: frozenset[str], terms: frozenset[str]) -> float:
    """The share of the words that are among the terms, but for a last letter: "wohnt" and "wohne"."""
    missing = told - terms
    found = len(told) - len(missing)
    found += sum(any(_differs_in_its_end(word, term) for term in terms) for word in missing)
    return found / len(told) if told else 0.0


def _differs_in_its_end(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    needed = max(STEM_LETTERS_MIN, longest - 1)
    return min(len(one), len(other)) >= needed and one[:needed] == other[:needed]


def _against(value: str, sentence: Sentence, said: Said, category: Category) -> Ungrounded | None:
    """Why the sentence does not carry the value, the gravest reason first."""
    if sentence.suspicious:
        return "suspicious_source"
    meant: Category = "directive" if tells_the_agent(value) else category
    if stated_category(meant, trust=sentence.message.trust, asked_for=False) is None:
        return "directive_not_by_operator"
    if grounding.asks_only(value, sentence.text):
        return "question"
    if grounding.supposes_only(value, sentence.text):
        return "hypothesis"
    if category in ("context", "directive") and is_given_once(sentence.text, category=category):
        return "given_once"
    is_verbatim = normalised(value) in normalised(sentence.text)
    if not is_verbatim and grounding.flips_polarity(value, _clause(value, sentence.text)):
        return "polarity"
    if category not in ("context", "directive") and grounding.tells_of_another(
        value, sentence.text, speaking=said.speaking
    ):
        return "other_person"
    return None


def is_given_once(sentence: str, *, category: Category) -> bool:
    """True for a task of the moment: "translate this" asks for something once, "always translate" is a rule.

    A directive has to sound like a rule; context must only not be a request.
    """
    if _STANDING.search(sentence):
        return False
    return category == "directive" or _REQUEST.search(sentence) is not None


def _clause(value: str, sentence: str) -> str:
    """The part of the sentence that shares most telling words with the value: "I left Paris and don't miss it"."""
    told = telling_terms(value)
    parts = grounding.clauses(sentence)
    return max(parts, key=lambda part: len(told & frozenset(index_terms(part))), default=sentence)
