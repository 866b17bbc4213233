"""From built boards to what is pushed to one Grafana: ownership tags, its data sources, its least refresh. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from builder.diff import stripped
from builder.grafana.board import BOARD_TAG
from builder.targets.grafana.boards import PROJECT_TAG, Wanted
from builder.targets.grafana.preflight import Datasource

Json = Mapping[str, Any]

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "M": 2592000, "y": 31536000}
_OWN = ("grafana", "datasource", "__expr__", "-- Grafana --", "-- Mixed --", "-- Dashboard --")


def prepare(
    boards: Mapping[str, Json], *, folder: str, project: str, chosen: Mapping[str, Datasource], min_refresh: str
) -> tuple[list[Wanted], list[str]]:
    """The boards in the form in which this Grafana gets them, and notes on what had to change.

    ``chosen`` holds the data source for a type (which variables of that type then start with) or for a uid that
    the boards name. ``min_refresh`` is the server's; a faster board is slowed down to it.
    """
    wanted, notes = [], []
    for uid, board in boards.items():
        content = stripped(board)
        content["uid"] = uid
        content["title"] = str(content.get("title", "")).strip()  # Grafana stores it so
        content["tags"] = sorted(
            {*content.get("tags", ()), BOARD_TAG, *([f"{PROJECT_TAG}{project}"] if project else ())}
        )
        refresh = content.get("refresh", "")
        if _seconds(refresh) is not None and (_seconds(refresh) or 0) < (_seconds(min_refresh) or 0):
            notes.append(f"{uid} refreshes every {min_refresh}, not {refresh}: the server allows no less")
            content["refresh"] = min_refresh
        _point(content, chosen)
        wanted.append(Wanted(uid, content["title"], content, folder, project))
    return wanted, notes


def types_needed(boards: Mapping[str, Json]) -> frozenset[str]:
    """The types of data sources that variables of the boards choose from."""
    return frozenset(
        str(variable.get("query"))
        for board in boards.values()
        for variable in _variables(board)
        if variable.get("type") == "datasource" and variable.get("query")
    )


def uids_named(boards: Mapping[str, Json]) -> Mapping[str, str]:
    """The uids of data sources that boards name outright (not through a variable), each with one such board."""
    found: dict[str, str] = {}
    for uid, board in boards.items():
        for reference in _references(board):
            name = reference["uid"]
            if "$" not in name and name not in _OWN:
                found.setdefault(name, uid)
    return found


def _point(content: dict[str, Any], chosen: Mapping[str, Datasource]) -> None:
    for variable in _variables(content):
        source = chosen.get(str(variable.get("query")))
        if source and variable.get("type") == "datasource":
            variable["current"] = {"text": source.name, "value": source.uid}
    for reference in _references(content):
        if reference["uid"] in chosen:
            reference["uid"] = chosen[reference["uid"]].uid


def _variables(board: Json) -> list[dict[str, Any]]:
    templating = board.get("templating")
    found = templating.get("list") if isinstance(templating, dict) else None
    return [variable for variable in found or () if isinstance(variable, dict)]


def _references(value: Any) -> Iterator[dict[str, Any]]:
    """Every ``datasource: {uid: ...}`` of a board."""
    if isinstance(value, dict):
        reference = value.get("datasource")
        if isinstance(reference, dict) and isinstance(reference.get("uid"), str):
            yield reference
        for member in value.values():
            yield from _references(member)
    elif isinstance(value, list):
        for member in value:
            yield from _references(member)


def _seconds(duration: Any) -> float | None:
    found = re.fullmatch(r"(\d+)(ms|[smhdwMy])", duration) if isinstance(duration, str) else None
    return int(found[1]) * _UNITS[found[2]] if found else None
