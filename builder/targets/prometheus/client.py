"""A Prometheus asked with patience, by several threads: questions only, nothing is ever changed.

Whatever answers is held against what Prometheus answers, so that a login page, a proxy's error or another server's
JSON is said to be what it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from builder.opening.server import Series
from builder.targets.http.address import Address
from builder.targets.http.failures import OutOfReach, body_of
from builder.targets.http.parallel import interrupted
from builder.targets.http.wire import Lost, Reply, TooLarge, TooLate, Wire
from builder.targets.prometheus.answer import Answer, Malformed, answer_of, labels_of, texts_of
from builder.targets.prometheus.refusals import QueryRefused, Unusable, out_of_reach, refused_query, unusable

T = TypeVar("T")

_TRANSIENT = (429, 502, 503, 504)
_ATTEMPTS = 3
_PAUSE = 0.5
_PATIENCE = 0.9  # of our time limit: the server gives up first, says so, and is rid of the query


@dataclass(frozen=True)
class _Whole:
    """A success's JSON, how long it was, and how long it took."""

    body: dict[str, Any]
    size: int
    seconds: float


@dataclass
class Client:
    """A Prometheus at an address. ``seconds`` is what one request may take as a whole.

    ``stop`` ends waiting for another try, not a request in flight. Every method raises QueryRefused where Prometheus
    says that a question has no answer, OutOfReach where it is not Prometheus that answers, or nobody does, and
    Interrupted once ``stop`` is set.
    """

    endpoint: Address
    seconds: float = 30
    jobs: int = 4
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._wire = Wire(self.endpoint, seconds=self.seconds, connections=self.jobs + 1)
        self._gets = False  # set once where POST is not let through

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()

    def clock(self) -> float:
        """The server's own time (Unix time); this also shows that a Prometheus is there."""
        doing = "reach Prometheus"
        answer = self._read(doing, "query", {"query": "vector(time())"}, lambda whole: _answer(whole))
        try:
            (series,) = answer.series()
            moment = series.last
        except (Malformed, ValueError, IndexError):
            raise self._not_prometheus(doing) from None
        if answer.kind != "vector" or not abs(moment - series.points[0][0]) <= 1:
            raise self._not_prometheus(doing)
        return moment

    def version(self) -> str:
        """The version that the server says it has; empty where it does not say."""
        try:
            data = self._read("ask for the version", "status/buildinfo", {}, lambda w: w.body.get("data"), get=True)
        except (QueryRefused, OutOfReach):
            return ""  # Thanos, Cortex and others do not all have it
        return str(data.get("version") or "") if isinstance(data, dict) else ""

    def query(self, expr: str, at: float, doing: str = "run a query") -> Answer:
        """The answer to an expression at one time, with what it cost."""
        return self._query(doing, "query", {"query": expr, "time": _number(at)})

    def query_range(self, expr: str, start: float, end: float, step: float, doing: str = "run a query") -> Answer:
        """The answer from start to end, every ``step`` seconds, with what it cost."""
        asked = {"query": expr, "start": _number(start), "end": _number(end), "step": _number(step)}
        return self._query(doing, "query_range", asked)

    def instant(self, expr: str, at: float) -> tuple[Series, ...]:
        """The series that an expression has at one time."""
        asked = {"query": expr, "time": _number(at)}
        return self._read("run a query", "query", asked, lambda whole: _answer(whole).series())

    def label_values(self, label: str, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Values of a label among the selected series, sorted."""
        path, asked = f"label/{label}/values", _selected(selector, start, end)
        return self._read(f"read the values of {label}", path, asked, lambda w: texts_of(w.body.get("data")), get=True)

    def label_names(self, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Names of the labels of the selected series, sorted."""
        asked = _selected(selector, start, end)
        return self._read("read the names of labels", "labels", asked, lambda w: texts_of(w.body.get("data")))

    def series(self, selector: str, *, start: float = 0, end: float = 0) -> tuple[Mapping[str, str], ...]:
        """Labels of the selected series."""
        asked = _selected(selector, start, end)
        return self._read("list series", "series", asked, lambda w: labels_of(w.body.get("data")))

    def data(self, doing: str, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """What ``/api/v1/<path>`` answers to a GET."""
        return self._read(doing, path, query or {}, lambda whole: whole.body.get("data"), get=True)

    # one question --------------------------------------------------------------------------------

    def _query(self, doing: str, path: str, asked: Mapping[str, Any]) -> Answer:
        limit = round(max(self.seconds * _PATIENCE, 0.1) * 1000)  # whole numbers only: Prometheus refuses 1.8s
        return self._read(doing, path, {**asked, "stats": "all", "timeout": f"{limit}ms"}, _answer)

    def _read(
        self,
        doing: str,
        path: str,
        asked: Mapping[str, Any],
        understood: Callable[[_Whole], T],
        *,
        get: bool = False,
    ) -> T:
        for attempt in range(1, _ATTEMPTS + 1):
            if self.stop.is_set():
                raise interrupted(self)
            last = attempt == _ATTEMPTS or self.stop.is_set()
            begin = time.monotonic()
            try:
                reply = self._exchange(path, asked, get)
            except TooLarge as large:
                raise QueryRefused("too large", "the answer is larger than 64 MiB", fix="narrow it") from large
            except Lost as lost:
                if last or isinstance(lost, TooLate) or not lost.passing:  # another try would take as long
                    raise out_of_reach(lost, doing, self.endpoint) from lost
            else:
                try:
                    return understood(self._whole(reply, doing, time.monotonic() - begin))
                except Malformed:
                    raise self._not_prometheus(doing) from None
                except Unusable as error:
                    if last or not (error.status in _TRANSIENT or _cut_off(reply)):
                        raise
            self.stop.wait(_PAUSE * attempt)
        raise AssertionError("the last attempt returns or raises")

    def _exchange(self, path: str, asked: Mapping[str, Any], get: bool) -> Reply:
        url = f"/api/v1/{path}"
        if get or self._gets:
            return self._wire.exchange("GET", url, asked)
        # Expressions are longer than a URL may be; but what is in between does not always let a POST through.
        reply = self._wire.exchange("POST", url, form=asked)
        if reply.status == 405:
            self._gets = True
            return self._wire.exchange("GET", url, asked)
        return reply

    def _whole(self, reply: Reply, doing: str, seconds: float) -> _Whole:
        body = body_of(reply)
        status = body.get("status") if isinstance(body, dict) else None
        if reply.ok and status == "success":
            return _Whole(body, len(reply.body), seconds)
        if status == "error" and reply.status not in (401, 403, 404, 429) and body.get("errorType"):
            raise refused_query(body, self.endpoint)
        raise unusable(reply, body, doing, self.endpoint)

    def _not_prometheus(self, doing: str) -> Unusable:
        return unusable(Reply(200, {}, b""), None, doing, self.endpoint)


def _answer(whole: _Whole) -> Answer:
    return answer_of(whole.body, whole.size, whole.seconds)


def _cut_off(reply: Reply) -> bool:
    """True for JSON that ends in the middle: something in between broke it off."""
    return reply.ok and reply.body[:1] == b"{" and not reply.body.rstrip().endswith(b"}")


def _selected(selector: str, start: float, end: float) -> dict[str, Any]:
    asked: dict[str, Any] = {"match[]": selector} if selector else {}
    return {**asked, "start": _number(start), "end": _number(end)} if end else asked


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
