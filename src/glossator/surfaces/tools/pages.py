"""How are all facts of a scope read, however many there are?"""

from collections.abc import Iterator, Sequence

from glossator.facade import Memory
from glossator.model import Category, Fact, Scope

PAGE_FACTS = 1_000


def all_facts(memory: Memory, scope: Scope, *, categories: Sequence[Category] = ()) -> Iterator[Fact]:
    """Recallable facts in order of their numbers, a page at a time."""
    after_id = 0
    while True:
        page = memory.facts(scope=scope, categories=categories, limit=PAGE_FACTS, after_id=after_id)
        yield from page
        if len(page) < PAGE_FACTS:
            return
        after_id = page[-1].fact_id
