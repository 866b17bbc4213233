"""What the object API does to a classic board on its way in and out: it lifts it to the server's schemaVersion.

Done here are the steps from 39 on, which is what a current generator emits; of older boards only the number is lifted.
"""

from __future__ import annotations

import copy
from typing import Any

from builder.testing.grafana.model import Json


def migrated(spec: Json, oldest: int, latest: int) -> tuple[Json, str]:
    """The board at the latest schemaVersion; or the board as it is, with the reason why it cannot be lifted."""
    given = spec.get("schemaVersion")
    version = given if isinstance(given, int) else 0
    if version < oldest:
        return spec, f"dashboard schema version {version} is below the minimum version {oldest}"
    if version >= latest:
        return spec, ""
    new = copy.deepcopy(spec)
    if version < 40 and not isinstance(new.get("refresh", ""), str):
        new["refresh"] = ""
    if version < 41 and isinstance(new.get("timepicker"), dict):
        new["timepicker"].pop("time_options", None)
    if version < 42 <= latest:
        _hide_tooltips(new.get("panels"))
    new["schemaVersion"] = latest
    return new, ""


def _hide_tooltips(value: Any) -> None:
    """A series that is hidden from the picture is hidden from the tooltip as well."""
    if isinstance(value, list):
        for inner in value:
            _hide_tooltips(inner)
    elif isinstance(value, dict):
        hidden = value.get("hideFrom")
        if isinstance(hidden, dict) and hidden.get("viz") is True:
            hidden["tooltip"] = True
        for inner in value.values():
            _hide_tooltips(inner)
