"""A comparison as data, whole: nothing in it is shortened."""

from __future__ import annotations

from typing import Any

from builder.diff.model import ABSENT, BoardDiff, Change, Part, Status
from builder.diff.naming import setting


def facts(diff: BoardDiff) -> dict[str, Any]:
    """One board. A value that is missing was not there."""
    parts = [_part(part) for part in diff.parts]
    return {"uid": diff.uid, "title": diff.title, "status": diff.status.value if diff else "equal", "parts": parts}


def _part(part: Part) -> dict[str, Any]:
    found: dict[str, Any] = {"what": part.what, "name": part.name, "status": part.status.value}
    if part.status is Status.CHANGED:
        found["changes"] = [_change(part, change) for change in part.changes]
    else:
        found["value"] = part.after if part.after is not None else part.before
        found |= {"ahead_of": part.ahead_of} if part.ahead_of else {}
    return found


def _change(part: Part, change: Change) -> dict[str, Any]:
    found = {"kind": change.kind.value, "setting": setting(part.what, change.path), "path": list(change.path)}
    sides = {"before": change.before, "after": change.after}
    found |= {side: value for side, value in sides.items() if value is not ABSENT}
    return found | ({"ahead_of": change.ahead_of} if change.ahead_of else {})
