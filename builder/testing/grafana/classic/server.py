"""What a client asks before it works: health, settings, data sources, the organisation, the user and the rights."""

from __future__ import annotations

from collections.abc import Callable

from builder.testing.grafana.exchange import Response, html, refused
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import DataSource, Json

_COMMIT = "0123456789abcdef0123456789abcdef01234567"


def health(call: Call) -> Response:
    """Open to everybody; 503 while the database is down."""
    ok = call.settings.database_ok
    body: Json = {"database": "ok" if ok else "failing"}
    if not call.settings.hide_version:
        body |= {"version": call.behaviour.version, "commit": _COMMIT}
    return Response(200 if ok else 503, body)


def frontend_settings(call: Call) -> Response:
    """The settings of the user interface: version, namespace, data sources by name."""
    sources = call.org.datasources
    default = next((s.name for s in sources if s.default), sources[0].name if sources else "")
    body: Json = {
        "appSubUrl": call.settings.path,
        "buildInfo": {
            "version": call.behaviour.version,
            "versionString": f"Grafana v{call.behaviour.version}",
            "commit": _COMMIT,
            "edition": "Open Source",
            "env": "production",
            "hideVersion": call.settings.hide_version,
        },
        "datasources": {
            s.name: {"uid": s.uid, "id": n, "name": s.name, "type": s.type, "isDefault": s.name == default}
            for n, s in enumerate(sources, 1)
        },
        "defaultDatasource": default,
        "featureToggles": {"nestedFolders": True} if call.behaviour.nested_folders else {},
        "minRefreshInterval": call.settings.min_refresh,
        "rendererAvailable": False,
    }
    if call.behaviour.dashboard_apis:
        body["namespace"] = namespace_of(call.caller.org)
    return Response(200, body)


def datasources(call: Call) -> Response:
    """All data sources of the organisation."""
    call.caller.require_any("datasources:read")
    return Response(200, [_source(call, n, s) for n, s in enumerate(call.org.datasources, 1)])


def datasource_by_uid(call: Call) -> Response:
    """One data source by its uid."""
    return _datasource(call, lambda n, s: s.uid == call.names["uid"])


def datasource_by_name(call: Call) -> Response:
    """One data source by its name."""
    return _datasource(call, lambda n, s: s.name == call.names["name"])


def datasource_by_id(call: Call) -> Response:
    """One data source by its number, which Grafana 13 no longer answers."""
    if not call.behaviour.numeric_datasource_ids:
        raise refused(404, "Not found")
    return _datasource(call, lambda n, s: str(n) == call.names["id"])


def org(call: Call) -> Response:
    """The organisation that the account acts in."""
    return Response(200, {"id": call.org.id, "name": call.org.name, "address": {}})


def user(call: Call) -> Response:
    """The signed-in user; a service account is none."""
    account = call.caller.account
    if account.is_service:
        raise refused(404, "user not found")
    return Response(
        200,
        {
            "id": 1,
            "login": account.login,
            "name": account.login,
            "email": f"{account.login}@localhost",
            "orgId": call.caller.org,
            "isGrafanaAdmin": account.is_server_admin,
            "isDisabled": False,
        },
    )


def permissions(call: Call) -> Response:
    """What the account may do: action to scopes."""
    return Response(200, {action: list(scopes) for action, scopes in call.caller.account.permissions.items()})


def page(call: Call) -> Response:
    """The pages for people answer 200, whatever the account."""
    return html(200, "Grafana")


def namespace_of(org: int) -> str:
    """The namespace that /apis keeps an organisation in."""
    return "default" if org == 1 else f"org-{org}"


def _datasource(call: Call, fits: Callable[[int, DataSource], bool]) -> Response:
    call.caller.require_any("datasources:read")
    for n, source in enumerate(call.org.datasources, 1):
        if fits(n, source):
            return Response(200, _source(call, n, source))
    raise refused(404, "Data source not found")


def _source(call: Call, number: int, source: DataSource) -> Json:
    return {
        "id": number,
        "uid": source.uid,
        "orgId": call.org.id,
        "name": source.name,
        "type": source.type,
        "access": "proxy",
        "isDefault": source.default,
        "jsonData": {},
        "readOnly": False,
    }


ROUTES = (
    Route("GET", "/api/health", health, open=True),
    Route("GET", "/api/frontend/settings", frontend_settings),
    Route("GET", "/api/datasources", datasources),
    Route("GET", "/api/datasources/uid/{uid}", datasource_by_uid),
    Route("GET", "/api/datasources/name/{name}", datasource_by_name),
    Route("GET", "/api/datasources/{id}", datasource_by_id),
    Route("GET", "/api/org", org),
    Route("GET", "/api/user", user),
    Route("GET", "/api/access-control/user/permissions", permissions),
    Route("GET", "/", page, open=True),
    Route("GET", "/login", page, open=True),
    Route("GET", "/d/{uid}", page, open=True),
    Route("GET", "/d/{uid}/{slug}", page, open=True),
)
