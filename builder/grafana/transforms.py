"""Transformations: what happens to query results before a panel shows them.

Each function gives Grafana's form, ``{"id": ..., "options": ...}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.declared import checked
from builder.grafana.names import check_reducer

Transformation = dict[str, Any]

_COMPARISONS = {
    "greater": "greater",
    "greater_or_equal": "greaterOrEqual",
    "lower": "lower",
    "lower_or_equal": "lowerOrEqual",
    "equal": "equal",
    "not_equal": "notEqual",
    "is_null": "isNull",
    "is_not_null": "isNotNull",
    "regex": "regex",
}


@checked
def organize(
    *, order: Sequence[str] = (), rename: Mapping[str, str] | None = None, hide: Sequence[str] = ()
) -> Transformation:
    """Order, rename and hide columns. It takes one frame: put merge or join_by_field before it."""
    return _transformation(
        "organize",
        excludeByName=dict.fromkeys(hide, True),
        indexByName={name: index for index, name in enumerate(order)},
        renameByName=dict(rename or {}),
    )


@checked
def merge() -> Transformation:
    """Several tables into one; rows that agree in all shared columns become one."""
    return _transformation("merge")


@checked
def join_by_field(field: str, mode: Literal["outer", "inner", "outerTabular"] = "outer") -> Transformation:
    """Join tables on one column; ``outerTabular`` keeps rows whose key repeats."""
    _known("join mode", mode, ("outer", "inner", "outerTabular"))
    return _transformation("joinByField", byField=field, mode=mode)


@checked
def sort_by(field: str, *, desc: bool = False) -> Transformation:
    """Sort the rows by a column."""
    return _transformation("sortBy", fields={}, sort=[{"field": field, "desc": desc}])


@checked
def filter_by_value(
    field: str,
    comparison: str,
    value: float | str | None = None,
    *,
    exclude: bool = False,
) -> Transformation:
    """Keep (or drop) the rows whose column compares so: greater, lower, equal, is_null, regex, ..."""
    if comparison not in _COMPARISONS:
        raise UnknownName("comparison", comparison, _COMPARISONS)
    needs_value = not comparison.startswith("is_")
    if needs_value and value is None:
        raise DefinitionError(f"filter_by_value({short(field)}, {short(comparison)}) needs a value")
    config = {"id": _COMPARISONS[comparison], "options": {"value": value} if needs_value else {}}
    return _transformation(
        "filterByValue",
        filters=[{"fieldName": field, "config": config}],
        match="all",
        type="exclude" if exclude else "include",
    )


@checked
def labels_to_fields(
    *, mode: Literal["columns", "rows"] = "columns", keep: Sequence[str] = (), value_label: str = ""
) -> Transformation:
    """Make labels columns; ``value_label`` names the value column after the value of that label."""
    _known("labels_to_fields mode", mode, ("columns", "rows"))
    options: dict[str, Any] = {"mode": mode}
    if keep:
        options["keepLabels"] = list(keep)
    if value_label:
        options["valueLabel"] = value_label
    return _transformation("labelsToFields", **options)


@checked
def reduce(
    *reducers: str,
    mode: Literal["seriesToRows", "reduceFields"] = "seriesToRows",
    labels_to_fields: bool = False,
) -> Transformation:
    """One row a series (or one value a column), by the named reducers."""
    _known("reduce mode", mode, ("seriesToRows", "reduceFields"))
    return _transformation(
        "reduce",
        includeTimeField=False,
        labelsToFields=labels_to_fields,
        mode=mode,
        reducers=_reducers(reducers or ("lastNotNull",)),
    )


@checked
def group_by(fields: Sequence[str], aggregate: Mapping[str, Sequence[str]] | None = None) -> Transformation:
    """One row for each combination of the fields; the other columns by the named reducers."""
    options: dict[str, Any] = {name: {"aggregations": [], "operation": "groupby"} for name in fields}
    for name, reducers in (aggregate or {}).items():
        options[name] = {"aggregations": _reducers(reducers), "operation": "aggregate"}
    return _transformation("groupBy", fields=options)


@checked
def time_series_table(ref_ids: Sequence[str] = ("A",), *, stat: str = "lastNotNull") -> Transformation:
    """One row a series with its line as a cell; for cells of the type sparkline."""
    check_reducer(stat)
    return _transformation("timeSeriesTable", **{ref_id: {"stat": stat} for ref_id in ref_ids})


@checked
def limit(rows: int) -> Transformation:
    """The first rows only."""
    if rows < 1:
        raise DefinitionError(f"limit({rows})", fix="one row or more")
    return _transformation("limit", limitField=rows)


@checked
def rename_by_regex(pattern: str, replacement: str) -> Transformation:
    """Rename fields; ``$1`` is the first group of the pattern."""
    return _transformation("renameByRegex", regex=pattern, renamePattern=replacement)


@checked
def calculate_field(
    alias: str,
    *,
    left: str = "",
    operator: Literal["+", "-", "*", "/"] = "-",
    right: str = "",
    reducer: str = "",
    of: Sequence[str] = (),
    replace: bool = False,
) -> Transformation:
    """A new column: ``left operator right``, or the reducer over the columns ``of`` of each row.

    Column names are plain strings, which every Grafana from 10.4 to 13 reads.
    """
    if bool(reducer) == bool(left and right):
        raise DefinitionError(
            f"calculate_field({short(alias)}) needs either left and right, or a reducer",
            fix='calculate_field("Gap", left="Device", operator="-", right="Framework")',
        )
    options: dict[str, Any] = {"alias": alias, "replaceFields": replace}
    if reducer:
        check_reducer(reducer)
        options |= {"mode": "reduceRow", "reduce": {"include": list(of), "reducer": reducer}}
    else:
        _known("operator", operator, ("+", "-", "*", "/"))
        options |= {"mode": "binary", "binary": {"left": left, "operator": operator, "right": right}}
    return _transformation("calculateField", **options)


def _transformation(identifier: str, **options: Any) -> Transformation:
    return {"id": identifier, "options": options}


def _reducers(reducers: Sequence[str]) -> list[str]:
    for reducer in reducers:
        check_reducer(reducer)
    return list(reducers)


def _known(kind: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UnknownName(kind, value, allowed)
