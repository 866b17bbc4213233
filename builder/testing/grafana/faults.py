"""What goes wrong between a client and Grafana, switched on by a test.

    grafana.faults.add(faults.too_many_requests(retry_after=2), path="^/api/dashboards/db$", nth=(1, 2))
    grafana.faults.add(faults.latency(0.02))
    grafana.faults.storm(0.2)

Which request a fault of some probability hits follows from the seed, the request's method and path, and how many
such requests came before: not from the order in which threads happen to arrive.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from builder.errors import UsageError
from builder.testing.grafana.exchange import Response, html

_LOGIN = "/login"  # where a redirect leads has to be reachable, so nothing goes wrong there
Delivery = Literal["whole", "nothing", "half then reset", "half then close", "slow"]


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong with one request.

    ``applied``: Grafana still sees the request and carries it out. ``reply`` goes out in place of Grafana's own
    answer. ``delivery`` is how much of the answer arrives: "nothing" is a reset without a byte. ``delay`` and
    ``jitter`` are seconds before Grafana sees it; ``duration`` is how long a slow answer drips.
    """

    name: str
    applied: bool = True
    reply: Response | None = None
    delivery: Delivery = "whole"
    delay: float = 0.0
    jitter: float = 0.0
    duration: float = 0.0


def latency(seconds: float, jitter: float = 0.0) -> Fault:
    """A slow network: ``seconds``, give or take up to ``jitter``."""
    return Fault("latency", delay=seconds, jitter=jitter)


def too_many_requests(retry_after: int | str | None = 1) -> Fault:
    """429, with the header Retry-After (seconds, or an HTTP date) or without."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    name = "429 without Retry-After" if retry_after is None else "429"
    return Fault(name, applied=False, reply=Response(429, {"message": "too many requests"}, headers=headers))


def database_locked(*, applied: bool = False) -> Fault:
    """500, as a Grafana on SQLite answers under parallel writes."""
    body = {"message": "Failed to save dashboard", "error": "database is locked", "traceID": ""}
    return Fault("database is locked", applied=applied, reply=Response(500, body))


def proxy_error(code: Literal[502, 503, 504] = 502, *, applied: bool = False) -> Fault:
    """The HTML page of a proxy that did not get an answer (in time, where ``applied``)."""
    title = {502: "502 Bad Gateway", 503: "503 Service Temporarily Unavailable", 504: "504 Gateway Time-out"}[code]
    return Fault(f"{code} from a proxy", applied=applied, reply=html(code, title))


def reset_before() -> Fault:
    """The connection is reset, and Grafana never saw the request."""
    return Fault("reset before", applied=False, delivery="nothing")


def reset_after() -> Fault:
    """Grafana carried the request out, and the connection is reset before a byte of the answer."""
    return Fault("reset after", delivery="nothing")


def reset_middle() -> Fault:
    """Grafana carried the request out, and the connection is reset in the middle of the answer."""
    return Fault("reset in the middle", delivery="half then reset")


def truncated() -> Fault:
    """Grafana carried the request out; the answer ends in the middle, in an orderly way."""
    return Fault("truncated", delivery="half then close")


def slow(seconds: float = 1.0) -> Fault:
    """A slow loris: the answer drips over ``seconds``."""
    if seconds <= 0:
        raise UsageError(f"a slow answer takes more than {seconds} seconds")
    return Fault("slow", delivery="slow", duration=seconds)


def wrong_json(text: str = '["unexpected"]', *, applied: bool = True) -> Fault:
    """200 with JSON of another shape than Grafana's, or with no JSON at all."""
    return Fault("wrong JSON", applied=applied, reply=Response(200, text, "application/json"))


def login_redirect() -> Fault:
    """302 to the login page, as from a proxy that wants a session; the page itself answers 200."""
    return Fault("redirect to login", applied=False, reply=Response(302, "", "text/html", {"Location": _LOGIN}))


ALL: tuple[Fault, ...] = (
    latency(0.02, jitter=0.02),
    too_many_requests(0),
    too_many_requests(None),
    database_locked(),
    database_locked(applied=True),
    proxy_error(502),
    proxy_error(503),
    proxy_error(504, applied=True),
    reset_before(),
    reset_after(),
    reset_middle(),
    truncated(),
    slow(0.1),
    wrong_json(),
    login_redirect(),
)
"""One of each kind, with waits short enough for hundreds of runs."""


@dataclass(frozen=True)
class _Rule:
    number: int
    choices: tuple[Fault, ...]
    method: re.Pattern[str]
    path: re.Pattern[str]
    nth: frozenset[int]
    times: float
    probability: float


class Faults:
    """The faults of one Grafana; can be changed while it runs, from any thread."""

    def __init__(self, seed: int = 0, base_latency: float = 0.0) -> None:
        self.enabled = True
        self._base_latency = base_latency
        self._seed = seed
        self._lock = threading.Lock()
        self._rules: list[_Rule] = []
        self._added = 0
        self._matched: Counter[int] = Counter()
        self._fired_rules: Counter[int] = Counter()
        self._requests: Counter[tuple[str, str]] = Counter()
        self._fired: list[tuple[str, str, str]] = []

    def add(
        self,
        fault: Fault,
        *,
        method: str = "",
        path: str = "",
        nth: Collection[int] = (),
        times: int | None = None,
        probability: float = 1.0,
    ) -> None:
        """Let a fault hit the requests that match.

        ``method`` is one or several (``"POST|PUT"``), ``path`` a regular expression that is searched in the path
        without the sub-path; ``nth`` counts the matching requests from 1; ``times`` is how often it fires at most.
        Of several rules the first that fires wins; delays add up.
        """
        self._add((fault,), method, path, nth, times, probability)

    def storm(self, rate: float, *, method: str = "", path: str = "", choices: Sequence[Fault] = ALL) -> None:
        """Let one of the choices, drawn by the seed, hit that share of the matching requests."""
        self._add(tuple(choices), method, path, (), None, rate)

    def clear(self) -> None:
        """Forget all faults, those that fired included."""
        with self._lock:
            self._rules.clear()
            self._fired.clear()

    @property
    def fired(self) -> tuple[tuple[str, str, str], ...]:
        """Method, path and fault of each request that was hit, in order."""
        with self._lock:
            return tuple(self._fired)

    def draw(self, method: str, path: str) -> Fault:
        """What goes wrong with the next request of this method and path; a fault without a name is none."""
        with self._lock:
            self._requests[method, path] += 1
            rules = self._rules if self.enabled and path != _LOGIN else ()
            hits = [fault for rule in rules if (fault := self._fire(rule, method, path))]
            if not hits:
                return Fault("", delay=self._base_latency)
            main = next((f for f in hits if f.name != "latency"), hits[0])
            self._fired.append((method, path, main.name))
            return replace(main, delay=self._base_latency + sum(f.delay for f in hits))

    def _add(
        self,
        choices: tuple[Fault, ...],
        method: str,
        path: str,
        nth: Collection[int],
        times: int | None,
        probability: float,
    ) -> None:
        if not choices or not 0 <= probability <= 1:
            raise UsageError(f"a fault needs a choice and a probability from 0 to 1, not {probability}")
        limit = float("inf") if times is None else times
        with self._lock:
            self._added += 1
            self._rules.append(
                _Rule(
                    self._added,
                    choices,
                    re.compile(method or ".*"),
                    re.compile(path),
                    frozenset(nth),
                    limit,
                    probability,
                )
            )

    def _fire(self, rule: _Rule, method: str, path: str) -> Fault | None:
        if not rule.method.fullmatch(method) or not rule.path.search(path):
            return None
        self._matched[rule.number] += 1
        if rule.nth and self._matched[rule.number] not in rule.nth:
            return None
        if self._fired_rules[rule.number] >= rule.times:
            return None
        draw = random.Random(f"{self._seed}/{rule.number}/{method}/{path}/{self._requests[method, path]}")
        if draw.random() >= rule.probability:
            return None
        self._fired_rules[rule.number] += 1
        fault = draw.choice(rule.choices)
        return replace(fault, delay=max(0.0, fault.delay + fault.jitter * draw.uniform(-1, 1)))
