"""Is a claim to have kept something heard, and nothing else?"""

import pytest

from glossator.rules.claims import claims_to_have_kept, claims_without_receipt

CLAIMS = (
    "I've saved that to memory.",
    "I have noted that you are vegan.",
    "I've made a note of your new address.",
    "Noted!",
    "Got it, noted.",
    "Okay, saved.",
    "I’ve remembered that you prefer trains.",
    "I'll remember that.",
    "Sure. I will keep that in mind for next time.",
    "I've updated your profile with the new phone number.",
    "I have added this to my memory.",
    "Your birthday has been saved.",
    "That's now stored in long-term memory.",
    "This is noted.",
    "Done: I just stored your allergy in my notes.",
    "I've successfully recorded your preference.",
    "Memory updated.",
    "Thanks! I've taken note of it.",
    "First I looked it up. Then I saved it to your notes.",
    "I've committed that to memory.",
)
NO_CLAIMS = (
    "",
    "I remember that you are vegan.",
    "You saved 40 euros.",
    "Shall I save that?",
    "Would you like me to remember this?",
    "If you like, I'll remember that.",
    "I have not saved anything.",
    "I couldn't store that, sorry.",
    "I can't say I've saved it.",
    "I've saved the file to disk.",
    "I've updated the code.",
    "I saved report.pdf.",
    "As I noted above, the train leaves at nine.",
    "Nothing was saved.",
    'She wrote "I have noted that" and left.',
    "```\nprint('Noted')\n```",
    "> I've saved that to memory.",
    "Remember to bring the keys.",
    "The meeting was moved to Friday.",
    "Do you remember when we met?",
    "I have added two eggs to the dough.",
    "Your flight is at nine, and your notes are in the folder.",
)


# proves: D27
@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_to_have_kept_something_is_heard(text: str) -> None:
    assert claims_to_have_kept(text)
    assert claims_without_receipt(text, ())
    assert claims_without_receipt(text, [{"id": ""}, {}])
    assert not claims_without_receipt(text, [{"id": "f1", "stored": "I am vegan."}])


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_what_claims_nothing_needs_no_receipt(text: str) -> None:
    assert not claims_to_have_kept(text)
    assert not claims_without_receipt(text, ())


def test_a_very_long_text_is_read_quickly() -> None:
    assert not claims_to_have_kept("I have i have i'll i've your " * 20_000)
    assert not claims_to_have_kept('"' * 50_000 + "`" * 50_001)
