"""The sections ``profile`` and ``profiles`` of gpuboards.yaml: which exporter, and what a site spells differently."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from builder.catalog.model import LABELS, Match, Profile, Spelling
from builder.config.document import Value
from builder.config.model import Override, Patch
from builder.config.overrides import profile_with
from builder.errors import ConfigError, QueryError, nearest, short

_PATCH: dict[str, type] = {"name": str, "factor": float, "bit": int, "above": float}
_PATCH |= {"ceiling": float, "floor": float, "cap": float}
_SPELLING = ("label", "pattern", "replacement", "selector")
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_NO_GROUPS = re.compile(r"\\.|\[(?:\\.|[^\]])*\]", re.DOTALL)
_GROUP = re.compile(r"\((?!\?)|\(\?P?<[A-Za-z_]")
_TAKEN = re.compile(r"\$(?:(\d+)|\{(\d+)\})")


def profile_name(value: Value) -> str:
    """The name of a GPU exporter's profile."""
    from builder.catalog.profiles import GPU_PROFILES

    name: str = value.scalar(str)
    if name not in GPU_PROFILES:
        raise value.fail(f"unknown profile {short(name)}", fix=nearest(name, GPU_PROFILES))
    return name


def profile_names(value: Value) -> tuple[str, ...]:
    """The names of several profiles of GPU exporters, each once."""
    names: list[str] = []
    for item in value.items():
        name = profile_name(item)
        if name in names:
            raise item.fail(f"{short(name)} is named twice", fix="name it once")
        names.append(name)
    return tuple(names)


def read_profiles(value: Value) -> Mapping[str, Override]:
    """What is spelled differently, by profile. Raises ConfigError with file and line."""
    from builder.catalog.profiles import PROFILES

    value.only(PROFILES)
    overrides = {name: _override(entry, PROFILES[name]) for name, entry in value.mapping().items()}
    for name, override in overrides.items():
        profile_with(PROFILES[name], override)  # fails here, with a line, rather than in the build
    return overrides


def _override(value: Value, profile: Profile) -> Override:
    from builder.catalog.signals import SIGNALS

    entries = value.mapping()
    value.only(["signals", "labels", "interval"])
    signals: dict[str, tuple[Patch, ...]] = {}
    places: dict[str, str] = {}
    if "signals" in entries:
        entries["signals"].only(SIGNALS)
        signals = {k: _several(v, _patch) for k, v in entries["signals"].mapping().items()}
        if signals.get("device_info", True) == () and "device_info" in profile.signals:
            raise (
                entries["signals"]
                .mapping()["device_info"]
                .fail("every board needs it: variables take their values from it", "name a metric that each card has")
            )
    labels: dict[str, tuple[Spelling, ...]] = {}
    if "labels" in entries:
        entries["labels"].only([*LABELS, *profile.labels])
        labels = {k: _several(v, _spelling) for k, v in entries["labels"].mapping().items()}
    for part in ("signals", "labels"):
        if part in entries:
            places |= {f"{part}.{name}": entry.where for name, entry in entries[part].mapping().items()}
    interval = None
    if "interval" in entries:
        interval = entries["interval"].scalar(int)
        if not 1 <= interval <= 3600:
            raise entries["interval"].fail(f"{short(interval)} is out of range", fix="seconds, from 1 to 3600")
    return Override(signals, labels, interval, places)


def _several(value: Value, read: Any) -> tuple[Any, ...]:
    """One or many; ``none`` (or an empty list) says that there is none here."""
    if value.content is None or value.content == "none":
        return ()
    return tuple(read(item) for item in value.items())


def _patch(value: Value) -> Patch:
    if isinstance(value.content, str):
        return Patch({"name": _name(value, "metric")}, value.where)
    entries = value.mapping()
    value.only([*_PATCH, "where"])
    said = {key: entries[key].scalar(kind) for key, kind in _PATCH.items() if key in entries}
    if not said and "where" not in entries:
        raise value.fail("says nothing", fix="write the metric's name, or `none` where it is not exported")
    if "name" in said:
        _name(entries["name"], "metric")
    if said.get("factor") == 0:
        raise entries["factor"].fail("a factor of 0 makes every value 0")
    if "bit" in said:
        bit = said.pop("bit")
        if not 0 <= bit < 64:
            raise entries["bit"].fail(f"{short(bit)} is not a bit", fix="0 is the lowest, 63 the highest")
        said["bits"] = (bit,)
    if "where" in entries:
        said["where"] = _matches(entries["where"])
    return Patch(said, value.where)


def _spelling(value: Value) -> Spelling:
    if isinstance(value.content, str):
        return Spelling(_name(value, "label"))
    entries = value.mapping()
    value.only([*_SPELLING, "guard"])
    if "label" not in entries:
        raise value.fail("no label named", fix="write `label: <the exporter's label>`")
    said: dict[str, Any] = {key: entries[key].scalar(str) for key in _SPELLING if key in entries}
    _name(entries["label"], "label")
    if "pattern" in said:
        _check_pattern(entries["pattern"], said["pattern"])
        groups = _groups(said["pattern"])
        if groups != 1 and "replacement" not in said:
            raise entries["pattern"].fail(
                f"{groups} groups, but one is taken", fix="use (...) once, (?:...) for the rest"
            )
        taken = max((int(plain or braced) for plain, braced in _TAKEN.findall(said.get("replacement", ""))), default=0)
        if taken > groups:
            raise entries["replacement"].fail(
                f"${taken}, where the pattern has {groups or 'no'} groups", fix="$1 is the first group"
            )
    if "selector" in said:
        if "{value}" not in said["selector"]:
            raise entries["selector"].fail("no {value} in it", fix='write it like "{value}:9400"')
        _check_pattern(entries["selector"], said["selector"].replace("{value}", "x"))
    guard = _matches(entries["guard"]) if "guard" in entries else ()
    return Spelling(**said, guard=guard)


def _check_pattern(value: Value, pattern: str) -> None:
    from builder.promql.parse import check_pattern

    try:
        check_pattern(pattern)
    except QueryError as error:
        raise value.fail(error.what, error.fix) from error


def _groups(pattern: str) -> int:
    """How many groups a regular expression takes."""
    return len(_GROUP.findall(_NO_GROUPS.sub("", pattern)))


def _matches(value: Value) -> tuple[Match, ...]:
    """``{label: value}``, each an equality."""
    for label, entry in value.mapping().items():
        if not _NAME.fullmatch(label) or ":" in label:
            raise ConfigError(f"{short(label)} is not a label name", where=value.key_places[label])
        entry.scalar(str)
    return tuple(Match(label, "=", entry.content) for label, entry in value.mapping().items())


def _name(value: Value, what: str) -> str:
    name: str = value.scalar(str)
    if not _NAME.fullmatch(name) or (what == "label" and ":" in name):
        raise value.fail(f"{short(name)} is not a {what} name", fix="letters, digits and _ only, no digit first")
    return name
