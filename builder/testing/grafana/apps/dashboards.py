"""``/apis/dashboard.grafana.app/{version}/namespaces/{namespace}/dashboards``."""

from __future__ import annotations

import secrets

from builder.testing.grafana import checks
from builder.testing.grafana.apps.migration import migrated
from builder.testing.grafana.apps.objects import FOLDER, MESSAGE, annotation, board_object, object_list, own_annotations
from builder.testing.grafana.apps.place import (
    DASHBOARDS,
    FOLDERS,
    already_exists,
    check_preconditions,
    check_resource_version,
    enter,
    forbidden,
    is_dry,
    managed_by_repository,
    not_found,
    read_object,
)
from builder.testing.grafana.classic.save_command import board_url
from builder.testing.grafana.exchange import Response, failure
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, StoredBoard, slug_of

_GROUP = "dashboard.grafana.app"
_MANAGER = "grafana.app/managedBy"


def read_all(call: Call) -> Response:
    """All boards that the caller may read; never behind what is stored."""
    call = _enter(call)
    boards = [b for b in call.org.boards.values() if call.may_on(b, "dashboards:read")]
    return Response(200, object_list(call, "Dashboard", (board_object(call, b) for b in boards)))


def read(call: Call) -> Response:
    """One board."""
    call = _enter(call)
    return Response(200, board_object(call, _board(call, "dashboards:read", "get")))


def read_with_access(call: Call) -> Response:
    """One board, with what the caller may do to it."""
    call = _enter(call)
    board = _board(call, "dashboards:read", "get")
    may_write = call.may_on(board, "dashboards:write")
    access = {
        "canSave": may_write and board.editable_by_others,
        "canEdit": may_write,
        "canAdmin": call.may_on(board, "dashboards.permissions:write"),
        "canDelete": call.may_on(board, "dashboards:delete"),
        "slug": slug_of(board.title),
        "url": board_url(call, board),
    }
    return Response(200, {**board_object(call, board), "kind": "DashboardWithAccessInfo", "access": access})


def create(call: Call) -> Response:
    """A new board; 409 where one of its name exists."""
    call = _enter(call)
    body = read_object(call, "Dashboard")
    metadata = body["metadata"]
    name = str(metadata.get("name") or "")
    if not name and metadata.get("generateName"):
        name = f"{metadata['generateName']}{secrets.token_hex(4)}"
    if not name:
        raise failure(422, "Invalid", "metadata.name: Required value: name or generateName is required")
    if name in call.org.boards:
        raise already_exists(DASHBOARDS, name)
    return Response(201, board_object(call, _write(call, name, body)))


def update(call: Call) -> Response:
    """Replace a board, or create it; 409 where a resourceVersion is named that is not the stored one."""
    call = _enter(call)
    name = call.names["name"]
    created = name not in call.org.boards
    board = _write(call, name, read_object(call, "Dashboard"))
    return Response(201 if created else 200, board_object(call, board))


def delete(call: Call) -> Response:
    """Delete a board; 409 where the body names a resourceVersion that is not the stored one."""
    call = _enter(call)
    board = _board(call, "dashboards:delete", "delete")
    check_preconditions(call, board.resource_version, DASHBOARDS, board.uid)
    if board.provisioned:
        raise failure(400, "BadRequest", "provisioned dashboard cannot be deleted")
    if board.manager == "repo":
        raise managed_by_repository(DASHBOARDS, board.uid)
    if not is_dry(call):
        call.store.delete_board(call.org, board.uid)
    return Response(200, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"})


def _enter(call: Call) -> Call:
    call = enter(call, _GROUP)
    if call.names["version"].startswith("v2"):
        raise failure(501, "NotImplemented", "this test server does not convert boards to schema v2")
    return call


def _board(call: Call, action: str, verb: str) -> StoredBoard:
    name = call.names["name"]
    board = call.org.boards.get(name)
    if board is None:
        raise not_found(DASHBOARDS, name)
    if not call.may_on(board, action):
        raise forbidden(call, verb, DASHBOARDS, name)
    return board


def _write(call: Call, name: str, body: Json) -> StoredBoard:
    """Check an object and store it under a name; a dry run answers with what would be stored."""
    if len(call.request.body) > call.settings.max_bytes:
        raise failure(413, "RequestEntityTooLarge", "request entity too large")
    metadata, spec = body["metadata"], body["spec"]
    existing = call.org.boards.get(name)
    check_resource_version(metadata, existing.resource_version if existing else None, DASHBOARDS, name)
    _refuse_managed(metadata, existing, name)
    message, folder = annotation(metadata, MESSAGE), annotation(metadata, FOLDER)
    _check_spec(call, name, spec, message)
    spec, conversion_error = _convert(call, name, spec)
    if folder and folder not in call.org.folders:
        if not is_dry(call):
            raise not_found(FOLDERS, folder)
        folder = ""
    may = call.may_in(folder, "dashboards:create")
    if existing is not None:
        may = call.may_on(existing, "dashboards:write") and (may or existing.folder == folder)
    if not may:
        raise forbidden(call, "update" if existing else "create", DASHBOARDS, name)
    org = call.store.scratch(call.org) if is_dry(call) else call.org
    return call.store.save_board(
        org,
        spec,
        uid=name,
        folder=folder,
        by=call.caller.login,
        message=message,
        existing=existing,
        api_version=call.names["version"],
        annotations=own_annotations(metadata),
        labels={k: str(v) for k, v in (metadata.get("labels") or {}).items() if not k.startswith("grafana.app/")},
        conversion_error=conversion_error,
    )


def _refuse_managed(metadata: Json, existing: StoredBoard | None, name: str) -> None:
    if annotation(metadata, _MANAGER) == "repo" or (existing and existing.manager == "repo"):
        raise managed_by_repository(DASHBOARDS, name)
    if existing and existing.provisioned and not existing.allow_ui_updates:
        raise failure(400, "BadRequest", "Cannot save provisioned dashboard", resource=DASHBOARDS, name=name)


def _check_spec(call: Call, name: str, spec: Json, message: str) -> None:
    complaints = [
        checks.uid_complaint(name),
        checks.title_complaint(spec.get("title")),
        checks.message_complaint(message),
    ]
    if checks.refresh_too_low(spec, call.settings.min_refresh):
        complaints.append("Dashboard refresh interval is too low")
    for complaint in filter(None, complaints):
        raise failure(400, "BadRequest", complaint, resource=DASHBOARDS, name=name)


def _convert(call: Call, name: str, spec: Json) -> tuple[Json, str]:
    """The spec as the version stores it; strict validation is the default, ``fieldValidation=Ignore`` lets all pass."""
    if call.names["version"] == "v0alpha1":
        return spec, ""
    stored, complaint = migrated(spec, call.behaviour.oldest_schema, call.behaviour.latest_schema)
    if call.request.first("fieldValidation", "Strict") != "Strict":
        return stored, complaint
    wrong = [complaint] if complaint else [f"{place}: null is not allowed" for place in checks.nulls(spec)]
    if wrong:
        raise failure(
            422,
            "Invalid",
            f'Dashboard.{_GROUP} "{name}" is invalid: {"; ".join(wrong[:10])}',
            resource=DASHBOARDS,
            name=name,
        )
    return stored, ""


_ALL = f"/apis/{_GROUP}/{{version}}/namespaces/{{namespace}}/dashboards"
ROUTES = (
    Route("GET", _ALL, read_all),
    Route("POST", _ALL, create),
    Route("GET", _ALL + "/{name}", read),
    Route("PUT", _ALL + "/{name}", update),
    Route("DELETE", _ALL + "/{name}", delete),
    Route("GET", _ALL + "/{name}/dto", read_with_access),
)
