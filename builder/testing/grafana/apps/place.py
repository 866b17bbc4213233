"""The place that a path under /apis names: group, version, namespace; and the rules that all of them share."""

from __future__ import annotations

from dataclasses import replace

from builder.testing.grafana.classic.server import namespace_of
from builder.testing.grafana.exchange import Refused, Response, failure
from builder.testing.grafana.instance import Call
from builder.testing.grafana.model import Json
from builder.testing.grafana.permissions import Caller

DASHBOARDS = "dashboards.dashboard.grafana.app"
FOLDERS = "folders.folder.grafana.app"


def not_served() -> Refused:
    """What is not there at all is answered in plain text, not in JSON."""
    return Refused(Response(404, "404 page not found\n", "text/plain; charset=utf-8"))


def served_versions(call: Call, group: str, version: str = "") -> tuple[str, ...]:
    """The versions of a group; a 404 where the group, or the version asked for, is not served."""
    by_group = {
        "dashboard.grafana.app": call.behaviour.dashboard_apis,
        "folder.grafana.app": call.behaviour.folder_apis,
    }
    versions = by_group.get(group, ())
    if not versions or (version and version not in versions):
        raise not_served()
    return versions


def enter(call: Call, group: str) -> Call:
    """The call, in the organisation that its namespace names; the version is checked on the way."""
    served_versions(call, group, call.names["version"])
    account = call.caller.account
    org = next((o for o in account.orgs if namespace_of(o) == call.names["namespace"]), None)
    if org is None:
        raise failure(403, "Forbidden", f"no access to namespace {call.names['namespace']}")
    return replace(call, caller=Caller(account, org))


def read_object(call: Call, kind: str) -> Json:
    """The object in the body: JSON, of the path's version and kind, with metadata and spec."""
    if call.request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise failure(415, "UnsupportedMediaType", "the body of the request was in an unknown format")
    try:
        body = call.request.json()
    except Refused as refusal:
        raise failure(400, "BadRequest", "the body of the request is no JSON object") from refusal
    group = f"{kind.lower()}.grafana.app"
    expected = f"{group}/{call.names['version']}"
    if body.get("apiVersion", expected) != expected or body.get("kind", kind) != kind:
        raise failure(400, "BadRequest", f"the object is no {kind} of {expected}")
    metadata, spec = body.get("metadata"), body.get("spec")
    if not isinstance(metadata, dict) or not isinstance(spec, dict):
        raise failure(400, "BadRequest", "the object needs metadata and spec")
    if metadata.get("namespace", call.names["namespace"]) != call.names["namespace"]:
        raise failure(400, "BadRequest", "the namespace of the object does not match the namespace on the request")
    name = call.names.get("name", "")
    if name and metadata.get("name", name) != name:
        raise failure(
            400,
            "BadRequest",
            f"the name of the object ({metadata['name']}) does not match the name on the URL ({name})",
        )
    return body


def is_dry(call: Call) -> bool:
    """Whether the request is to be checked and not carried out."""
    return call.request.query.get("dryRun") == ["All"]


def check_resource_version(metadata: Json, stored: int | None, resource: str, name: str) -> None:
    """A write that names a resourceVersion must name the stored one, and none where nothing is stored."""
    named = str(metadata.get("resourceVersion") or "")
    if named and stored is None:
        raise failure(400, "BadRequest", "resourceVersion should not be set on objects to be created")
    if named and named != str(stored):
        raise failure(
            409,
            "Conflict",
            f'Operation cannot be fulfilled on {resource} "{name}": the object has been modified; '
            "please apply your changes to the latest version and try again",
            resource=resource,
            name=name,
        )


def check_preconditions(call: Call, stored: int, resource: str, name: str) -> None:
    """A delete may name, in ``DeleteOptions``, the resourceVersion of what is to be deleted."""
    wanted = call.request.json().get("preconditions") if call.request.body else None
    named = str(wanted.get("resourceVersion") or "") if isinstance(wanted, dict) else ""
    if named and named != str(stored):
        raise failure(
            409,
            "Conflict",
            f'Operation cannot be fulfilled on {resource} "{name}": Precondition failed: '
            f"ResourceVersion in precondition: {named}, ResourceVersion in object meta: {stored}",
            resource=resource,
            name=name,
        )


def not_found(resource: str, name: str) -> Refused:
    """The 404 of an object that is not there."""
    return failure(404, "NotFound", f'{resource} "{name}" not found', resource=resource, name=name)


def already_exists(resource: str, name: str) -> Refused:
    """The 409 of a create where one of that name exists."""
    return failure(409, "AlreadyExists", f'{resource} "{name}" already exists', resource=resource, name=name)


def forbidden(call: Call, verb: str, resource: str, name: str) -> Refused:
    """The 403 of the object API."""
    return failure(
        403,
        "Forbidden",
        f'{resource} "{name}" is forbidden: User "{call.caller.login}" cannot {verb} resource '
        f'"{resource.partition(".")[0]}" in the namespace "{call.names["namespace"]}"',
        resource=resource,
        name=name,
    )


def managed_by_repository(resource: str, name: str) -> Refused:
    """The 403 of a board that Git Sync has."""
    return failure(403, "Forbidden", "this resource is managed by a repository", resource=resource, name=name)
