"""How is a language model asked over HTTP, in bounded time, and what becomes of its failures?"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx2

from glossator.errors import ProviderError, ProviderTimeoutError
from glossator.model import Completion, Prompt
from glossator.providers.language.call import Call, Lease
from glossator.providers.language.pace import Pace, is_worth_retrying
from glossator.providers.language.wire import Concession, Price, WireFormat, error_text, in_shape, refused
from glossator.rules.hosts import is_here

ANSWER_BYTES_MAX = 4_000_000
"""800 tokens are some 4 KB; a thousand times that is no answer but a fault."""
REFUSALS = frozenset({400, 422, 501})
"""The codes by which servers refuse a field of the request."""
OK, REDIRECT_FIRST, REDIRECT_LAST = 200, 300, 399


class HttpLanguageModel:
    """A language model behind one of the wire formats. Safe to share between threads; see `ports.LanguageModel`."""

    def __init__(
        self,
        *,
        name: str,
        model: str,
        wire: WireFormat,
        base_url: str,
        api_key: str = "",
        price: Price | None = None,
        attempts_max: int = 4,
        pace: Pace | None = None,
    ) -> None:
        self._name = name
        self._model = model
        self._wire = wire
        self._base_url = base_url
        self._api_key = api_key
        self._price = price
        self._attempts_max = attempts_max
        self._pace = pace or Pace()
        self._without: frozenset[Concession] = frozenset()
        self._idle: list[httpx2.Client] = []

    def __repr__(self) -> str:
        return f"HttpLanguageModel({self._name!r})"

    @property
    def name(self) -> str:
        """Provider and model, with the address where it is one of one's own."""
        return self._name

    def complete(self, prompt: Prompt) -> Completion:
        """See ports.LanguageModel. Only 429, 5xx and broken connections are tried again, within `prompt.timeout_s`."""
        call = Call(lambda lease: self._asked(prompt, lease), ends_at=self._pace.monotonic() + prompt.timeout_s)
        done = call.outcome(prompt.timeout_s)
        if done is None:
            raise ProviderTimeoutError(f"{self._name} did not answer within {prompt.timeout_s:g} s")
        cost = self._price.of(done.tokens_in, done.tokens_out) if self._price else None
        return replace(done, cost_usd=cost)

    def close(self) -> None:
        """Close the connections that are kept open between calls."""
        while self._idle:
            self._idle.pop().close()

    def _asked(self, prompt: Prompt, lease: Lease) -> Completion:
        """The answer, after as many attempts as it takes and the time allows."""
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._conceding(prompt, lease)
                return replace(self._wire.completion(answer), attempt_count=attempt)
            except _AgainError as failed:
                wait_s = self._pace.backoff_s(attempt, asked_s=failed.asked_s)
                if attempt >= self._attempts_max or self._pace.monotonic() + wait_s >= lease.ends_at:
                    raise ProviderError(self._shown(failed), retryable=True) from failed
                if self._pace.wait(lease.over, wait_s):
                    raise ProviderTimeoutError(f"{self._name} was given up") from failed
            except ProviderTimeoutError as error:
                raise ProviderTimeoutError(self._shown(error)) from error
            except ProviderError as error:
                raise ProviderError(self._shown(error), retryable=error.retryable) from error

    def _conceding(self, prompt: Prompt, lease: Lease) -> Mapping[str, Any]:
        """One answer, asked for again without what the server refuses by name; that is remembered."""
        while True:
            without = self._without
            status, retry_after, raw = self._sent(prompt, without, lease)
            if status == OK:
                return self._read(raw)
            said = error_text(raw)
            conceded = refused(said, offered=self._wire.offers(prompt) - without) if status in REFUSALS else None
            if conceded is None:
                raise self._failure(status, said, retry_after)
            self._without |= {conceded}

    def _sent(self, prompt: Prompt, without: frozenset[Concession], lease: Lease) -> tuple[int, str, bytes]:
        """Status, Retry-After and body of one request."""
        request = self._wire.request(prompt, model=self._model, without=without)
        headers = {"Accept-Encoding": "identity", **self._wire.headers(self._api_key)}
        left_s = max(0.001, lease.ends_at - self._pace.monotonic())
        client, url = self._connected(), self._base_url + request.path
        lease.hold(client)
        try:
            with client.stream("POST", url, json=request.body, headers=headers, timeout=left_s) as response:
                raw = _bounded(response)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError, RuntimeError) as error:
            client.close()
            raise _unreachable(error) from error
        except ProviderError:
            client.close()
            raise
        if lease.give_back():
            self._idle.append(client)
        else:
            client.close()
        return response.status_code, response.headers.get("retry-after", ""), raw

    def _connected(self) -> httpx2.Client:
        """A connection for one call at a time: an idle one, or a new one.

        A proxy named by the environment is never asked for this very machine.
        """
        try:
            return self._idle.pop()
        except IndexError:
            pass
        try:
            return httpx2.Client(follow_redirects=False, trust_env=not is_here(urlsplit(self._base_url).hostname or ""))
        except (ValueError, ImportError, OSError, httpx2.InvalidURL) as error:
            raise ProviderError(f"cannot be asked: proxy or certificates of the environment: {error}") from error

    def _read(self, raw: bytes) -> Mapping[str, Any]:
        """The body of a good answer. Gateways report failures inside one too."""
        try:
            answer = in_shape(json.loads(raw))
        except (ValueError, RecursionError) as error:
            raise ProviderError(f"answered no JSON but {raw[:80].decode('utf-8', 'replace')!r}") from error
        failure = answer.get("error")
        if failure:
            code = failure.get("code") if isinstance(failure, dict) else None
            raise self._failure(code if isinstance(code, int) else OK, error_text(raw), "")
        return answer

    def _failure(self, status: int, said: str, retry_after: str) -> ProviderError:
        if is_worth_retrying(status):
            return _AgainError(f"answered {status}: {said}", asked_s=self._pace.asked_s(retry_after))
        if REDIRECT_FIRST <= status <= REDIRECT_LAST:
            return ProviderError(f"answered {status}: redirects are not followed, give the final address")
        return ProviderError(f"answered {status}: {said}")

    def _shown(self, error: ProviderError) -> str:
        """The failure with the model's name and without the key, should the server have repeated it."""
        message = str(error)
        return f"{self._name} {message.replace(self._api_key, '[key]') if self._api_key else message}"


class _AgainError(ProviderError):
    """A failure that another try may mend, with the wait that the server asked for."""

    def __init__(self, message: str, *, asked_s: float | None = None) -> None:
        super().__init__(message, retryable=True)
        self.asked_s = asked_s


def _bounded(response: httpx2.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > ANSWER_BYTES_MAX:
            raise ProviderError(f"answered more than {ANSWER_BYTES_MAX:,} bytes")
        parts.append(part)
    return b"".join(parts)


def _unreachable(error: Exception) -> ProviderError:
    """What went wrong below HTTP. A wait that took all the time is not tried again, a broken connection is."""
    kind = type(error).__name__
    match error:
        case httpx2.TimeoutException():
            return ProviderTimeoutError(f"did not answer in time ({kind})")
        case httpx2.NetworkError() | httpx2.RemoteProtocolError() | httpx2.ProxyError() | OSError():
            return _AgainError(f"cannot be reached ({kind}: {error})")
        case _:
            return ProviderError(f"cannot be asked ({kind}: {error})")
