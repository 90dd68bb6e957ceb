"""Into which clauses does a sentence fall, each with its own subject or heir to the one before?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import regex

from glossator.retain.offline import asides
from glossator.retain.offline import english as table
from glossator.retain.offline.openings import subject_at
from glossator.rules.statements import Clause, Group, Subject, lowered, read_clause, read_statement
from glossator.rules.statements.english_verbs import is_known, read_form
from glossator.rules.statements.english_words import ADVERBS, NEVER
from glossator.rules.statements.values import Word
from glossator.rules.statements.wording import words_in

_JOINT = regex.compile(
    r";\s*|,?\s+(?:which|and that|and this|that) means (?:that )?|,?\s+(?:because"
    r"|since)\s+(?=(?:i|i'm|i've|my|we|our)\b)|\s[–—-]\s|—|,?\s+(?:and|but|so|yet|plus|although|though|whereas"
    r"|or)\s+|,\s+|\.\.\.\s*|…\s*|:\s+|\s*\("
)
_HEAD = regex.compile(
    r"(?:(?:also|now|then|actually|currently|just|really|so|but|and|which is why|that's why)\s+)*(?:i"
    r"|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our|you|you're|he|she|it|it's|they|let's|this"
    r"|that|that's|there|what|how|can|could|do|does|please|don't|nobody|everyone|she's|he's|they're)\b"
)
_ADVERBIAL = regex.compile(r"(?:normally|usually|mostly|mainly|typically|generally|as a rule|nine times|most days)\b")
_TALKING = regex.compile(
    r"\b(?:he|she|they|him|her|his|texted|messaged|emailed|replied|posted|tweeted|joke|bio|draft"
    r"|persona|letter|profile|said|says|say|wrote|asked|told|goes|sings?|reads|motto|lyrics|quote|line"
    r"|lines|example"
    r"|examples|sentence|sentences|prompt|text|title|titled|caption|headline|slogan|phrase|answer"
    r"|reply|version|option)\b"
)
_ME = regex.compile(r"(?:i|i'm|im|i've|ive|my|we|we're|we've|our)\b")
_UNDER = regex.compile(
    r"(?:when|whenever|if|since|because|after|while|as|once|although|though|before|until|how|what|that"
    r"|whether|unless|where|who|which|so that|given)\b"
)
_CONDITION = regex.compile(r"(?:when|whenever|once|as soon as|until|unless|before|after|while|if)\b")
_CUSTOM = regex.compile(
    r"(?:(?:before|after|during) (?:the |my )?[\w-]+(?: [\w-]+)?,? $|in my (?:spare|free) time"
    r"|as a hobby|every|each|(?:most )?(?:mornings|evenings|weekends"
    r"|nights|saturdays|sundays)|on (?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)days|on weekends)\b"
)
_ELLIPSIS = regex.compile(
    r"(?:also |and |plus )*(?=(?:al+ergic to|lactose[- ]intolerant|vegan|vegetarian|diabetic|asthmatic)\b)"
)
"""What may be said of oneself without "I'm"."""
_DROPPED = regex.compile(
    r"(?:(?:just|recently|finally|also|already|never|still) )*(?:used to|moved|turned|got"
    r"|gotten|bought|sold|started|finished|quit|left|joined"
    r"|adopted|graduated|married|retired|been (?:living"
    r"|working|learning|playing|studying|vegan|vegetarian|married)|grew up|booked|signed"
    r"|passed|ran|worked|studied|lived|born|broke|had (?:a|my|twins|surgery)|can't (?:stand|eat|drink|have))\b"
)
"""A past without its "I", as in a quick message: "Moved to Graz in spring"."""
_SELF = Subject(kind="self", words="I")
_AM = Group(verb="be", tense="present", negation_count=0, adverbs=frozenset(), ended=False, stop=0)
_INFINITIVE = regex.compile(r"\bto (\p{L}+)")
"""What goes on after "I look for ways to increase sales and" is more often part of the purpose."""
_LETTING = regex.compile(r"\b(?:lets?|helps?|makes?|allows?|enables?|gets?) (?:me|us|you|them|him|her|people)\b")
"""What goes on after "it lets me show what I can and" is let, too."""
_FIRST = regex.compile(r"[\p{L}']+")
_ALWAYS_PARTS = frozenset((";", "...", "…", "(", ":", "because", "since", "so"))
_STARTERS = (
    ADVERBS
    | NEVER
    | frozenset(
        "i i'm im i've ive i'd i'll my we we're we've we'd we'll our you you're he"
        " she it it's they let's this that that's there what how can "
        "could do does please don't nobody everyone"
        " she's he's they're the no which why also now then actually currently just really so but and "
        "plus lactose vegan vegetarian diabetic asthmatic am have has is was had used did since because as 'm".split()
    )
)
"""With what a clause may begin, beside names and verbs."""
_REASON = regex.compile(r"\b(?:because|due to|so that|in order to|given that|since)\b")
_DECIDING = frozenset(
    "decide choose pick select reject drop ditch cancel turn go switch opt settle postpone delay skip move say sell "
    "buy rule abandon discard leave quit".split()
)
_WANTING = frozenset("want plan hope aim intend try need decide would like".split())
_LATELY = frozenset({"recently", "finally"})
"""Adverbs that hold for the verbs in step, too: "I recently visited her and met her cat"."""
_BOUND = frozenset("must can modal future".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of the text that holds one clause; `marker` is what led into it ("no, ", "by the way ")."""

    begin: int
    stop: int
    clause: Clause | None
    marker: str
    is_aside: bool = False


def pieces(text: str, low: str, begin: int, stop: int) -> Iterator[Piece]:
    """The clauses of the sentence `text[begin:stop]`, in order."""
    start, is_heir, held = begin, False, 0
    last: Clause | None = None
    for joint in _JOINT.finditer(low, begin, stop):
        if joint.start() <= start:
            continue
        held = held or asides.held_until(text, low, _unmarked(low, start, stop), stop)
        if joint.start() < held:
            continue
        if not _may_begin(text, low, joint, stop):
            continue
        before = _piece(text, low, start, joint.start(), last if is_heir else None)
        begins = _begins(text, low, joint, before, stop)
        if begins == "no":
            continue
        yield from _with_asides(text, low, before)
        last = before.clause or last
        start, is_heir, held = joint.end(), begins == "heir", 0
    if start < stop:
        yield from _with_asides(text, low, _piece(text, low, start, stop, last if is_heir else None))


def _unmarked(low: str, begin: int, stop: int) -> int:
    """Where the clause begins behind its leading markers."""
    found = table.MARKER.match(low, begin, stop)
    return found.end() if found and found.end() < stop else begin


def _with_asides(text: str, low: str, piece: Piece) -> Iterator[Piece]:
    yield piece
    written, lowtext = text[piece.begin : piece.stop], low[piece.begin : piece.stop]
    found = asides.untangled(written, lowtext)
    for beside in found.besides if found else ():
        yield replace(piece, clause=read_clause(beside, lowered(beside)), is_aside=True)
    for clause in asides.besides(written, lowtext):
        yield replace(piece, clause=clause, is_aside=True)


def _piece(text: str, low: str, begin: int, stop: int, heir: Clause | None) -> Piece:
    """The clause between two offsets, its leading markers set apart."""
    start = _unmarked(low, begin, stop)
    found = _read(text, low, begin, start, stop, heir)
    if found.clause is None and start > begin and _UNDER.match(low, begin):
        # "Since my divorce I ...": what leads on at other times belongs to the adverbial.
        whole = _read(text, low, begin, begin, stop, heir)
        return found if whole.clause is None else whole
    return found


def _read(text: str, low: str, begin: int, start: int, stop: int, heir: Clause | None) -> Piece:
    head = subject_at(text, low, start, stop)
    lead = low[start:head]
    written, lowtext = text[head:stop], low[head:stop]
    clause = read_clause(
        written, lowtext, heir=heir.subject if heir else None, is_informal=heir.is_informal if heir else None
    )
    found = asides.untangled(written, lowtext) if "," in lowtext else None
    if found:
        clause = read_clause(found.main, lowered(found.main))
    if clause is not None and lead:
        clause = _with_lead(clause, lead)
    if clause is not None and heir is not None:
        clause = replace(
            clause, group=replace(clause.group, adverbs=clause.group.adverbs | (heir.group.adverbs & _LATELY))
        )
    if clause is None and heir is None and _DROPPED.match(lowtext):
        clause = read_clause(written, lowtext, heir=_SELF)
    if clause is None or (heir and heir.group.verb == "be"):
        clause = _elliptical(written, lowtext) or clause
    return Piece(begin=start, stop=stop, clause=clause, marker=low[begin:start])


def _with_lead(clause: Clause, lead: str) -> Clause:
    """The clause with a custom that was told before its subject: "every morning before work Dana runs"."""
    if _ADVERBIAL.match(lead):
        return replace(clause, group=replace(clause.group, adverbs=clause.group.adverbs | {"usually"}))
    if not _CUSTOM.match(lead) or clause.group.tense != "present":
        return clause
    custom = lead.strip(" ,")
    return replace(
        clause, rest=f"{clause.rest} {custom}".lstrip(), rest_written=f"{clause.rest_written} {custom}".lstrip()
    )


def _elliptical(written: str, low: str) -> Clause | None:
    found = _ELLIPSIS.match(low)
    if found is None:
        return None
    rest = low[found.end() :].rstrip(" .!…")
    rest_written = written[found.end() : found.end() + len(rest)]
    return Clause(subject=_SELF, group=_AM, rest=rest, rest_written=rest_written, is_informal=True)


def _may_begin(text: str, low: str, joint: "regex.Match[str]", stop: int) -> bool:
    """May a clause begin here at all? A quick look, since reading what stands before it takes long."""
    at = joint.end()
    if at >= stop:
        return False
    if joint.group().strip(" ,") in _ALWAYS_PARTS or text[at].isupper() or joint.group().startswith(", so"):
        return True
    word = _FIRST.match(low, at, stop)
    if word is None:
        return False
    first = word.group()
    return first in _STARTERS or is_known(first) or table.LEAD.match(low, at, stop) is not None


Begins = Literal["own", "heir", "no"]


def _begins(text: str, low: str, joint: "regex.Match[str]", before: Piece, stop: int) -> Begins:
    """Does a new clause begin after this joint: with its "own" subject, as "heir" to the last one, or not at all?"""
    at, word = joint.end(), joint.group().strip(" ,")
    if word == ":":
        is_told = _ME.match(low, at) and not _TALKING.search(low, before.begin, before.stop)
        return "own" if is_told and not _decides(before) else "no"
    if before.clause is None:
        is_mine = word == "" and _ME.match(low, at) and not _UNDER.match(low, before.begin)
        return "own" if is_mine or word in (";", "...", "…") else "no"
    if _is_reason(low, at, word, before) or (word == "" and _CONDITION.match(low, before.begin)):
        return "no"
    if word in ("because", "since"):
        return "own"
    if _HEAD.match(low, at, stop) or word == "(" or table.LEAD.match(low, at, stop):
        return "own"
    if word == "" and low.startswith(("since i ", "because i ", "as i "), at):
        return "own"
    if before.clause.group.verb == "be" and before.clause.subject.kind == "self" and _ELLIPSIS.match(low, at):
        return "heir"
    if _names_somebody(text[at:stop], low[at:stop]):
        return "own"
    if _continues(words_in(low[at : min(stop, at + 60)]), before.clause, word):
        return "heir"
    return "own" if word == "so" and joint.group()[0] == "," else "no"


def _is_reason(low: str, at: int, word: str, before: Piece) -> bool:
    """A decision keeps its reason, a reason all that belongs to it; "or" joins no statements."""
    if word == "or" or (_REASON.search(low, before.begin, before.stop) and word not in (";", "but")):
        return True
    if not _decides(before):
        return False
    return word in ("because", "since") or (
        word == "" and low.startswith(("it ", "it's ", "they ", "since i ", "because i ", "as i "), at)
    )


def _decides(piece: Piece) -> bool:
    return piece.clause is not None and piece.clause.group.verb in _DECIDING


def _names_somebody(written: str, low: str) -> bool:
    clause = read_clause(written[:120], low[:120])
    if clause is None:
        return False
    if clause.subject.kind in ("thing", "own"):
        return low.startswith(("the ", "no ")) and read_statement(clause) is not None
    return clause.subject.kind in ("name", "person") and is_known(_verb_word(low, clause))


def _verb_word(low: str, clause: Clause) -> str:
    return low[: clause.group.stop].split()[-1] if low[: clause.group.stop].split() else ""


def _continues(following: list[Word], clause: Clause, word: str) -> bool:
    """ "... but hate coffee", "... and never have dessert", ", take no sugar": a verb in step with the one before."""
    group = clause.group
    if not following or group.verb in _WANTING or group.tense in _BOUND:
        return False
    if following[0].low in ("much", "so", "too", "very"):
        return False
    place = 0
    while place < len(following) - 1 and (following[place].low in ADVERBS or following[place].low in NEVER):
        place += 1
    low = following[place].low
    if low in ("don't", "do", "can", "am", "'m", "have", "has", "is", "was", "had", "used", "does", "did"):
        return place + 1 < len(following)
    if not is_known(low) or (low == "like" and word == ""):
        return False
    forms = {form for _, form in read_form(low)}
    third = clause.subject.kind in ("person", "name", "own", "thing")
    if word == "" and group.tense == "present" and clause.rest == "":
        return False
    if _LETTING.search(clause.rest):
        return False
    purpose = _INFINITIVE.search(clause.rest)
    if purpose and is_known(purpose.group(1)) and group.tense not in ("past", "perfect"):
        return False
    wanted = {"past"} if group.tense in ("past", "perfect") else {"s" if third else "base"}
    return bool(forms & wanted) or (not third and group.tense == "past" and "base" in forms and word == "but")
