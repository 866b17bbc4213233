"""One form for one dashboard: without what the server fills in, and as the final classic schema has it.

A server may store a dashboard brought up to the final classic schema version (42). The few steps from 39 on
are made here too, so that both forms are equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

FINAL_SCHEMA = 42
_SERVER_FIELDS = ("id", "version", "iteration")


def stripped(dashboard: Mapping[str, Any]) -> dict[str, Any]:
    """The dashboard without what only a server knows: number, version, and members that are null."""
    return {key: _plain(value) for key, value in dashboard.items() if key not in _SERVER_FIELDS and value is not None}


def comparable(dashboard: Mapping[str, Any]) -> dict[str, Any]:
    """The dashboard in the form in which equal means equal to a reader."""
    data = stripped(dashboard)
    schema = data.get("schemaVersion")
    if not isinstance(schema, int) or not 39 <= schema < FINAL_SCHEMA:
        return data
    data["schemaVersion"] = FINAL_SCHEMA
    if not isinstance(data.get("refresh", ""), str):
        data["refresh"] = ""
    if isinstance(data.get("timepicker"), dict):
        data["timepicker"].pop("time_options", None)
    for panel in _elements(data, "panels"):
        _hide_from_tooltip(panel)
    return data


def content_hash(dashboard: Mapping[str, Any]) -> str:
    """64 hexadecimal digits that are the same for equal dashboards, and only for those."""
    import hashlib  # it loads OpenSSL, which who compares for people does without

    text = json.dumps(comparable(dashboard), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has one kind of number, and servers write 1.0 as 1
    return value


def _hide_from_tooltip(panel: Mapping[str, Any]) -> None:
    """Step 42: what is hidden from the graph is hidden from its tooltip."""
    config = _member(panel, "fieldConfig")
    hiding = [_member(_member(_member(config, "defaults"), "custom"), "hideFrom")]
    for override in _elements(config, "overrides"):
        properties = _elements(override, "properties")
        hiding += [_member(p, "value") for p in properties if p.get("id") == "custom.hideFrom"]
    for hidden in hiding:
        if hidden.get("viz") is True:
            hidden["tooltip"] = True
    for child in _elements(panel, "panels"):
        _hide_from_tooltip(child)


# Boards of other people may have any shape.


def _member(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _elements(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = value.get(key)
    return [element for element in found if isinstance(element, dict)] if isinstance(found, list) else []
