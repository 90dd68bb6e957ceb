"""How does one fact read in a prompt file? One bullet: the question it answers, its words, whose they are, since when.

The words stay the speaker's own, since a value taken out of them may have lost a "not". Nothing in them can begin a
line, a heading or a tag.
"""

from datetime import UTC, datetime, timedelta, tzinfo

import regex

from glossator.model import SELF, EventTime, Fact, Interval, Precision
from glossator.model.fence import without_fences

VALUE_CHARACTERS_MAX = 200
LABEL_CHARACTERS_MAX = 40
NAME_CHARACTERS_MAX = 40
TIME_CHARACTERS_MAX = 30
"""Of a phrase such as "last March"; longer ones are whole sentences and stand in the words anyway."""
TOPICS = frozenset({"allergy", "custom", "decision", "degree", "fear", "habit", "health", "hobby", "project"})
"""Beginnings of keys such as "allergy:nuts" that tell more than the words do; of "plays:cello" they do not."""
SOURCES = {"guest": "said by a guest", "tool": "from a tool", "unknown": "not said by the user"}
"""What is told of a source that is neither an operator nor the owner."""

_GRAPHEME = regex.compile(r"\X")
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Controls and what reorders a line to the eye. The two joiners stay: emoji and some scripts are written with them."""
_MAY_OPEN_A_TAG = regex.compile(r"<(?=[\p{L}/!?])")
_OPENS_A_BLOCK = regex.compile(r"^(?:(?=[#>*+\-_=~`|\[])|(?=\d+[.)]))")
"""A heading, a quotation, a list within the list, a rule, code, a table, a box to tick."""
_DAYS: frozenset[Precision] = frozenset({"day", "week", "month", "season", "year", "decade"})
_HALF_A_DAY = timedelta(hours=12)


def prompt_line(fact: Fact, *, zone: tzinfo) -> str:
    """The bullet without its line end. What stands behind the label has at most VALUE_CHARACTERS_MAX characters.

    The day is that on which it was first said, in `zone`; saying it again does not change the line.
    """
    label = label_of(fact)
    words = _plain(fact.text)
    notes = f" ({'; '.join(_notes(fact, words, zone))})"
    value = cut_to_characters(words, VALUE_CHARACTERS_MAX - len(notes)) + notes
    begun = f"- {label}: " if label else "- "
    return begun + (value if label else _OPENS_A_BLOCK.sub(r"\\", value, count=1))


def label_of(fact: Fact) -> str:
    """The question that the fact answers, in words: "home", "dislikes coriander"; "" where its words say as much."""
    head, _, rest = fact.key.partition(":")
    if head == "taste" and fact.value in ("likes", "dislikes"):
        said = _plain(rest).casefold() in _plain(fact.text).casefold()
        label = fact.value if said else f"{fact.value} {rest}"
    elif rest and head not in TOPICS:
        return ""
    else:
        label = head
    words = _plain(label.replace("_", " ").replace("-", " ").replace(":", " "))
    if words.casefold() in _plain(fact.text).casefold() and head != "taste":
        return ""
    return cut_to_characters(_OPENS_A_BLOCK.sub(r"\\", words, count=1), LABEL_CHARACTERS_MAX)


def cut_to_characters(text: str, characters_max: int) -> str:
    """The longest beginning of whole graphemes within so many characters, its ellipsis counted."""
    if len(text) <= characters_max:
        return text
    end = 0
    for found in _GRAPHEME.finditer(text):
        if found.end() > characters_max - 1:
            break
        end = found.end()
    return f"{text[:end].rstrip()}…"


def _plain(text: str) -> str:
    """The text on one line, with nothing that could open a tag or is not to be seen."""
    line = _MAY_OPEN_A_TAG.sub("&lt;", _UNSEEN.sub("", " ".join(text.split())))
    return " ".join(without_fences(line).split())


def _notes(fact: Fact, words: str, zone: tzinfo) -> list[str]:
    """Whose words they are where that is not plain, when they were said, and which time they name."""
    subject = _plain(fact.subject)
    named = subject.casefold() in ("", SELF) or subject.casefold() in words.casefold()
    who = [] if named else [cut_to_characters(subject, NAME_CHARACTERS_MAX)]
    guess = ["inferred"] if fact.epistemic == "inferred" else []
    told = fact.source_trust in SOURCES and not (guess and fact.source_trust == "unknown")  # a guess is not said at all
    source = [SOURCES[fact.source_trust]] if told else []
    day = f"{fact.valid_from.astimezone(zone):%Y-%m-%d}"
    return [", ".join([*who, *source, *guess, day]), *_named_time(fact.event, fact.valid_from, zone)]


def _named_time(event: EventTime, said_at: datetime, zone: tzinfo) -> list[str]:
    """ "last March = 2023-03", where the words name a time other than the day they were said on, and not in figures.

    "recently" and "this week" are times around that day: it tells as much.
    """
    words, interval = _plain(event.words), event.interval
    if event.source != "own" or not words or len(words) > TIME_CHARACTERS_MAX:
        return []
    if interval.start is not None and interval.end is not None and interval.start <= said_at < interval.end:
        return []
    try:
        span = _span(event.interval, zone)
    except OverflowError:  # the first or the last day that a calendar has
        return []
    day = f"{said_at.astimezone(zone):%Y-%m-%d}"
    return [] if span in ("", day) or span[:4] in words else [f"{words} = {span}"]


def _span(interval: Interval, zone: tzinfo) -> str:
    start, end = interval.start, interval.end
    if start is None or end is None:
        known = start or end
        shown = "" if known is None else _moment(known, interval.precision, zone, toward=1 if start else -1)
        return f"from {shown}" if start else f"until {shown}" if end else ""
    if end - start < 2 * _HALF_A_DAY and interval.precision in _DAYS:
        middle = start + (end - start) / 2
        return _moment(middle, interval.precision, zone, toward=0)
    first = _moment(start, interval.precision, zone, toward=1)
    last = _moment(end - timedelta(microseconds=1), interval.precision, zone, toward=-1)
    return first if first == last or interval.precision not in _DAYS else f"{first} to {last}"


def _moment(at: datetime, precision: Precision, zone: tzinfo, *, toward: int) -> str:
    """The day, month or year that an end of an interval lies in.

    The speaker's own zone is not in the interval; half a day toward its middle is the same day in every zone.
    """
    inner = (at + toward * _HALF_A_DAY).astimezone(UTC) if precision in _DAYS else at.astimezone(zone)
    match precision:
        case "year" | "decade":
            return f"{inner:%Y}"
        case "month" | "season":
            return f"{inner:%Y-%m}"
        case "week" | "day":
            return f"{inner:%Y-%m-%d}"
        case _:
            return f"{inner:%Y-%m-%d %H:%M}"
