"""What ``start()`` may be told, by argument or by environment variable. A mistake is a sentence, not an exception."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

PREFIX = "GPUBOARDS_PROBE_"
"""Every option but ``registry`` can be given as an environment variable: ``port`` is GPUBOARDS_PROBE_PORT."""

_GUARDS = frozenset({"certificate", "key", "username", "password", "password_file"})


_DAY = 86400


class Options(TypedDict, total=False):
    """The options of ``start()``; see Settings for what they mean."""

    port: int | None
    host: str
    advertise: str
    job: str
    model_version: str
    framework: str
    rank: int
    local_rank: int
    initial_step: int
    cards: Mapping[str, str]
    buckets: Sequence[float]
    certificate: str
    key: str
    username: str
    password: str
    password_file: str
    file_sd: str
    gateway: str
    gateway_interval: float
    timeout: float
    registry: Any


@dataclass(frozen=True)
class Settings:
    """What holds for this process.

    ``port`` is the base: rank n of a host takes port + n, or the next free one; 0 is any free one, None is no
    endpoint. ``host`` is the address to listen on, ``advertise`` the name that Prometheus reaches it by.
    ``cards`` says which card a device is, where nothing can find out: device name to uuid. ``certificate`` and
    ``key`` are PEM files. ``file_sd`` is a directory, ``gateway`` the address of a Pushgateway,
    ``gateway_interval`` seconds between pushes, ``timeout`` seconds that a scrape waits for a framework.
    ``sealed`` is True where an option that protects the endpoint is wrong: then there is none.
    """

    port: int | None = 9410
    host: str = "127.0.0.1"
    advertise: str = ""
    job: str = ""
    model_version: str = ""
    framework: str = ""
    rank: int | None = None
    local_rank: int | None = None
    initial_step: int | None = None
    cards: Mapping[str, str] = field(default_factory=dict)
    buckets: tuple[float, ...] = ()
    certificate: str = ""
    key: str = ""
    username: str = ""
    password: str = field(default="", repr=False)
    password_file: str = ""
    file_sd: str = ""
    gateway: str = ""
    gateway_interval: float = 15.0
    timeout: float = 2.0
    registry: Any = None
    sealed: bool = False


def settle(given: Mapping[str, object], environ: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """The settings, and one sentence for each mistake; a wrong option leaves its default in force."""
    values: dict[str, Any] = {}
    mistakes: list[str] = []
    known = {f.name for f in fields(Settings)} - {"sealed"}
    mistakes += [_unknown(name, known) for name in given.keys() - known]
    for name in sorted(known):
        raw: object = given[name] if name in given else environ.get(PREFIX + name.upper())
        left_out = name not in given and raw in (None, "")
        if left_out or (raw is None and name != "port"):
            continue
        try:
            values[name] = _READ[name](raw)
        except (TypeError, ValueError) as error:
            # The value of a secret must not reach a log.
            shown = "" if name == "password" else f" {raw!r}"
            mistakes.append(f"{name}{shown}: {error}")
            values["sealed"] = values.get("sealed", False) or name in _GUARDS
    for one, other in (("certificate", "key"), ("key", "certificate")):
        if values.get(one) and not values.get(other):
            mistakes.append(f"{one} without {other}")
            values["sealed"] = True
    if bool(values.get("username")) != bool(values.get("password") or values.get("password_file")):
        mistakes.append("basic authentication needs a username and a password (or password_file)")
        values["sealed"] = True
    return Settings(**values), sorted(mistakes)


def _unknown(name: str, known: Collection[str]) -> str:
    import difflib  # only where something went wrong

    close = difflib.get_close_matches(str(name), known, n=1)
    return f"unknown option {name!r}" + (f" (did you mean {close[0]}?)" if close else "")


def _text(raw: object) -> str:
    if not isinstance(raw, str | Path):
        raise TypeError("is not a string")
    return str(raw)


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int | str):
            raise TypeError("is not a whole number")
        value = int(raw)
        if not low <= value <= high:
            raise ValueError(f"must be from {low} to {high}")
        return value

    return read


def _port(raw: object) -> int | None:
    return None if raw is None or raw == "none" else _whole(0, 65535)(raw)


def _seconds(raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise TypeError("is not a number")
    value = float(raw)
    if not (isfinite(value) and value > 0):
        raise ValueError("must be greater than 0")
    return value


def _patience(raw: object) -> float:
    """Seconds to wait: no system waits for as long as a number can say."""
    value = _seconds(raw)
    if value > _DAY:
        raise ValueError(f"must be at most {_DAY}")
    return value


def _buckets(raw: object) -> tuple[float, ...]:
    parts = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(parts, Sequence):
        raise TypeError("is not a list of seconds")
    bounds = tuple(_seconds(part) for part in parts)
    if not bounds or list(bounds) != sorted(set(bounds)):
        raise ValueError("must rise")
    return bounds


def _cards(raw: object) -> dict[str, str]:
    if isinstance(raw, str):
        pairs = [pair.strip().partition("=") for pair in raw.split(",")]
        raw = {device: uuid for device, _, uuid in pairs if device}
    if not isinstance(raw, Mapping) or not all(re.fullmatch(r"(GPU|MIG)-[0-9a-zA-Z/-]+", str(v)) for v in raw.values()):
        raise ValueError("must map device names to uuids, as in GPU:0=GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b")
    return {str(device): str(uuid) for device, uuid in raw.items()}


def _framework(raw: object) -> str:
    if raw not in ("tensorflow", "pytorch", "jax"):
        raise ValueError("must be tensorflow, pytorch or jax")
    return str(raw)


def _address(raw: object) -> str:
    parts = urlsplit(_text(raw))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address like http://pushgateway:9091")
    return parts.geturl().rstrip("/")


_WHOLE = _whole(0, 2**31)
_READ: Mapping[str, Callable[[object], object]] = {
    "port": _port,
    "host": lambda raw: _text(raw).removeprefix("[").removesuffix("]"),  # as URLs write an IPv6 address
    "advertise": _text,
    "job": _text,
    "model_version": _text,
    "framework": _framework,
    "rank": _WHOLE,
    "local_rank": _WHOLE,
    "initial_step": _whole(0, 2**63),
    "cards": _cards,
    "buckets": _buckets,
    "certificate": _text,
    "key": _text,
    "username": _text,
    "password": _text,
    "password_file": _text,
    "file_sd": _text,
    "gateway": _address,
    "gateway_interval": _patience,
    "timeout": _patience,
    "registry": lambda raw: raw,
}
