"""What a panel and a board may hold: queries, links, overrides, transformations, annotations, JSON of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grafanalib import core

from builder.errors import DefinitionError, short
from builder.grafana.alerts import AlertAnnotations
from builder.grafana.declared import is_number, is_text
from builder.grafana.links import Link
from builder.grafana.mappings import Mapping as ValueMapping
from builder.grafana.overrides import Override
from builder.grafana.query import LogQuery, LogsLink, Query

_DEEPEST = 50
_OWN_PARAMETER = {"id": "id", "gridPos": "x, y, width and height", "panels": "a Row"}
_SPAN = r"\d+[smhdwMQy](?:/f?[smhdwMQy]+)?"
_RELATIVE = re.compile(rf"(?:now(?:[+-]\d+[smhdwMQy]|/f?[smhdwMQy]+)*|{_SPAN}|.*\$.*)?")
_SHIFT = re.compile(rf"(?:[+-]?{_SPAN}|.*\$.*)?")


def check_panel(value: Any) -> None:
    """Refuse what is neither a panel nor a row."""
    if isinstance(value, core.Row):
        raise DefinitionError("a row of Grafana 4", fix="use Row(...) of builder, or grafanalib's RowPanel")
    if isinstance(value, type | core.Dashboard) or not (hasattr(value, "to_json_data") or hasattr(value, "collapsed")):
        raise DefinitionError(f"{short(value)} is not a panel", fix="TimeSeries(...), Stat(...), Row(...), ...")


def check_variable(value: Any) -> None:
    """Refuse what is not a variable: Values, a Variable, or a Template of grafanalib."""
    made = _writes_json(value) or hasattr(value, "narrow")
    if not made or not is_text(getattr(value, "name", None)):
        raise DefinitionError(f"{short(value)} is not a variable", fix="take it from builder.variables, or Values(...)")


def check_target(value: Any) -> None:
    """Refuse what is not a query."""
    if not isinstance(value, Query | LogQuery) and not _writes_json(value):
        raise DefinitionError(f"{short(value)} is not a query", fix="write Query(...) around it")


def check_link(value: Any) -> None:
    """Refuse what is not a link of a panel or of a field."""
    if isinstance(value, Link | LogsLink) or _writes_json(value):
        return
    if not isinstance(value, Mapping) or not {"title", "url"} <= value.keys():
        raise DefinitionError(f"{short(value)} is not a link", fix='drill(...), panel_link(...) or LogsLink("Logs")')
    check_json(value)


def check_mapping(value: Any) -> None:
    """Refuse what is not a value mapping."""
    if not isinstance(value, ValueMapping):
        raise DefinitionError(f"{short(value)} is not a value mapping", fix='mappings.value_map({0: "ok"})')


def check_override(value: Any) -> None:
    """Refuse what is not an override: one of ``builder.overrides``, or Grafana's form."""
    if isinstance(value, Override):
        check_json([setting for setting in value.properties if setting[0] != "links"])
        for name, setting in value.properties:
            for link in setting if name == "links" else ():
                check_link(link)
        return
    if not _writes_json(value):
        if not isinstance(value, Mapping) or not {"matcher", "properties"} <= value.keys():
            raise DefinitionError(f"{short(value)} is not an override", fix='overrides.by_name("Power", unit="watt")')
        check_json(value)


def check_transformation(value: Any) -> None:
    """Refuse what is not a transformation in Grafana's form."""
    if not isinstance(value, Mapping) or not is_text(value.get("id")) or not _is_options(value.get("options", {})):
        fix = 'one of builder.transforms, or {"id": ..., "options": {...}}'
        raise DefinitionError(f"{short(value)} is not a transformation", fix=fix)
    check_json(value)


def check_entry(value: Any) -> None:
    """Refuse what is not a board's link or annotation: a dict, or a grafanalib object."""
    if _writes_json(value):
        return
    if not isinstance(value, Mapping) or not value:
        raise DefinitionError(f"{short(value)} is not a dict", fix='board_link("Boards", tags=["gpuboards"])')
    check_json(value)


def check_annotation(value: Any) -> None:
    """Refuse what is not a board's annotation: AlertAnnotations, a dict, or a grafanalib object."""
    if not isinstance(value, AlertAnnotations):
        check_entry(value)


def check_extra(value: Any) -> None:
    """Refuse what cannot be merged into a panel's JSON."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise DefinitionError(f"{short(value)} is not a dict of panel JSON")
    for key in _OWN_PARAMETER.keys() & value.keys():
        raise DefinitionError(f"{key} does not belong here", fix=f"use {_OWN_PARAMETER[key]}")
    check_json(value)


def check_relative_time(value: Any) -> None:
    """Refuse what Grafana cannot read as a panel's own time range."""
    if not is_text(value) or not _RELATIVE.fullmatch(value):
        raise DefinitionError(f"{short(value)} is not a relative time", fix='write it like "1h" or "now-7d/d"')


def check_time_shift(value: Any) -> None:
    """Refuse what Grafana cannot read as a shift of a panel's time range."""
    if not is_text(value) or not _SHIFT.fullmatch(value):
        raise DefinitionError(f"{short(value)} is not a time shift", fix='write it like "1d"')


def check_json(value: Any, depth: int = 0) -> None:
    """Refuse what JSON has no form for, and what contains itself. Objects of grafanalib have one."""
    if value is None or is_text(value) or isinstance(value, bool) or is_number(value) or _writes_json(value):
        return
    if depth > _DEEPEST:
        raise DefinitionError(f"more than {_DEEPEST} levels deep", fix="does it contain itself?")
    if isinstance(value, Mapping):
        for key, member in value.items():
            if not is_text(key):
                raise DefinitionError(f"{short(key)} is no key of JSON", fix="write it in quotes")
            check_json(member, depth + 1)
    elif isinstance(value, list | tuple):
        for member in value:
            check_json(member, depth + 1)
    else:
        raise DefinitionError(f"{short(value)} is not plain data, which JSON could hold")


def _is_options(value: Any) -> bool:
    return isinstance(value, Mapping)


def _writes_json(value: Any) -> bool:
    return hasattr(value, "to_json_data") and not isinstance(value, type)
