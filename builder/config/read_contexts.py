"""The section ``contexts`` of gpuboards.yaml.

People paste tokens where a name belongs. So nothing here repeats a value that could be one: messages name the
key and the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from builder.config import checks
from builder.config.contexts import Auth, Context, Header, Place, Tls
from builder.config.document import Value
from builder.errors import ConfigError, nearest, short

_ENVIRONMENT = re.compile(r"[A-Z_][A-Z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_TOKEN = re.compile(r"(glsa|glc|eyJ)[A-Za-z0-9_.=-]{8,}")
_SECRET_KEYS = ("token", "password", "api_key", "apikey", "key", "secret", "credentials")
_KEYS = ("url", "org", "folder", "auth", "tls", "proxy", "headers", "datasources")

TOKEN_IN_FILE = "a secret does not belong in the configuration: write token_env, token_file or token_command"


def read_contexts(value: Value) -> Mapping[str, Context]:
    """All contexts by name. Raises ConfigError, with file and line and without repeating any value."""
    contexts = _mapping(value, "NAME: {url: ...}")
    for name in contexts:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                "a context's name has characters that do not belong in one",
                where=value.key_places[name],
                fix="letters, digits, - _ and .",
            )
    return {name: _context(entry) for name, entry in contexts.items()}


def _context(value: Value) -> Context:
    entries = _entries(value, _KEYS)
    if "url" not in entries:
        raise value.fail("no url", "write `url: https://grafana.example`")
    return Context(
        url=_url(entries["url"]).rstrip("/"),
        org=_org(entries["org"]) if "org" in entries else 0,
        folders=_folders(entries["folder"]) if "folder" in entries else (),
        auth=_auth(entries["auth"]) if "auth" in entries else Auth(),
        tls=_tls(entries["tls"]) if "tls" in entries else Tls(),
        proxy=_url(entries["proxy"]) if "proxy" in entries else "",
        headers=_headers(entries["headers"]) if "headers" in entries else {},
        datasources=_datasources(entries["datasources"]) if "datasources" in entries else {},
        where=value.where,
    )


def _mapping(value: Value, example: str) -> dict[str, Value]:
    if value.content is not None and not isinstance(value.content, dict):
        raise value.fail("expected keys and values", f"it takes {example}")
    return value.mapping()


def _entries(value: Value, known: tuple[str, ...]) -> dict[str, Value]:
    entries = _mapping(value, ", ".join(known))
    for key in entries:
        if key not in known:
            fix = TOKEN_IN_FILE if key.casefold() in _SECRET_KEYS else nearest(key, known)
            raise ConfigError(f"unknown key {short(key)} in {value.path}", where=value.key_places[key], fix=fix)
    return entries


def _text(value: Value) -> str:
    if not isinstance(value.content, str) or not value.content.strip() or "\n" in value.content:
        raise value.fail("expected one line of text", "put it in quotes if it looks like a number")
    if _TOKEN.match(value.content):
        raise value.fail("this looks like a token itself", TOKEN_IN_FILE)
    return value.content.strip()


def _checked(value: Value, check: Callable[[str], None]) -> str:
    text = _text(value)
    try:
        check(text)
    except ConfigError as error:
        raise value.fail(error.what, error.fix) from None
    return text


def _url(value: Value) -> str:
    text = _text(value)
    if "@" in text:
        raise value.fail(
            "a user or a password in a URL",
            "write auth: {user: ..., password_env: ...}; for a proxy set HTTPS_PROXY in the environment",
        )
    try:
        checks.http_url(text)
        plain = not urlsplit(text).query and not urlsplit(text).fragment
    except ConfigError as error:
        raise value.fail(error.what, "write it like https://grafana.example or https://example.org/grafana") from None
    if not plain:
        raise value.fail("a URL with a query or a fragment", "end it with the path that Grafana is served under")
    return text


def _org(value: Value) -> int:
    if not isinstance(value.content, int) or isinstance(value.content, bool) or value.content < 1:
        raise value.fail("expected the number of an organisation", "Grafana counts them from 1")
    return value.content


def _folders(value: Value) -> tuple[Place, ...]:
    places = tuple(_place(item) for item in value.items())
    if not places:
        raise value.fail("no folder", "leave the key out to use the configuration's folder")
    uids = [place.uid for place in places]
    if len(set(uids)) < len(uids):
        raise value.fail("the same folder twice on one path")
    if len(places) > 4:
        raise value.fail(f"{len(places)} folders deep; Grafana nests 4", "shorten the path")
    return places


def _place(value: Value) -> Place:
    entries = _entries(value, ("uid", "title"))
    if "uid" not in entries:
        raise value.fail("a folder without uid", "folders are found by uid: titles change")
    title = _checked(entries["title"], checks.not_empty) if "title" in entries else ""
    uid = _checked(entries["uid"], checks.uid)
    if uid == "general":
        raise entries["uid"].fail("'general' is Grafana's own", "choose another uid")
    return Place(uid, title)


def _auth(value: Value) -> Auth:
    entries = _entries(value, ("token_env", "token_file", "token_command", "user", "password_env"))
    if not entries:
        raise value.fail("says nothing", "write token_env, or user and password_env")
    ways = [key for key in entries if key != "password_env"]
    if len(ways) != 1:
        raise value.fail(f"{len(ways)} ways to say who asks", "keep one: a token, or user and password_env")
    if ("user" in entries) != ("password_env" in entries):
        raise value.fail("user and password_env go together", "write both")
    said = {key: _environment(entry) if key.endswith("_env") else _text(entry) for key, entry in entries.items()}
    return Auth(**said)


def _environment(value: Value) -> str:
    text = _text(value)
    if not _ENVIRONMENT.fullmatch(text):
        raise value.fail(
            "not the name of an environment variable", "capital letters, digits and _; the secret itself stays out"
        )
    return text


def _tls(value: Value) -> Tls:
    entries = _entries(value, ("ca_file", "client_cert", "client_key", "insecure"))
    if ("client_key" in entries) and "client_cert" not in entries:
        raise value.fail("a client_key without its client_cert", "write both")
    said: dict[str, Any] = {key: _text(entry) for key, entry in entries.items() if key != "insecure"}
    if "insecure" in entries:
        said["insecure"] = _flag(entries["insecure"])
        if said["insecure"] and "ca_file" in entries:
            raise value.fail("insecure beside a ca_file", "keep ca_file: it makes the connection secure")
    return Tls(**said)


def _flag(value: Value) -> bool:
    if not isinstance(value.content, bool):
        raise value.fail("expected true or false")
    return value.content


def _headers(value: Value) -> dict[str, Header]:
    headers = {}
    for name, entry in _mapping(value, "NAME: {env: VARIABLE}").items():
        if not _HEADER.fullmatch(name):
            raise ConfigError("not the name of a header", where=value.key_places[name])
        if name.casefold() in ("authorization", "x-grafana-org-id", "content-type", "content-length", "host"):
            raise ConfigError(
                f"the header {name} is set by gpuboards", where=value.key_places[name], fix="use auth: or org:"
            )
        sources = _entries(entry, ("env", "file", "value"))
        if len(sources) != 1:
            raise entry.fail("one source of the header's value is needed", "env: NAME, file: PATH or value: TEXT")
        key, source = next(iter(sources.items()))
        headers[name] = Header(**{key: _environment(source) if key == "env" else _text(source)})
    return headers


def _datasources(value: Value) -> dict[str, str]:
    return {name: _checked(entry, checks.uid) for name, entry in _mapping(value, "prometheus: UID").items()}
