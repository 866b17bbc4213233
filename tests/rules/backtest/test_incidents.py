"""Incidents: as a step-by-step account of what Prometheus does gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.rules.backtest.incidents import Incident, incidents, joined, runs
from builder.rules.backtest.period import LEAD, Period

STEP = 30
PERIOD = Period(start=7200, end=7200 + 40 * STEP, step=STEP)
LEAD_STEPS = LEAD // STEP


def evaluated(true: Sequence[bool], hold: int, keep: int) -> Iterator[bool]:
    """At each evaluation whether the alert fires: the states of Prometheus' alerting rule, one after the other."""
    active_at = kept_since = None
    firing = False
    for n, there in enumerate(true):
        now = n * STEP
        if there:
            kept_since = None
            active_at = now if active_at is None else active_at
            firing = firing or now - active_at >= hold
        elif firing:
            kept_since = now if kept_since is None else kept_since
            if now - kept_since >= keep:
                firing, active_at, kept_since = False, None, None
        else:
            active_at = None
        yield firing


@given(
    st.lists(st.integers(1, 14), max_size=24),
    st.sampled_from([0, 10, 30, 45, 90, 300]),
    st.sampled_from([0, 20, 30, 60, 100]),
)
def test_incidents_are_those_of_an_evaluation_step_by_step(lengths: list[int], hold: int, keep: int) -> None:
    """Stretches without and with the condition take turns."""
    turns = [bool(n % 2) for n, length in enumerate(lengths) for _ in range(length)]
    true = [*[False] * (LEAD_STEPS - 20), *turns, *[False] * PERIOD.count][: PERIOD.count]
    found = incidents(tuple(runs(n for n, there in enumerate(true) if there)), PERIOD, hold=hold, keep=keep)
    expected = list(evaluated(true, hold, keep))
    times = [PERIOD.at(n) for n in range(PERIOD.count)]
    fires = [any(i.fired <= at and (at < i.ended or i.open) for i in found) for at in times]
    assert fires[LEAD_STEPS:] == expected[LEAD_STEPS:]
    begun = [n for n in range(LEAD_STEPS + 1, PERIOD.count) if expected[n] and not expected[n - 1]]
    assert [i.fired for i in found if i.fired > PERIOD.start] == [PERIOD.at(n) for n in begun]


def test_a_condition_fires_after_its_time_and_ends_with_it() -> None:
    first = LEAD_STEPS + 4
    (found,) = incidents([(first, first + 9)], PERIOD, hold=120, keep=0)
    assert found == Incident(fired=PERIOD.at(first + 4), ended=PERIOD.at(first + 10))


def test_one_missing_evaluation_begins_anew_what_was_pending() -> None:
    first = LEAD_STEPS + 2
    assert incidents([(first, first + 3), (first + 5, first + 8)], PERIOD, hold=120, keep=600) == ()


def test_what_comes_back_while_it_is_kept_is_one_incident() -> None:
    first = LEAD_STEPS + 2
    true = [(first, first + 5), (first + 8, first + 9)]
    (found,) = incidents(true, PERIOD, hold=60, keep=90)
    assert (found.fired, found.ended) == (PERIOD.at(first + 2), PERIOD.at(first + 13))
    assert len(incidents(true, PERIOD, hold=0, keep=60)) == 1  # just then
    assert len(incidents(true, PERIOD, hold=0, keep=30)) == 2


def test_what_began_before_and_what_goes_on() -> None:
    (found,) = incidents([(0, PERIOD.count - 1)], PERIOD, hold=600, keep=0)
    assert found == Incident(PERIOD.start, PERIOD.end, before=True, open=True)
    assert incidents([(0, LEAD_STEPS - 1)], PERIOD, hold=0, keep=0) == ()


def test_runs_that_touch_are_one() -> None:
    assert tuple(runs([1, 2, 3, 7, 9, 10])) == ((1, 3), (7, 7), (9, 10))
    assert tuple(joined([(1, 3), (4, 4), (6, 8)])) == ((1, 4), (6, 8))


@pytest.mark.parametrize("length", [1, 30, 60, 100, 3600, 10**6])
def test_slices_hold_every_evaluation_once(length: int) -> None:
    slices = list(PERIOD.slices(length))
    assert [n for first, last in slices for n in range(first, last + 1)] == list(range(PERIOD.count))
    assert all(last - first < max(length / STEP, 1) for first, last in slices)
    assert PERIOD.at(PERIOD.count - 1) == PERIOD.end
