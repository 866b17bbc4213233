"""What is done to a healthy fleet fires nothing: restarts, gaps in the data, nodes that go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from builder.simulate import Fleet, history
from builder.testing import Prometheus
from tests.rules.firing import BLIND, firing, rules_for

pytestmark = pytest.mark.live
FLEET = Fleet(nodes=2, cards=4, job_hours=8)
HOURS = 3.5
AT = FLEET.start + 2 * 3600
"""When it is done."""

Left = Callable[[str, float], bool]
"""Whether Prometheus gets a sample, by its series and by how many seconds after AT it is."""


def _of(*parts: str) -> Callable[[str], bool]:
    return lambda series: all(part in series for part in parts)


def _without(chosen: Callable[[str], bool], begin: float, end: float) -> Left:
    return lambda series, since: not (begin <= since < end and chosen(series))


ALWAYS = 1e9
DONE: Mapping[str, Left] = {
    "Prometheus is away for ten minutes": _without(_of(), 0, 600),
    "an exporter restarts": _without(_of("DCGM", "node-0"), 0, 240),
    "a node is taken out of Kubernetes": _without(_of("node-0"), 0, ALWAYS),
    "the jobs' metrics are away for a while": _without(_of("train_"), 0, 900),
}


@cache
def _lines() -> list[str]:
    return history(FLEET, begin=FLEET.start, end=FLEET.start + HOURS * 3600).splitlines(keepends=True)


@pytest.mark.parametrize("what", DONE)
def test_maintenance_fires_nothing(what: str) -> None:
    left = DONE[what]
    *samples, end = _lines()
    kept = [line for line in samples if left(line, float(line.rsplit(" ", 1)[1]) - AT)]
    assert 0 < len(kept) < len(samples)
    with Prometheus(history="".join([*kept, end])) as prometheus:
        last = FLEET.start + HOURS * 3600
        found = [
            each for rule in rules_for(FLEET) for each in firing(prometheus.client, rule, FLEET.start + BLIND, last)
        ]
    assert list(map(str, found)) == []
