"""How is a request that is sent twice done once? By its Idempotency-Key: the first answer is given again."""

import json
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from glossator.aio import AsyncMemory
from glossator.errors import ConflictError, GlossatorError
from glossator.model.access import KeptReply
from glossator.rules.canonical import stable_id
from glossator.surfaces.http.answers import RefusalError, problem_answer, refused
from glossator.surfaces.http.requests import caller_of

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY = re.compile("[!-~]{1,200}")
ANYBODY = "anybody"
"""Who asks where no key is asked for."""
KEPT_HEADERS = ("content-type", "etag", "link")


async def answered_once(
    memory: AsyncMemory, request: Request, body: bytes, answer: Callable[[str], Awaitable[Response]]
) -> Response:
    """The answer, made now or kept from the first time. Raises RefusalError for a key that means something else.

    `answer` is given a name that this request has whenever it is sent with this key, and no other one has.
    """
    key = request.headers[HEADER]
    if not KEY.fullmatch(key):
        raise refused(400, HEADER, "is no text of 1 to 200 plain characters without a space", "for example a UUID")
    caller = caller_of(request).key_id or ANYBODY
    fingerprint = fingerprint_of(request, body)
    try:
        kept = await memory.begin_reply(caller, key, fingerprint)
    except ConflictError as error:
        raise _in_use(error) from error
    if kept is not None:
        return _replayed(kept)
    made: Response | None = None
    try:
        made = await _answer_of(lambda: answer(stable_id("request", caller, key, fingerprint)))
    finally:
        if made is None or made.status_code >= 500:
            await memory.drop_reply(caller, key)
    if made.status_code < 500:
        headers = {name: text for name, text in made.headers.items() if name in KEPT_HEADERS}
        await memory.keep_reply(
            caller, key, status=made.status_code, body=bytes(made.body).decode("utf-8"), headers=headers
        )
    return made


def _in_use(error: ConflictError) -> RefusalError:
    """409 while the first request is being answered: come again; 422 where the key was another request's: never."""
    told = ConflictError(HEADER, error.problem, remedy=error.remedy)
    return RefusalError(told, 422) if error.argument == "fingerprint" else RefusalError(told, 409, {"Retry-After": "1"})


def _replayed(kept: KeptReply) -> Response:
    """The first answer; where its words were not kept, that the request was done is all there is to say."""
    if kept.not_kept:
        problem = f"was answered with {kept.status} before, and the answer is not kept ({kept.not_kept})"
        error = ConflictError(HEADER, problem, remedy="it is done; read what you need")
        return problem_answer(error, headers={REPLAYED: "true"})
    return Response(kept.body, status_code=kept.status, headers={**kept.headers, REPLAYED: "true"})


async def _answer_of(answer: Callable[[], Awaitable[Response]]) -> Response:
    """The answer; an error that will come again the same way is one too."""
    try:
        return await answer()
    except RefusalError as error:
        return problem_answer(error.error, status=error.status, headers=error.headers)
    except GlossatorError as error:
        return problem_answer(error)


def fingerprint_of(request: Request, body: bytes) -> str:
    """What makes two requests the same: method, path, query and body."""
    parts = [request.method, request.url.path, sorted(request.query_params.multi_items())]
    return sha256(json.dumps(parts).encode() + b"\n" + body).hexdigest()
