"""A real Prometheus for each fleet that a test asks for, started once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from builder.testing import Prometheus
from tests.live.fleets import FLEETS


@pytest.fixture(scope="session")
def prometheus_of() -> Iterator[Callable[[str], Prometheus]]:
    """The running Prometheus that holds an hour of the named fleet."""
    running: dict[str, Prometheus] = {}
    with ExitStack() as stack:

        def start(fleet: str) -> Prometheus:
            if fleet not in running:
                server = Prometheus(history=FLEETS[fleet].history())
                running[fleet] = stack.enter_context(server)
            return running[fleet]

        yield start
