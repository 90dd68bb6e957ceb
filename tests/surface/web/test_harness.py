"""The tests of the inspector see what a page must never do."""

import pytest
from tests.surface.web.conftest import Browse
from tests.surface.web.harness import Eye, Faults, too_wide

POLICY = "Content Security"
ADD = "document.body.append(Object.assign(document.createElement('{}'), {{textContent: '{}'}}))"
SETTLED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("console.error('oh')", "console error: oh"),
        ("setTimeout(() => { throw new Error('oh') })", "script error"),
        ("alert('oh')", "dialog: oh"),
        ("new Image().src = 'http://example.invalid/x.png'", POLICY),
        (ADD.format("script", "1"), POLICY),
        (ADD.format("style", "a {}"), POLICY),
    ],
)
def test_a_fault_of_a_page_is_seen(browse: Browse, faults: Faults, deed: str, told: str) -> None:
    # proves: K36
    page = browse("search")
    page.evaluate(f"() => {{ {deed}; }}")
    page.evaluate(SETTLED)
    assert any(told in each for each in faults.found), faults.found
    faults.found.clear()


def test_a_page_that_cannot_be_read_is_seen(browse: Browse, eye: Eye) -> None:
    page = browse("search")
    page.evaluate(
        "document.querySelector('main').innerHTML = '<img src=\"/inspect/static/mark.svg\"><button></button>'"
    )
    assert {each.split(" ")[0] for each in eye.violations(page)} >= {"button-name", "image-alt"}
    page.evaluate("document.querySelector('main').innerHTML = '<div id=wide>x</div>'")
    page.evaluate("document.getElementById('wide').style.width = '5000px'")
    assert too_wide(page)
