"""A review reads users' own words, the oldest first, within its budget, each of them exactly once."""

from datetime import timedelta

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.model import Message, MessageKind, Packed, ReviewCursor, Role, SaidTime, Trust, WindowState
from glossator.model.rendering import estimated_tokens
from glossator.rules.blocks import fenced, own_words
from glossator.testing.clock import START
from glossator.testing.contract.base import NASTY
from glossator.testing.drafts import CHAT, SCOPE
from glossator.upkeep.review import TOKENS_MIN, pack
from glossator.upkeep.review.packing import line_of, passage_of

FIRST = ReviewCursor()
GRAPHEMES = regex.compile(r"\X")


def message(
    number: int,
    text: str,
    *,
    role: Role = "user",
    kind: MessageKind = "chat",
    trust: Trust = "owner",
    speaker: str = "Ann",
    window_state: WindowState = "live",
) -> Message:
    """A message of the journal, said so many minutes after the start."""
    return Message(
        message_id=number, external_id=f"m{number}", scope=SCOPE, conversation=CHAT, session="s1", role=role,
        speaker=speaker, kind=kind, content=text, metadata={}, trust=trust, window_state=window_state,
        said=SaidTime(at=START + timedelta(minutes=number), offset_minutes=0, precision="second"),
    )  # fmt: skip


def passes(messages: list[Message], *, tokens_max: int = 4000, messages_max: int = 40) -> list[Packed]:
    """All reviews that it takes to read the messages; each has to get on."""
    found: list[Packed] = []
    cursor = FIRST
    while True:
        packed = pack(messages, cursor=cursor, tokens_max=tokens_max, messages_max=messages_max)
        if packed.cursor == cursor:
            assert not packed.messages
            assert not packed.left
            return found
        assert (packed.cursor.message_id, packed.cursor.offset) > (cursor.message_id, cursor.offset)
        found.append(packed)
        cursor = packed.cursor


def shown(packed: Packed) -> str:
    return "\n".join(map(line_of, packed.messages))


def test_only_what_users_wrote_or_said_by_voice_is_packed() -> None:
    # proves: F27, F57, C-3
    talk = [
        message(1, "I live in Oslo."),
        message(2, "You live in Paris.", role="assistant", speaker="assistant"),
        message(3, "weather: rain", role="tool", kind="tool"),
        message(4, "Summary: Ann lives in Rome.", role="user", kind="checkpoint_summary"),
        message(5, "A long document.", kind="document"),
        message(6, "I have a cat.", kind="voice_turn"),
        message(7, "Be kind.", role="system"),
    ]
    packed = pack(talk, cursor=FIRST)
    assert [each.message_id for each in packed.messages] == [1, 6]
    assert not any(word in shown(packed) for word in ("Paris", "rain", "Rome", "document", "kind"))


def test_what_has_left_the_window_is_still_read() -> None:
    # proves: C-10
    talk = [
        message(1, "I live in Oslo.", window_state="compacted"),
        message(2, "I have a cat.", window_state="cleared"),
    ]
    assert [each.message_id for each in pack(talk, cursor=FIRST).messages] == [1, 2]


def test_a_guest_is_read_and_marked_as_one() -> None:
    talk = [message(1, "Always answer in French.", trust="guest", speaker="Bo"), message(2, "I know.", trust="unknown")]
    packed = pack(talk, cursor=FIRST)
    assert [each.trust for each in packed.messages] == ["guest", "guest"]
    assert '"by": "Bo (guest)"' in shown(packed)


def test_recalled_memory_is_never_reviewed() -> None:
    # proves: I11, D41
    talk = [message(1, f"{fenced('Ann lives in Paris.')}\n\nI have a cat."), message(2, fenced("Ann is 40."))]
    packed = pack(talk, cursor=FIRST)
    assert "Paris" not in shown(packed)
    assert [each.message_id for each in packed.messages] == [1]
    assert packed.cursor == ReviewCursor(message_id=2)


def test_what_an_assistant_said_is_not_read_out_of_a_pasted_talk() -> None:
    # proves: C-3
    packed = pack([message(1, "User: I have a cat.\nAssistant: You live in Paris.")], cursor=FIRST)
    assert "cat" in shown(packed)
    assert "Paris" not in shown(packed)


def test_the_oldest_forty_are_read_and_the_others_next_time() -> None:
    # proves: F27, I9
    talk = [message(number, f"I have {number} cats.") for number in range(1, 101)]
    read = passes(talk[::-1])
    assert [len(packed.messages) for packed in read] == [40, 40, 20]
    assert [packed.left for packed in read] == [True, True, False]
    assert [each.message_id for packed in read for each in packed.messages] == list(range(1, 101))


def test_the_first_message_that_does_not_fit_ends_the_pass_whole() -> None:
    # proves: F27
    talk = [message(1, "a " * 1000), message(2, "b " * 1000), message(3, "c")]
    packed = pack(talk, cursor=FIRST, tokens_max=600)
    assert [each.message_id for each in packed.messages] == [1]
    assert packed.cursor == ReviewCursor(message_id=1)
    assert packed.left


def test_a_message_of_40000_characters_is_read_to_its_end_in_passes() -> None:
    # proves: D14, I9
    text = " ".join(f"word{number}" for number in range(4_600))[:40_000]
    talk = [message(5, text), message(6, "I live in Oslo.")]
    read = passes(talk)
    assert len(read) == 3
    assert "".join(each.text for packed in read for each in packed.messages if each.message_id == 5) == text
    assert [packed.cursor for packed in read][-1] == ReviewCursor(message_id=6)
    assert all(packed.cursor.message_id == 4 for packed in read[:-1])
    assert all(each.text.endswith(" ") for packed in read[:-1] for each in packed.messages)


def test_an_offset_is_of_its_own_message_only() -> None:
    # proves: I9
    cursor = pack([message(5, "word " * 8_000)], cursor=FIRST).cursor
    assert cursor.message_id == 4
    assert cursor.offset > 0
    later = pack([message(7, "I live in Oslo.")], cursor=cursor)
    assert later.messages[0].text == "I live in Oslo."


def test_the_offsets_of_a_piece_are_offsets_of_its_message() -> None:
    text = "word " * 8_000 + "I live in Oslo."
    last = passes([message(1, text)])[-1].messages[0]
    at = passage_of(last).text.index("I live in Oslo.")
    assert text[at : at + 15] == "I live in Oslo."
    assert text[last.start : last.end] == last.text


def test_one_grapheme_that_is_larger_than_the_budget_is_cut_between_its_characters() -> None:
    text = "e" + "\u0301" * 2_000
    read = passes([message(1, text)], tokens_max=TOKENS_MIN)
    assert "".join(each.text for packed in read for each in packed.messages) == text


def test_a_budget_that_may_never_get_on_is_refused() -> None:
    with pytest.raises(UsageError, match="tokens_max"):
        pack([], cursor=FIRST, tokens_max=TOKENS_MIN - 1)
    with pytest.raises(UsageError, match="messages_max"):
        pack([], cursor=FIRST, messages_max=0)


PARTS = ("👩‍👩‍👧", "e\u0301", "猫", "\r\n", " " * 9, '"', "\\", "\u2028", "🇩🇪", "a")
TEXTS = st.one_of(
    st.sampled_from([text[:3_000] for text in NASTY]),
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=300),
    st.lists(st.sampled_from(PARTS), max_size=400).map("".join),
)
SPEAKERS = st.sampled_from(["A", '"' * 200])


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS, max_size=6), tokens_max=st.integers(TOKENS_MIN, 400), speaker=SPEAKERS)
@example(texts=["     \u0301" * 200, " " * 5_000 + "x"], tokens_max=TOKENS_MIN, speaker="A")
@example(texts=["a\r" + "\n" * 5_000, "b"], tokens_max=TOKENS_MIN, speaker="A")
def test_every_own_word_is_read_exactly_once_and_no_pass_takes_more_than_its_budget(
    texts: list[str], tokens_max: int, speaker: str
) -> None:
    # proves: D14, F27, I9
    talk = [message(number, text, speaker=speaker) for number, text in enumerate(texts, 1)]
    read = passes(talk, tokens_max=tokens_max)
    assert all(packed.token_count <= tokens_max for packed in read)
    assert all(estimated_tokens(shown(packed)) <= packed.token_count for packed in read)
    for each in talk:
        pieces = [piece for packed in read for piece in packed.messages if piece.message_id == each.message_id]
        own = "".join(piece.text for piece in pieces)
        assert own.split() == own_words(each.content).split()
        assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
        edges = {0, *(found.end() for found in GRAPHEMES.finditer(own_words(each.content)))}
        small = max((len(g.encode()) for g in GRAPHEMES.findall(each.content)), default=0) < 60
        assert not small or all(piece.end in edges for piece in pieces)
    if any(own_words(text).strip() for text in texts):
        assert read[-1].cursor.offset == 0
