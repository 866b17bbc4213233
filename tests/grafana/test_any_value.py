"""Whatever is given for a parameter, it is taken, or refused in words; nothing of it surfaces later as a crash."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from builder import (
    AlertList,
    BarGauge,
    Board,
    Column,
    Gauge,
    Heatmap,
    Histogram,
    LogQuery,
    Logs,
    LogsLink,
    Query,
    Row,
    Stat,
    StateTimeline,
    StatusHistory,
    Table,
    Text,
    TimeSeries,
    Values,
    board_link,
    cells,
    drill,
    mappings,
    overrides,
    panel_link,
    table,
    thresholds,
    transforms,
    variables,
)
from builder.build import context_of
from builder.config import Config
from builder.errors import DefinitionError
from builder.grafana import variables as kinds
from builder.grafana.encode import encode
from builder.grafana.render import render

UP = Query("up")
CONTEXT = context_of(Config())
LOOPED: dict[str, Any] = {}
LOOPED["again"] = LOOPED
DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]
VALUES = [
    *(None, 0, -1, 5, 10**400, 10**5000, 1.5, float("nan"), float("inf"), True),
    *("", "x", "x\ny", "\ud800", "$node", "$nope", "${node:nope}", b"x"),
    *([], [None], [5], ["x"], [[]], {}, {"a": 1}, {"a": float("nan")}, {1: 2}, (1, 2), set()),
    *(object(), print, float, Stat("q"), UP, LOOPED, DEEP),
]


def outcome(make: Callable[[], Any]) -> Any:
    """What is made, or None where it is refused; anything but a DefinitionError fails the test."""
    try:
        return make()
    except DefinitionError as error:
        assert len(error.what) < 1000 and len(error.where) < 500
        return None


def written(**parts: Any) -> None:
    """A board of these parts is built and encoded, or refused."""
    given: dict[str, Any] = {"panels": [Stat("S", [UP])], "variables": [variables.node, variables.gpu_id]}
    board = outcome(lambda: Board("u", "T", **(given | parts)))
    if board is not None:
        outcome(lambda: encode(render(board, CONTEXT)[0]))


PANELS = [
    *(AlertList, BarGauge, Gauge, Heatmap, Histogram, Logs, Stat),
    *(StateTimeline, StatusHistory, Table, Text, TimeSeries),
]


@pytest.mark.parametrize("cls", PANELS)
def test_panels(cls: Any) -> None:
    fixed = {} if cls in (Text, AlertList) else {"targets": [UP]}
    for name in cls.checks:
        for value in VALUES:
            made = outcome(lambda name=name, value=value: cls(**{**fixed, "title": "T", name: value}))  # type: ignore[misc]
            if made is not None:
                written(panels=[made])


def needed(function: Callable[..., Any]) -> dict[str, Any]:
    """An argument for each parameter that has no default."""
    named = {p.name: p for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_KEYWORD,)}
    return {
        name: 1 if name == "rows" else "x"
        for name, p in named.items()
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL
    }


def public(module: Any) -> Iterator[Callable[..., Any]]:
    for name, function in vars(module).items():
        if inspect.isfunction(function) and not name.startswith("_") and function.__module__ == module.__name__:
            yield function


def parameters(function: Callable[..., Any]) -> list[str]:
    if hasattr(function, "checks"):
        return list(function.checks)
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind not in several]


HELPERS: list[tuple[Callable[..., Any], dict[str, Any], Callable[[Any], dict[str, Any]]]] = [
    (Query, {"ask": "up"}, lambda made: {"panels": [Stat("S", [made])]}),
    (LogQuery, {}, lambda made: {"panels": [Logs("L", [made])]}),
    (LogsLink, {}, lambda made: {"panels": [Stat("S", [UP], links=[made])]}),
    (drill, {"uid": "a", "title": "b"}, lambda made: {"panels": [Stat("S", [UP], data_links=[made])]}),
    (panel_link, {"uid": "a", "title": "b"}, lambda made: {"panels": [Stat("S", [UP], links=[made])]}),
    (board_link, {"title": "b", "tags": ["a"]}, lambda made: {"links": [made]}),
    (Row, {"title": "r", "panels": [Stat("S", [UP])]}, lambda made: {"panels": [made]}),
    (Column, {"title": "c", "ask": "up"}, lambda made: {"panels": [table("T", [made], labels={"node": "Node"})]}),
    (table, {"title": "T", "columns": [Column("c", "up")], "labels": {}}, lambda made: {"panels": [made]}),
    (Values, {"name": "x", "of": "node"}, lambda made: {"variables": [made]}),
    (kinds.QueryVariable, {"name": "x", "query": "metrics(up)"}, lambda made: {"variables": [made]}),
    (kinds.LokiQueryVariable, {"name": "x", "log_label": "pod"}, lambda made: {"variables": [made]}),
    (kinds.CustomVariable, {"name": "x", "values": ["a"]}, lambda made: {"variables": [made]}),
    (kinds.IntervalVariable, {"name": "x"}, lambda made: {"variables": [made]}),
    (kinds.DatasourceVariable, {"name": "x"}, lambda made: {"variables": [made]}),
    (kinds.TextVariable, {"name": "x"}, lambda made: {"variables": [made]}),
    (kinds.ConstantVariable, {"name": "x"}, lambda made: {"variables": [made]}),
    (kinds.AdhocVariable, {"name": "x"}, lambda made: {"variables": [made]}),
    (kinds.Variable, {"name": "x"}, lambda made: {"variables": [made]}),
    *((f, needed(f), lambda made: {"panels": [Table("T", [UP], cell=made)]}) for f in public(cells)),
    *((f, needed(f), lambda made: {"panels": [Table("T", [UP], transformations=[made])]}) for f in public(transforms)),
    *(
        (f, needed(f), lambda made: {"panels": [Stat("S", [UP], mappings=[made])]})
        for f in public(mappings)
        if f is not mappings.mappings_json
    ),
]


@pytest.mark.parametrize(("function", "fixed", "parts"), HELPERS, ids=[f.__name__ for f, *_ in HELPERS])
def test_helpers(function: Any, fixed: Mapping[str, Any], parts: Callable[[Any], dict[str, Any]]) -> None:
    for name in parameters(function):
        for value in VALUES:
            made = outcome(lambda name=name, value=value: function(**{**fixed, name: value}))  # type: ignore[misc]
            if made is not None:
                panels = outcome(lambda made=made: parts(made))  # type: ignore[misc]
                if panels is not None:
                    written(**panels)


@pytest.mark.parametrize("name", overrides.Properties.__annotations__)
def test_overrides(name: str) -> None:
    for value in VALUES:
        made = outcome(
            lambda value=value: TimeSeries("T", [UP], overrides=[overrides.by_name("x", **{name: value})])  # type: ignore[misc]
        )
        if made is not None:
            written(panels=[made])


@pytest.mark.parametrize("name", ["panels", "question", "variables", "tags", "links", "annotations", "refresh"])
def test_boards(name: str) -> None:
    for value in VALUES:
        written(**{name: value})
    for value in VALUES:
        outcome(lambda value=value: Board(value, "T", [Stat("S", [UP])]))  # type: ignore[misc]
        outcome(lambda value=value: Board("u", value, [Stat("S", [UP])]))  # type: ignore[misc]


def test_thresholds() -> None:
    for value in VALUES:
        for make in (
            lambda value=value: thresholds(value),
            lambda value=value: thresholds("green", value),
            lambda value=value: thresholds("green", (value, "red")),
            lambda value=value: thresholds("green", (1, value)),
        ):
            made = outcome(make)
            if made is not None:
                written(panels=[Stat("S", [UP], thresholds=made)])
