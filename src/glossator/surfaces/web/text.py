"""How is a stored text put on a page, so that it is read and never obeyed?

Everything here escapes. What a text hides (control characters, direction overrides, invisible letters) becomes a
visible mark, and each text is isolated, so that its direction cannot turn what stands beside it.
"""

import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from glossator.surfaces.show.marking import Span
from glossator.surfaces.show.wording import whole

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What steers or hides: all but tabs, line ends and the joiners that emoji and Indic words are written with."""
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f")
"""England, Scotland and Wales, whose flags are written with hidden letters."""
_LINE_ENDS = re.compile("\r\n?")
GLANCE_CHARACTERS = 700
"""As much of a long text as is read at a glance; the rest is folded."""
PAGE_CHARACTERS_MAX = 40_000
"""More of one text makes no page; the command line shows all of it."""


def plain(text: str) -> str:
    """The text for an attribute or a title: what it hides is written as for example "⟨U+202E⟩"."""
    return "".join(f"⟨{_code(piece)}⟩" if hidden else piece for piece, hidden in _pieces(text))


def shown(text: str) -> Markup:
    """The text, isolated, with what it hides marked."""
    return Markup("<bdi>") + _escaped(text) + Markup("</bdi>")


def marked(text: str, spans: Sequence[Span], *, timed: Span | None = None) -> Markup:
    """The text with these places marked as matched words, and one as the words of a time."""
    parts: list[Markup] = [Markup("<bdi>")]
    place = 0
    pieces = [(start, end, "matched") for start, end in spans] + ([(*timed, "timed")] if timed else [])
    for start, end, sort in sorted(pieces):
        if start < place:
            continue
        parts += [
            _escaped(text[place:start]),
            Markup('<mark class="{}">').format(sort),
            _escaped(text[start:end]),
            Markup("</mark>"),
        ]
        place = end
    return Markup("").join([*parts, _escaped(text[place:]), Markup("</bdi>")])


def folded(text: str) -> Markup:
    """A text that may be long: its beginning, and the whole behind a fold."""
    if len(text) <= GLANCE_CHARACTERS:
        return shown(text)
    glance = text[: whole(text[: GLANCE_CHARACTERS + 50], GLANCE_CHARACTERS)]
    rest = text[:PAGE_CHARACTERS_MAX]
    cut = Markup("") if rest == text else Markup("<p>… and more, cut for the page</p>")
    fold = Markup('<details class="fold"><summary>All {} characters</summary><div class="words">{}</div>{}</details>')
    return shown(glance) + "…" + fold.format(f"{len(text):,}", shown(rest), cut)


def _escaped(text: str) -> Markup:
    mark = Markup('<span class="hidden-character" title="hidden character">{}</span>')
    return Markup("").join(mark.format(_code(piece)) if hidden else escape(piece) for piece, hidden in _pieces(text))


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces: what is seen as it is, and each hidden character by itself, marked True."""
    text = _LINE_ENDS.sub("\n", text)
    flags = [found.span() for found in _FLAG.finditer(text)]
    place = 0
    for found in _HIDDEN.finditer(text):
        if any(start <= found.start() < end for start, end in flags):
            continue
        yield text[place : found.start()], False
        yield found.group(), True
        place = found.end()
    yield text[place:], False
