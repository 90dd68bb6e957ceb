"""Addresses that nobody has written on purpose: an answer in words, never a failure of the server."""

import httpx2
import pytest
from tests.surface.web.harness import Inspector

from glossator.testing.contract.base import NASTY

STRANGE = ("", "-1", "9" * 30, "1e5", "\x00", "%00", "::", "2026-13-45", "a" * 3000, "</script>", NASTY[1], NASTY[4])
SENSIBLE = {"name": "telegram:42", "kind": "rules", "first": "1", "second": "1"}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("conversations", ("after",)),
        ("conversation", ("name", "message", "after", "before")),
        ("conversation/forget", ("name", "message")),
        ("work/part", ("paused", "seen")),
        ("resource", ("kind", "number", "conversation", "done")),
        ("resource/diff", ("kind", "first", "second", "conversation")),
        ("entities", ("show", "as_of")),
        ("entities/graph.json", ("show", "as_of")),
    ],
)
def test_an_address_that_makes_no_sense_is_answered_in_words(
    inspector: Inspector, path: str, names: tuple[str, ...]
) -> None:
    with httpx2.Client() as client:
        for name in names:
            for strange in STRANGE:
                asked = {each: SENSIBLE[each] for each in names if each in SENSIBLE} | {name: strange}
                answer = client.get(inspector.url(path, **asked))
                assert answer.status_code in (200, 404, 409, 422), (name, strange)
                assert "</script>" not in answer.text.replace("></script>", ""), (name, strange)
