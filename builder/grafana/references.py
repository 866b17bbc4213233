"""Every variable that a board mentions must be declared; a misspelt one would stay in the text, unseen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from builder.errors import UnknownName
from builder.promql.substitute import unresolved

_READ = frozenset({"expr", "title", "url", "legendFormat", "repeat", "displayName", "query", "definition", "interval"})


def check_references(dashboard: Mapping[str, Any]) -> None:
    """Raise UnknownName for the first variable that is used and not declared."""
    declared = {variable["name"] for variable in dashboard["templating"]["list"]}
    for variable in dashboard["templating"]["list"]:
        _check(variable, declared, f"variable {variable['name']}")
    for panel in dashboard["panels"]:
        for each in (panel, *panel.get("panels", ())):
            own = {key: value for key, value in each.items() if key != "panels"}
            _check(own, declared, f"panel {each.get('title', '')!r}")


def _check(node: Any, declared: set[str], where: str) -> None:
    for key, text in _texts(node, ""):
        names = [text.lstrip("$")] if key == "repeat" else unresolved(text)
        for name in names:
            if name not in declared and not name.startswith("__"):
                raise UnknownName("variable", name, declared, where=where)


def _texts(node: Any, key: str) -> Iterator[tuple[str, str]]:
    """The texts in which a variable may stand and does; ``key`` is that of the dict which holds the node."""
    members = node.items() if node.__class__ is dict else [(key, value) for value in node]
    for name, value in members:
        kind = value.__class__
        if kind is str:
            if name in _READ and ("$" in value or "[[" in value or name == "repeat"):
                yield name, value
        elif value and (kind is dict or kind is list):
            yield from _texts(value, name)
