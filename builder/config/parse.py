"""gpuboards.yaml read into a Config: every key known, every value of the right type and in range."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, get_type_hints

from builder.catalog.model import LABELS, Match, Profile, Spelling
from builder.config import document
from builder.config.document import Value
from builder.config.model import LOG_SELECTORS, Config, Logs, Override, Patch
from builder.config.overrides import profile_with
from builder.config.read_contexts import read_contexts
from builder.errors import ConfigError, nearest

S = TypeVar("S")

_PATCH: dict[str, type] = {"name": str, "factor": float, "bit": int, "above": float}
_PATCH |= {"ceiling": float, "floor": float, "cap": float}
_SPELLING = ("label", "pattern", "replacement", "selector")
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")


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
    _only(value, [f.name for f in fields(defaults)])  # type: ignore[arg-type]
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


def _only(value: Value, known: list[str]) -> None:
    for key in value.mapping():
        if key not in known:
            inside = f" in {value.path}" if value.path else ""
            raise ConfigError(f"unknown key {key!r}{inside}", where=value.key_places[key], fix=nearest(key, known))


def _checked(value: Value, check: Any, content: Any) -> None:
    try:
        check(content)
    except ConfigError as error:
        raise value.fail(error.what, error.fix) from error


# sections that are more than a dataclass ------------------------------------------------------


def _logs(value: Value) -> Logs:
    entries = value.mapping()
    _only(value, ["selector", "preset"])
    if "preset" not in entries:
        plain = {key: entry for key, entry in entries.items() if key == "selector"}
        return _section(replace(value, content=plain), Logs())
    if "selector" in entries:
        raise value.fail("both a preset and a selector", fix="keep one")
    preset = entries["preset"].scalar(str)
    if preset not in LOG_SELECTORS:
        raise entries["preset"].fail(f"unknown preset {preset!r}", fix=nearest(preset, LOG_SELECTORS))
    return Logs(LOG_SELECTORS[preset])


def _profile_name(value: Value) -> str:
    from builder.catalog.profiles import GPU_PROFILES

    name: str = value.scalar(str)
    if name not in GPU_PROFILES:
        raise value.fail(f"unknown profile {name!r}", fix=nearest(name, GPU_PROFILES))
    return name


def _profiles(value: Value) -> Mapping[str, Override]:
    from builder.catalog.profiles import PROFILES

    _only(value, list(PROFILES))
    overrides = {name: _override(entry, PROFILES[name]) for name, entry in value.mapping().items()}
    for name, override in overrides.items():
        profile_with(PROFILES[name], override)  # fails here, with a line, rather than in the build
    return overrides


def _override(value: Value, profile: Profile) -> Override:
    from builder.catalog.signals import SIGNALS

    entries = value.mapping()
    _only(value, ["signals", "labels", "interval"])
    signals: dict[str, tuple[Patch, ...]] = {}
    if "signals" in entries:
        _only(entries["signals"], list(SIGNALS))
        signals = {k: _several(v, _patch) for k, v in entries["signals"].mapping().items()}
    labels: dict[str, tuple[Spelling, ...]] = {}
    if "labels" in entries:
        _only(entries["labels"], [*LABELS, *profile.labels])
        labels = {k: _several(v, _spelling) for k, v in entries["labels"].mapping().items()}
    interval = None
    if "interval" in entries:
        interval = entries["interval"].scalar(int)
        if not 1 <= interval <= 3600:
            raise entries["interval"].fail(f"{interval} is out of range", fix="seconds, from 1 to 3600")
    return Override(signals, labels, interval)


def _several(value: Value, read: Any) -> tuple[Any, ...]:
    """One or many; ``none`` (or an empty list) says that there is none here."""
    if value.content is None or value.content == "none":
        return ()
    return tuple(read(item) for item in value.items())


def _patch(value: Value) -> Patch:
    if isinstance(value.content, str):
        return Patch({"name": _name(value, "metric")}, value.where)
    entries = value.mapping()
    _only(value, [*_PATCH, "where"])
    said = {key: entries[key].scalar(kind) for key, kind in _PATCH.items() if key in entries}
    if not said and "where" not in entries:
        raise value.fail("says nothing", fix="write the metric's name, or `none` where it is not exported")
    if "name" in said:
        _name(entries["name"], "metric")
    if said.get("factor") == 0:
        raise entries["factor"].fail("a factor of 0 makes every value 0")
    if not 0 <= said.get("bit", 0) < 64:
        raise entries["bit"].fail(f"{said['bit']} is not a bit", fix="0 is the lowest, 63 the highest")
    if "where" in entries:
        said["where"] = _matches(entries["where"])
    return Patch(said, value.where)


def _spelling(value: Value) -> Spelling:
    if isinstance(value.content, str):
        return Spelling(_name(value, "label"))
    entries = value.mapping()
    _only(value, [*_SPELLING, "guard"])
    if "label" not in entries:
        raise value.fail("no label named", fix="write `label: <the exporter's label>`")
    said: dict[str, Any] = {key: entries[key].scalar(str) for key in _SPELLING if key in entries}
    _name(entries["label"], "label")
    if "pattern" in said:
        try:
            groups = re.compile(said["pattern"]).groups
        except re.error as error:
            raise entries["pattern"].fail(f"not a regular expression: {error}") from error
        if groups != 1 and "replacement" not in said:
            raise entries["pattern"].fail(
                f"{groups} groups, but one is taken", fix="use (...) once, (?:...) for the rest"
            )
    guard = _matches(entries["guard"]) if "guard" in entries else ()
    return Spelling(**said, guard=guard)


def _matches(value: Value) -> tuple[Match, ...]:
    """``{label: value}``, each an equality."""
    for label, entry in value.mapping().items():
        if not _NAME.fullmatch(label) or ":" in label:
            raise ConfigError(f"{label!r} is not a label name", where=value.key_places[label])
        entry.scalar(str)
    return tuple(Match(label, "=", entry.content) for label, entry in value.mapping().items())


def _name(value: Value, what: str) -> str:
    name: str = value.scalar(str)
    if not _NAME.fullmatch(name) or (what == "label" and ":" in name):
        raise value.fail(f"{name!r} is not a {what} name", fix="letters, digits and _ only, no digit first")
    return name


_SPECIAL: Mapping[str, Any] = {
    "profile": _profile_name,
    "profiles": _profiles,
    "logs": _logs,
    "contexts": read_contexts,
}
