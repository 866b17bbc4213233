"""Which Grafana, and as whom: a context of the configuration together with the environment.

A context that was asked for by name beats the environment's GRAFANA_URL. Credentials that a context names beat
those of the environment, so that a token meant for one Grafana is not sent to another.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from builder.config.contexts import Auth, Context, Place, Tls
from builder.config.model import Config
from builder.errors import ConfigError, UnknownName, UsageError
from builder.targets.grafana.secret import Mask, Secret
from builder.targets.grafana.sources import from_command, from_environment, from_file, password_from_environment

ENVIRONMENT = "the environment"
_NO_CREDENTIALS = "set GRAFANA_TOKEN to a service account's token, or write auth: {token_env: NAME} in the context"


@dataclass(frozen=True)
class Endpoint:
    """A Grafana to talk to. ``url`` has neither credentials nor a final slash, but may have a path.

    ``asks_as`` says where the credentials came from, for messages.
    """

    name: str
    url: str
    headers: Mapping[str, Secret]
    asks_as: str
    org: int = 0
    tls: Tls = field(default_factory=Tls)
    proxy: Secret = field(default_factory=lambda: Secret(""))
    folders: tuple[Place, ...] = ()
    datasources: Mapping[str, str] = field(default_factory=dict)
    mask: Mask = field(default_factory=lambda: Mask(()))

    def link(self, uid: str) -> str:
        """Where a person opens the board."""
        return f"{self.url}/d/{uid}" + (f"?orgId={self.org}" if self.org else "")


def endpoint(config: Config, name: str | None, environment: Mapping[str, str]) -> Endpoint:
    """The Grafana that is meant: the named context, else GRAFANA_URL, else the only context there is.

    Raises UsageError or ConfigError where none, or more than one, could be meant, and where a secret is missing.
    """
    if name is not None:
        if name not in config.contexts:
            raise UnknownName("context", name, config.contexts, where="--context")
        return _of_context(config, name, config.contexts[name], environment)
    if environment.get("GRAFANA_URL", "").strip():
        return _of_environment(config, environment)
    if len(config.contexts) == 1:
        return _of_context(config, *next(iter(config.contexts.items())), environment)
    if config.contexts:
        raise UsageError(
            "more than one Grafana could be meant", fix=f"say which: --context {' | '.join(sorted(config.contexts))}"
        )
    raise UsageError(
        "no Grafana named",
        fix="set GRAFANA_URL and GRAFANA_TOKEN, or write a context into gpuboards.yaml and choose it with --context",
    )


def _of_context(config: Config, name: str, context: Context, environment: Mapping[str, str]) -> Endpoint:
    where = f"{context.where}: contexts.{name}"
    credentials = _credentials(context.auth, where, environment)
    headers = dict(credentials.headers)
    for header, source in context.headers.items():
        place = f"{where}.headers.{header}"
        if source.env:
            headers[header] = from_environment(source.env, place, environment)
        elif source.file:
            headers[header] = from_file(source.file, place)
        else:
            headers[header] = Secret(source.value)
    return _assembled(config, name, context.url, headers, credentials, context, context.org, environment)


def _of_environment(config: Config, environment: Mapping[str, str]) -> Endpoint:
    url, user_info = _split(environment["GRAFANA_URL"].strip())
    credentials = user_info or _credentials(Auth(), "", environment)
    org = environment.get("GRAFANA_ORG_ID", "").strip()
    if org and not (org.isdecimal() and int(org) > 0):
        raise UsageError("not the number of an organisation", where="GRAFANA_ORG_ID", fix="Grafana counts from 1")
    context = Context(url)
    number = int(org or 0)
    return _assembled(config, ENVIRONMENT, url, credentials.headers, credentials, context, number, environment)


def _assembled(
    config: Config,
    name: str,
    url: str,
    headers: Mapping[str, Secret],
    credentials: _Credentials,
    context: Context,
    org: int,
    environment: Mapping[str, str],
) -> Endpoint:
    proxy = _proxy(url, context.proxy, environment)
    kept = [headers[header] for header, source in context.headers.items() if not source.value]
    hidden = [*credentials.secrets, *kept, *_user_info(proxy.reveal())]
    if org:
        headers = {**headers, "X-Grafana-Org-Id": Secret(str(org))}
    return Endpoint(
        name=name,
        url=url,
        headers=headers,
        asks_as=credentials.origin,
        org=org,
        tls=context.tls,
        proxy=proxy,
        folders=context.folders or (Place(config.folder.uid, config.folder.title),),
        datasources=context.datasources,
        mask=Mask(hidden),
    )


# who asks --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Credentials:
    headers: Mapping[str, Secret]
    origin: str
    secrets: tuple[Secret, ...]


def _credentials(auth: Auth, where: str, environment: Mapping[str, str]) -> _Credentials:
    """What the context says, else GRAFANA_TOKEN, else GRAFANA_USER and GRAFANA_PASSWORD."""
    place = f"{where}.auth"
    if auth.token_env:
        return _bearer(from_environment(auth.token_env, f"{place}.token_env", environment), f"${auth.token_env}")
    if auth.token_file:
        return _bearer(from_file(auth.token_file, f"{place}.token_file"), auth.token_file)
    if auth.token_command:
        return _bearer(from_command(auth.token_command, f"{place}.token_command"), "the token_command")
    if auth.user:
        password = password_from_environment(auth.password_env, f"{place}.password_env", environment)
        return _basic(auth.user, password, f"user {auth.user}, ${auth.password_env}")
    if environment.get("GRAFANA_TOKEN", "").strip():
        return _bearer(from_environment("GRAFANA_TOKEN", "GRAFANA_TOKEN", environment), "$GRAFANA_TOKEN")
    user = environment.get("GRAFANA_USER", "").strip()
    if user:
        password = password_from_environment("GRAFANA_PASSWORD", "GRAFANA_PASSWORD", environment)
        return _basic(user, password, f"user {user}, $GRAFANA_PASSWORD")
    raise UsageError("no credentials for Grafana", where=where, fix=_NO_CREDENTIALS)


def _bearer(token: Secret, origin: str) -> _Credentials:
    return _Credentials({"Authorization": Secret(f"Bearer {token.reveal()}")}, origin, (token,))


def _basic(user: str, password: Secret, origin: str) -> _Credentials:
    pair = base64.b64encode(f"{user}:{password.reveal()}".encode()).decode()
    # A user without a password is a token in the place of the user.
    hidden = (password or Secret(user), Secret(pair))
    return _Credentials({"Authorization": Secret(f"Basic {pair}")}, origin, hidden)


# URLs ------------------------------------------------------------------------------------------


def _split(url: str) -> tuple[str, _Credentials | None]:
    """A URL from the environment without the credentials that it may hold, and those."""
    wrong = ConfigError("not the URL of a Grafana", where="GRAFANA_URL", fix="write it like https://grafana.example")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in ("http", "https") or not host or port == 0 or parts.query or parts.fragment:
        raise wrong
    if any(c.isspace() or not c.isprintable() for c in url):
        raise wrong
    plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
    if not parts.username:
        return plain, None
    user, password = unquote(parts.username), Secret(unquote(parts.password or ""))
    return plain, _basic(user, password, "the user in GRAFANA_URL")


def _proxy(url: str, configured: str, environment: Mapping[str, str]) -> Secret:
    """The proxy to go through, as a secret, since its URL may hold a password; empty for none."""
    import urllib.request

    if configured:
        return Secret(configured)
    parts = urlsplit(url)
    names = (f"{parts.scheme}_proxy", "all_proxy", "no_proxy")
    said = {n: environment.get(n) or environment.get(n.upper(), "") for n in names}
    if urllib.request.proxy_bypass_environment(  # type: ignore[attr-defined]
        parts.hostname or "", {"no": said["no_proxy"]}
    ):
        return Secret("")
    found = said[names[0]] or said["all_proxy"]
    if found and "://" not in found:
        found = f"http://{found}"
    if found and not found.startswith(("http://", "https://")):
        raise ConfigError("only http and https proxies are spoken to", where="the proxy of the environment")
    return Secret(found)


def _user_info(url: str) -> list[Secret]:
    user, _, password = urlsplit(url).netloc.rpartition("@")[0].partition(":")
    hidden = password or user
    return [Secret(part) for part in (hidden, unquote(hidden), f"{user}:{password}") if hidden]
