"""Which Grafana, and as whom: a context of the configuration together with the environment.

A context that was asked for by name beats the environment's GRAFANA_URL. Credentials that a context names beat
those of the environment, so that a token meant for one Grafana is not sent to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.config.contexts import Auth, Context, Place, Tls
from builder.config.model import Config
from builder.errors import ConfigError, UnknownName, UsageError
from builder.targets.http.address import Credentials, Hints, basic, bearer, proxy_to, split, user_info
from builder.targets.http.secret import Mask, Secret
from builder.targets.http.sources import from_command, from_environment, from_file, password_from_environment

ENVIRONMENT = "the environment"
_NO_CREDENTIALS = "set GRAFANA_TOKEN to a service account's token, or write auth: {token_env: NAME} in the context"


_HINTS = Hints(
    kind="Grafana",
    ca_file="tls: {ca_file: PATH} in the context",
    client_cert="tls: {client_cert: PATH, client_key: PATH} in the context",
    proxy="the context's proxy",
)


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
    hints: Hints = _HINTS

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
    wrong = ConfigError("not the URL of a Grafana", where="GRAFANA_URL", fix="write it like https://grafana.example")
    url, given = split(environment["GRAFANA_URL"].strip(), wrong, "the user in GRAFANA_URL")
    credentials = given or _credentials(Auth(), "", environment)
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
    credentials: Credentials,
    context: Context,
    org: int,
    environment: Mapping[str, str],
) -> Endpoint:
    proxy = proxy_to(url, context.proxy, environment)
    kept = [headers[header] for header, source in context.headers.items() if not source.value]
    hidden = [*credentials.secrets, *kept, *user_info(proxy.reveal())]
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


def _credentials(auth: Auth, where: str, environment: Mapping[str, str]) -> Credentials:
    """What the context says, else GRAFANA_TOKEN, else GRAFANA_USER and GRAFANA_PASSWORD."""
    place = f"{where}.auth"
    if auth.token_env:
        return bearer(from_environment(auth.token_env, f"{place}.token_env", environment), f"${auth.token_env}")
    if auth.token_file:
        return bearer(from_file(auth.token_file, f"{place}.token_file"), auth.token_file)
    if auth.token_command:
        return bearer(from_command(auth.token_command, f"{place}.token_command"), "the token_command")
    if auth.user:
        password = password_from_environment(auth.password_env, f"{place}.password_env", environment)
        return basic(auth.user, password, f"user {auth.user}, ${auth.password_env}")
    if environment.get("GRAFANA_TOKEN", "").strip():
        return bearer(from_environment("GRAFANA_TOKEN", "GRAFANA_TOKEN", environment), "$GRAFANA_TOKEN")
    user = environment.get("GRAFANA_USER", "").strip()
    if user:
        password = password_from_environment("GRAFANA_PASSWORD", "GRAFANA_PASSWORD", environment)
        return basic(user, password, f"user {user}, $GRAFANA_PASSWORD")
    raise UsageError("no credentials for Grafana", where=where, fix=_NO_CREDENTIALS)
