"""One channel of a receiver: its fields against what its kind takes."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from builder.config import checks
from builder.config.document import Value
from builder.errors import ConfigError, nearest, short
from builder.rules.alertmanager.kinds import KINDS, Kind
from builder.rules.alertmanager.settings import Channel

_SECRET = re.compile(r"(glsa_|xox[a-z]-|eyJ|SEC[0-9a-f]{16}|[0-9a-fA-F]{32})")
_TARGET = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*")
_SMARTHOST = re.compile(r"[^\s:@/]+:\d{1,5}")


def read_channel(kind: str, value: Value, running: tuple[int, ...]) -> Channel:
    """A channel of this kind, for the Alertmanager of version ``running``.

    Raises ConfigError, without repeating any value, for an unknown or missing field, for a secret that is not in a
    file, and for what this version of Alertmanager lacks.
    """
    rules = KINDS[kind]
    if not isinstance(value.content, dict):
        raise value.fail("expected keys and values", f"it takes {', '.join(rules.fields)}")
    entries = value.mapping()
    _refuse_inline(kind, rules, value)
    for key in entries:
        if key not in rules.fields:
            what = f"unknown key {short(key)} in {value.path}"
            raise ConfigError(what, where=value.key_places[key], fix=nearest(key, rules.fields))
    _refuse_newer(kind, rules, value, running)
    _demand(rules, value)
    return Channel(kind, {key: _field(key, entry, rules) for key, entry in entries.items()})


def _refuse_inline(kind: str, rules: Kind, value: Value) -> None:
    entries = value.mapping()
    for key, instead in rules.inline.items():
        if key not in entries:
            continue
        place = value.key_places[key]
        if instead in entries:
            raise ConfigError(f"{value.path}: both {key} and {instead}", where=place, fix=f"keep {instead} alone")
        fix = f"write it into {instead}" if " " in instead else f"write it to a file, and `{instead}: /path/of/it` here"
        raise ConfigError(
            f"{value.path}: {key} is a secret, which does not belong in the configuration", where=place, fix=fix
        )


def _refuse_newer(kind: str, rules: Kind, value: Value, running: tuple[int, ...]) -> None:
    shown = ".".join(map(str, running))
    if running < rules.since:
        what = f"Alertmanager {shown} cannot do it without a secret in its configuration or lacks the field; "
        what += f"{'.'.join(map(str, rules.since))} can"
        raise ConfigError(f"{value.path}: {what}", where=value.where, fix=rules.older)
    for key, since in rules.newer.items():
        if key in value.mapping() and running < since:
            what = f"Alertmanager {shown} has no {key}; {'.'.join(map(str, since))} has"
            raise ConfigError(f"{value.path}: {what}", where=value.key_places[key], fix=rules.older)


def _demand(rules: Kind, value: Value) -> None:
    entries = value.mapping()
    for key in rules.needs:
        if key not in entries:
            what = f"no {key}, the file that holds its secret" if key in rules.files else f"no {key}"
            raise value.fail(what, f"write `{key}: {'/path/of/the/file' if key in rules.files else '...'}`")
    if not rules.needs and ("url" in entries) == ("url_file" in entries):
        what = "both url and url_file" if "url" in entries else "no url"
        raise value.fail(what, "write url, or url_file where the address is a secret")
    if "username" in entries and "credentials_file" in entries:
        raise value.fail("both username and credentials_file", "keep one: a password, or a bearer token")
    for group in rules.together:
        given = [key for key in group if key in entries]
        if given and len(given) < len(group):
            missing = next(key for key in group if key not in entries)
            raise value.fail(f"{given[0]} without {missing}", "write both")


def _field(key: str, value: Value, rules: Kind) -> Any:
    if key in rules.flags:
        return value.scalar(bool)
    text = value.content
    if not isinstance(text, str) or not _is_a_line(text):
        raise value.fail("expected one line of text", "put it in quotes if it looks like a number")
    if key in rules.files:
        return _path(value, text)
    if key in rules.urls:
        return _url(value, text)
    if _SECRET.match(text):
        raise value.fail("this looks like a secret", "secrets belong in files; write what the key asks for")
    if key == "smarthost" and not _SMARTHOST.fullmatch(text):
        raise value.fail("not a host and port", "write it like smtp.example.org:587")
    if key == "target" and not _TARGET.fullmatch(text):
        raise value.fail("not the name of a target of the bridge", "a letter, then letters, digits, - and _")
    return text


def _is_a_line(text: str) -> bool:
    try:
        checks.not_empty(text)
    except ConfigError:
        return False
    return True


def _path(value: Value, text: str) -> str:
    if not text.startswith("/"):
        raise value.fail("not an absolute path", "write the path of the file as Alertmanager sees it")
    return text


def _url(value: Value, text: str) -> str:
    try:
        checks.http_url(text)
        parts = urlsplit(text)
    except ConfigError:
        raise value.fail(
            "not a URL that can be written here", "write it like http://host:8060; a user goes into username"
        ) from None
    if parts.query or parts.fragment:
        what = "a URL with a query, which is where robots keep their key"
        raise value.fail(what, "a secret address belongs in a file: url_file, or a bridge that holds it")
    return text
