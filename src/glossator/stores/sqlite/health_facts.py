"""Are the facts in order: their words, their vectors, what they rest on, and the steps' words?"""

from glossator.model import Finding
from glossator.rules.tokens import index_terms
from glossator.stores.sqlite.checks import Doctor, finding
from glossator.stores.sqlite.rows import ids_json
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import body_words
from glossator.stores.sqlite.work import enqueue


class FactDoctor(Doctor):
    """The checks of the fact book."""

    def always(self) -> list[Finding]:
        """The checks that need no embedder, in an order in which each repair can rest on those before it."""
        return [
            self.evidence(),
            self.missing_terms(),
            self.stray_terms(),
            self._index("fact index", "facts", "check_facts_fts", "rebuild_facts_fts"),
            self._index("step index", "steps", "check_steps_fts", "rebuild_steps_fts"),
            self.stray_vectors(),
            self.broken_vectors(),
        ]

    def evidence(self) -> Finding:
        """Does each fact rest on something? What does not cannot be repaired, only moved or forgotten."""
        ids = self._ids("facts_without_evidence")
        return finding("evidence", [f"fact f{each} rests on nothing" for each in ids], "archive or forget the fact")

    def missing_terms(self) -> Finding:
        """Has each fact its words?"""
        bare = self._connection.execute(SQL["facts_without_terms"]).fetchall()

        def index() -> None:
            for fact_id, scope_id, text in bare:
                terms = index_terms(text)
                self._connection.execute(SQL["set_fact_terms"], (fact_id, body_words(scope_id, terms)))
                self._connection.execute(SQL["set_fact_term_count"], (len(terms), fact_id))

        return self._drift("fact words", [f"fact f{row[0]} has no index words" for row in bare], index)

    def stray_terms(self) -> Finding:
        """Has each row of words a fact that may be found?"""
        ids = self._ids("terms_without_fact")
        return self._drift(
            "stray fact words",
            [f"index words of fact f{each}, which is gone" for each in ids],
            lambda: self._connection.execute(SQL["erase_fact_terms"], (ids_json(ids),)),
        )

    def stray_vectors(self) -> Finding:
        """Has each vector a fact?"""
        ids = self._ids("vectors_without_fact")
        return self._drift(
            "stray fact vectors",
            [f"a vector of fact f{each}, which is gone" for each in ids],
            lambda: self._connection.execute(SQL["erase_fact_vectors"], (ids_json(ids),)),
        )

    def broken_vectors(self) -> Finding:
        """Is each vector of its model's width, and finite?"""
        broken = self._broken("fact_vector_rows")

        def embed_again() -> None:
            self._connection.execute(SQL["drop_fact_vector_rows"], (ids_json(broken),))
            enqueue(self._connection, [], now=self._now, fact_ids=list(broken.values()))

        problems = [f"the vector of fact f{fact_id} is broken" for fact_id in broken.values()]
        return self._drift("fact vectors", problems, embed_again)

    def forgotten_work(self, model: str) -> Finding:
        """Is every fact embedded, or waiting for it?"""
        ids = self._ids("unembedded_facts_without_work", model)
        return self._drift(
            "fact embedding",
            [f"fact f{each} is neither embedded nor waiting for it" for each in ids],
            lambda: enqueue(self._connection, [], now=self._now, fact_ids=ids),
        )
