"""The section ``alertmanager`` of gpuboards.yaml.

The file is committed, so a secret in it is refused, and no message repeats what could be one: messages name the key
and the line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from builder.config.document import Value
from builder.config.read_channels import read_channel
from builder.errors import ConfigError, nearest, short
from builder.rules.alertmanager.kinds import KINDS
from builder.rules.alertmanager.routes import NOBODY
from builder.rules.alertmanager.settings import OLDEST, Channel, Settings, version

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_VERSION = re.compile(r"\d{1,3}\.\d{1,3}(\.\d{1,3})?")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DURATION = re.compile(r"(?:\d+(?:ms|[smhdw]))+")
_LONGEST = 4 * 604_800
_WAITS = ("group_wait", "group_interval", "repeat_interval")
_ROLES = ("pager", "chat", "info", "other")


def read_alertmanager(value: Value) -> Settings:
    """The section with its defaults. Raises ConfigError, with file and line, for what Alertmanager would not take."""
    entries = value.mapping()
    value.only([field.name for field in fields(Settings)])
    said: dict[str, Any] = {}
    if "version" in entries:
        said["version"] = _version(entries["version"])
    running = version(said.get("version", Settings.version))
    said |= {key: _wait(entries[key]) for key in _WAITS if key in entries}
    if "receivers" in entries:
        said["receivers"] = _receivers(entries["receivers"], running)
    for role in _ROLES:
        if role in entries:
            said[role] = _role(entries[role], said.get("receivers", {}))
    settings = Settings(**said)
    _check_waits(settings, entries, value)
    return settings


def _version(value: Value) -> str:
    text = value.scalar(str)
    if not _VERSION.fullmatch(text):
        raise value.fail(f"{short(text)} is not a version", 'write it like "0.28"')
    if version(text) < OLDEST:
        raise value.fail(f"{text} is older than {'.'.join(map(str, OLDEST))}", "use a newer Alertmanager")
    return str(text)


def _wait(value: Value) -> str:
    text = value.scalar(str)
    if not _DURATION.fullmatch(text):
        raise value.fail(f"{short(text)} is not a duration", "write it like 30s, 5m or 4h")
    if _seconds(text) > _LONGEST:
        raise value.fail(f"{short(text)} is too long", "at most 4w")
    return str(text)


def _seconds(text: str) -> float:
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|[smhdw])", text))


def _check_waits(settings: Settings, entries: Mapping[str, Value], value: Value) -> None:
    interval, repeat = _seconds(settings.group_interval), _seconds(settings.repeat_interval)
    if interval <= 0:
        raise entries["group_interval"].fail("cannot be 0", "write at least 1s; the default is 5m")
    if repeat < interval:
        shorter, longer = settings.repeat_interval, settings.group_interval
        what = f"repeat_interval ({shorter}) is shorter than group_interval ({longer})"
        raise entries.get("repeat_interval", value).fail(what, "a group is looked at every group_interval only")


def _role(value: Value, receivers: Mapping[str, Any]) -> str:
    name = value.scalar(str)
    if name and name not in receivers:
        known = nearest(name, receivers) if receivers else "describe it under alertmanager.receivers"
        raise value.fail(f"unknown receiver {short(name)}", known)
    return str(name)


def _receivers(value: Value, running: tuple[int, ...]) -> dict[str, tuple[Channel, ...]]:
    receivers = {}
    for name, entry in value.mapping().items():
        if not _NAME.fullmatch(name) or name == NOBODY:
            what = "is the name of the receiver that tells nobody" if name == NOBODY else "is not a receiver's name"
            raise ConfigError(f"{short(name)} {what}", where=value.key_places[name], fix="letters, digits, - _ and .")
        receivers[name] = _channels(entry, running)
    return receivers


def _channels(value: Value, running: tuple[int, ...]) -> tuple[Channel, ...]:
    channels: list[Channel] = []
    for kind, entry in value.mapping().items():
        if kind not in KINDS:
            what = f"unknown kind of receiver {short(kind)}"
            raise ConfigError(what, where=value.key_places[kind], fix=nearest(kind, KINDS))
        channels.extend(read_channel(kind, item, running) for item in entry.items())
    if not channels:
        raise value.fail("a receiver that tells nobody", f"give it one of {', '.join(KINDS)}")
    return tuple(channels)
