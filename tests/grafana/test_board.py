"""What a board refuses when it is declared."""

from __future__ import annotations

from typing import Any

import pytest

from builder import Board, Query, Text, TimeSeries, queries, variables
from builder.errors import DefinitionError, UnknownName
from builder.grafana.board import UID_LENGTH, Values
from builder.grafana.query import LogQuery

PANELS = [Text("Note", content="text")]


def _board(**changes: Any) -> Board:
    return Board(**{"uid": "own", "title": "Own", "panels": PANELS, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"uid": ""}, "a board without uid"),
        ({"uid": None}, "a board without uid"),
        ({"uid": "x" * (UID_LENGTH + 1)}, "the uid has 41 characters; Grafana takes 40"),
        ({"uid": "my board"}, "characters that Grafana refuses"),
        ({"uid": "gpu/fleet"}, "characters that Grafana refuses"),
        ({"uid": "gpu\n"}, "characters that Grafana refuses"),
        ({"uid": "general"}, "Grafana's own"),
        ({"title": " "}, "a board without title"),
        ({"title": None}, "a board without title"),
        ({"panels": []}, "a board without panels"),
        ({"refresh": "often"}, "'often' is not a refresh interval"),
        ({"refresh": "1"}, "'1' is not a refresh interval"),
        ({"variables": [variables.node, variables.one_node]}, "variable node declared twice"),
        ({"tags": "gpu"}, "is not a list"),
    ],
)
def test_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DefinitionError, match=message) as caught:
        _board(**changes)
    assert caught.value.where.startswith("board ")
    assert caught.value.fix


def test_the_longest_uid_is_taken() -> None:
    assert len(_board(uid="x" * UID_LENGTH).uid) == UID_LENGTH


@pytest.mark.parametrize(
    ("of", "text"), [("node", ".+"), ("pod", ""), ("namespace", ""), ("gpu", ".*"), ("cluster", ".*")]
)
def test_all_means_all_that_must_be_there(of: str, text: str) -> None:
    assert Values("v", of).all_value == text


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (None, "None is neither a question nor PromQL"),
        (queries.power, "is neither a question nor PromQL"),
        (" ", "an empty query"),
    ],
)
def test_a_query_asks_something(ask: Any, message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        Query(ask)


def test_a_querys_format_and_ref_are_known() -> None:
    with pytest.raises(UnknownName, match="unknown query format 'tabel'") as caught:
        Query("up", format="tabel")
    assert caught.value.fix == "did you mean table?"
    with pytest.raises(DefinitionError, match="'a1' is not a ref"):
        Query("up", ref="a1")


def test_a_query_knows_the_labels_of_its_legend() -> None:
    assert Query("up", "{{node}} gpu {{ gpu }} of {{node}}").legend_labels == ("node", "gpu", "node")
    assert Query(queries.power.power).name == "power"
    assert Query("up").name == "up"


def test_a_declaration_is_not_written_before_a_build() -> None:
    """Questions stay questions until a profile is chosen: the same declaration serves them all."""
    panel = TimeSeries("Power", [Query(queries.power.power), LogQuery()])
    assert [type(target).__name__ for target in panel.targets] == ["Query", "LogQuery"]
