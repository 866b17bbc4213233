"""The few series that a graph of a fleet shows are the same at every step, whichever are extreme at one of them.

In fleet "dcgm-cooled", card 1 of gpu-node-02 was at 88 degrees until half an hour ago and is at 40 since; card 0 is
at 41 all the time.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from builder.promql.substitute import Window, substitute
from builder.queries import thermal
from builder.queries.extremes import highest, lowest
from builder.queries.question import Question
from builder.testing import AT, Client, Prometheus
from tests.live.fleet import CHANGE, HOUR_AGO
from tests.live.running import address_of
from tests.queries.asking import source

pytestmark = pytest.mark.live


@pytest.mark.parametrize("question", [highest(thermal.temperature, 1), lowest(thermal.temperature, 1)], ids=str)
def test_the_chosen_card_is_shown_from_end_to_end(
    question: Question, prometheus_of: Callable[[str], Prometheus]
) -> None:
    """Hottest for half an hour and coldest for the other half, by a degree: one card, one line, both halves."""
    client = Client(address_of("dcgm-cooled") or prometheus_of("dcgm-cooled").url)
    expr = substitute(question.ask(source("dcgm", filters=())).text, {}, window=Window(60, 120, 3600))
    (series,) = client.range(expr, HOUR_AGO, AT, 60)
    client.close()
    assert (series.labels["node"], series.labels["gpu"]) == ("gpu-node-02", "1")
    assert [value for _, value in series.points] == [88.0 if t < CHANGE else 40.0 for t, _ in series.points]
    assert len(series.points) == 61
