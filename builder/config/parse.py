"""gpuboards.yaml read into a Config: every key known, every value of the right type and in range."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, get_type_hints

from builder.config import document
from builder.config.document import Value
from builder.config.model import LOG_SELECTORS, Config, Logs
from builder.config.read_alertmanager import read_alertmanager
from builder.config.read_alerts import read_alerts
from builder.config.read_contexts import read_contexts
from builder.config.read_profiles import profile_name, profile_names, read_profiles
from builder.errors import ConfigError, nearest, short

S = TypeVar("S")


def parse(text: str, where: str) -> Config:
    """Read a configuration. ``where`` is the file's name, for messages.

    Raises ConfigError with file and line for anything unreadable, unknown, of the wrong type or out of range.
    """
    root = document.read(text, where)
    if not isinstance(root.content, dict):
        raise root.fail("expected keys and values at the top", fix="write `profile: dcgm`, one key a line")
    return _section(root, Config())


def _section(value: Value, defaults: S) -> S:
    """The defaults (a dataclass) with what the section says."""
    entries = value.mapping()
    value.only([f.name for f in fields(defaults)])  # type: ignore[arg-type]
    hints = get_type_hints(type(defaults))
    said: dict[str, Any] = {}
    for setting in fields(defaults):  # type: ignore[arg-type]
        if setting.name not in entries:
            continue
        entry, default = entries[setting.name], getattr(defaults, setting.name)
        if setting.name in _SPECIAL:
            said[setting.name] = _SPECIAL[setting.name](entry)
        elif is_dataclass(default):
            said[setting.name] = _section(entry, default)
        else:
            said[setting.name] = entry.scalar(hints[setting.name])
            for check in setting.metadata.get("checks", ()):
                _checked(entry, check, said[setting.name])
    try:
        return replace(defaults, **said)  # type: ignore[type-var]
    except ConfigError as error:
        raise value.fail(error.what, error.fix) from error


def _checked(value: Value, check: Any, content: Any) -> None:
    try:
        check(content)
    except ConfigError as error:
        raise value.fail(error.what, error.fix) from error


# sections that are more than a dataclass ------------------------------------------------------


def _logs(value: Value) -> Logs:
    if isinstance(value.content, str):
        key = "preset" if value.content in LOG_SELECTORS else "selector"
        fix = f"write `logs: {{{key}: {_quoted(value.content)}}}`"
        raise value.fail(f"expected keys and values, found text ({short(value.content[:40])})", fix)
    entries = value.mapping()
    value.only(["selector", "preset"])
    if "preset" not in entries:
        plain = {key: entry for key, entry in entries.items() if key == "selector"}
        return _section(replace(value, content=plain), Logs())
    if "selector" in entries:
        raise value.fail("both a preset and a selector", fix="keep one")
    preset = entries["preset"].scalar(str)
    if preset not in LOG_SELECTORS:
        raise entries["preset"].fail(f"unknown preset {short(preset)}", fix=nearest(preset, LOG_SELECTORS))
    return Logs(LOG_SELECTORS[preset])


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w-]+", text) else f"'{text.replace(chr(39), chr(39) * 2)}'"


_SPECIAL: Mapping[str, Any] = {
    "profile": profile_name,
    "profiles": read_profiles,
    "also": profile_names,
    "logs": _logs,
    "alertmanager": read_alertmanager,
    "contexts": read_contexts,
    "alerts": read_alerts,
}
