"""Which parts of a text did somebody else write: answered letters, pasted texts, long quotations?

Each function gives the spans in order. English first; the introductions are tables that another language can extend.
"""

from collections.abc import Iterator

import regex

from glossator.rules.patterns import late

QUOTE_CHARACTERS_MIN = 30
"""A shorter quotation is a name, a title or a word that is talked about, and belongs to the sentence around it."""
QUOTE_CHARACTERS_MAX = 4_000
QUOTED_WORDS_MIN = 3
"""Of what somebody is said to have said; "we write 'per cent' so" speaks of the words and quotes nobody."""
TITLE_SHARE_MIN = 0.6
"""So many of its words begin with a capital: a title, long as it is."""

_ANSWERED = late(
    r"^[ \t]*(?:On\b[^\n]{4,200}\bwrote|Am\b[^\n]{4,200}\bschrieb\b[^\n]{0,100}|Le\b[^\n]{4,200}a écrit"
    r"|El\b[^\n]{4,200}escribió)[ \t]*:[ \t\r]*$"
    r"|^[ \t]*-{2,} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht)[^\n]*$"
    r"|^[ \t]*Begin forwarded message:[ \t\r]*$"
    r"|^[ \t]*From: [^\n]+\n(?:[ \t]*(?:Sent|Date|To|Cc|Subject): [^\n]*\n?)+",
    regex.MULTILINE,
)
_NEXT_LINE_QUOTED = late(r"\s*[>＞]")

_TEXTS = (
    r"(?:text|e-?mail|mail|message|article|letter|post|blog post|tweet|thread|transcript|essay|excerpt|passage"
    r"|paragraphs?|document|log|logs|output|error|snippet|code|abstract|chapter|lyrics|poem|quote|review|report|page"
    r"|press release|description|job description|posting|job posting|conversation|chat|summary|resume|cv|cover letter"
    r"|statement|what (?:\w+ ){1,4}?(?:wrote|said|sent|posted|texted))"
)
_PASTED = late(
    r"(?:\b(?:here['’]?s|here is|here are|below is|below are|this is|these are)\s+(?:\w+['’]?\w*\s+){0,3}?" + _TEXTS
    + r"|\b(?:the following|summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish|improve|edit"
    r"|correct|review|check|analy[sz]e|read|explain)\s+(?:\w+['’]?\w*\s+){0,4}?" + _TEXTS
    + r"|\b(?:write|compose|draft|post|send)\s+(?:a|an|this)\s+(?:\w+\s+){0,2}?"
    r"(?:tweet|post|e-?mail|letter|message|caption)"
    + r")\b(?:\s[^\n:.?!\"“]{0,60})?:"
    r"|\b(?:(?:summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish)(?=[\s:])"
    r"|(?:correct|fix|improve)(?=\s+(?:this|these|it|that|please|the following)\b))"
    r"(?:\s+(?:this|these|it|that|please|for me|the following|(?:in)?to \w+|from \w+)){0,3}\s*:",
    regex.IGNORECASE,
)  # fmt: skip
INTRODUCTION_CHARACTERS_MAX = 200
_ALREADY_BLANK = late(r"[ \t]*\n?(?:[ \t]{0,2}\n)* {3,}(?=[\r\n]|\Z)")
"""What was introduced is blanked, as code or as a quoted tag: nothing of it is left to be found."""
_PARAGRAPH = late(r"\S(?:[^\n]|\n(?![ \t\r]*\n))*")
_LETTER = late(r"(?:dear|hi|hello|hey|to whom|subject:|from:|to:|good (?:morning|day|evening))\b", regex.I)
_SIGNED = late(
    r"(?:^|\n)[ \t]*(?:(?:best|kind|warm)(?: regards| wishes)?|regards|sincerely|yours\b[^\n]{0,20}|cheers|thanks"
    r"|many thanks|love|xoxo|respectfully)[ \t]*[,.!\n]",
    regex.IGNORECASE,
)
_ADDRESSED = late(
    r"(?:please|can you|could you|would you|will you|what|how|why|when|which|is (?:it|this|that)|does (?:it|this|that)"
    r"|do you|thanks|thank you|now|btw|by the way|also|anyway|any (?:ideas?|thoughts?)|let me know|make it|keep it"
    r"|p\.?s\b|end of|that['’]s (?:it|all)|remember|for (?:context|reference|the record))\b",
    regex.IGNORECASE,
)
"""How a paragraph begins that turns to the assistant again."""
_FIRST_PERSON = late(r"(?:i|i['’](?:m|ve|d|ll)|my|we|we['’](?:re|ve)|our)\b", regex.IGNORECASE)

_SAYING = (
    r"(?:said|says|say|saying|wrote|writes|write|written|told\s+\w+|tells\s+\w+|replied|replies|answered|answers|asked"
    r"|texted|texts|tweeted|posted|shouted|whispered|goes|reads|quotes?|quoted|quoting|claimed|claims|announced"
    r"|insisted|was like|were like|(?:starts|begins|opens|ends) with)"
)
_INTRODUCED = late(
    rf"(?<=\b{_SAYING}(?:\s{{1,3}}\w{{1,30}})?\s{{0,3}}[,:;]?\s{{0,3}})(?:"
    rf"\"[^\"\n]{{1,{QUOTE_CHARACTERS_MAX}}}+\"|“[^”\n]{{1,{QUOTE_CHARACTERS_MAX}}}+”"
    r"|(?<=[\s,:])['‘](?:[^'’\n]|(?<=\w)['’](?=\w)){1,400}['’](?!\w))",
    regex.IGNORECASE,
)
_MARKED = late(
    r"(?<![\w\"])\"(?=\S)(?:[^\"\n]|\n(?![ \t\r]*\n))+\"(?!\w)"
    r"|“(?:[^“”\n]|\n(?![ \t\r]*\n))+(?:”|(?=\n[ \t\r]*\n)|\Z)"
    r"|„(?:[^„“”\n]|\n(?![ \t\r]*\n))+[“”]"
    r"|«(?:[^«»\n]|\n(?![ \t\r]*\n))+»"
    r"|「[^「」]+」|『[^『』]+』"
)
_WORD = late(r"\p{L}[\p{L}\p{M}'’]*")
_MARKS = '"“”„«»「」『』'


def letters(text: str) -> Iterator[tuple[int, int]]:
    """The letter below an answer, with the line that introduces it; quoted lines are found by their marks."""
    if ":" not in text and "--" not in text:
        return
    for found in _ANSWERED.finditer(text):
        if _NEXT_LINE_QUOTED.match(text, found.end()):
            yield found.span()
        else:
            yield found.start(), len(text)
            return


def pasted_texts(text: str) -> Iterator[tuple[int, int]]:
    """From "Here is the email:" to the paragraph in which the speaker turns to their listener again, or to the end."""
    if ":" not in text:
        return
    at, colon = 0, text.find(":")
    while colon >= 0:
        found = _PASTED.search(text, max(at, colon - INTRODUCTION_CHARACTERS_MAX), colon + 1)
        at = colon + 1  # an introduction has one colon, at its end
        if found:
            at = _pasted_end(text, at)
            yield found.start(), at
        colon = text.find(":", at)


def _pasted_end(text: str, start: int) -> int:
    if _ALREADY_BLANK.match(text, start):
        return start
    is_letter = signed = False
    for number, paragraph in enumerate(_PARAGRAPH.finditer(text, start)):
        words = paragraph[0]
        if number == 0:
            is_letter = bool(_LETTER.match(words))
        elif _ADDRESSED.match(words) or (_FIRST_PERSON.match(words) and (signed or not is_letter)):
            return int(paragraph.start())
        signed = signed or bool(_SIGNED.search(words))
    return len(text)


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """Quotations that somebody is said to have said, and long ones that are no titles."""
    if not any(mark in text for mark in _MARKS) and " '" not in text and "‘" not in text:
        return
    spans = [found.span() for found in _INTRODUCED.finditer(text) if _is_said(found[0])]
    spans += [found.span() for found in _MARKED.finditer(text) if _is_quotation(found[0])]
    yield from sorted(spans)


def _is_said(marked: str) -> bool:
    words = _WORD.findall(marked)
    return len(words) >= QUOTED_WORDS_MIN and not (_is_title(words) and "I" not in words)


def _is_quotation(marked: str) -> bool:
    if len(marked) - 2 < (QUOTE_CHARACTERS_MIN if marked.isascii() else QUOTE_CHARACTERS_MIN // 2):
        return False
    words = _WORD.findall(marked)
    return not words or not _is_title(words)


def _is_title(words: list[str]) -> bool:
    return sum(word[0].isupper() for word in words) >= TITLE_SHARE_MIN * len(words)
