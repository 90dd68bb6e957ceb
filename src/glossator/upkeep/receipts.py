"""What does a receipt say, byte for byte, and is it the one that was signed?

A receipt is one line of JSON with sorted keys, so that the same facts always give the same bytes. It names ids and
counts, never words. What is signed is that line without its signature.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from glossator.model import Backup, ForgetReceipt, Move, Scope

SCHEMA = 1
"""The version of the receipt's own layout."""
DISK_COPIES = "copies made earlier with `glossator backup` and backups of the disk"
MESSAGES_STAY = "the messages that they were taken from; `forget` erases those"
WORDS_STAY = "their words and messages, which are kept and never recalled; erasing takes the words"
UNCLEANED = "old pages and the log of the file, which were still to be cleaned when this was written"

Kind = Literal["messages", "facts"]
Verify = Callable[[bytes, bytes], bool]
"""Given a signature and the bytes that it is said to sign."""


def receipt_body(
    *,
    kind: Kind,
    state: Literal["erased", "invalidated"],
    scope: Scope,
    at: datetime,
    by: str,
    message_ids: Sequence[str],
    fact_ids: Sequence[str],
    counts: Mapping[str, int],
    not_covered: Sequence[str],
    backups: Sequence[Backup],
) -> str:
    """The receipt before it has its number, its key and its signature."""
    return canonical(
        {
            "schema": SCHEMA,
            "kind": kind,
            "state": state,
            "scope": {
                "workspace": scope.workspace, "agent": scope.agent, "owner": scope.owner,
                "conversation": scope.conversation, "job": scope.job,
            },
            "at": _instant(at),
            "by": by,
            "message_ids": list(message_ids),
            "fact_ids": list(fact_ids),
            "counts": dict(counts),
            "not_covered": list(not_covered),
            "backups": [{"path": each.path, "at": _instant(each.at)} for each in backups],
        }
    )  # fmt: skip


class Burial(Protocol):
    """How many rows went with facts."""

    @property
    def fact_count(self) -> int: ...
    @property
    def evidence_count(self) -> int: ...
    @property
    def lexical_row_count(self) -> int: ...
    @property
    def vector_count(self) -> int: ...
    @property
    def work_count(self) -> int: ...


def burial_counts(gone: Burial, revision_count: int) -> dict[str, int]:
    """The numbers of a burial by kind."""
    return {
        "facts": gone.fact_count,
        "evidence": gone.evidence_count,
        "lexical_rows": gone.lexical_row_count,
        "vectors": gone.vector_count,
        "work": gone.work_count,
        "revisions": revision_count,
    }


def erased_body(receipt: ForgetReceipt, fact_ids: Sequence[int]) -> str:
    """The receipt for messages that are erased, before the files are cleaned."""
    assert receipt.scope is not None
    return receipt_body(
        kind="messages",
        state="erased",
        scope=receipt.scope,
        at=receipt.erased_at,
        by=receipt.by,
        message_ids=receipt.message_ids,
        fact_ids=[f"f{fact_id}" for fact_id in fact_ids],
        counts={
            **burial_counts(receipt, receipt.revision_count),
            "messages": receipt.message_count,
            "chunks": receipt.chunk_count,
            "remaining": receipt.remaining_count,
        },
        not_covered=(DISK_COPIES, UNCLEANED),
        backups=receipt.backups,
    )


def moved_body(
    scope: Scope, moves: Sequence[Move], *, counts: Mapping[str, int], at: datetime, backups: Sequence[Backup]
) -> str:
    """The receipt for facts that are forgotten by these moves; "" where none is."""
    forgotten = [move for move in moves if move.to_state in ("erased", "invalidated")]
    if not forgotten:
        return ""
    erased = any(move.to_state == "erased" for move in forgotten)
    return receipt_body(
        kind="facts",
        state="erased" if erased else "invalidated",
        scope=scope,
        at=at,
        by=forgotten[0].by,
        message_ids=(),
        fact_ids=[f"f{move.fact_id}" for move in forgotten],
        counts=counts if erased else {"facts": len(forgotten)},
        not_covered=(DISK_COPIES, UNCLEANED, MESSAGES_STAY) if erased else (WORDS_STAY,),
        backups=backups if erased else (),
    )


def without_uncleaned(body: str, left: Sequence[str]) -> str:
    """The body after the files were cleaned: what could still not be reached stands in place of the promise."""
    fields = json.loads(body)
    if UNCLEANED not in fields["not_covered"]:
        return body
    fields["not_covered"] = [*(each for each in fields["not_covered"] if each != UNCLEANED), *left]
    return canonical(fields)


def signed_text(body: str, *, receipt_id: str, public_key: bytes, sign: Callable[[bytes], bytes]) -> str:
    """The receipt as it is given out."""
    fields = {**json.loads(body), "receipt_id": receipt_id, "public_key": public_key.hex()}
    signature = sign(canonical(fields).encode())
    return canonical({**fields, "signature": signature.hex()})


def is_genuine(text: str | bytes, verify: Verify) -> bool:
    """True if not one byte differs from what was signed; a line break at the end of a file is no part of it."""
    try:
        line = (text.decode() if isinstance(text, bytes) else text).removesuffix("\n").removesuffix("\r")
        fields = json.loads(line)
        if not isinstance(fields, dict) or canonical(fields) != line:
            return False
        written = str(fields.pop("signature", ""))
        signature = bytes.fromhex(written)
        if not signature or signature.hex() != written:  # hexadecimal digits can be written in other ways
            return False
        return verify(signature, canonical(fields).encode())
    except (ValueError, RecursionError):  # no UTF-8, no JSON, no hexadecimal digits, lone surrogates
        return False


def fields_of(text: str) -> Mapping[str, Any]:
    """What a receipt or its body says. Raises ValueError for what is no JSON."""
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("no receipt")  # noqa: TRY004 - as for what is no JSON at all
    return fields


def canonical(fields: Mapping[str, Any]) -> str:
    """The one way to write these fields."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
