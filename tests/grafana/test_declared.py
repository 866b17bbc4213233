"""The types that are declared are the types that are taken, and a wrong one is told with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from builder import Board, Column, LogsLink, Query, Row, Stat, TimeSeries, overrides, queries, table
from builder.errors import DefinitionError
from builder.grafana import variables as kinds
from builder.grafana.declared import check_fields, checked, fault_of, is_number, is_text

UP = Query("up")
LOOPED: dict[str, Any] = {}
LOOPED["again"] = LOOPED

# what is said ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board("u", "T", [Stat("S", [UP])], variables=["node"]), r"variables\[0\]: 'node' is not a variable"),
        (lambda: Board("u", "T", [Stat("S", [UP])], tags=[1]), r"tags: \[0\]: 1 is not a text"),
        (lambda: Board("u", "T", [Stat("S", [UP])], links=[5]), r"links\[0\]: 5 is not a dict"),
        (lambda: Board("u", "T", ["up"]), r"panels\[0\]: 'up' is not a panel"),
        (lambda: Board("u", "T", [Stat("S", [UP])], time_from="yesterday"), "time_from 'yesterday' is no moment"),
        (lambda: Board("u", "T", [Stat("S", [UP])], question=5), "question: 5 is not a text"),
        (lambda: Row("R", [Row("S")]), 'Row "R": a row in a row'),
        (lambda: TimeSeries("A", ["up"]), "TimeSeries \"A\", targets: 'up' is not a query"),
        (lambda: TimeSeries("A", [UP], links=["http://x"]), "links: 'http://x' is not a link"),
        (lambda: TimeSeries("A", [UP], time_from="soon"), "'soon' is not a relative time"),
        (lambda: TimeSeries("A", [UP], time_shift="later"), "'later' is not a time shift"),
        (lambda: TimeSeries("A", [UP], max=float("inf")), "inf is not a number"),
        (lambda: TimeSeries("A", [UP], extra={"gridPos": {}}), "use x, y, width and height"),
        (lambda: TimeSeries("A", [UP], extra=LOOPED), "does it contain itself"),
        (lambda: overrides.by_name("a", decimals="two"), "override of 'a', decimals: 'two' is not a whole number"),
        (lambda: Column("A", "up", look={"decimals": "two"}) and table("T", [], labels=5), "labels: 5 is not a dict"),
        (lambda: table("T", [Column("A", "up", look={"decimals": "two"})], labels={}), "'two' is not a whole number"),
        (lambda: Query("up", unfiltered="node"), "write \\[ \\] around it"),
        (lambda: LogsLink(where="filds"), "did you mean fields"),
        (lambda: kinds.IntervalVariable("x", []), "no values to choose from"),
        (lambda: kinds.Variable("x"), "a variable of no kind"),
    ],
)
def test_it_says_what_and_where(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        make()
    assert re.search(message, str(caught.value))


@pytest.mark.parametrize("moment", ["now-6h", "now-1d/d", "now/fQ", "2026-01-31T00:00:00Z", "1700000000000"])
def test_moments_that_grafana_reads(moment: str) -> None:
    assert Board("u", "T", [Stat("S", [UP])], time_from=moment, time_to=moment).time_to == moment


@pytest.mark.parametrize("span", ["", "1h", "now-7d/d", "now/d", "$span"])
def test_relative_times_that_grafana_reads(span: str) -> None:
    assert TimeSeries("A", [UP], time_from=span, time_shift="-1d/d").time_from == span


# the check itself --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (str, ["", "é"], [None, 5, b"x", "\udc80"]),
        (int, [0, -1], [True, 1.0, "1", 10**400]),
        (float, [0, 1.5], [True, "1", float("nan"), float("-inf"), 10**400]),
        (bool, [True], [0, None]),
        (Any, [None, object()], []),
        (str | None, ["x", None], [5]),
        (Literal["a", "b"], ["a", "unknown"], [5, ["a"]]),
        (Sequence[int], [[], [1], (1,)], ["1", [None], {1}, None]),
        (tuple[str, int], [("a", 1)], [("a",), (1, "a"), "ab"]),
        (tuple[str, ...], [(), ("a",)], [(1,), "a"]),
        (Mapping[str, int], [{}, {"a": 1}], [{1: 1}, {"a": "b"}, [], None]),
        (Callable[[int], int], [abs], [5]),
        (Query | str, [UP, "up"], [5, None]),
        (overrides.Properties, [{}, {"unit": "watt"}], [None, {1: 2}, "unit"]),
    ],
)
def test_a_hint_admits_what_it_says(hint: Any, good: Sequence[Any], bad: Sequence[Any]) -> None:
    fault = fault_of(hint)
    assert [value for value in good if fault(value)] == []
    assert [value for value in bad if not fault(value)] == []


def test_numbers_and_texts() -> None:
    values = [0, -1, 5, 1.5, 10**400, 10**5000, float("nan"), float("inf"), True, "1", None]
    assert [value for value in values if is_number(value)] == [0, -1, 5, 1.5]
    assert not is_text("a\ud800") and is_text("\U0001f600")


def test_a_checked_function_keeps_its_name_and_its_own_errors() -> None:
    @checked
    def add(a: int, *rest: int, times: float = 1.0, **_more: object) -> float:
        """Add."""
        return (a + sum(rest)) * times

    assert (add(1, 2, 3, times=2), add.__name__, add.__doc__) == (12, "add", "Add.")
    with pytest.raises(DefinitionError, match="'3' is not a whole number"):
        add(1, 2, "3")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"add\(\) missing 1 required positional argument"):
        add()  # type: ignore[call-arg]


def test_fields_are_checked_and_named() -> None:
    @dataclass(frozen=True)
    class Pair:
        left: int
        right: Sequence[str] = ()

        def __post_init__(self) -> None:
            check_fields(self)

    globals()["Pair"] = Pair
    assert Pair(1, ["a"]).left == 1
    with pytest.raises(DefinitionError) as caught:
        Pair(1, "ab")
    assert str(caught.value) == "Pair, right: 'ab' is not a list\n  fix: write [ ] around it"


def test_the_standard_questions_are_no_texts() -> None:
    assert fault_of(Query)(queries.power.power) == "<question power> is not a Query"
