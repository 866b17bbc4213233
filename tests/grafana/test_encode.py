"""Bytes of dashboards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import DefinitionError
from builder.grafana.encode import encode

words = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.none() | st.booleans() | st.integers() | words | st.floats(allow_nan=False, allow_infinity=False)
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)


def whole(node: Any) -> Any:
    """What encode writes for whole floats."""
    if isinstance(node, dict):
        return {key: whole(value) for key, value in node.items()}
    if isinstance(node, list):
        return [whole(value) for value in node]
    if isinstance(node, float) and node.is_integer() and abs(node) < 1e15:
        return int(node)
    return node


@given(st.dictionaries(words, data, max_size=5))
def test_same_as_json_dumps(dashboard: dict[str, Any]) -> None:
    plain = json.dumps(whole(dashboard), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert encode(dashboard) == plain.encode()


@given(st.dictionaries(words, data, max_size=5))
def test_nothing_is_lost(dashboard: dict[str, Any]) -> None:
    assert json.loads(encode(dashboard)) == dashboard


def test_the_order_of_keys_does_not_matter() -> None:
    assert encode({"b": 1, "a": {"d": [], "c": {}}}) == encode({"a": {"c": {}, "d": []}, "b": 1})


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), {1, 2}, object(), {1: "x"}, "\ud800"])
def test_what_is_not_json_is_refused(wrong: Any) -> None:
    with pytest.raises(DefinitionError):
        encode({"key": [wrong]})


@pytest.mark.parametrize("value", [1, True, 1.5, "1", [1], [True], None, {"1": 1}])
def test_a_part_written_before_is_not_taken_for_another(value: Any) -> None:
    for other in (1, True, 1.5, "1", [1], [True], None, {"1": 1}, value):
        dashboard = {"options": {"value": other}, "deeper": {"options": {"value": other}}}
        expected = json.dumps(dashboard, indent=2, sort_keys=True) + "\n"
        assert encode(dashboard) == expected.encode()


def test_keys_that_are_no_strings_stay_refused() -> None:
    encode({"options": {"1": 0}})
    for wrong in (1, True, None):
        with pytest.raises(DefinitionError, match="not a string"):
            encode({"options": {wrong: 0}})
