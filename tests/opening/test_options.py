"""Options of variables, made of labels and regular expressions that nobody expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from builder.opening.options import Option, ordered
from builder.opening.variables import resolve
from builder.opening.window import window

ODD = ("node-10", "node-9", "\u00b2", "\u0663", "9" * 6000, "1" * 5000 + "x", "", "\x1b[2J", "\ud800", "$node")


class Odd:
    """A server with odd labels."""

    def label_values(self, *_: Any, **__: Any) -> Sequence[str]:
        return ODD

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"asked for {name}")


@pytest.mark.parametrize("sort", range(9))
def test_labels_of_any_make_are_sorted(sort: int) -> None:
    options = [Option(label, label) for label in ODD]
    assert sorted(o.value for o in ordered(options, sort)) == sorted(ODD)


def test_numbers_in_names_are_sorted_as_numbers() -> None:
    options = [Option(label, label) for label in ("n-10", "n-9", "n-\u00b2")]
    assert [o.value for o in ordered(options, 7)] == ["n-9", "n-10", "n-\u00b2"]


@pytest.mark.parametrize("regex", ["/a{99999999999}/", "(" * 2000 + ")" * 2000, "/((/", "/(?<x>.)(?<x>.)/"])
@pytest.mark.parametrize("query", ["label_values(up, a)", "metrics({})"])
def test_a_regular_expression_that_is_none_is_an_error_of_its_variable(regex: str, query: str) -> None:
    model = {"name": "a", "type": "query", "query": query.format(regex), "regex": regex}
    whole = window(start=0, end=3600, max_data_points=1000, scrape_interval=15)
    found = resolve({"templating": {"list": [model]}}, Odd(), whole, {})["a"]  # type: ignore[arg-type]
    assert found.error and found.options == ()
