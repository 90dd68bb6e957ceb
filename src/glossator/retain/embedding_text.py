"""Which text is embedded for a chunk?

A reply such as "Yes, last May!" means little alone. Each chunk is embedded together with the end of what was said just
before it in the same session: measured on LoCoMo that is worth 1.5 points of Recall@10 over the turn alone.
"""

from glossator.model import Chunk, EmbeddingText

BEFORE_CHARACTERS_MAX = 220
"""About 55 tokens: enough for the question that a reply answers, not enough to drown the reply."""


def embedding_text(chunk: Chunk) -> EmbeddingText:
    """The words to embed: the end of what was said before, then "Speaker: words"."""
    own = spoken(chunk.speaker, chunk.role, chunk.text)
    before = chunk.before
    if len(before) > BEFORE_CHARACTERS_MAX:
        before = before[-BEFORE_CHARACTERS_MAX:]
        gap = before.find(" ")
        before = before[gap + 1 :] if 0 <= gap < 40 else before
    text = f"{before}\n{own}" if before else own
    return EmbeddingText(text=text, own_start=len(text) - len(chunk.text))


def spoken(speaker: str, role: str, text: str) -> str:
    """The words with their speaker's name, where the speaker is more than a role."""
    return text if speaker in {role, "document"} else f"{speaker}: {text}"
