"""How is the verb bent: its tense, its negations, its adverbs? The verb group of an English clause."""

from glossator.rules.statements import english_words as words_of
from glossator.rules.statements.english_verbs import is_known, read_form
from glossator.rules.statements.values import Group, Tense, Word
from glossator.rules.statements.wording import next_low

_NO_PARTICIPLES = frozenset("interesting boring amazing exciting annoying tiring challenging".split())


class _Reading:
    """A walk over the words of a verb group."""

    def __init__(self, words: list[Word], place: int) -> None:
        self.words = words
        self.place = place
        self.adverbs: set[str] = set()
        self.negation_count = 0
        self.ended = False

    def low(self) -> str:
        return self.words[self.place].low if self.place < len(self.words) else ""

    def skip(self) -> str:
        """Pass over adverbs and negations; the word after them."""
        while True:
            low = self.low()
            if low in words_of.NEGATIONS or low in words_of.NEVER:
                self.negation_count += 1
                self.adverbs.add(low)
            elif low in words_of.ADVERBS:
                self.adverbs.add(low)
            elif low == "no" and next_low(self.words, self.place) in ("longer", "more"):
                self.ended = True
                self.place += 1
            elif low in ("kind", "sort") and next_low(self.words, self.place) == "of":
                self.place += 1
            else:
                return low
            self.place += 1

    def group(self, verb: str, tense: Tense) -> Group:
        if self.ended and tense in ("present", "progressive"):
            tense = "ended"
        stop = self.words[min(self.place, len(self.words)) - 1].stop
        return Group(
            verb=verb,
            tense=tense,
            negation_count=self.negation_count,
            adverbs=frozenset(self.adverbs),
            ended=self.ended or tense == "ended",
            stop=stop,
        )


def read_group(words: list[Word], place: int, *, is_noun_after_be: bool = False) -> Group | None:
    """The verb group that begins at `place`; None where there is no verb."""
    reading = _Reading(words, place)
    low = reading.skip()
    if not low or not (low[0].isalpha() or low[0] == "'"):
        return None
    if low in words_of.BE and is_noun_after_be:
        reading.place += 1
        reading.skip()
        return reading.group("be", "past" if low in words_of.BE_PAST else "present")
    if low in words_of.BE:
        return _after_be(reading, low)
    if low in words_of.HAVE:
        return _after_have(reading, low)
    if low == "used" and next_low(words, reading.place) == "to":
        reading.place += 2
        return _infinitive(reading, "ended")
    modal = _modal(low)
    if modal is not None:
        reading.place += 1
        return _infinitive(reading, modal)
    if low in words_of.DO:
        return _after_do(reading, low)
    readings = [(verb, form) for verb, form in read_form(low) if form in ("past", "s", "base")]
    verb, form = (readings[-1] if low == "quit" else readings[0]) if readings else ("", "base")
    reading.place += 1
    if not verb:
        return None
    return reading.group(verb, "past" if form == "past" and not _is_present_too(low) else "present")


def _is_present_too(low: str) -> bool:
    """ "read", "put": the same in the present; "quit" tells of the past as a rule."""
    return low != "quit" and any(form == "base" for _, form in read_form(low))


def _modal(low: str) -> Tense | None:
    if low in words_of.HEDGED:
        return "modal"
    if low in words_of.FUTURE:
        return "future"
    if low == "can":
        return "can"
    return "must" if low == "must" else None


def _infinitive(reading: _Reading, tense: Tense) -> Group | None:
    low = reading.skip()
    if not low or not low[0].isalpha():
        return None
    reading.place += 1
    if low == "be":
        reading.skip()
    return reading.group(low, tense)


def _after_do(reading: _Reading, low: str) -> Group | None:
    begin = reading.place
    reading.place += 1
    following = reading.skip()
    is_verb = following[:1].isalpha() and any(form == "base" for _, form in read_form(following))
    if is_verb and (is_known(following) or reading.negation_count):
        reading.place += 1
        return reading.group(following, "past" if low == "did" else "present")
    reading.place = begin + 1
    return reading.group("do", "past" if low == "did" else "present")


def _after_have(reading: _Reading, low: str) -> Group | None:
    reading.place += 1
    following = reading.skip()
    past = low == "had"
    if following == "got":
        reading.place += 1
        if reading.low() == "to":
            reading.place += 1
            return _infinitive(reading, "must")
        return reading.group("have", "present")
    if following == "to":
        reading.place += 1
        return _infinitive(reading, "past" if past else "must")
    if following == "been":
        reading.place += 1
        after = reading.skip()
        verb = _ing(after)
        if verb:
            reading.place += 1
            return reading.group(verb, "past" if past else "perfect_progressive")
        return reading.group("be", "past" if past else "perfect")
    part = next((verb for verb, form in read_form(following) if form == "part"), "") if following else ""
    if (
        part
        and (is_known(following) or following.endswith("ed"))
        and (
            following not in ("set", "cut", "put")
            or next_low(reading.words, reading.place) in ("myself", "ourselves", "a", "up")
        )
    ):
        reading.place += 1
        return reading.group(part, "past" if past else "perfect")
    return reading.group("have", "past" if past else "present")


def _after_be(reading: _Reading, low: str) -> Group | None:
    reading.place += 1
    following = reading.skip()
    past = low in words_of.BE_PAST
    if low == "'s" and following == "been":
        reading.place += 1
        return reading.group("be", "perfect")
    if following == "going" and next_low(reading.words, reading.place) == "to":
        reading.place += 2
        return _infinitive(reading, "past" if past else "future")
    verb = _ing(following)
    if verb:
        reading.place += 1
        return reading.group(verb, "past" if past else "progressive")
    return reading.group("be", "past" if past else "present")


def _ing(word: str) -> str:
    if not word or word in _NO_PARTICIPLES:
        return ""
    return next((verb for verb, form in read_form(word) if form == "ing"), "")
