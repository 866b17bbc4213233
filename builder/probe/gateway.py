"""A Pushgateway, for jobs that nothing can scrape. What is pushed stays until it is deleted.

https://github.com/prometheus/pushgateway#api
"""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

_SECONDS = 5.0

Note = Callable[[str, "BaseException | str"], None]


@dataclass(frozen=True)
class Group:
    """One group of a Pushgateway: its address, and what to send along."""

    url: str
    headers: Mapping[str, str] = field(repr=False)


def group(address: str, labels: Mapping[str, str]) -> Group:
    """The group with these labels, ``job`` first; user and password may be in the address."""
    parts = urlsplit(address)
    headers = {}
    if parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {b64encode(login.encode()).decode()}"
    host = parts.netloc.rpartition("@")[2]
    path = "".join(f"/{name}@base64/{_encoded(value)}" for name, value in labels.items())
    return Group(urlunsplit((parts.scheme, host, f"{parts.path}/metrics{path}", "", "")), headers)


def _encoded(value: str) -> str:
    """Base64, so that a job's name may hold a slash; an empty value is written as a single "="."""
    return urlsafe_b64encode(value.encode()).decode() or "="


class Pusher:
    """Pushes a registry to a group now and every ``interval`` seconds, from a thread of its own."""

    def __init__(self, to: Group, registry: Collector, interval: float, note: Note) -> None:
        self._to = to
        self._registry = registry
        self._interval = interval
        self._note = note
        self._stop = Event()
        self._thread = Thread(target=self._run, name="gpuboards-probe-gateway", daemon=True)
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """No more pushes; waits for one that is on its way, at most ``seconds``."""
        self._stop.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            try:
                self._push()
            except Exception as error:
                self._note("gateway", error)
            if self._stop.wait(self._interval):
                return

    def _push(self) -> None:
        from urllib.request import Request, urlopen

        from prometheus_client.exposition import generate_latest

        headers = {**self._to.headers, "Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        request = Request(self._to.url, data=generate_latest(self._registry), method="PUT", headers=headers)
        with urlopen(request, timeout=_SECONDS):
            pass
