"""Boards and folders as objects: metadata, annotations, spec."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

from builder.testing.grafana.apps.migration import migrated
from builder.testing.grafana.instance import Call
from builder.testing.grafana.model import Json, StoredBoard, StoredFolder

FOLDER = "grafana.app/folder"
MESSAGE = "grafana.app/message"
GRANT = "grafana.app/grant-permissions"
_INTERNAL_ID = "grafana.app/deprecatedInternalID"
_CREATED_BY = "grafana.app/createdBy"
_UPDATED_BY = "grafana.app/updatedBy"
_UPDATED_AT = "grafana.app/updatedTimestamp"
_SERVERS_OWN = (_CREATED_BY, _UPDATED_BY, _UPDATED_AT, FOLDER, MESSAGE, GRANT)


def board_object(call: Call, board: StoredBoard) -> Json:
    """A board in the version that the path asks for."""
    version = call.names["version"]
    spec, failed = board.spec, board.conversion_error
    if version != "v0alpha1" and not failed:
        spec, failed = migrated(board.spec, call.behaviour.oldest_schema, call.behaviour.latest_schema)
    body: Json = {
        "kind": "Dashboard",
        "apiVersion": f"dashboard.grafana.app/{version}",
        "metadata": _metadata(
            call, board, generation=board.version, folder=board.folder, annotations=board.annotations
        ),
        "spec": spec,
        "status": {},
    }
    body["metadata"]["labels"] = {**board.labels, _INTERNAL_ID: str(board.id)}
    if board.message:
        body["metadata"]["annotations"][MESSAGE] = board.message
    if failed or board.api_version != version:
        body["status"] = {"conversion": {"failed": bool(failed), "storedVersion": board.api_version}}
    if failed:
        body["status"]["conversion"]["error"] = failed
    return body


def folder_object(call: Call, folder: StoredFolder) -> Json:
    """A folder in the version that the path asks for."""
    spec = {"title": folder.title}
    if folder.description:
        spec["description"] = folder.description
    body: Json = {
        "kind": "Folder",
        "apiVersion": f"folder.grafana.app/{call.names['version']}",
        "metadata": _metadata(
            call, folder, generation=folder.version, folder=folder.parent, annotations=folder.annotations
        ),
        "spec": spec,
        "status": {},
    }
    body["metadata"]["labels"] = {_INTERNAL_ID: str(folder.id)}
    return body


def object_list(call: Call, kind: str, items: Iterable[Json]) -> Json:
    """One page of objects by name, ``limit`` of them; ``continue`` is the last name of the page before."""
    after = call.request.first("continue")
    rest = sorted((i for i in items if i["metadata"]["name"] > after), key=lambda i: str(i["metadata"]["name"]))
    limit = call.request.number("limit", 0) or len(rest)
    metadata: Json = {"resourceVersion": max((i["metadata"]["resourceVersion"] for i in rest), key=int, default="0")}
    if len(rest) > limit:
        metadata |= {"continue": rest[limit - 1]["metadata"]["name"], "remainingItemCount": len(rest) - limit}
    group = f"{kind.lower()}.grafana.app"
    return {
        "kind": f"{kind}List",
        "apiVersion": f"{group}/{call.names['version']}",
        "metadata": metadata,
        "items": rest[:limit],
    }


def own_annotations(metadata: Json) -> dict[str, str]:
    """The annotations of a written object that are kept as they are."""
    return {k: str(v) for k, v in (metadata.get("annotations") or {}).items() if k not in _SERVERS_OWN}


def annotation(metadata: Json, key: str) -> str:
    """One annotation of a written object, empty where it is not set."""
    return str((metadata.get("annotations") or {}).get(key, ""))


def _metadata(
    call: Call, item: StoredBoard | StoredFolder, *, generation: int, folder: str, annotations: Mapping[str, str]
) -> Json:
    shown = {**annotations, _CREATED_BY: _identity(item.created_by)}
    if item.version > 1:
        shown |= {_UPDATED_BY: _identity(item.updated_by), _UPDATED_AT: item.updated}
    if folder:
        shown[FOLDER] = folder
    namespace = call.names["namespace"]
    return {
        "name": item.uid,
        "namespace": namespace,
        "uid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{namespace}/{type(item).__name__}/{item.id}")),
        "resourceVersion": str(item.resource_version),
        "generation": generation,
        "creationTimestamp": item.created,
        "annotations": shown,
    }


def _identity(login: str) -> str:
    return f"{'service-account' if login.startswith('sa-') else 'user'}:{login}"
