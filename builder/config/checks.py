"""What a setting may be. A check takes a value and raises ConfigError without a place; the reader adds it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from builder.catalog.model import LABELS
from builder.errors import ConfigError, QueryError, nearest, short
from builder.promql.parse import check_pattern

Check = Callable[[Any], None]

_UID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_MATCHER = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"')
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def not_empty(value: str) -> None:
    """Text with something in it, on one line."""
    if not value.strip() or _has_control(value):
        raise ConfigError(f"{short(value)} is not a name", fix="write one line of text")


def uid(value: str) -> None:
    """A Grafana uid: at most 40 letters, digits, - and _ (Grafana 12 refuses anything else)."""
    if not _UID.fullmatch(value):
        raise ConfigError(f"{short(value)} is not a uid", fix="1 to 40 letters, digits, - and _")


def not_general(value: str) -> None:
    """Any folder but the root, which Grafana calls so."""
    if value == "general":
        raise ConfigError("'general' is Grafana's own", fix="choose another uid")


def project(value: str) -> None:
    """A project's name, which becomes part of a tag; empty: no name."""
    if value and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", value):
        raise ConfigError(f"{short(value)} is not a project name", fix="1 to 40 letters, digits, - _ and .")


def http_url(value: str) -> None:
    """A URL that a server can be reached at. Without a password: it would end up in generated files."""
    if "@" in value:
        raise ConfigError("a user or a password in a URL", fix="leave them out; the configuration holds no secrets")
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(c.isspace() for c in value) or _has_control(value):
        raise ConfigError(f"{short(value)} is not a URL", fix="write it like http://prometheus:9090")


def absolute(value: str) -> None:
    """An absolute path on the machine that Grafana runs on."""
    if not value.startswith("/") or _has_control(value):
        raise ConfigError(f"{short(value)} is not an absolute path", fix="write the path as Grafana sees it")


def between(low: float, high: float) -> Check:
    """A number in a range, both ends included."""

    def check(value: float) -> None:
        if not low <= value <= high:
            shown = short(value) if isinstance(value, int) else f"{value:g}"  # an int may be too long for a float
            raise ConfigError(f"{shown} is out of range", fix=f"a number from {low:g} to {high:g}")

    return check


def one_of(*choices: str) -> Check:
    """One of a few words."""

    def check(value: str) -> None:
        if value not in choices:
            raise ConfigError(f"{short(value)} is none of {', '.join(choices)}", fix=nearest(value, choices))

    return check


def prometheus_version(value: str) -> None:
    """A version of Prometheus that rules are written for: major and minor."""
    found = re.fullmatch(r"([23])\.(\d{1,2})", value)
    if found is None or (int(found[1]), int(found[2])) < (2, 37):
        raise ConfigError(f"{short(value)} is not a version that rules are written for", fix='"2.37" to "3.99"')


def refresh(value: str) -> None:
    """How often a board reloads."""
    if value and not re.fullmatch(r"[1-9]\d*[smhd]", value):
        raise ConfigError(
            f"{short(value)} is not an interval", fix='write it like 30s, 1m or 1h; "" for no automatic reload'
        )


def time_from(value: str) -> None:
    """How far a board looks back."""
    if not re.fullmatch(r"now-[1-9]\d*[smhdwMy](/[smhdwMy])?", value):
        raise ConfigError(f"{short(value)} is not a start of a time range", fix="write it like now-6h or now-2d")


def _has_control(text: str) -> bool:
    """True for a text of more than one line, or with characters that nobody can see."""
    return any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text)


def _check_matched(operator: str, value: str) -> None:
    """The quoted value of a matcher, in which a placeholder stands for plain text."""
    if any("\ue000" <= character <= "\uf8ff" for character in value):
        raise ConfigError("a private-use character in the stream selector")
    try:
        text = json.loads(f'"{value}"')
    except ValueError:
        raise ConfigError(f'"{value}" is not a quoted value', fix=r"write \\ for a backslash, \t for a tab") from None
    if operator in ("=~", "!~"):
        try:
            check_pattern(_PLACEHOLDER.sub("x", text))
        except QueryError as error:
            raise ConfigError(error.what, fix=error.fix) from error


def log_selector(value: str) -> None:
    """A LogQL stream selector whose placeholders are canonical labels."""
    example = 'write it like {namespace="{namespace}",pod="{pod}"}'
    text = value.strip()
    if not (text.startswith("{") and text.endswith("}")):
        raise ConfigError(f"{short(value)} is not a stream selector", fix=example)
    rest, selects = text[1:-1].strip(), False
    while rest:
        matcher = _MATCHER.match(rest)
        if matcher is None:
            raise ConfigError(f"no matcher at {short(rest)} in the stream selector", fix=example)
        _check_matched(matcher[2], matcher[3])
        for name in _PLACEHOLDER.findall(matcher[3]):
            if name not in LABELS:
                raise ConfigError(f"{{{name}}} is not a placeholder", fix=nearest(name, LABELS))
        selects = selects or (matcher[2] in ("=", "=~") and bool(matcher[3]))
        rest = rest[matcher.end() :].strip()
        if rest and not rest.startswith(","):
            raise ConfigError(f"a comma is missing before {short(rest)} in the stream selector", fix=example)
        rest = rest[1:].strip()
    if not selects:
        raise ConfigError("a stream selector needs a matcher with = or =~ (Loki refuses it otherwise)", fix=example)
