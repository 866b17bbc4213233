"""What a finished dashboard names must be there: its variables, and the queries that are told apart by a ref.

A misspelt variable would stay in the text, unseen; a misspelt format would quietly be another one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from builder.errors import DefinitionError, UnknownName, short
from builder.promql.substitute import FORMATS, REFERENCE

_READ = frozenset({"expr", "title", "url", "legendFormat", "repeat", "displayName", "query", "definition", "interval"})
_READ |= {"regex", "stream", "alertInstanceLabelFilter"}
_NEVER_READ = frozenset({"gridPos", "datasource", "thresholds", "custom", "color", "legend", "tooltip", "panels"})
_NEVER_READ |= {"reduceOptions"}
"""Parts of a panel that hold none of these, and most of what it consists of; panels in a row are seen by themselves."""

GLOBALS = frozenset(
    f"__{name}"
    for name in (
        *("all", "all_variables", "auto", "calc", "dashboard", "data", "field", "from", "interval", "interval_ms"),
        *("namespace", "org", "range", "range_ms", "range_s", "rate_interval", "rate_interval_ms", "searchFilter"),
        *("series", "timeFilter", "timezone", "to", "url", "url_time_range", "user", "value"),
    )
)
"""The names that Grafana replaces by itself (@grafana/scenes 6, variables/macros; the Prometheus data source)."""

_NUMBERED = re.compile(r"__(?:auto_interval|cell)_\w+")


def check_references(dashboard: Mapping[str, Any], made_at: Mapping[int | None, Any]) -> None:
    """Raise UnknownName for the first variable that is used and not declared, or used in an unknown format.

    Raises DefinitionError where two queries of a panel have one ref. ``made_at`` says by its id where a panel was
    made (see ``GpuboardsError.made_at``).
    """
    declared = {variable["name"] for variable in dashboard["templating"]["list"]}
    for kind, name, members in (
        ("variable", "name", dashboard["templating"]["list"]),
        ("link", "title", dashboard["links"]),
        ("annotation", "name", dashboard["annotations"]["list"]),
    ):
        for member in members:
            try:
                _check(member, declared)
            except DefinitionError as error:
                raise error.at(f"{kind} {short(member.get(name, ''))}") from None
    for panel in dashboard["panels"]:
        for each in (panel, *panel.get("panels", ())):
            try:
                _check(each, declared)
                _check_refs(each.get("targets", ()))
            except DefinitionError as error:
                error.made_at = made_at.get(each.get("id"))
                raise error.at(f"panel {short(each.get('title', ''))}") from None


def _check(node: Mapping[str, Any], declared: Collection[str]) -> None:
    for key, text in _texts(node):
        if key == "repeat":
            _check_name(text, declared)
            continue
        for reference in REFERENCE.finditer(text):
            name = reference["plain"] or reference["bracket"] or reference["brace"]
            if name in declared and reference["plain"]:
                continue
            if name.isdigit():  # a group of label_replace, not a variable
                continue
            _check_name(name, declared)
            form = (reference["bracket_format"] or reference["brace_format"] or "").partition(":")[0]
            if form and form not in FORMATS:
                raise UnknownName("variable format", form, FORMATS)


def _check_name(name: str, declared: Collection[str]) -> None:
    if name in declared or name in GLOBALS or _NUMBERED.fullmatch(name):
        return
    raise UnknownName("variable", name, GLOBALS if name.startswith("__") else declared)


def _check_refs(targets: Any) -> None:
    if len(targets) < 2:
        return
    refs = [target.get("refId") for target in targets if isinstance(target, Mapping)]
    twice = next((ref for ref in refs if ref and refs.count(ref) > 1), "")
    if twice:
        raise DefinitionError(f"two queries have the ref {short(twice)}", fix="leave ref out of one")


def _texts(node: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The texts in which a variable may stand and does, each under the key of the dict that holds it."""
    # One loop over what is still to be seen: much quicker than a call for each of thousands of small dicts.
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, Any]] = [("", node)]
    for key, holder in waiting:
        if holder.__class__ is list:
            for value in holder:
                kind = value.__class__
                if kind is dict or kind is list:
                    waiting.append((key, value))
                elif kind is str and key in _READ and _holds_one(key, value):
                    found.append((key, value))
            continue
        for name, value in holder.items():
            kind = value.__class__
            if kind is str:
                if name in _READ and _holds_one(name, value):
                    found.append((name, value))
            elif (kind is dict or kind is list) and value and name not in _NEVER_READ:
                waiting.append((name, value))
    return found


def _holds_one(key: str, text: str) -> bool:
    return "$" in text or "[[" in text or key == "repeat"
