"""What is in the memory that the tests of the inspector look at: some talk, a long one, a hostile one, and texts."""

from typing import Any

from tests.surface.web.harness import OPERATOR, STORY

from glossator import Memory, ProviderError
from glossator.model import Prompt
from glossator.testing.contract.base import NASTY

SUMMARY = "Ana plans her move to Bergen in May. Two firms were asked; the quotation of one is still open."
CHAT = "telegram:42"
LONG = "signal:7"
HOSTILE = "irc:%23nasty"
ATTACKS = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(2)">',
    "\"><svg onload=alert(3)>'",
    "{{ 7 * 7 }} ${7*7} {% raw %}",
    "javascript:alert(4)",
    "</textarea></title><style>*{display:none}</style>",
    "</script><script>alert(5)</script>",
)
TALK: tuple[tuple[str, str, str], ...] = (
    ("user", "2026-10-03T10:00:00+02:00", "My name is Ana. I live in Oslo. I work as a nurse."),
    ("assistant", "2026-10-03T10:00:30+02:00", "Nice to meet you, Ana. How do you like Oslo?"),
    ("user", "2026-10-03T10:01:00+02:00", "I love jazz. My sister is called Mia and my dog is called Rex."),
    ("assistant", "2026-10-03T10:01:30+02:00", "Jazz, and a dog. I will keep that in mind."),
    ("user", "2026-11-02T18:30:00+01:00", "I moved to Bergen last week. I am allergic to peanuts."),
    ("assistant", "2026-11-02T18:31:00+01:00", "Bergen has rain and fish. How is the new flat?"),
    ("user", "2026-11-20T08:15:00+01:00", "I don't like jazz any more. My favourite drink is green tea."),
)
BOXES = "We spoke about boxes and about the van and about who carries the piano down. "


ASLEEP = "zyzzyva"
"""Who says this has a review that fails."""


def replied(prompt: Prompt) -> str:
    """What the language model of the tests says: a summary, or nothing to save."""
    if "memory_reviewer" not in repr(prompt):
        return SUMMARY
    if ASLEEP in prompt.text:
        raise ProviderError("the model is asleep")
    return "Nothing to save."


def told(memory: Memory) -> None:
    """Record the story and let all open work be done."""
    talk: list[dict[str, Any]] = [
        {
            "role": role,
            "content": words,
            "at": at,
            "id": f"D1:{number}",
            "speaker": "Ana" if role == "user" else "Helper",
        }
        for number, (role, at, words) in enumerate(TALK, start=1)
    ]
    memory.record(talk, scope=STORY, conversation=CHAT)
    _long_talk(memory)
    hostile = [*ATTACKS, *(words for words in NASTY if len(words) < 500)]
    memory.record(
        [
            {"role": "user", "content": f"{words} I live in {words}", "at": f"2026-11-10T12:00:{number:02}+00:00",
             "id": f"h{number}", "speaker": f"<b>Mallory</b> {number % 3}"}
            for number, words in enumerate(hostile)
        ],
        scope=STORY, conversation=HOSTILE,
    )  # fmt: skip
    memory.drain()
    memory.review(scope=STORY, now=True)
    _texts(memory)
    memory.drain()


def _long_talk(memory: Memory) -> None:
    memory.record(
        [
            {"role": "user" if number % 2 == 0 else "assistant", "content": f"Item {number} of the talk. {BOXES * 6}",
             "at": f"2026-11-05T09:{number:02}:00+01:00", "id": f"m{number}"}
            for number in range(40)
        ],
        scope=OPERATOR, conversation=LONG,
    )  # fmt: skip
    memory.measured(scope=OPERATOR, conversation=LONG, prompt_tokens=7_200, window_tokens=8_000)
    memory.preflight(scope=OPERATOR, conversation=LONG)


def _texts(memory: Memory) -> None:
    first = "- Keep it short.\n"
    memory.write_resource("rules", first, scope=STORY, reason="first rules")
    memory.write_resource("rules", f"{first}- Name your sources.\n", scope=STORY, reason="asked for sources")
    memory.write_resource(
        "rules", f"{first}- Name your sources, with <b>links</b>.\n- Ask back.\n", scope=STORY, reason="<i>clearer</i>"
    )
    memory.write_resource("soul", "Calm, exact, a little dry.\n", scope=STORY, reason="first soul")
