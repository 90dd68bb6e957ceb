"""What is said in the demo, and what is asked afterwards. Nothing here is an answer."""

from dataclasses import dataclass, field
from typing import Any

OWNER, AGENT = "nora", "juno"
CONVERSATION = "demo:nora"
NOW = "2024-06-01T10:00:00+01:00"
"""The day on which the questions are asked."""

SESSIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "2023-05-20T09:12:00+01:00": (
        ("Nora", "I moved to Edinburgh last March, and I still get lost on my way home from work."),
        ("Juno", "The streets there lie on two levels; that would confuse anybody. What is your work?"),
        ("Nora", "I'm a nurse at the Royal Infirmary, on nights. Before noon I'm no good to anyone."),
        ("Juno", "Then I'll keep your mornings free."),
        ("Nora", "And I've adopted a cat. He's called O'Malley, and he has already ruined the sofa."),
    ),
    "2023-06-03T18:40:00+01:00": (
        ("Nora", "Please never put coriander into a meal plan again. It tastes of soap to me."),
        ("Juno", "Understood. Parsley instead?"),
        ("Nora", "Parsley is fine. My sister Ana stays with me next weekend, so plan for two."),
        ("Juno", "Gladly. Is there anything that Ana can't have?"),
        ("Nora", "Prawns. Her face swells up and we end in the emergency room."),
    ),
    "2023-08-14T21:05:00+01:00": (
        ("Nora", "The new boiler is in at last. Its serial number is KX-4471-0093."),
        ("Juno", "Congratulations on the hot water. Shall I note when it has to be serviced?"),
        ("Nora", "Every August, please. The fitter's door code for the cellar is 7352."),
        ("Juno", "Noted."),
        ("Nora", "My grandmother wrote to me from Osaka: 猫を二匹飼っています。 It must run in the family."),
    ),
    "2023-10-02T19:30:00+01:00": (
        ("Nora", "Yesterday I had my first swimming lesson. I swallowed half of the pool."),
        ("Juno", "Brave! Most people wait until they are forced. How deep was it?"),
        ("Nora", "To the chin, which was quite deep enough. The teacher is called Tomasz."),
    ),
    "2024-01-15T08:20:00+00:00": (
        ("Nora", "I've handed in my notice at the infirmary. No more nights from February on."),
        ("Juno", "That is big news. What comes next?"),
        ("Nora", "I'm going to teach anatomy at the college. They even gave me a skeleton of my own."),
    ),
    "2024-02-09T17:45:00+00:00": (
        ("Nora", "The first week at the college is over. Forty students, and nobody fainted."),
        ("Juno", "A fine start. Did the skeleton behave?"),
        ("Nora", "He lost a finger. O'Malley may know more about that than he admits."),
    ),
    "2024-05-11T11:10:00+01:00": (
        ("Nora", "Two years ago I couldn't run for a bus, and today I swam a mile in the sea at Portobello."),
        ("Juno", "From the chin-deep pool to the open sea! Was Tomasz there?"),
        ("Nora", "He waited on the beach with a flask of tea and pretended that he hadn't been worried."),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, what is told about it, and the choices that go with it."""

    query: str
    about: str
    choices: dict[str, Any] = field(default_factory=dict)


QUESTIONS = (
    Asked(query="When did I move to Edinburgh?", about="“last March” is read on the day it was said"),
    Asked(query="Which herb can't I stand?", about="the answer doesn't have the word herb"),
    Asked(query="Is Ana allergic to any food?", about="nobody said allergic"),
    Asked(query="What has O'Malley broken?", about="an apostrophe is no syntax"),
    Asked(query="猫", about="one character, no model needed"),
    Asked(query="What is the serial number KX-4471?", about="an exact value, in part"),
    Asked(query="When did I learn to swim?", about="“yesterday” is a date"),
    Asked(query="What do I do for a living?", about="asked today: the newest word on it first"),
    Asked(query="What do I do for a living?", about="the same, as of Christmas 2023", choices={"as_of": "2023-12-25"}),
)

TO_FORGET = "What is the door code for the cellar?"
"""The question whose answer is forgotten at the end."""


def talk() -> list[tuple[str, list[dict[str, object]]]]:
    """The sessions with their messages, as `Memory.record` takes them; a minute lies between two turns."""
    from datetime import datetime, timedelta

    sessions: list[tuple[str, list[dict[str, object]]]] = []
    for began, turns in SESSIONS.items():
        start = datetime.fromisoformat(began)
        messages: list[dict[str, object]] = []
        for number, (speaker, content) in enumerate(turns):
            messages.append(
                {
                    "id": f"{began[:10]}:{number + 1}",
                    "role": "user" if speaker == "Nora" else "assistant",
                    "speaker": speaker,
                    "content": content,
                    "at": (start + timedelta(minutes=number)).isoformat(),
                }
            )
        sessions.append((began[:10], messages))
    return sessions
