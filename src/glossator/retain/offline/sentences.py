"""Which sentences of a text are the speaker's own words? Offsets into the text, in order."""

from bisect import bisect_right
from collections.abc import Iterator

import regex

from glossator.retain.offline import english as table
from glossator.retain.offline.frames import unreal_from
from glossator.rules.statements import lowered

Span = tuple[int, int]

_END = regex.compile(
    r"[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$)|\n+|\p{Extended_Pictographic}[\p{Extended_Pictographic}\u200d\ufe0f]*+"
)
_ABBREVIATION = regex.compile(
    r"(?:(?<![\p{L}\p{N}])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|approx|no|inc|ltd|co|dept|fig"
    r"|mt|a\.m|p\.m|u\.s|u\.k|ph\.d|[b-hj-z])|(?:^|\s)\d{1,2})\.$"
)
_FENCE = regex.compile(r"(?m)^[ \t]*(?:```|~~~)")
_INLINE_CODE = regex.compile(r"`[^`\n]{1,300}`")
_TAG = regex.compile(r"<(/?)([a-z][\w-]{0,40})[^<>\n]{0,200}>")
_QUOTES = regex.compile(
    r"(?<![\w\"])\"[^\"\n]{1,800}\"|“[^”\n]{1,800}”|„[^“”\n]{1,800}[“”]|«[^»\n]{1,800}»"
    r"|(?<![\w'’])['‘](?:[^'’\n]|(?<=\w)['’](?=\w)){2,400}['’](?!\w)"
)
_QUOTED_LINE = regex.compile(r"(?m)^[ \t]*(?:>|\$ |//|#!|\|)[^\n]*")
_FIRST_PERSON = regex.compile(r"\b(?:i|i'm|my|me|we|our)\b")
_CODE = regex.compile(
    r"[{}<>;=]{1}.*[{}<>;=()]|\w\(\)|==|=>|->|</|::|^\s*(?:import|def|class|const|let|var|return"
    r"|select|public|function)\s|\w+\.\w+\(|https?://\S+\s*$"
)
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}")
SENTENCE_CHARACTERS_MAX = 600
"""Longer ones are lists, tables or pasted text without full stops; a person states a fact in fewer."""
LATIN_SHARE_MIN = 0.7


def own_sentences(text: str) -> Iterator[Span]:
    """The sentences outside of code, markup, quotations, recalled blocks and pasted texts."""
    low = lowered(text)
    limit = min(_pasted_from(low), unreal_from(text, low))
    shut = _merged(
        [*_fences(text), *_tagged(low), *_blocks(low), *_matches(_QUOTED_LINE, text), *_matches(_INLINE_CODE, text)]
    )
    quotes = _merged(_matches(_QUOTES, text))
    for begin, stop in sentences(text):
        if begin >= limit:
            return
        stop = min(stop, limit)
        if stop - begin > SENTENCE_CHARACTERS_MAX or _overlaps(shut, begin, stop) or _inside(quotes, begin):
            continue
        if (
            _quotes_speech(low, quotes, begin, stop)
            or _CODE.search(low, begin, stop)
            or not _is_latin(text, begin, stop)
        ):
            continue
        yield begin, stop


def sentences(text: str) -> Iterator[Span]:
    """All sentences, without the white space around them."""
    begin = 0
    for match in _END.finditer(text):
        stop = match.end()
        if (
            text[match.start()] == "."
            and match.end() - match.start() == 1
            and _ABBREVIATION.search(text[max(0, stop - 8) : stop].lower())
        ):
            continue
        yield from _trimmed(text, begin, stop)
        begin = stop
    yield from _trimmed(text, begin, len(text))


def _trimmed(text: str, begin: int, stop: int) -> Iterator[Span]:
    while begin < stop and (text[begin].isspace() or text[begin] in "-*•·–—"):
        begin += 1
    while stop > begin and text[stop - 1].isspace():
        stop -= 1
    if stop - begin > 3:
        yield begin, stop


def _pasted_from(low: str) -> int:
    """Where a text of somebody else's begins, as far as the words say; the length of the text if nowhere."""
    places = [len(low)]
    for pattern, at_end in (
        (table.TEXT_WORK, True),
        (table.TEXT_WORK_SAME_LINE, True),
        (table.MAIL_HEAD, False),
        (table.REPLY, False),
    ):
        found = pattern.search(low)
        if found:
            places.append(
                found.end() if at_end and found.end() < len(low) else found.start() if not at_end else len(low)
            )
    return min(places)


def _fences(text: str) -> list[Span]:
    marks = [match.start() for match in _FENCE.finditer(text)]
    if len(marks) % 2:
        marks.append(len(text))
    return list(zip(marks[::2], [stop + 3 for stop in marks[1::2]], strict=True))


def _tagged(low: str) -> list[Span]:
    """From each opening tag to its closing tag, or to the end where a tag that names memory is never closed."""
    spans: list[Span] = []
    opened: dict[str, int] = {}
    for match in _TAG.finditer(low):
        name = match.group(2)
        if match.group(1):
            start = opened.pop(name, None)
            if start is not None:
                spans.append((start, match.end()))
        else:
            opened.setdefault(name, match.start())
    spans += [(start, len(low)) for name, start in opened.items() if "memor" in name or "context" in name]
    return spans


def _blocks(low: str) -> list[Span]:
    """A recognisable heading of recalled facts with the lines below it, up to an empty line."""
    spans: list[Span] = []
    for match in table.BLOCK_HEAD.finditer(low):
        end = low.find("\n\n", match.end())
        spans.append((match.start(), len(low) if end < 0 else end))
    return spans


def _matches(pattern: "regex.Pattern[str]", text: str) -> list[Span]:
    return [match.span() for match in pattern.finditer(text)]


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for begin, stop in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((begin, stop))
    return merged


def _overlaps(spans: list[Span], begin: int, stop: int) -> bool:
    place = bisect_right(spans, (stop, -1)) - 1
    return place >= 0 and spans[place][1] > begin and spans[place][0] < stop


def _inside(spans: list[Span], at: int) -> bool:
    place = bisect_right(spans, (at, 1 << 60)) - 1
    return place >= 0 and spans[place][0] <= at < spans[place][1]


def _quotes_speech(low: str, quotes: list[Span], begin: int, stop: int) -> bool:
    """Does it quote a sentence in the first person? A title or a word in quotation marks is none."""
    place = bisect_right(quotes, (begin, -1))
    while place < len(quotes) and quotes[place][0] < stop:
        quote = low[quotes[place][0] : quotes[place][1]]
        if len(quote.split()) > 5 or _FIRST_PERSON.search(quote):
            return True
        place += 1
    return False


def _is_latin(text: str, begin: int, stop: int) -> bool:
    part = text[begin:stop]
    if part.isascii():
        return True
    letters = len(_LETTER.findall(part))
    return letters > 0 and len(_LATIN.findall(part)) >= LATIN_SHARE_MIN * letters
