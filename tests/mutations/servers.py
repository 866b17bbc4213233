"""The Prometheus servers that the tests ask, started once for all mutations: no mutation changes what was scraped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial

from builder.testing import Prometheus
from tests.live.cases import planted
from tests.live.fleets import FLEETS
from tests.live.known_answers import KNOWN


@contextmanager
def running(jobs: int) -> Iterator[Mapping[str, str]]:
    """The addresses of all servers, by what they hold (see tests.live.running)."""
    histories: dict[str, Callable[[], str]] = {name: FLEETS[name].history for name in {*KNOWN, "dcgm-silent"}}
    histories |= {f"cases/{exporter}": partial(planted.scraped, exporter) for exporter in planted.EXPORTERS}
    with ExitStack() as stack, ThreadPoolExecutor(jobs) as pool:
        servers = {name: pool.submit(_start, history) for name, history in histories.items()}
        for server in servers.values():
            stack.push(server.result())
        yield {name: server.result().url for name, server in servers.items()}


def _start(history: Callable[[], str]) -> Prometheus:
    return Prometheus(history=history()).__enter__()
