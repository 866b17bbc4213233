"""Which Prometheus, and as whom: the command line together with the environment.

A secret is named, never written: the flags say which variable or file holds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.config.contexts import Tls
from builder.errors import ConfigError, UsageError
from builder.targets.http.address import Credentials, Hints, basic, bearer, proxy_to, split, user_info
from builder.targets.http.secret import Mask, Secret
from builder.targets.http.sources import from_environment, from_file

_HINTS = Hints(
    kind="Prometheus",
    ca_file="--ca-file PATH",
    client_cert="--client-cert PATH --client-key PATH",
    proxy="the proxy",
)
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OURS = frozenset({"accept", "user-agent", "content-type", "content-length", "host", "transfer-encoding", "connection"})


@dataclass(frozen=True)
class Access:
    """What the command line says about a Prometheus. ``headers`` are written ``Name: value``."""

    url: str
    token_env: str = ""
    token_file: str = ""
    user: str = ""
    password_env: str = ""
    password_file: str = ""
    headers: Sequence[str] = ()
    tls: Tls = field(default_factory=Tls)


@dataclass(frozen=True)
class PrometheusAddress:
    """A Prometheus to talk to, as ``builder.targets.http.address.Address`` has it."""

    url: str
    headers: Mapping[str, Secret] = field(default_factory=dict)
    asks_as: str = "without credentials"
    tls: Tls = field(default_factory=Tls)
    proxy: Secret = field(default_factory=lambda: Secret(""))
    mask: Mask = field(default_factory=lambda: Mask(()))
    hints: Hints = _HINTS


def address(access: Access, environment: Mapping[str, str]) -> PrometheusAddress:
    """The Prometheus that is meant. Raises UsageError or ConfigError where something is wrong or missing."""
    wrong = ConfigError("not the URL of a Prometheus", where="--prometheus", fix="write it like http://prometheus:9090")
    url, given = split(access.url.strip(), wrong, "the user in the URL")
    if access.tls.client_key and not access.tls.client_cert:
        raise UsageError("a key without its certificate", where="--client-key", fix="add --client-cert PATH")
    credentials = _chosen(access, given, environment)
    extra, hidden = _headers(access.headers, environment)
    proxy = proxy_to(url, "", environment)
    secrets = [*(credentials.secrets if credentials else ()), *hidden, *user_info(proxy.reveal())]
    return PrometheusAddress(
        url=url.removesuffix("/api/v1"),
        headers={**(credentials.headers if credentials else {}), **extra},
        asks_as=credentials.origin if credentials else "without credentials",
        tls=access.tls,
        proxy=proxy,
        mask=Mask(secrets),
    )


def _chosen(access: Access, given: Credentials | None, environment: Mapping[str, str]) -> Credentials | None:
    """The one way of saying who asks: flags, else the URL, else the environment."""
    ways = [
        name
        for name, said in (
            ("--token-env", access.token_env),
            ("--token-file", access.token_file),
            ("--user", access.user),
            ("the user in the URL", given),
        )
        if said
    ]
    if len(ways) > 1:
        raise UsageError(f"more than one way to say who asks: {', '.join(ways)}", fix="keep one")
    if (access.password_env or access.password_file) and not access.user:
        raise UsageError("a password without a user", where="--password-env or --password-file", fix="add --user NAME")
    if access.token_env:
        return bearer(from_environment(access.token_env, "--token-env", environment), f"${access.token_env}")
    if access.token_file:
        return bearer(from_file(access.token_file, "--token-file"), access.token_file)
    if access.user:
        return _user(access, environment)
    return given or _of_environment(environment)


def _user(access: Access, environment: Mapping[str, str]) -> Credentials:
    if access.password_file:
        password = from_file(access.password_file, "--password-file")
        return basic(access.user, password, f"user {access.user}, {access.password_file}")
    name = access.password_env or "PROMETHEUS_PASSWORD"
    return basic(access.user, from_environment(name, "--user", environment), f"user {access.user}, ${name}")


def _of_environment(environment: Mapping[str, str]) -> Credentials | None:
    if environment.get("PROMETHEUS_TOKEN", "").strip():
        return bearer(from_environment("PROMETHEUS_TOKEN", "PROMETHEUS_TOKEN", environment), "$PROMETHEUS_TOKEN")
    user = environment.get("PROMETHEUS_USER", "").strip()
    if not user:
        return None
    password = from_environment("PROMETHEUS_PASSWORD", "PROMETHEUS_PASSWORD", environment)
    return basic(user, password, f"user {user}, $PROMETHEUS_PASSWORD")


def _headers(written: Sequence[str], environment: Mapping[str, str]) -> tuple[dict[str, Secret], list[Secret]]:
    """Extra headers by name, and those of their values that are secrets: read from a variable or a file."""
    found: dict[str, Secret] = {}
    hidden: list[Secret] = []
    for text in written:
        name, colon, value = (part.strip() for part in text.partition(":"))
        where = f"--header {name}" if _NAME.fullmatch(name) else "--header"
        if not colon or not _NAME.fullmatch(name) or name.lower() in _OURS:
            raise UsageError("not a header that can be set", where=where, fix='write it like "X-Scope-OrgID: team"')
        how, _, place = value.partition(":")
        if how == "env":
            found[name] = from_environment(place, where, environment)
        elif how == "file":
            found[name] = from_file(place, where)
        elif value and value.isascii() and value.isprintable():
            found[name] = Secret(value)
            continue
        else:
            raise UsageError("not a value that can be sent", where=where, fix="one line of plain text")
        hidden.append(found[name])
    return found, hidden
