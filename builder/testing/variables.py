"""Template variables, resolved as Grafana resolves them when a dashboard is opened.

Rules: @grafana/scenes (variables), Grafana's packages/grafana-prometheus/src/metric_find_query.ts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.errors import GpuboardsError, UsageError
from builder.promql.substitute import All, Value, Window, references, substitute, unresolved
from builder.testing.client import Client
from builder.testing.options import Option, extract, ordered
from builder.testing.window import parse_duration, round_interval

ALL = "$__all"

_LABEL_VALUES = re.compile(r"label_values\((?:(.+),\s*)?([a-zA-Z_]\w*)\)\s*", re.ASCII | re.DOTALL)
_LABEL_NAMES = re.compile(r"label_names\((.*)\)\s*")
_METRICS = re.compile(r"metrics\((.*)\)\s*")
_QUERY_RESULT = re.compile(r"query_result\((.+)\)\s*", re.DOTALL)

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
    client: Client,
    window: Window,
    overrides: Mapping[str, str | Sequence[str]],
) -> dict[str, VariableResult]:
    """Every variable of a dashboard by name; those that others depend on are resolved first."""
    models = {model["name"]: model for model in dashboard.get("templating", {}).get("list", [])}
    for name in overrides:
        if name not in models:
            known = ", ".join(models) or "none"
            raise UsageError(f"the dashboard has no variable {name}", fix=f"its variables: {known}")
    resolved: dict[str, VariableResult] = {}
    for name in _in_order(models):
        inserted = {known: result.inserted for known, result in resolved.items()}
        resolved[name] = _resolve(models[name], client, window, inserted, overrides.get(name))
    return {name: resolved[name] for name in models}


def _in_order(models: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> Iterator[str]:
        if name in path:
            raise UsageError(f"variables depend on each other in a circle: {' -> '.join((*path, name))}")
        if name not in done:
            for needed in references(_query(models[name])):
                if needed in models:
                    yield from visit(needed, (*path, name))
            if name not in done:
                done.add(name)
                yield name

    for name in models:
        yield from visit(name, ())


def _resolve(
    model: Mapping[str, Any],
    client: Client,
    window: Window,
    inserted: Mapping[str, Value],
    override: str | Sequence[str] | None,
) -> VariableResult:
    name, kind = model["name"], model["type"]
    query, error = _query(model), ""
    options: tuple[Option, ...] = ()
    try:
        if kind == "query":
            query = substitute(query, {**_built_in(window), **inserted})
            if unknown := unresolved(query):
                raise UsageError(f"unknown variable ${unknown[0]} in {query}")
            options = _query_options(model, query, client, window)
        else:
            options = _listed_options(model, window)
    except (GpuboardsError, re.error) as problem:
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
    return {name: text for name, text in window.values().items() if "rate" not in name}


def _choice(model: Mapping[str, Any], options: tuple[str, ...], override: str | Sequence[str] | None) -> Value:
    include_all, multi = bool(model.get("includeAll")), bool(model.get("multi"))
    current = model.get("current") or {}
    wanted = override if override is not None else current.get("value", ())
    chosen = [wanted] if isinstance(wanted, str) else [str(v) for v in wanted or ()]
    if override is None:
        chosen = [v for v in chosen if v in options or v == ALL]
    if include_all and (ALL in chosen or "All" in chosen or not chosen):
        return All(options, model.get("allValue") or "")
    if not chosen:
        chosen = list(options[:1])
    if multi or include_all:
        return tuple(chosen)
    if len(chosen) > 1:
        raise UsageError(f"the variable {model['name']} takes one value, not {len(chosen)}")
    return chosen[0] if chosen else ""


def _query(model: Mapping[str, Any]) -> str:
    query = model.get("query", "")
    text = query.get("query", "") if isinstance(query, Mapping) else query
    return str(text or model.get("definition", ""))


def _query_options(model: Mapping[str, Any], query: str, client: Client, window: Window) -> tuple[Option, ...]:
    source = model.get("datasource") or {}
    kind = source.get("type", "prometheus") if isinstance(source, Mapping) else "prometheus"
    if kind != "prometheus":
        return ()  # there is no such server here; an override still gives it a value
    found = [Option(text, text) for text in _find(query, client, window)]
    return ordered(extract(found, model.get("regex", "")), int(model.get("sort", 0)))


def _find(query: str, client: Client, window: Window) -> Sequence[str]:
    start, end = window.start, window.end
    if match := _LABEL_VALUES.fullmatch(query):
        selector = match[1] if match[1] and match[1].replace(" ", "") != "{}" else ""
        return client.label_values(match[2], selector, start=start, end=end)
    if match := _LABEL_NAMES.fullmatch(query):
        return client.label_names(f'{{__name__=~".*{match[1]}.*"}}' if match[1] else "", start=start, end=end)
    if match := _METRICS.fullmatch(query):
        return [name for name in client.label_values("__name__", start=start, end=end) if re.search(match[1], name)]
    if match := _QUERY_RESULT.fullmatch(query):
        return [_as_text(s.labels, s.points[-1]) for s in client.instant(match[1], end)]
    return [_as_text(labels) for labels in client.series(query, start=start, end=end)]


def _as_text(labels: Mapping[str, str], point: tuple[float, float] | None = None) -> str:
    """A series the way Grafana shows it to a variable's regex: ``metric{l="v"} value milliseconds``."""
    rest = ",".join(f'{name}="{value}"' for name, value in labels.items() if name != "__name__")
    text = f"{labels.get('__name__', '')}{{{rest}}}"
    return f"{text} {_number(point[1])} {_number(point[0] * 1000)}" if point else text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _listed_options(model: Mapping[str, Any], window: Window) -> tuple[Option, ...]:
    kind, query = model["type"], _query(model)
    match kind:
        case "datasource":
            return extract(list(DATASOURCES.get(query, ())), model.get("regex", ""), on_text=True)
        case "custom":
            return tuple(_custom(query))
        case "interval":
            listed = [Option(text.strip(), text.strip()) for text in query.split(",") if text.strip()]
            return (*_automatic(model, window), *listed)
        case "textbox" | "constant":
            return (Option(query, query),)
        case "adhoc":
            return ()
    raise UsageError(f"variables of type {kind} are not supported", where=model["name"])


def _custom(query: str) -> Iterator[Option]:
    for part in re.split(r"(?<!\\),", query):
        text = part.replace("\\,", ",").strip()
        if text:
            shown, separator, value = text.partition(" : ")
            yield Option(shown.strip(), value.strip() if separator else text)


def _automatic(model: Mapping[str, Any], window: Window) -> Iterator[Option]:
    if model.get("auto"):
        least = parse_duration(model.get("auto_min") or "10s")
        step = max(round_interval(window.range / int(model.get("auto_count") or 30)), least)
        yield Option("auto", f"{round(step)}s")
