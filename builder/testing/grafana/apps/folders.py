"""``/apis/folder.grafana.app/{version}/namespaces/{namespace}/folders``."""

from __future__ import annotations

from builder.testing.grafana import checks
from builder.testing.grafana.apps.objects import FOLDER, annotation, folder_object, object_list, own_annotations
from builder.testing.grafana.apps.place import (
    FOLDERS,
    already_exists,
    check_preconditions,
    check_resource_version,
    enter,
    forbidden,
    is_dry,
    not_found,
    read_object,
)
from builder.testing.grafana.exchange import Response, failure
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, StoredFolder
from builder.testing.grafana.permissions import GENERAL
from builder.testing.grafana.storage import MAX_DEPTH

_GROUP = "folder.grafana.app"


def read_all(call: Call) -> Response:
    """All folders that the caller may read, at every depth."""
    call = enter(call, _GROUP)
    found = [f for f in call.org.folders.values() if call.may_in(f.uid, "folders:read")]
    return Response(200, object_list(call, "Folder", (folder_object(call, f) for f in found)))


def read(call: Call) -> Response:
    """One folder."""
    call = enter(call, _GROUP)
    return Response(200, folder_object(call, _folder(call, "folders:read", "get")))


def create(call: Call) -> Response:
    """A new folder; 409 where one of its name exists."""
    call = enter(call, _GROUP)
    body = read_object(call, "Folder")
    name = str(body["metadata"].get("name") or "")
    if not name:
        raise failure(422, "Invalid", "metadata.name: Required value: name or generateName is required")
    if name in call.org.folders:
        raise already_exists(FOLDERS, name)
    return Response(201, folder_object(call, _write(call, name, body)))


def update(call: Call) -> Response:
    """Rename a folder, or move it by its annotation; create it where there is none of this name."""
    call = enter(call, _GROUP)
    name = call.names["name"]
    created = name not in call.org.folders
    folder = _write(call, name, read_object(call, "Folder"))
    return Response(201 if created else 200, folder_object(call, folder))


def delete(call: Call) -> Response:
    """Delete a folder that is empty; 409 where the body names a resourceVersion that is not the stored one."""
    call = enter(call, _GROUP)
    folder = _folder(call, "folders:delete", "delete")
    check_preconditions(call, folder.resource_version, FOLDERS, folder.uid)
    if call.org.children(folder.uid) or any(b.folder == folder.uid for b in call.org.boards.values()):
        raise failure(400, "BadRequest", "folder is not empty", resource=FOLDERS, name=folder.uid)
    if not is_dry(call):
        call.store.delete_folder(call.org, folder.uid)
    return Response(200, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"})


def _folder(call: Call, action: str, verb: str) -> StoredFolder:
    name = call.names["name"]
    folder = call.org.folders.get(name)
    if folder is None:
        raise not_found(FOLDERS, name)
    if not call.may_in(name, action):
        raise forbidden(call, verb, FOLDERS, name)
    return folder


def _write(call: Call, name: str, body: Json) -> StoredFolder:
    metadata, spec = body["metadata"], body["spec"]
    existing = call.org.folders.get(name)
    check_resource_version(metadata, existing.resource_version if existing else None, FOLDERS, name)
    title = str(spec.get("title") or "").strip()
    complaint = checks.uid_complaint(name) or ("" if title else "folder title cannot be empty")
    if complaint or name == GENERAL:
        raise failure(400, "BadRequest", complaint or "invalid uid for folder provided", resource=FOLDERS, name=name)
    parent = annotation(metadata, FOLDER)
    if parent and parent not in call.org.folders:
        raise not_found(FOLDERS, parent)
    _check_rights(call, existing, name, parent)
    if name in call.org.chain(parent):
        raise failure(400, "BadRequest", "cyclic folder references found", resource=FOLDERS, name=name)
    height = call.org.height(name) if existing else 1
    if call.org.depth(parent) + height > MAX_DEPTH:
        raise failure(400, "BadRequest", f"folder max depth exceeded, max depth is {MAX_DEPTH}", resource=FOLDERS)
    org = call.store.scratch(call.org) if is_dry(call) else call.org
    return call.store.save_folder(
        org,
        name,
        title,
        parent,
        by=call.caller.login,
        description=str(spec.get("description") or ""),
        annotations=own_annotations(metadata),
    )


def _check_rights(call: Call, existing: StoredFolder | None, name: str, parent: str) -> None:
    may = call.may_in(parent, "folders:create")
    if existing is not None:
        may = call.may_in(name, "folders:write") and (may or existing.parent == parent)
    if not may:
        raise forbidden(call, "update" if existing else "create", FOLDERS, name)


_ALL = f"/apis/{_GROUP}/{{version}}/namespaces/{{namespace}}/folders"
ROUTES = (
    Route("GET", _ALL, read_all),
    Route("POST", _ALL, create),
    Route("GET", _ALL + "/{name}", read),
    Route("PUT", _ALL + "/{name}", update),
    Route("DELETE", _ALL + "/{name}", delete),
)
