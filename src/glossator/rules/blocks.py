"""Which parts of a text are not the speaker's own words?

Recalled memory, system text, tool output, code, quotations and pasted texts are kept word for word like everything
else, but no fact may be taken out of them: what was recalled would be stored again with every turn, and what others
wrote would become the speaker's. They are blanked, so that offsets stay what they are. When in doubt a part is blanked:
a fact that is missed can be told again, a wrong one stays.
"""

from collections.abc import Callable, Iterator

import regex

from glossator.model.fence import MEMORY_CLOSE, MEMORY_OPEN, without_fences
from glossator.rules.patterns import late
from glossator.rules.quotations import letters, pasted_texts, quotations

DURABLE_HEADING = "DURABLE FACTS (these survive compression)"
"""The first line of the block of durable facts; the block ends with the next blank line."""

Span = tuple[int, int]

_MEMORY_OPEN = late(r"<\s*memory-context\b[^<>]*>", regex.IGNORECASE)
_MEMORY_CLOSE = late(r"<\s*/\s*memory-context\s*>", regex.IGNORECASE)
_DURABLE = late(rf"^[#*> \t]*{regex.escape(DURABLE_HEADING)}.*?(?=\n[ \t\r]*\n|\Z)", regex.MULTILINE | regex.DOTALL)
_RECALL_HEAD = late(r"^\[\d{4}-\d\d-\d\d \(\p{L}{2,4}\.?\) [+-]\d\d:\d\d\][ \t\r]*$", regex.MULTILINE)
_SPEAKER = late(r"^([^\s:\[][^:\n]{0,60}): ", regex.MULTILINE)
_ROLES = ("user", "assistant", "system", "tool")
_BLANK_LINE = late(r"\n[ \t\r]*\n|\Z")

_TAG_NAMES = (
    *("system", "system-reminder", "system_reminder", "system-prompt", "system_prompt", "instructions", "instruction"),
    *("tool_output", "tool-output", "tool_result", "tool-result", "tool_results", "tool_response", "tool_call"),
    *("tool_use", "tool", "function_result", "function_results", "function_call", "function_calls", "observation"),
    *("stdout", "stderr", "output", "result", "results", "search_results", "thinking", "thought", "assistant"),
    *("context", "document", "documents", "file", "files", "attachment", "quote", "blockquote", "email", "article"),
)
_RUNS_TO_THE_END = frozenset(name for name in _TAG_NAMES if name.startswith(("system", "instruction", "tool", "func")))
"""Of these an unclosed one blanks the rest: it was cut off. Of the others it is a word in angle brackets."""
_TAG = late(rf"<\s*(/?)\s*({'|'.join(sorted(_TAG_NAMES, key=len, reverse=True))})(?![\w-])[^<>]*>", regex.I)
_CHAT_MARKS = late(
    r"<\|(?:im_start|start_header_id)\|>\s*(?:system|assistant|tool).*?(?:<\|(?:im_end|eot_id)\|>|\Z)"
    r"|<<SYS>>.*?(?:<</SYS>>|\Z)",
    regex.DOTALL | regex.IGNORECASE,
)
_CODE_INLINE = late(r"```[^`\n]+```")
_CODE_FENCE = late(r"^[ \t>]*(`{3,}|~{3,})([^\n]*)$", regex.MULTILINE)
_QUOTED_LINE = late(r"^[ \t]{0,3}[>＞][^\n]*$", regex.MULTILINE)

_SIGNS = (*'<>＞`~"“”„«»‘‚「『[:：', "DURABLE")
"""Without one of these, or an apostrophe behind a space, there is nothing to blank."""
_WORDS = late(r"[^\r\n]")
PASSES_MAX = 8
"""Blanking may bring a mark to the beginning of its line and so open another part; two or three passes settle that.
A text that is not settled after so many was made to confuse."""


def own_words(text: str) -> str:
    """The text with everything that is not the speaker's own replaced by spaces; same length, line ends kept.

    Applied again it changes nothing more. Never raises.
    """
    if not (any(sign in text for sign in _SIGNS) or _opens_with_an_apostrophe(text)):
        return text
    for _ in range(PASSES_MAX):
        settled = text
        for spans in _FINDERS:
            text = _blanked(text, spans(text))
        if text == settled:
            return text
    return str(_WORDS.sub(" ", text))


def _opens_with_an_apostrophe(text: str) -> bool:
    return any(part[-1:].isspace() for part in text.replace("’", "'").split("'")[:-1])


def fenced(block: str) -> str:
    """The block between MEMORY_OPEN and MEMORY_CLOSE, so that nothing in it can end it.

    A tag of the fence inside it, in whatever case and disguise, loses its bracket.
    """
    return f"{MEMORY_OPEN}\n{without_fences(block)}\n{MEMORY_CLOSE}"


def _blanked(text: str, spans: Iterator[Span]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in spans:
        if end > at:
            start = max(start, at)
            parts += (text[at:start], _WORDS.sub(" ", text[start:end]))
            at = end
    return "".join(parts) + text[at:] if parts else text


def _memory(text: str) -> Iterator[Span]:
    at = 0
    while opened := _MEMORY_OPEN.search(text, at):
        closed = _MEMORY_CLOSE.search(text, opened.end())
        at = closed.end() if closed else len(text)
        yield opened.start(), at


def _durable(text: str) -> Iterator[Span]:
    if DURABLE_HEADING in text:
        yield from (found.span() for found in _DURABLE.finditer(text))


def _recalled(text: str) -> Iterator[Span]:
    """The block of Answer.text(): from its first head to the last line that one of its speakers begins.

    What a speaker said may have blank lines in it, so a blank line alone does not end the block.
    """
    heads = list(_RECALL_HEAD.finditer(text)) if "[" in text else []
    if not heads:
        return
    start, last = heads[0].start(), heads[-1].end()
    speakers = set(_ROLES)
    for head in heads:
        if named := _SPEAKER.match(text, head.end() + 1):
            speakers.add(named[1])
    ended = _ended(text, last)
    speakers |= {named[1] for named in _SPEAKER.finditer(text, start, ended)}
    for named in _SPEAKER.finditer(text, last):
        if named[1] in speakers:
            last = named.end()
    yield start, max(ended, _ended(text, last))


def _ended(text: str, start: int) -> int:
    found = _BLANK_LINE.search(text, start)
    return found.start() if found else len(text)


def _tagged(text: str) -> Iterator[Span]:
    """From an opening tag to the one that closes it, those of the same name inside it counted."""
    tags = [(found.start(), found.end(), bool(found[1]), found[2].lower(), found[0].endswith("/>"))
            for found in _TAG.finditer(text)] if "<" in text else []  # fmt: skip
    last_close = {name: end for _, end, closing, name, _ in tags if closing}
    at = depth = start = 0
    inside = ""
    for begun, ended, closing, name, empty in tags:
        if begun < at or empty or (inside and name != inside):
            continue
        if not inside and not closing:
            if last_close.get(name, 0) > ended:
                inside, depth, start = name, 1, begun
            elif name in _RUNS_TO_THE_END:
                yield begun, len(text)
                return
        elif inside:
            depth += -1 if closing else 1
            if depth == 0 or (closing and ended == last_close[name]):
                yield start, ended
                at, inside = ended, ""


def _chat_marks(text: str) -> Iterator[Span]:
    if "<|" in text or "<<" in text:
        yield from (found.span() for found in _CHAT_MARKS.finditer(text))


def _code(text: str) -> Iterator[Span]:
    """Fenced code; a fence that is not closed runs to the end."""
    start, mark = -1, ""
    for found in _CODE_FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        fence, rest = found[1], found[2]
        if start < 0:
            if fence[0] == "`" and "`" in rest:  # code within one line
                continue
            start, mark = found.start(), fence
        elif fence.startswith(mark) and not rest.strip():
            yield start, found.end()
            start = -1
    if start >= 0:
        yield start, len(text)


def _code_in_line(text: str) -> Iterator[Span]:
    if "```" in text:
        yield from (found.span() for found in _CODE_INLINE.finditer(text))


def _quoted_lines(text: str) -> Iterator[Span]:
    if ">" in text or "＞" in text:
        yield from (found.span() for found in _QUOTED_LINE.finditer(text))


_FINDERS: tuple[Callable[[str], Iterator[Span]], ...] = (
    *(_memory, _durable, _recalled, _tagged, _chat_marks, _code, _code_in_line, letters, pasted_texts),
    *(_quoted_lines, quotations),
)
"""The surest first: what one of them blanks, the next no longer sees. Letters and pasted texts look at quoted lines, so
they come before these."""
