"""What the server is, and whether it can take the boards: asked before anything is written.

Sources: Grafana's HTTP API documentation (other, access control, API migration).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from builder.errors import ServerError
from builder.targets.grafana.answers import mapping, objects, text
from builder.targets.grafana.client import Client, members
from builder.targets.http.failures import NotJson, Refused

Api = Literal["auto", "classic", "apps"]

OLDEST = (10, 4)
_GROUP = "dashboard.grafana.app"
_STABLE = ("v1", "v1beta1")


@dataclass(frozen=True)
class Datasource:
    """A data source of the server; ``default`` marks the one that panels without one use."""

    name: str
    uid: str
    type: str
    default: bool = False


@dataclass(frozen=True)
class Server:
    """A Grafana as far as pushing needs to know it.

    ``numbers`` are major and minor version, (0, 0) where the server hides them. ``board_api`` is the version of
    dashboard.grafana.app to use, empty for the classic API. ``rights`` are the actions that the credentials
    allow somewhere, None where the server does not say.
    """

    version: str
    numbers: tuple[int, int]
    namespace: str
    datasources: tuple[Datasource, ...]
    min_refresh: str
    board_api: str = ""
    rights: frozenset[str] | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def titles_are_unique(self) -> bool:
        """Up to 11.2 a folder holds a title once; of a server that hides its version nobody knows."""
        return (0, 0) < self.numbers < (11, 3)


def preflight(client: Client, api: Api) -> Server:
    """Find out what the server is. Raises ServerError for what is no usable Grafana, saying what to do."""
    health = _health(client)
    settings = client.json("read Grafana's settings", "/api/frontend/settings", fits=members("buildInfo"))
    version = text(settings.get("buildInfo"), "version") or text(health, "version")
    numbers = _numbers(version)
    if (0, 0) < numbers < OLDEST:
        raise ServerError(
            f"Grafana {version} is older than 10.4",
            where=client.endpoint.url,
            fix="upgrade it, or mount the provisioning directory that `gpuboards build` writes",
        )
    return Server(
        version=version,
        numbers=numbers,
        namespace=_namespace(settings, client.endpoint.org),
        datasources=tuple(_datasources(settings)),
        min_refresh=text(settings, "minRefreshInterval"),
        board_api=_board_api(client, api),
        rights=_rights(client),
        notes=() if version else ("the server hides its version",),
    )


def _health(client: Client) -> Mapping[str, Any]:
    try:
        reply = client.read("reach Grafana", "/api/health", accept=(404,), pages=True, fits=members("database"))
    except NotJson as error:
        raise _no_grafana(client) from error
    if not reply.ok:
        raise _no_grafana(client)
    body: Mapping[str, Any] = reply.json()
    if body["database"] != "ok":
        raise ServerError(
            "Grafana's database is not well", where=client.endpoint.url, fix="see Grafana's log; try again later"
        )
    return body


def _no_grafana(client: Client) -> ServerError:
    return ServerError(
        "there is no Grafana at this URL",
        where=client.endpoint.url,
        fix="use the URL at which Grafana opens in a browser, up to and without /d/ or /dashboards",
    )


def _numbers(version: str) -> tuple[int, int]:
    found = re.match(r"v?(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _namespace(settings: Mapping[str, Any], org: int) -> str:
    """Where /apis keeps the organisation: ``default`` for the first, ``org-<n>`` for others."""
    return text(settings, "namespace") or ("default" if org <= 1 else f"org-{org}")


def _datasources(settings: Mapping[str, Any]) -> list[Datasource]:
    sources = [
        Datasource(name, text(entry, "uid"), text(entry, "type"), entry.get("isDefault") is True)
        for name, entry in mapping(settings, "datasources").items()
        if text(entry, "uid")
    ]
    return sorted(sources, key=lambda source: source.name)


def _board_api(client: Client, api: Api) -> str:
    """The version of the /apis to use: the newest stable one that keeps classic boards."""
    if api == "classic":
        return ""
    doing, refused = "ask which APIs there are", (400, 401, 403, 404, 405, 406)
    reply = client.read(doing, "/apis", accept=refused, pages=True, fits=members("groups"))
    groups = objects(reply.json(), "groups") if reply.ok else ()
    served = {text(v, "version") for g in groups if g.get("name") == _GROUP for v in objects(g, "versions")}
    for version in _STABLE:
        if version in served:
            return version
    if api == "apps":
        raise ServerError(
            f"this Grafana serves no usable version of {_GROUP}",
            where=client.endpoint.url,
            fix="use --api classic, or --api auto; /apis came with Grafana 12",
        )
    return ""


def _rights(client: Client) -> frozenset[str] | None:
    path = "/api/access-control/user/permissions"
    reply = client.read("ask what the credentials allow", path, accept=(400, 403, 404), pages=True)
    body = reply.json() if reply.ok else None
    return frozenset(body) if isinstance(body, dict) else None


# what the boards need --------------------------------------------------------------------------


def need_right(server: Server, client: Client, action: str, doing: str) -> None:
    """Refuse early where the credentials allow an action nowhere at all. Where they allow it is Grafana's to say."""
    if server.rights is None or action in server.rights:
        return
    raise Refused(
        f"the credentials ({client.endpoint.asks_as}) do not allow to {doing}",
        where=client.endpoint.url,
        fix=f"give the service account the role Editor, or the permission {action}",
        status=403,
    )


def chosen_datasources(server: Server, client: Client, said: Mapping[str, str]) -> dict[str, Datasource]:
    """The data source that each key of the context's map leads to.

    A key is a type, which the data source then has to be of, or a uid that boards name. Raises ServerError for
    what the server does not have.
    """
    found: dict[str, Datasource] = {}
    for key, uid in said.items():
        source = next((s for s in server.datasources if s.uid == uid), None)
        if source is None:
            raise ServerError(
                f"no data source has the uid {uid!r} (for {key})",
                where=client.endpoint.url,
                fix=_known(server, key),
            )
        if key in {s.type for s in server.datasources} | {"prometheus", "loki"} and source.type != key:
            raise ServerError(
                f"the data source {uid!r} is of type {source.type}, not {key}",
                where=client.endpoint.url,
                fix=_known(server, key),
            )
        found[key] = source
    return found


def need_datasource(server: Server, client: Client, type_: str) -> None:
    """Refuse where the server has no data source of a type that the boards cannot do without."""
    if not any(source.type == type_ for source in server.datasources):
        raise ServerError(
            f"Grafana has no data source of type {type_} that these credentials may query",
            where=client.endpoint.url,
            fix="add one under Connections > Data sources, or mount the data sources that `gpuboards build` writes",
        )


def _known(server: Server, key: str) -> str:
    fitting = [source for source in server.datasources if source.type == key] or list(server.datasources)
    named = ", ".join(f"{source.uid} ({source.name}, {source.type})" for source in fitting[:10])
    return f"there are: {named}" if named else "there is no data source; add one in Grafana first"
