"""What does the model extractor make of replies, good and bad?"""

import json
import logging
import threading
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import ProviderError, ProviderTimeoutError
from glossator.model import Completion, Extraction, Passage, Role, SaidTime, Scope, Turn
from glossator.ports import Extractor, LanguageModel
from glossator.retain.modelled.extractor import ModelExtractor
from glossator.retain.modelled.prompt import EXAMPLES
from glossator.retain.modelled.reply import ReplyUnreadableError
from glossator.rules.statements import statement_key
from glossator.testing.scripted import Line, ScriptedModel

SAID = SaidTime(at=datetime(2023, 5, 20, 9, tzinfo=UTC), offset_minutes=60, precision="minute")


def passage(text: str, role: Role = "user", speaker: str = "") -> Passage:
    return Passage(text=text, role=role, speaker=speaker or role, said=SAID)


def turn(*passages: Passage | str, before: Passage | None = None) -> Turn:
    told = tuple(passage(each) if isinstance(each, str) else each for each in passages)
    return Turn(scope=Scope(workspace="acme", agent="a", owner="u"), passages=told, source="turn", before=before)


def fact(text: str, category: object = "preference", **more: object) -> dict[str, object]:
    return {"fact": text, "category": category, **more}


def extracted(asked: Turn | str, *items: object, limit: int = 5) -> Extraction:
    asked = turn(asked) if isinstance(asked, str) else asked
    return ModelExtractor(ScriptedModel([json.dumps(items)])).extract(asked, limit=limit)


def texts(extraction: Extraction) -> list[str]:
    return [draft.text for draft in extraction.drafts]


def refused(asked: Turn | str, text: str, category: str = "preference", **more: object) -> str:
    """The one reason for which the statement is refused, "" when it is not."""
    extraction = extracted(asked, fact(text, category, **more))
    assert len(extraction.drafts) + sum(extraction.lost.values()) == 1
    return next(iter(extraction.lost), "")


MODEL = ScriptedModel()
TEA = "I like green tea. I live in Oslo and work at Acme."


def test_the_doubles_fit_their_ports() -> None:
    model: LanguageModel = MODEL
    extractor: Extractor = ModelExtractor(model)
    assert extractor.name == "scripted:test"


def test_a_fact_becomes_a_draft_with_its_evidence() -> None:
    text = "Hi! I moved to Edinburgh last March, for the hills. Bye."
    item = fact(
        "Ana moved to Edinburgh in March 2023.",
        "identity",
        kind="none",
        subject="user",
        quote="moved to Edinburgh  LAST March",
        event="last March",
        epistemic="stated",
        domain="home",
        confidence=0.9,
        tags=["move", 3, " "],
    )
    (draft,) = extracted(turn(passage(text, speaker="Ana")), item).drafts
    assert text[draft.start : draft.end] == "I moved to Edinburgh last March, for the hills."
    assert (draft.category, draft.kind, draft.subject, draft.passage) == ("identity", None, "Ana", 0)
    assert (draft.epistemic, draft.domain, draft.confidence, draft.tags) == ("stated", "home", 0.9, ("move",))
    assert (draft.event.source, draft.event.words, draft.event.interval.precision) == ("own", "last March", "month")
    assert draft.event.interval.start == datetime(2023, 2, 28, 23, tzinfo=UTC)
    stated = statement_key(draft.text, subject="Ana")
    assert stated is not None
    assert (draft.key, draft.value, draft.polarity) == (stated.key, stated.value, "positive")


def test_a_draft_without_a_time_is_dated_by_when_it_was_said() -> None:
    (draft,) = extracted("I like green tea.", fact("The user likes green tea.", event="in the reign of Olaf")).drafts
    assert (draft.event.source, draft.subject) == ("session", "user")


# proves: A11, K12
def test_an_unknown_category_costs_its_item_only() -> None:
    extraction = extracted(
        TEA,
        fact("The user likes green tea."),
        fact("The user lives in Oslo.", "whereabouts"),
        fact("The user works at Acme.", "identity"),
    )
    assert texts(extraction) == ["The user likes green tea.", "The user works at Acme."]
    assert extraction.lost == {"unknown_category": 1}


# proves: A19, K12
def test_items_without_text_or_category_are_dropped_one_by_one_and_counted() -> None:
    extraction = extracted(
        TEA,
        7,
        "The user lives in Oslo.",
        {"category": "context"},
        {"fact": "  ", "category": "context"},
        {"fact": "The user lives in Oslo."},
        fact("The user lives in Oslo.", None),
        fact("The user lives in Oslo.", ["identity"]),
        fact("The user lives in Oslo. " * 40, "identity"),
        fact("The user likes green tea."),
    )
    assert texts(extraction) == ["The user likes green tea."]
    assert extraction.lost == {"not_an_object": 2, "no_text": 2, "unknown_category": 3, "too_long": 1}


# proves: A20
def test_the_first_five_facts_are_kept_and_the_limit_counts_facts_only() -> None:
    things = "apples pears plums figs dates grapes limes kiwis melons".split()
    items = [fact(f"The user likes {thing}.") for thing in things]
    extraction = extracted(f"I like {', '.join(things)}.", fact("x", "mood"), *items[:2], 3, *items[2:])
    assert texts(extraction) == [f"The user likes {thing}." for thing in things[:5]]
    assert extraction.lost == {"unknown_category": 1, "not_an_object": 1, "over_limit": 4}


@pytest.mark.parametrize(
    ("text", "named", "category", "kind"),
    [
        ("The user likes green tea.", "implicit_pref", "preference", "implicit_pref"),
        ("The user likes green tea.", "Preference", "preference", "implicit_pref"),
        ("The budget is 50,000.", "exact_value", "context", "exact_value"),
        ("The user is 36 years old.", "exact-value", "identity", "exact_value"),
        ("Stripe must handle payments.", "hard constraint", "context", "hard_constraint"),
        ("Stripe was chosen because of fees.", "decision_reason", "context", "decision_reason"),
        ("The launch depends on Stripe.", "cross_task_dep", "context", "cross_task_dep"),
    ],
)
def test_a_kind_in_place_of_a_category_is_mapped(text: str, named: str, category: str, kind: str) -> None:
    said = (
        "I like green tea. The budget is 50K. I'm 36 years old. Stripe must handle payments. We chose Stripe because "
    )
    (draft,) = extracted(f"{said} of fees. The launch depends on Stripe.", fact(text, named)).drafts
    assert (draft.category, draft.kind) == (category, kind)


def test_a_kind_beside_a_category_is_kept_and_an_unknown_one_left_out() -> None:
    tea = "The user likes green tea."
    items = [fact(tea, kind=kind) for kind in ("exact_value", "none", "gossip")]
    assert [draft.kind for draft in extracted(TEA, *items).drafts] == ["exact_value", None, "implicit_pref"]
    (draft,) = extracted(TEA, {"fact": tea, "kind": "implicit_pref"}).drafts
    assert draft.category == "preference"


def test_a_rule_for_the_agent_is_a_directive() -> None:
    item = fact("The assistant must never use emojis.", "hard_constraint", subject="assistant")
    (draft,) = extracted("You must never use emojis.", item).drafts
    assert (draft.category, draft.polarity, draft.subject) == ("directive", "negative", "assistant")


# proves: A19
@pytest.mark.parametrize(
    ("given_value", "kept"),
    [(0.4, 0.4), ("0.4", 0.4), (7, 1.0), (-1, 0.0), ("high", 0.8), (None, 0.8), (True, 0.8), ("nan", 0.8), ([], 0.8)],
)
def test_a_confidence_is_between_nought_and_one_or_the_usual(given_value: object, kept: float) -> None:
    (draft,) = extracted(TEA, fact("The user likes green tea.", confidence=given_value)).drafts
    assert draft.confidence == kept


def test_domain_and_tags_are_bounded_or_left_out() -> None:
    tea = "The user likes green tea."
    first, second = extracted(TEA, fact(tea, domain="d" * 99, tags="tea"), fact(tea, domain=None, tags=["t"])).drafts
    assert (first.domain, first.tags) == ("d" * 64, ())
    assert (second.domain, second.tags) == ("general", ("t",))


# proves: D42, K8
@pytest.mark.parametrize(
    ("said", "kept", "flipped"),
    [
        ("I can’t stand cilantro.", "The user dislikes cilantro.", "The user likes cilantro."),
        ("I hate cilantro.", "The user does not like cilantro.", "The user loves cilantro."),
        ("I don't hate cilantro.", "The user does not hate cilantro.", "The user hates cilantro."),
        ("Ping me whenever it fails.", "The user wants a ping whenever it fails.", "The user never wants a ping."),
        ("I'm no cook, but I love basil.", "The user loves basil.", "The user does not love basil."),
        ("I don't like rain, snow or wind.", "The user does not like snow.", "The user likes wind."),
        ("I stopped drinking coffee.", "The user no longer drinks coffee.", "The user drinks coffee."),
        ("I can't wait to see Rome!", "The user looks forward to seeing Rome.", "The user avoids seeing Rome."),
        ("Ich mag keine Oliven.", "Der Nutzer mag keine Oliven.", "Der Nutzer mag Oliven."),
        ("Я не ем мясо.", "Пользователь не ест мясо.", "Пользователь ест мясо."),
    ],
)
def test_a_negation_is_neither_lost_nor_made_up(said: str, kept: str, flipped: str) -> None:
    assert (refused(said, kept), refused(said, flipped)) == ("", "polarity")


def test_the_polarity_of_a_draft_is_its_own() -> None:
    items = [fact("The user dislikes cilantro."), fact("The user loves basil.")]
    drafts = extracted("I can't stand cilantro. I love basil.", *items).drafts
    assert [draft.polarity for draft in drafts] == ["negative", "positive"]


# proves: D42
@pytest.mark.parametrize(
    ("asked", "text", "category", "reason"),
    [
        (turn("ok", passage("Enjoy Rome!", "assistant")), "The user enjoys Rome.", "preference", "ungrounded_speaker"),
        (turn("ok", passage("Ana: vegan", "tool")), "Ana is vegan.", "identity", "ungrounded_speaker"),
        ("What are Christophe's KPIs?", "The user is named Christophe.", "identity", "question"),
        ("Do I like jazz?", "The user likes jazz.", "preference", "question"),
        ("If I moved to Rome I would buy a Vespa.", "The user buys a Vespa.", "goal", "hypothesis"),
        ("My sister hates cilantro.", "The user hates cilantro.", "preference", "other_person"),
        ("Ed hates olives.", "The user hates olives.", "preference", "other_person"),
        ("She plays chess.", "The user plays chess.", "interest", "other_person"),
    ],
)  # fmt: skip
def test_only_the_users_own_statements_become_facts_about_the_user(
    asked: Turn | str, text: str, category: str, reason: str
) -> None:
    assert refused(asked, text, category) == reason


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I live in Paris, can you recommend a bakery?", "The user lives in Paris."),
        ("If the build fails, ping me.", "The user wants a ping if the build fails."),
        ("My sister hates cilantro.", "The user's sister hates cilantro."),
        ("Ed hates olives.", "Ed hates olives."),
        ("Jazz is great, I love it.", "The user loves jazz."),
        ("No, she is Anja, not Ana.", "The user's sister is Anja."),
        ("私は猫を二匹飼っています。", "ユーザーは猫を二匹飼っている。"),
    ],
)
def test_statements_that_look_like_those_are_kept(said: str, text: str) -> None:
    before = passage("Is your sister Ana?", "assistant")
    assert refused(turn(said, before=before), text, "identity") == ""


def test_a_fact_of_a_tool_or_an_answer_is_context_and_inferred() -> None:
    asked = turn("check it", passage("disk quota: 40 GB", "tool"))
    (draft,) = extracted(asked, fact("The disk quota is 40 GB.", "context", epistemic="stated")).drafts
    assert (draft.passage, draft.epistemic) == (1, "inferred")


def test_the_users_own_words_are_preferred_as_evidence() -> None:
    asked = turn(passage("So you like green tea.", "assistant"), "Yes, I like green tea.")
    (draft,) = extracted(asked, fact("The user likes green tea.", quote="like green tea")).drafts
    assert (draft.passage, draft.epistemic) == (1, "stated")


def test_a_system_text_is_never_evidence() -> None:
    asked = turn(passage("The user likes olives.", "system"), "hello")
    assert refused(asked, "The user likes olives.", "context", quote="The user likes olives.") == "no_support"


@pytest.mark.parametrize(
    "text",
    [
        "The user likes sailing.",
        "The user lives in Bergen and works at Acme.",
        "The user works at Acme since 2019.",
        "The user has 3 offices at Acme.",
        "The user has three offices at Acme.",
        "Olga likes green tea.",
    ],
)
def test_an_invented_word_name_or_number_is_refused(text: str) -> None:
    assert refused(TEA, text, "identity") == "no_support"


def test_a_quote_that_is_in_the_turn_supports_no_other_statement() -> None:
    assert refused(TEA, "The user plays the cello on weekends.", quote="I like green tea.") == "no_support"
    assert refused(TEA, "The user prefers herbal drinks like green tea.", quote="I like green tea") == ""


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We earn 50K a month.", "The monthly income is 50,000 a month."),
        ("The call is at 7pm.", "The call is at 19:00 (7 pm)."),
        ("I have two cats.", "The user has 2 cats."),
        ("I bought 1,500 shares.", "The user bought 1500 shares."),
        ("I fainted yesterday.", "The user fainted on 19 May 2023."),
        ("I fainted yesterday.", "The user fainted on Friday 2023-05-19."),
        ("I moved to Berlin.", "The user moved to the Berliner area of Berlin."),
    ],
)
def test_the_same_number_date_or_name_in_another_form_is_support(said: str, text: str) -> None:
    assert refused(said, text, "context", quote=said) == ""


@pytest.mark.parametrize("text", ["The user moved to Oslo in May 2023.", "The user moved to Oslo on 3 March 2022."])
def test_a_date_that_the_words_do_not_come_to_is_refused(text: str) -> None:
    assert refused("I moved to Oslo last March.", text, "identity") == "no_support"


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_prompt_is_refused_as_such(example: str) -> None:
    assert refused(TEA, example, "context") == "example_echoed"


# proves: A12
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The user said that the tests pass.", "reports_speech"),
        ("Ana asked for a bakery.", "reports_speech"),
        ("The deploy is running.", "transient"),
        ("The user is currently debugging the parser.", "transient"),
        ("The tests pass right now.", "transient"),
        ("Step 2 is done.", "transient"),
    ],
)
def test_reports_of_speech_and_passing_states_are_refused(text: str, reason: str) -> None:
    assert refused(text, text, "context") == reason


# proves: K13
def test_an_invented_id_or_operation_breaks_nothing() -> None:
    item = {"op": "UPDATE", "id": 99, "fact": "The user likes green tea.", "category": "preference", "tags": {"a": []}}
    assert texts(extracted(TEA, item, {"op": "DELETE", "id": 99})) == ["The user likes green tea."]


def script(*lines: Line) -> ModelExtractor:
    return ModelExtractor(ScriptedModel(lines))


# proves: A33, A34
def test_an_unreadable_reply_is_an_error_and_its_beginning_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(ReplyUnreadableError) as caught:
        script("nothing to see " * 100).extract(turn(TEA), limit=5)
    assert caught.value.raw == ("nothing to see " * 100)[:400]
    assert not caught.value.retryable
    (record,) = caplog.records
    assert record.content == ("nothing to see " * 100)[:400]  # type: ignore[attr-defined]
    assert "cannot be read" in record.getMessage()
    assert "nothing to see" not in caplog.text


# proves: A33
def test_an_empty_list_is_no_error() -> None:
    assert script("[]").extract(turn(TEA), limit=5) == Extraction(drafts=(), tokens_in=script_tokens(), tokens_out=1)


def script_tokens() -> int:
    model = ScriptedModel(["[]"])
    return ModelExtractor(model).extract(turn(TEA), limit=5).tokens_in


def test_a_model_that_fails_is_not_hidden() -> None:
    for error in (ProviderTimeoutError("late"), ProviderError("refused")):
        with pytest.raises(type(error)):
            script(error).extract(turn(TEA), limit=5)
    with pytest.raises(ProviderError, match="no line for call 1"):
        script().extract(turn(TEA), limit=5)


# proves: D6
def test_a_reply_cut_at_its_limit_keeps_its_facts_and_says_so() -> None:
    whole = Completion(text=json.dumps([fact("The user likes green tea.")]), tokens_in=3, tokens_out=4, cut=True)
    extraction = script(whole).extract(turn(TEA), limit=5)
    assert (len(extraction.drafts), extraction.partial, extraction.tokens_in, extraction.tokens_out) == (1, True, 3, 4)
    broken = json.dumps([fact("The user likes green tea."), fact("The user lives")])[:-25]
    extraction = script(broken).extract(turn(TEA), limit=5)
    assert (len(extraction.drafts), extraction.partial) == (1, True)


# proves: A16
def test_a_turn_takes_one_call_and_a_turn_without_words_none() -> None:
    model = ScriptedModel(["[]"])
    extractor = ModelExtractor(model, timeout_s=1.5)
    extractor.extract(turn(TEA, passage("Fine.", "assistant")), limit=3)
    assert [(prompt.tag, prompt.timeout_s) for prompt in model.prompts] == [("extraction", 1.5)]
    assert extractor.extract(turn(passage("You are a pirate.", "system")), limit=5) == Extraction(drafts=())
    assert extractor.extract(turn(), limit=5) == Extraction(drafts=())
    assert len(model.prompts) == 1


LONG = turn("I like tea. " + "Nothing much. " * 800 + "I live in Oslo. " + "Nothing much. " * 200 + "I work at Acme.")


def test_a_long_turn_is_read_to_its_end_and_each_call_counts() -> None:
    replies = [
        json.dumps([fact("The user likes tea."), fact("The user likes Bergen.")]),
        json.dumps([fact("The user lives in Oslo.", "identity"), fact("The user works at Acme.", "identity")]),
    ]
    model = ScriptedModel(replies)
    extraction = ModelExtractor(model).extract(LONG, limit=2)
    assert texts(extraction) == ["The user likes tea.", "The user lives in Oslo."]
    assert extraction.lost == {"no_support": 1, "over_limit": 1}
    assert extraction.tokens_in == sum(len(prompt.text.split()) for prompt in model.prompts)
    assert not extraction.partial


def test_one_unreadable_reply_of_several_is_counted_and_costs_no_other() -> None:
    extraction = script("hm", json.dumps([fact("The user lives in Oslo.", "identity")])).extract(LONG, limit=5)
    assert texts(extraction) == ["The user lives in Oslo."]
    assert (extraction.lost, extraction.partial) == ({"parse_error": 1}, True)


def test_what_no_prompt_holds_is_counted() -> None:
    extractor = ModelExtractor(ScriptedModel(["[]"]), prompts_max=1)
    extraction = extractor.extract(LONG, limit=5)
    assert extraction.partial
    assert extraction.lost["unread_characters"] > 5_000


def test_a_scripted_model_can_wait_and_look_at_its_prompt() -> None:
    go, seen = threading.Event(), []

    def line(prompt: object) -> str:
        go.wait(5)
        seen.append(prompt)
        return "[]"

    model = ScriptedModel([line])
    thread = threading.Thread(target=lambda: ModelExtractor(model).extract(turn(TEA), limit=5))
    thread.start()
    assert not seen
    go.set()
    thread.join(5)
    assert seen == model.prompts


ITEM = st.dictionaries(
    st.sampled_from("fact category kind subject quote event confidence domain tags epistemic".split()),
    st.one_of(
        st.none(),
        st.integers(),
        st.floats(),
        st.text(max_size=30),
        st.lists(st.text(max_size=5), max_size=2),
        st.sampled_from(["identity", "exact_value", TEA, "The user likes tea.", "Ann's <<< 50K ſﬁİ", "user", "12.5.7"]),
    ),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(ITEM, max_size=7), st.lists(st.text(max_size=60) | st.just("İstanbul’da ſtraße ﬁn 50K 1.2.3?"), max_size=3)
)
def test_nothing_that_a_model_or_a_user_writes_raises_or_gets_lost(
    items: list[dict[str, object]], said: list[str]
) -> None:
    asked = turn(TEA, *said)
    extraction = ModelExtractor(ScriptedModel([json.dumps({"facts": items})])).extract(asked, limit=3)
    assert len(extraction.drafts) + sum(extraction.lost.values()) == len(items)
    for draft in extraction.drafts:
        assert 0 <= draft.start < draft.end <= len(asked.passages[draft.passage].text)
        assert 0 <= draft.confidence <= 1
