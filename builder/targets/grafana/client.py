"""Requests with patience: what passes by itself is tried again, at a pace that the server can bear.

A write whose reply was lost is not simply sent again: the caller first looks whether it took effect.
"""

from __future__ import annotations

import email.utils
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from builder.targets.grafana.endpoint import Endpoint
from builder.targets.grafana.refusals import not_json, out_of_reach, refusal
from builder.targets.http.failures import Interrupted
from builder.targets.http.wire import Lost, Reply, Wire

T = TypeVar("T")

_TRANSIENT = (408, 425, 429, 500, 502, 503, 504)
_NOT_DONE = (408, 425, 429)
_LONGEST_BACKOFF = 10.0
_LONGEST_WAIT = 60.0


Fits = Callable[[Any], bool]


def members(*names: str) -> Fits:
    """Fits an object that has these members."""
    return lambda body: isinstance(body, dict) and all(name in body for name in names)


def _any(body: Any) -> bool:
    return isinstance(body, dict | list)


@dataclass(frozen=True)
class _Request:
    method: str
    doing: str
    path: str
    query: Mapping[str, Any] | None
    body: Any
    fits: Fits
    accept: tuple[int, ...]
    pages: bool

    def is_answered_by(self, reply: Reply) -> bool:
        """A body that is not what was asked for comes from something in between, or was damaged on its way."""
        accepted = reply.status in self.accept
        if not (reply.ok or accepted):
            return False
        if accepted and self.pages:
            return True
        try:
            body = reply.json()
        except ValueError:
            return False
        return self.fits(body) if reply.ok else _any(body)


class Client:
    """A Grafana, for several threads. ``stop`` ends waiting for another try, not a request in flight.

    ``attempts`` counts the first one; ``backoff`` is the longest wait before the second, in seconds, doubled for
    each further one and then drawn at random, so that workers do not come back all at once.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        seconds: float = 30,
        jobs: int = 1,
        attempts: int = 5,
        backoff: float = 0.5,
        stop: threading.Event | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.jobs = jobs
        self.stop = stop or threading.Event()
        self._attempts = attempts
        self._backoff = backoff
        self._wire = Wire(endpoint, seconds=seconds, connections=jobs + 1)
        self._not_before = 0.0
        self._random = random.Random()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()

    def read(
        self,
        doing: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        *,
        fits: Fits | None = None,
        accept: tuple[int, ...] = (),
        pages: bool = False,
    ) -> Reply:
        """The reply to a GET whose body is JSON that ``fits``, or whose status is one of ``accept``.

        ``pages``: the reply with such a status need not be JSON. Raises Refused for any other reply, and OutOfReach
        where none came.
        """

        def again() -> None:
            return None

        return self._repeat(_Request("GET", doing, path, query, None, fits or _any, accept, pages), again)

    def json(self, doing: str, path: str, query: Mapping[str, Any] | None = None, *, fits: Fits | None = None) -> Any:
        """The JSON that a GET is answered with."""
        return self.read(doing, path, query, fits=fits).json()

    def write(
        self,
        method: str,
        doing: str,
        path: str,
        body: Any = None,
        *,
        done: Callable[[], T | None],
        fits: Fits | None = None,
        accept: tuple[int, ...] = (),
    ) -> Reply | T:
        """The reply to a request that changes something; or what ``done`` found.

        ``done`` is asked after each try whose outcome is unknown: not None means that it took effect.
        """
        return self._repeat(_Request(method, doing, path, None, body, fits or _any, accept, False), done)

    def _repeat(self, request: _Request, done: Callable[[], T | None]) -> Reply | T:
        for attempt in range(1, self._attempts + 1):
            self._wait_for_turn()
            if attempt > 1 and self.stop.is_set():
                what = f"cannot {request.doing}: interrupted before another try"
                raise Interrupted(what, where=self.endpoint.url)
            pause, unknown = 0.0, True
            try:
                reply = self._wire.exchange(request.method, request.path, request.query, request.body)
            except Lost as lost:
                failure: Exception = out_of_reach(lost, request.doing, self.endpoint)
                if not lost.passing:
                    raise failure from lost
                unknown = lost.arrived
            else:
                if request.is_answered_by(reply):
                    return reply
                if reply.ok or reply.status in request.accept:
                    failure = not_json(reply, request.doing, self.endpoint)
                else:
                    failure = refusal(reply, request.doing, self.endpoint)
                    if reply.status not in _TRANSIENT:
                        raise failure
                    pause, unknown = _asked_for(reply), reply.status not in _NOT_DONE
            found = done() if unknown else None
            if found is not None:
                return found
            if attempt == self._attempts:
                raise failure
            self._pause(attempt, pause)
        raise AssertionError("attempts are at least 1")

    def _wait_for_turn(self) -> None:
        """One server: when it asks one worker to wait, all wait."""
        wait = self._not_before - time.monotonic()
        if wait > 0:
            self.stop.wait(wait)

    def _pause(self, attempt: int, asked_for: float) -> None:
        if asked_for:
            self._not_before = max(self._not_before, time.monotonic() + asked_for)
        self.stop.wait(self._random.uniform(0.5, 1) * min(self._backoff * 2 ** (attempt - 1), _LONGEST_BACKOFF))


def _asked_for(reply: Reply) -> float:
    """Seconds that Retry-After asks for; it is a number, or a date (RFC 9110, section 10.2.3)."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isdecimal():
        seconds = float(text)
    else:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), _LONGEST_WAIT)
