"""Of whom or what does a clause speak? The subject at the head of an English clause."""

from glossator.rules.statements import english_words as words_of
from glossator.rules.statements.english_verbs import is_known, read_form
from glossator.rules.statements.values import Subject, Word
from glossator.rules.statements.wording import next_low

NOUN_WORDS_MAX = 7
_ARTICLES = frozenset("a an the this all any every each no these those both".split())
_IS_BEFORE = frozenset(
    "been a an the not called named in from at my our allergic vegan vegetarian also still now"
    " very always due on off gone so too really just back ready about".split()
)
_NAMING = frozenset("name surname code number birthday age budget deadline email password rent salary height".split())
"""After "my name" an "'s" is "is" more often than a possessive."""
_NO_NOUNS = frozenset("i we you he she it they who what which if when because so and or but how why to".split())
_FINITE = (
    (words_of.BE - {"be", "been", "being"}) | words_of.HAVE | words_of.DO | words_of.HEDGED | words_of.FUTURE
    | {"must", "can", "needs", "need"}
)  # fmt: skip
_NOUNY = frozenset(
    "work works name names call calls study plan plans love loves visit report reports set lead"
    " order train manage "
    "start launch practice play plays run runs show shows drop turn drive drives need read"
    " sleep support build cost "
    "costs hike drink drinks walk block blocks release open charge travel watch dream"
    " reading cut paint close guess "
    "thought lost left found met bike care land feel return record records design"
    " designs focus tour tours challenge "
    "challenges influence shape tutor tutors nurse post posts cover covers"
    " offer offers answer answers request requests "
    "test tests result results process processes check checks mix"
    " match matches study studies present presents sound "
    "sounds rest place places space experience experiences"
    " change changes move moves turn turns deal deals fear fears "
    "score scores wish wishes promise promises trust"
    " trade trades guide guides limit limits help end ends".split()
)
"""Forms that are as often nouns: inside a noun they end it only where the clause could not go on otherwise."""


def read_subject(written: str, words: list[Word]) -> tuple[Subject, int] | None:
    """The subject at the head of the words, and the place of the word after it."""
    if not words:
        return None
    first = words[0].low
    if first == "i":
        return Subject(kind="self", words="I"), 1
    if first == "we":
        return Subject(kind="we", words="we"), 1
    if first in ("he", "she", "it", "they", "that") and len(words) > 1:
        return Subject(kind="pronoun", words=first), 1
    for place in range(1, min(len(words) - 2, 5)):
        if words[place].low == "and" and words[place + 1].low == "i":
            return Subject(kind="we", words=written[words[0].begin : words[place + 1].stop]), place + 2
    if first in ("my", "our"):
        return _owned(written, words)
    name = _named(written, words)
    return name or _thing(written, words)


def _owned(written: str, words: list[Word]) -> tuple[Subject, int] | None:
    """ "my sister Ana", "my wife's name", "our neighbour, Mrs Okafor," """
    place = _noun_end(written, words, 1)
    if place is None:
        return None
    nouns = [word for word in words[1:place] if word.low not in (",", "'s")]
    if not nouns:
        return None
    text = written[words[0].begin : words[place - 1].stop].rstrip(" ,")
    lows = [word.low for word in nouns]
    noun = " ".join(word.low for word in words[1:place] if word.low != ",").replace(" 's", "'s")
    named = [word for word in nouns[1:] if written[word.begin].isupper()]
    head = next((low for low in lows if low in words_of.PEOPLE), None)
    is_possessed = any(word.low == "'s" for word in words[1:place])
    if head is not None and not is_possessed and (lows[-1] == head or named):
        named_too = " ".join((head, *(word.low for word in named if word.low != head)))
        return Subject(kind="person", words=text, noun=named_too), place
    if any(word.low == "," for word in words[1:place]):
        return None
    return Subject(kind="own", words=text, noun=noun), place


def _named(written: str, words: list[Word]) -> tuple[Subject, int] | None:
    """A proper name of at most three words, written with a capital."""
    place = 0
    while place < len(words) and place < 3 and _is_name(written, words[place]):
        place += 1
        if place < len(words) and words[place].low == "." and words[place - 1].low in ("mr", "mrs", "dr", "ms"):
            place += 1
    if place == 0 or place >= len(words):
        return None
    following = words[place].low
    if (
        following == "'s"
        and next_low(words, place) in words_of.PEOPLE
        and place + 2 < len(words)
        and _starts_group(words, place + 2)
    ):
        return Subject(
            kind="person", words=written[words[0].begin : words[place + 1].stop], noun=words[place + 1].low
        ), place + 2
    if not _starts_group(words, place) or (following == "'s" and not _is_contracted(words, place)):
        return None
    if not _is_third(words, place) or (
        (following in _NOUNY or following[:-1] in _NOUNY) and next_low(words, place) in _FINITE
    ):
        return None
    named = written[words[0].begin : words[place - 1].stop]
    return Subject(kind="name", words=named, noun=named.lower()), place


def _is_third(words: list[Word], place: int) -> bool:
    """Does the verb agree with a single name? "Things like ..." does not."""
    while words[place].low in words_of.ADVERBS or words[place].low in words_of.NEVER:
        place += 1
    low = words[place].low
    if low in ("are", "were", "'re", "have", "do"):
        return False
    return low in _FINITE or low in ("used", "no") or any(form in ("s", "past") for _, form in read_form(low))


def _is_name(written: str, word: Word) -> bool:
    return written[word.begin].isupper() and word.low not in words_of.NAME_STOPPERS and word.low[0].isalpha()


def _thing(written: str, words: list[Word]) -> tuple[Subject, int] | None:
    """ "the rate limit", "all payments", "customer records": a noun of a few words before a verb."""
    if words[0].low in ("let", "let's", "please", "just"):
        return None
    begin = 1 if words[0].low in _ARTICLES else 0
    place = _noun_end(written, words, begin)
    if place is None or place <= begin:
        return None
    text = written[words[0].begin : words[place - 1].stop]
    noun = " ".join(word.low for word in words[begin:place]).replace(" 's", "'s")
    is_joined = any(word.low in ("with", "of", "for", "from", "to", "in", "on", "at") for word in words[begin:place])
    if words[0].low in ("everyone", "everybody", "most") or (
        words[0].low == "the" and words[place - 1].low in words_of.PEOPLE and not is_joined
    ):
        return Subject(kind="person", words=text, noun=noun), place
    return Subject(kind="thing", words=text, noun=noun), place


def _noun_end(written: str, words: list[Word], begin: int) -> int | None:
    """Where the verb group begins that follows the noun at `begin`, or None."""
    for place in range(begin, min(len(words), begin + NOUN_WORDS_MAX + 1)):
        low = words[place].low
        if (low in _NO_NOUNS and not _joins(written, words, begin, place)) or (
            place > begin and low in ("that", "which", "like", "let", "me")
        ):
            return None
        if place > begin and low == "'s" and (_is_contracted(words, place) or words[place - 1].low in _NAMING):
            return place
        if place > begin and low != "'s" and _starts_finite(written, words, place):
            return place
        if not (low[0].isalnum() or low in ("'s", ",", "-", "'")):
            return None
    return None


def _joins(written: str, words: list[Word], begin: int, place: int) -> bool:
    """ "our flight to Osaka", "the road to the lake": a "to" inside a noun."""
    if words[place].low != "to" or place <= begin or place + 1 >= len(words):
        return False
    if words[place - 1].low in ("way", "place", "thing", "time", "dish", "song", "spot", "excuse"):
        return True
    return written[words[place + 1].begin].isupper() or words[place + 1].low in ("the", "my", "our")


def _is_contracted(words: list[Word], place: int) -> bool:
    """Is "'s" short for "is" or "has", not a possessive?"""
    following = words[place + 1].low if place + 1 < len(words) else ""
    return following in _IS_BEFORE or (following.endswith("ing") and len(following) > 4)


def _starts_finite(written: str, words: list[Word], place: int) -> bool:
    low = words[place].low
    if low in _FINITE:
        return True
    if (
        low in words_of.ADVERBS
        or low in words_of.NEVER
        or (low == "no" and next_low(words, place) in ("longer", "more"))
    ):
        return _starts_group(words, place)
    if not is_known(low) or written[words[place].begin].isupper():
        return False
    forms = {form for _, form in read_form(low)}
    if low in ("love", "like", "hate", "live", "work", "play") and words[place - 1].low in words_of.PEOPLE:
        return True
    if low in _NOUNY:
        return bool(forms & {"s", "past"}) and next_low(words, place) not in _FINITE and place + 1 < len(words)
    return bool(forms & {"s", "past"}) or (forms == {"base"} and words[place - 1].low.endswith("s"))


def _starts_group(words: list[Word], place: int) -> bool:
    while place < len(words) and (words[place].low in words_of.ADVERBS or words[place].low in words_of.NEVER):
        place += 1
    if place >= len(words):
        return False
    low = words[place].low
    if low in _FINITE or (low == "no" and next_low(words, place) in ("longer", "more")) or low == "used":
        return True
    return any(form in ("s", "past", "base") for _, form in read_form(low)) and is_known(low)
