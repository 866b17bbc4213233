"""Answers as a table, and the transformations that tables go through.

Rules: Grafana's packages/grafana-data/src/transformations/transformers, pkg/promlib (tables: labels, then value).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from builder.preview import calcs
from builder.preview.results import Answer

Value = float | str | None
Options = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column: its name, what its values are, and the query it came from."""

    name: str
    kind: str = "string"
    ref_id: str = ""


@dataclass(frozen=True)
class Frame:
    """Columns and rows; a row lacks the columns that it has no value for."""

    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Value], ...]


def frame_of(answer: Answer, alone: bool) -> Frame:
    """Time, one column a label, and the value; only the value of a lone query is called plainly ``Value``."""
    labels = sorted({name for series in answer.series for name in series.labels})
    value = "Value" if alone else f"Value #{answer.ref_id}"
    columns = (Column("Time", "time"), *(Column(name) for name in labels), Column(value, "number", answer.ref_id))
    points = ((series, point) for series in answer.series for point in series.points)
    return Frame(columns, tuple({"Time": t, **series.labels, value: v} for series, (t, v) in points))


def frame_of_series(name: str, points: Sequence[tuple[float, float]]) -> Frame:
    """Time, and a column that is called like the series: the shape of an answer that is no table."""
    return Frame((Column("Time", "time"), Column(name, "number")), tuple({"Time": t, name: v} for t, v in points))


def transformed(frames: Sequence[Frame], steps: Iterable[Options]) -> tuple[list[Frame], tuple[str, ...]]:
    """The frames after the steps, and the ids of the steps that are not known here and were passed over."""
    found, unknown = list(frames), []
    for step in steps:
        name = str(step.get("id", ""))
        if step.get("disabled"):
            continue
        if name in _STEPS:
            found = _STEPS[name](found, step.get("options") or {})
        else:
            unknown.append(name)
    return found, tuple(unknown)


def _merge(frames: list[Frame], _options: Options) -> list[Frame]:
    """Rows that agree in all that the frames share, and contradict each other nowhere, become one."""
    if len(frames) < 2:
        return frames
    columns = tuple({column.name: column for frame in frames for column in frame.columns}.values())
    keys = [c.name for c in columns if all(any(c.name == other.name for other in f.columns) for f in frames)]
    merged: dict[tuple[Value, ...], list[dict[str, Value]]] = {}
    rows: list[dict[str, Value]] = []
    for frame in frames:
        for row in frame.rows:
            alike = merged.setdefault(tuple(row.get(key) for key in keys), [])
            fitting = next((one for one in alike if all(one.get(k, v) == v for k, v in row.items())), None)
            if fitting is None:
                alike.append(fitting := {})
                rows.append(fitting)
            fitting.update(row)
    return [Frame(columns, tuple(rows))]


def _join(frames: list[Frame], options: Options) -> list[Frame]:
    """An outer join by one field; columns of the same name are kept apart by their query."""
    by = str(options.get("byField") or "Time")
    columns: dict[str, Column] = {by: Column(by, "time" if by == "Time" else "string")}
    rows: dict[Value, dict[str, Value]] = {}
    for number, frame in enumerate(frames):
        if all(column.name != by for column in frame.columns):
            continue
        names = {
            c.name: c.name if c.name not in columns or c.name == by else f"{c.name} {number + 1}" for c in frame.columns
        }
        columns |= {names[c.name]: replace(c, name=names[c.name]) for c in frame.columns if c.name != by}
        for row in frame.rows:
            rows.setdefault(row.get(by), {}).update({names[name]: value for name, value in row.items()})
    inner = options.get("mode") == "inner"
    kept = [row for row in rows.values() if not inner or len(row) == len(columns)]
    return [Frame(tuple(columns.values()), tuple(kept))]


def _each(change: Callable[[Frame, Options], Frame]) -> Callable[[list[Frame], Options], list[Frame]]:
    return lambda frames, options: [change(frame, options) for frame in frames]


def _organize(frame: Frame, options: Options) -> Frame:
    hidden, index = options.get("excludeByName") or {}, options.get("indexByName") or {}
    only = {name for name, shown in (options.get("includeByName") or {}).items() if shown}
    kept = [c for c in frame.columns if not hidden.get(c.name) and (not only or c.name in only)]
    kept.sort(key=lambda column: index.get(column.name, len(frame.columns)))
    return _renamed(Frame(tuple(kept), frame.rows), options.get("renameByName") or {})


def _renamed(frame: Frame, names: Mapping[str, str]) -> Frame:
    new = {c.name: names.get(c.name) or c.name for c in frame.columns}
    columns = tuple(replace(c, name=new[c.name]) for c in frame.columns)
    rows = tuple({new[name]: value for name, value in row.items() if name in new} for row in frame.rows)
    return Frame(columns, rows)


def _rename_by_regex(frame: Frame, options: Options) -> Frame:
    pattern, replacement = (
        str(options.get("regex") or ""),
        re.sub(r"\$(\d)", r"\\\1", str(options.get("renamePattern") or "")),
    )
    try:
        return _renamed(frame, {c.name: re.sub(pattern, replacement, c.name, count=1) for c in frame.columns})
    except re.error:
        return frame


def _filter_fields(frame: Frame, options: Options) -> Frame:
    include, exclude = options.get("include") or {}, options.get("exclude") or {}

    def listed(name: str, chosen: Options) -> bool:
        pattern = str(chosen.get("pattern") or "").strip("/")
        return name in (chosen.get("names") or ()) or bool(pattern and re.search(pattern, name))

    kept = [
        c
        for c in frame.columns
        if (not include or listed(c.name, include)) and not (exclude and listed(c.name, exclude))
    ]
    return Frame(tuple(kept), frame.rows)


def _sort(frame: Frame, options: Options) -> Frame:
    for order in reversed(options.get("sort") or ()):
        frame = sorted_by(frame, str(order.get("field", "")), bool(order.get("desc")))
    return frame


def _reduce(frames: list[Frame], options: Options) -> list[Frame]:
    """One row for each column that holds no times, with its name as ``Field`` and what was calculated beside it."""
    chosen = [str(calc) for calc in options.get("reducers") or ()]
    if not chosen or not frames or options.get("mode") == "reduceFields":
        return frames
    columns = (Column("Field"), *(Column(calcs.NAMES.get(calc, calc), "number") for calc in chosen))
    rows: list[dict[str, Value]] = []
    for frame in frames:
        for column in (one for one in frame.columns if one.kind != "time"):
            numbers = [(0.0, v) for row in frame.rows if isinstance(v := row.get(column.name), float)]
            rows.append(
                {"Field": column.name, **{calcs.NAMES.get(calc, calc): calcs.reduce(numbers, calc) for calc in chosen}}
            )
    return [Frame(columns, tuple(rows))]


def _limit(frame: Frame, options: Options) -> Frame:
    return replace(frame, rows=frame.rows[: int(options.get("limitField") or 10)])


def sorted_by(frame: Frame, name: str, descending: bool) -> Frame:
    """The rows in the order of a column; those that lack it come last."""
    present = [row for row in frame.rows if row.get(name) is not None]
    lacking = tuple(row for row in frame.rows if row.get(name) is None)
    present.sort(key=lambda row: _sort_key(row[name]), reverse=descending)
    return replace(frame, rows=(*present, *lacking))


def _sort_key(value: Value) -> tuple[bool, float, list[tuple[bool, int, str]]]:
    """Numbers by value; texts with the numbers in them by value, as Grafana's collation has it."""
    if not isinstance(value, str):
        return (False, value or 0.0, [])
    parts = re.findall(r"\d+|\D+", value)
    return (True, 0.0, [(not part.isdigit(), int(part) if part.isdigit() else 0, part.casefold()) for part in parts])


_STEPS: Mapping[str, Callable[[list[Frame], Options], list[Frame]]] = {
    "merge": _merge,
    "joinByField": _join,
    "seriesToColumns": _join,
    "organize": _each(_organize),
    "renameByRegex": _each(_rename_by_regex),
    "filterFieldsByName": _each(_filter_fields),
    "sortBy": _each(_sort),
    "limit": _each(_limit),
    "reduce": _reduce,
    "labelsToFields": lambda frames, _: frames,  # a table of Prometheus has its labels in fields already
}
