"""How does a message become chunks with the words and the time that index them?"""

from glossator.model import ChunkDraft, Entry, EventTime, Interval, MessageDraft, Namespace, SaidTime, Strategy
from glossator.retain.chunk import split_text
from glossator.rules.instants import local_time, span_of
from glossator.rules.marks import marks_of
from glossator.rules.timex import event_interval
from glossator.rules.tokens import index_terms


def entry_of(
    message: MessageDraft,
    *,
    strategy: Strategy,
    characters_max: int,
    namespace: Namespace = "episodic",
    project: str | None = None,
    tags: tuple[str, ...] = (),
    extract: bool = False,
) -> Entry:
    """The message with its chunks, each dated by its own words or, failing that, by when it was said."""
    speaker_terms = () if message.speaker == message.role else index_terms(message.speaker)
    chunks: list[ChunkDraft] = []
    for index, (start, end) in enumerate(split_text(message.content, strategy=strategy, characters_max=characters_max)):
        text = message.content[start:end]
        event = event_of(text, message.said, is_document=message.kind == "document")
        chunks.append(
            ChunkDraft(
                index=index,
                start=start,
                end=end,
                text=text,
                terms=index_terms(text),
                speaker_terms=speaker_terms,
                event=event,
                marks=marks_of(text, names_a_time=event.source == "own"),
                namespace=namespace,
                strategy=strategy,
                project=project,
                tags=tags,
            )
        )
    return Entry(message=message, chunks=tuple(chunks), extract=extract)


def event_of(text: str, said: SaidTime, *, is_document: bool) -> EventTime:
    """When the told thing happened: the words' own time, else the document's or the session's, else the ingest time."""
    found = event_interval(text, now=local_time(said))
    if found is not None:
        return EventTime(interval=found.interval, source="own", words=found.words)
    interval: Interval = span_of(said)
    if not said.given:
        return EventTime(interval=interval, source="ingest")
    return EventTime(interval=interval, source="source" if is_document else "session")
