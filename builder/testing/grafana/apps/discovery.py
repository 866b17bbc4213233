"""``/apis``: which groups and versions there are. Before Grafana 12 there is nothing there."""

from __future__ import annotations

from builder.testing.grafana.apps.place import served_versions
from builder.testing.grafana.exchange import Response
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json

_VERBS = ["create", "delete", "get", "list", "update"]


def groups(call: Call) -> Response:
    """All groups, each with its versions in the server's order."""
    served_versions(call, "dashboard.grafana.app")
    found = [_group(call, name) for name in ("dashboard.grafana.app", "folder.grafana.app")]
    return Response(200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": found})


def group(call: Call) -> Response:
    """One group with its versions."""
    return Response(200, {"kind": "APIGroup", "apiVersion": "v1", **_group(call, call.names["group"])})


def resources(call: Call) -> Response:
    """What one version of a group holds."""
    name, version = call.names["group"], call.names["version"]
    served_versions(call, name, version)
    kind = "Dashboard" if name == "dashboard.grafana.app" else "Folder"
    return Response(
        200,
        {
            "kind": "APIResourceList",
            "apiVersion": "v1",
            "groupVersion": f"{name}/{version}",
            "resources": [
                {
                    "name": f"{kind.lower()}s",
                    "singularName": kind.lower(),
                    "namespaced": True,
                    "kind": kind,
                    "verbs": _VERBS,
                }
            ],
        },
    )


def _group(call: Call, name: str) -> Json:
    versions = [{"groupVersion": f"{name}/{v}", "version": v} for v in served_versions(call, name)]
    return {"name": name, "versions": versions, "preferredVersion": versions[0]}


ROUTES = (
    Route("GET", "/apis", groups),
    Route("GET", "/apis/{group}", group),
    Route("GET", "/apis/{group}/{version}", resources),
)
