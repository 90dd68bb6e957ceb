"""What of a PostgreSQL store is there? Its first piece: the reasoning steps of runs, found by their words.

PostgresSteps implements the port Steps and nothing else. It is no Store: the journal, the index, the facts and the
upkeep are still to come, so Memory.open does not take it and a caller makes it on purpose. Needs the extra `postgres`.
"""

from glossator.stores.postgres.store import PostgresSteps

__all__ = ["PostgresSteps"]
