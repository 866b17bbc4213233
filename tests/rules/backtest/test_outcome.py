"""Which thresholds are tried, and which one is suggested."""

from __future__ import annotations

import pytest

from builder.rules.backtest.grid import values, worth_trying
from builder.rules.backtest.incidents import Incident
from builder.rules.backtest.outcome import Firing, Outcome, Tried, suggestion
from builder.rules.thresholds import SETTINGS

WEEK = 7 * 86_400.0


def outcome(count: int, seconds: float = WEEK) -> Outcome:
    return Outcome(tuple(Firing({"node": f"n{n}"}, Incident(n * 60, n * 60 + 30)) for n in range(count)), seconds)


@pytest.mark.parametrize("name", SETTINGS)
def test_values_are_in_range_and_on_either_side_of_the_present_one(name: str) -> None:
    setting = SETTINGS[name]
    found = values(name, setting.default)
    assert list(found) == sorted(set(found))
    assert setting.default in found
    assert all(setting.low <= value <= setting.high for value in found)
    assert len(found) >= 4
    assert found[-1] > setting.default


@pytest.mark.parametrize("name", SETTINGS)
def test_the_ends_of_the_range_have_neighbours_too(name: str) -> None:
    for present in (SETTINGS[name].low, SETTINGS[name].high):
        found = values(name, present)
        assert present in found
        assert len(found) > 1


def test_holds_come_after_what_is_held_and_windows_are_no_question() -> None:
    needed = ("scrape_gap", "keep", "slowdown_window", "slowdown_hold", "slowdown_share", "leak_keep")
    assert worth_trying(needed) == ("slowdown_share", "slowdown_hold")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(0, 95), (1, 91), (2, 91), (4, 89), (4.5, 89), (100, 83)],
)
def test_the_suggestion_fires_most_often_among_those_that_fit(wanted: float, expected: float) -> None:
    tried = tuple(Tried(v, outcome(c)) for v, c in ((83, 9), (85, 6), (87, 6), (89, 4), (91, 1), (93, 1), (95, 0)))
    found = suggestion(tried, wanted, present=85)
    assert found is not None
    assert found.value == expected


def test_of_equals_the_nearest_to_the_present_one_and_none_where_all_are_too_often() -> None:
    tried = tuple(Tried(v, outcome(6)) for v in (83, 85, 87))
    found = suggestion(tried, 6, present=87)
    assert found is not None
    assert found.value == 87
    assert suggestion(tried, 5, present=87) is None


def test_rates_are_of_the_history_that_there_is() -> None:
    assert outcome(3, WEEK / 2).a_week == 6
    assert outcome(3).firing_seconds == 90
    assert outcome(3).places == ("n0", "n1", "n2")


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        ({"cluster": "west", "node": "a", "gpu": "3", "uuid": "GPU-1"}, "west/a/3"),
        ({"node": "a", "gpu": "3", "mig": "1", "xid": "79"}, "a/3/1/79"),
        ({"namespace": "ml", "training_job": "bert", "rank": "2"}, "ml/bert/2"),
        ({}, "everything"),
    ],
)
def test_places_name_the_card_or_the_job(labels: dict[str, str], place: str) -> None:
    assert Firing(labels, Incident(0, 1)).place == place
