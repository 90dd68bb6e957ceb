"""Late interaction: which of the question's word pieces does a row answer?"""

from datetime import UTC, datetime

import numpy as np
import pytest

from glossator.model import EmbeddingText, EncodedQuestion, Pool
from glossator.providers.minilm import MiniLM
from glossator.recall.late import FLOOR, late_columns, late_scores, piece_weights, rows_to_read
from glossator.recall.layout import Layout
from glossator.recall.parse import parse_question

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def layout_of_sessions(*sizes: int) -> Layout:
    session = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    bounds = np.cumsum([0, *sizes[:-1]]).astype(np.int32)
    stops = np.cumsum(sizes).astype(np.int32)
    return Layout(session=session, start=bounds[session], stop=stops[session], bounds=bounds)


def question_of(*pieces: list[float]) -> EncodedQuestion:
    rows = np.array(pieces, np.float32)
    return EncodedQuestion(
        vector=rows[0], pieces=rows / np.linalg.norm(rows, axis=1, keepdims=True), spans=tuple((0, 1) for _ in pieces)
    )


UP, DOWN = [1.0] * 8, [-1.0] * 8
BITS_UP, BITS_DOWN = np.array([[255]], np.uint8), np.array([[0]], np.uint8)


def test_a_row_is_scored_by_its_best_piece_and_a_neighbour_stands_in_at_a_discount() -> None:
    layout = layout_of_sessions(3, 1)
    rows = np.array([0, 1, 2, 3], np.int32)
    read = rows_to_read(layout, rows)
    signs = [np.concatenate([BITS_DOWN, BITS_UP]), BITS_DOWN, BITS_DOWN, BITS_DOWN]
    own, near = late_scores(layout, rows, read, signs, question_of(UP), np.ones(1, np.float32))
    assert own == pytest.approx([1 - FLOOR, 0, 0, 0], abs=1e-6)
    assert near == pytest.approx([1 - FLOOR, 0.8 * (1 - FLOOR), 0.6 * (1 - FLOOR), 0], abs=1e-6)


def test_only_neighbours_of_the_same_session_are_read() -> None:
    layout = layout_of_sessions(2, 4)
    assert rows_to_read(layout, np.array([2], np.int32)).tolist() == [2, 3, 4]
    assert rows_to_read(layout, np.array([1], np.int32)).tolist() == [0, 1]


def test_a_row_without_signs_counts_as_the_median_and_says_nothing_for_its_neighbours() -> None:
    layout = layout_of_sessions(3)
    rows = np.arange(3, dtype=np.int32)
    own, near = late_scores(layout, rows, rows, [BITS_UP, None, BITS_DOWN], question_of(UP), np.ones(1, np.float32))
    assert np.isnan(own[1])
    columns = late_columns(own, near)
    assert columns["late"][1] == pytest.approx(float(np.nanmedian(own)))
    assert columns["late_gap"].max() == 0
    assert sorted(columns["late_rank"].tolist()) == pytest.approx(np.log1p([0, 1, 2]).tolist())


def test_pieces_weigh_by_how_rare_their_word_is_and_stop_words_and_addressed_names_nothing() -> None:
    empty = np.zeros(0)
    pool = Pool(
        **dict.fromkeys(
            ["chunk_id", "message", "namespace", "session", "position", "speaker", "role", "said_at", "event_start",
             "event_end", "own_date", "length", "marks", "weight"], empty),
        speakers=("Ana",), postings={}, similarity=None, vectors=None, chunk_count=100,
        term_counts={"cat": 50, "zebra": 1}, length_mean=1.0,
    )  # fmt: skip
    text = "Does Ana like zebra or cat?"
    query = parse_question(text, now=NOW)
    query = type(query)(**{name: getattr(query, name) for name in query.__slots__} | {"named": (0,)})
    words = [(text.index(word), text.index(word) + len(word)) for word in ("Does", "Ana", "zebra", "cat")]
    question = EncodedQuestion(vector=np.zeros(8), pieces=np.ones((4, 8), np.float32), spans=tuple(words))
    does, ana, zebra, cat = piece_weights(pool, query, question)
    assert (does, ana) == (0, 0)
    assert zebra > cat > 0
    assert zebra + cat == pytest.approx(1)


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(threads=1)


def test_the_model_gives_signs_of_own_telling_pieces_beside_the_same_vector(model: MiniLM) -> None:
    before, own = "Where did you go?", "I went to the zoo in Leeds."
    text = EmbeddingText(text=f"{before}\n{own}", own_start=len(before) + 1)
    made = model.encode([text, EmbeddingText(text="the, of!")])
    assert np.allclose(made.vectors[0], model.embed([text.text])[0], atol=1e-6)
    assert made.signs[0].shape == (3, 48), "went, zoo, leeds"
    assert made.signs[1].shape == (1, 48), "never nothing at all"
    assert model.encode([]).signs == ()


@pytest.mark.parametrize(
    ("text", "trust"), [("Where is the zoo?", 1), ("动物园在哪里", 0), ("Zoo 动物园", 0.5), ("42", 1)]
)
def test_the_model_says_how_far_it_knows_the_script_of_a_question(model: MiniLM, text: str, trust: float) -> None:
    question = model.encode_question(text)
    assert question.trust == trust
    assert len(question.pieces) == len(question.spans)
    assert np.allclose(np.linalg.norm(question.pieces, axis=1), 1, atol=1e-5)
