"""What does the caller see of a chunk?"""

from glossator.model import Chunk, Hit, Trace


def hit_of(chunk: Chunk, *, score: float, trace: Trace | None) -> Hit:
    """The hit that shows this chunk."""
    return Hit(
        chunk_id=chunk.chunk_id,
        text=chunk.text,
        score=score,
        namespace=chunk.namespace,
        message_ids=(chunk.external_id,),
        conversation=chunk.scope.conversation or "",
        session=chunk.session,
        speaker=chunk.speaker,
        role=chunk.role,
        said=chunk.said,
        event=chunk.event,
        project=chunk.project,
        tags=chunk.tags,
        start=chunk.start,
        trace=trace,
    )
