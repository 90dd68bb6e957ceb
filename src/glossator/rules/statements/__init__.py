"""What does a plain sentence state, of whom, and under which key? Tables of English, shared by all extractors."""

from glossator.rules.statements.groups import read_group
from glossator.rules.statements.keys import statement_key
from glossator.rules.statements.predicate import read_clause
from glossator.rules.statements.reading import read_statement
from glossator.rules.statements.values import Clause, Group, Statement, StatementKey, Subject
from glossator.rules.statements.wording import lowered, words_in

__all__ = [
    "Clause", "Group", "Statement", "StatementKey", "Subject", "lowered", "read_clause", "read_group", "read_statement",
    "statement_key", "words_in",
]  # fmt: skip
