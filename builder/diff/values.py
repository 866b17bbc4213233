"""Values as people read them. Words are used only where they say everything; otherwise the value stands as it is."""

from __future__ import annotations

import json
from typing import Any

from builder.diff.model import ABSENT


def in_words(name: str, value: Any) -> str | None:
    """What a setting's value says, where there are words for all of it."""
    said = {"thresholds": _thresholds, "color": _colour, "mappings": _mappings, "datasource": _source}.get(name)
    try:
        return said(value) if said else None
    except (TypeError, KeyError, ValueError, AttributeError):  # of a shape that is not known
        return None


def as_json(value: Any, *, lines: bool = False) -> str:
    """The value as JSON in one line, or in as many as it takes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2 if lines else None)


def plain(value: Any) -> str:
    """A value on one line: a text as it is, anything else as JSON."""
    if value is ABSENT:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else as_json(value)


def _only(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The value without nulls, if it has no other keys than these."""
    found = {key: member for key, member in value.items() if member is not None}
    if found.keys() - set(keys):
        raise ValueError(found)
    return found


def _thresholds(value: Any) -> str:
    found = _only(value, "mode", "steps")
    unit = {"absolute": "", "percentage": " %"}[found.get("mode", "absolute")]
    steps = [_only(step, "color", "value") for step in found["steps"]]
    return ", ".join(
        step["color"] + (f" from {plain(step['value'])}{unit}" if "value" in step else "") for step in steps
    )


def _colour(value: Any) -> str:
    found = _only(value, "mode", "fixedColor", "seriesBy")
    parts = [found["mode"], found.get("fixedColor", ""), f"by {found['seriesBy']}" if "seriesBy" in found else ""]
    return " ".join(part for part in parts if part)


def _source(value: Any) -> str:
    if isinstance(value, str):
        return value
    found = _only(value, "type", "uid")
    return " ".join(found[key] for key in ("type", "uid") if key in found)


def _mappings(value: Any) -> str:
    return "; ".join(part for mapping in value for part in _mapping(_only(mapping, "type", "options"))) or "none"


def _mapping(mapping: dict[str, Any]) -> list[str]:
    options = mapping["options"]
    match mapping["type"]:
        case "value":
            return [f"{value} is {_result(result)}" for value, result in options.items()]
        case "range":
            found = _only(options, "from", "to", "result")
            ends = [plain(found[end]) if end in found else "…" for end in ("from", "to")]
            return [f"{ends[0]} to {ends[1]} is {_result(found['result'])}"]
        case "regex":
            found = _only(options, "pattern", "result")
            return [f"/{found['pattern']}/ is {_result(found['result'])}"]
        case "special":
            found = _only(options, "match", "result")
            return [f"{found['match']} is {_result(found['result'])}"]
    raise ValueError(mapping)


def _result(result: Any) -> str:
    found = _only(result, "text", "color", "index")
    return " ".join(part for part in (found.get("text", ""), f"({found['color']})" if "color" in found else "") if part)
