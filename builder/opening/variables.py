"""Template variables, resolved as Grafana resolves them when a dashboard is opened.

Rules: @grafana/scenes (variables), Grafana's packages/grafana-prometheus/src/metric_find_query.ts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from builder.errors import GpuboardsError, UsageError
from builder.lint.shape import items, mapping, text, whole
from builder.opening.options import Option, extract, ordered
from builder.opening.server import Server
from builder.opening.window import parse_duration, round_interval
from builder.promql.substitute import All, Value, Window, references, substitute, unresolved

ALL = "$__all"

_LABEL_VALUES = re.compile(r"label_values\((?:(.+),\s*)?([a-zA-Z_]\w*)\)\s*", re.ASCII | re.DOTALL)
_LABEL_NAMES = re.compile(r"label_names\((.*)\)\s*")
_METRICS = re.compile(r"metrics\((.*)\)\s*")
_QUERY_RESULT = re.compile(r"query_result\((.+)\)\s*", re.DOTALL)

Together = Callable[[Callable[[str], "VariableResult"], Sequence[str]], "Iterable[VariableResult]"]
"""Does a piece of work for several names and gives the results in their order, as ``map`` does."""

DATASOURCES: Mapping[str, tuple[Option, ...]] = {
    "prometheus": (Option("Prometheus", "prometheus"),),
    "loki": (Option("Loki", "loki"),),
}


@dataclass(frozen=True)
class VariableResult:
    """A variable after the dashboard was opened: the query as sent, its options, and what is chosen.

    ``value`` holds every chosen value, with "All" spelled out as the options; ``error`` says why there are
    no options where the query failed. ``inserted`` is what the interpolation works with.
    """

    name: str
    type: str
    query: str = ""
    options: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    error: str = ""
    inserted: Value = field(default="", repr=False)


def resolve(
    dashboard: Mapping[str, Any],
    server: Server,
    window: Window,
    overrides: Mapping[str, str | Sequence[str]],
    together: Together = map,
) -> dict[str, VariableResult]:
    """Every variable of a dashboard by name; those that others depend on are resolved first.

    ``together`` does the work of those that do not depend on each other, as ``map`` does one after the other.
    """
    listed = items(mapping(dashboard.get("templating")).get("list"))
    models = {name: model for model in listed if (name := text(mapping(model).get("name")))}
    for name in overrides:
        if name not in models:
            known = ", ".join(models) or "none"
            raise UsageError(f"the dashboard has no variable {name}", fix=f"its variables: {known}")
    resolved: dict[str, VariableResult] = {}
    for level in _levels(models):
        inserted = {known: result.inserted for known, result in resolved.items()}
        work = partial(_resolved, models, server, window, inserted, overrides)
        resolved |= zip(level, together(work, level), strict=True)
    return {name: resolved[name] for name in models}


def _resolved(
    models: Mapping[str, Mapping[str, Any]],
    server: Server,
    window: Window,
    inserted: Mapping[str, Value],
    overrides: Mapping[str, str | Sequence[str]],
    name: str,
) -> VariableResult:
    return _resolve(models[name], server, window, inserted, overrides.get(name))


def _levels(models: Mapping[str, Mapping[str, Any]]) -> Iterator[list[str]]:
    """Names of variables that depend only on those of the levels before."""
    waiting = {
        name: [needed for needed in references(_query(model)) if needed in models] for name, model in models.items()
    }
    while waiting:
        level = [name for name, needed in waiting.items() if not any(each in waiting for each in needed)]
        if not level:
            raise UsageError(f"variables depend on each other in a circle: {' -> '.join(_circle(waiting))}")
        yield level
        for name in level:
            del waiting[name]


def _circle(waiting: Mapping[str, Sequence[str]]) -> list[str]:
    path = [next(iter(waiting))]
    while path[-1] not in path[:-1]:
        path.append(next(needed for needed in waiting[path[-1]] if needed in waiting))
    return path[path.index(path[-1]) :]


def _resolve(
    model: Mapping[str, Any],
    server: Server,
    window: Window,
    inserted: Mapping[str, Value],
    override: str | Sequence[str] | None,
) -> VariableResult:
    name, kind = text(model.get("name")), text(model.get("type"))
    query, error = _query(model), ""
    options: tuple[Option, ...] = ()
    try:
        if kind == "query":
            query = substitute(query, {**_built_in(window), **inserted})
            if unknown := unresolved(query):
                raise UsageError(f"unknown variable ${unknown[0]} in {query}")
            options = _query_options(model, query, server, window)
        else:
            options = _listed_options(model, window)
    except (GpuboardsError, re.error, OverflowError, RecursionError) as problem:  # the last three from re.compile
        error = str(problem)
    values = tuple(option.value for option in options)
    value = _choice(model, values, override)
    if isinstance(value, All):
        chosen = values
    else:
        chosen = tuple(v for v in ([value] if isinstance(value, str) else value) if v)
    return VariableResult(name, kind, query, values, chosen, error, value)


def _built_in(window: Window) -> dict[str, str]:
    """What a variable's query may use; ``$__rate_interval`` is not among it (metricFindQuery)."""
    return {name: value for name, value in window.values().items() if "rate" not in name}


def _choice(model: Mapping[str, Any], options: tuple[str, ...], override: str | Sequence[str] | None) -> Value:
    include_all, multi = bool(model.get("includeAll")), bool(model.get("multi"))
    wanted = override if override is not None else mapping(model.get("current")).get("value", ())
    chosen = [wanted] if isinstance(wanted, str) else [str(v) for v in wanted] if isinstance(wanted, Sequence) else []
    if override is None:
        chosen = [v for v in chosen if v in options or v == ALL]
    if include_all and (ALL in chosen or "All" in chosen or not chosen):
        return All(options, text(model.get("allValue")))
    if not chosen:
        chosen = list(options[:1])
    if multi or include_all:
        return tuple(chosen)
    if override is not None and len(chosen) > 1:
        raise UsageError(f"the variable {text(model.get('name'))} takes one value, not {len(chosen)}")
    return chosen[0] if chosen else ""


def _query(model: Mapping[str, Any]) -> str:
    query = model.get("query")
    return text(query) or text(mapping(query).get("query")) or text(model.get("definition"))


def _query_options(model: Mapping[str, Any], query: str, server: Server, window: Window) -> tuple[Option, ...]:
    if mapping(model.get("datasource")).get("type", "prometheus") != "prometheus":
        return ()  # there is no such server here; an override still gives it a value
    found = [Option(value, value) for value in _find(query, server, window)]
    return ordered(extract(found, text(model.get("regex"))), whole(model.get("sort")) or 0)


def _find(query: str, server: Server, window: Window) -> Sequence[str]:
    start, end = window.start, window.end
    if match := _LABEL_VALUES.fullmatch(query):
        selector = match[1] if match[1] and match[1].replace(" ", "") != "{}" else ""
        return server.label_values(match[2], selector, start=start, end=end)
    if match := _LABEL_NAMES.fullmatch(query):
        return server.label_names(f'{{__name__=~".*{match[1]}.*"}}' if match[1] else "", start=start, end=end)
    if match := _METRICS.fullmatch(query):
        return [name for name in server.label_values("__name__", start=start, end=end) if re.search(match[1], name)]
    if match := _QUERY_RESULT.fullmatch(query):
        return [_as_text(s.labels, s.points[-1]) for s in server.instant(match[1], end)]
    return [_as_text(labels) for labels in server.series(query, start=start, end=end)]


def _as_text(labels: Mapping[str, str], point: tuple[float, float] | None = None) -> str:
    """A series the way Grafana shows it to a variable's regex: ``metric{l="v"} value milliseconds``."""
    rest = ",".join(f'{name}="{value}"' for name, value in labels.items() if name != "__name__")
    series = f"{labels.get('__name__', '')}{{{rest}}}"
    return f"{series} {_number(point[1])} {_number(point[0] * 1000)}" if point else series


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _listed_options(model: Mapping[str, Any], window: Window) -> tuple[Option, ...]:
    kind, query = text(model.get("type")), _query(model)
    match kind:
        case "datasource":
            return extract(list(DATASOURCES.get(query, ())), text(model.get("regex")), on_text=True)
        case "custom":
            return tuple(_custom(query))
        case "interval":
            listed = [Option(part.strip(), part.strip()) for part in query.split(",") if part.strip()]
            return (*_automatic(model, window), *listed)
        case "textbox" | "constant":
            return (Option(query, query),)
        case "adhoc":
            return ()
    raise UsageError(f"variables of type {kind} are not supported", where=text(model.get("name")))


def _custom(query: str) -> Iterator[Option]:
    for part in re.split(r"(?<!\\),", query):
        written = part.replace("\\,", ",").strip()
        if written:
            shown, separator, value = written.partition(" : ")
            yield Option(shown.strip(), value.strip() if separator else written)


def _automatic(model: Mapping[str, Any], window: Window) -> Iterator[Option]:
    if model.get("auto"):
        least = parse_duration(text(model.get("auto_min")) or "10s")
        step = max(round_interval(window.range / max(whole(model.get("auto_count")) or 30, 1)), least)
        yield Option("auto", f"{round(step)}s")
