"""What a question asks for."""

import pytest

from glossator.rules.questions import asks_first, asks_how_things_stand, asks_newest, question_kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did she move?", "when"),
        ("What year was it?", "when"),
        ("我什么时候去了北京？", "when"),
        ("How many cats are there?", "how_many"),
        ("Which city do I live in?", "where"),
        ("Whose dog is it?", "who"),
        ("Why did they leave?", "how"),
        ("What is it called?", "what"),
        ("Did Ana call?", "yes_no"),
        ("Tell me about Ana", "other"),
    ],
)
def test_a_question_is_of_the_kind_that_its_question_word_says(text: str, kind: str) -> None:
    assert question_kind(text) == kind


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Where do I work?", True),
        ("How old is my dog now?", True),
        ("What is our current address?", True),
        ("Where did I work before?", False),
        ("When did I move?", False),
        ("How many weeks ago did I call?", False),
        ("Where does Ana work?", False),
        ("How long have I had my cat?", True),
        ("How many books have I read in the last three months?", True),
        ("How much did I weigh last month?", False),
        ("我在哪里工作？", True),
    ],
)
def test_only_the_state_of_the_askers_own_things_asks_for_the_newest(text: str, stands: bool) -> None:
    assert asks_how_things_stand(text) is stands


def test_newest_and_first_exclude_each_other() -> None:
    assert asks_newest("What is my current job?")
    assert asks_first("What was my previous job?")
    assert not asks_newest("What was my previous job until today?")
