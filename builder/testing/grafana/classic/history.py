"""``/api/dashboards/uid/{uid}/versions`` and restore: the last 20 versions of a board."""

from __future__ import annotations

from builder.testing.grafana.classic.boards import board_of, refuse_if_managed
from builder.testing.grafana.classic.save_command import saved
from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, Revision, StoredBoard


def versions(call: Call) -> Response:
    """The versions, latest first: a bare array before Grafana 12, an object from there on."""
    board = board_of(call, "dashboards:write")
    start, limit = call.request.number("start", 0), call.request.number("limit", 1000)
    entries = [_entry(board, revision) for revision in reversed(board.history)][start : start + limit]
    return Response(200, {"continueToken": "", "versions": entries} if call.behaviour.unified_storage else entries)


def version(call: Call) -> Response:
    """One version with its board."""
    board = board_of(call, "dashboards:write")
    revision = _revision(board, call.names["version"])
    data = {**revision.json, "id": board.id, "uid": board.uid, "version": revision.version}
    return Response(200, {**_entry(board, revision), "data": data})


def restore(call: Call) -> Response:
    """Make an old version the newest."""
    board = board_of(call, "dashboards:write")
    refuse_if_managed(board)
    revision = _revision(board, str(call.request.json().get("version", "")))
    restored = call.store.save_board(
        call.org,
        revision.json,
        uid=board.uid,
        folder=board.folder,
        by=call.caller.login,
        message=f"Restored from version {revision.version}",
        existing=board,
        restored_from=revision.version,
    )
    return saved(call, restored)


def _revision(board: StoredBoard, version: str) -> Revision:
    for revision in reversed(board.history):
        if str(revision.version) == version:
            return revision
    raise refused(404, "Dashboard version not found")


def _entry(board: StoredBoard, revision: Revision) -> Json:
    return {
        "id": revision.resource_version,
        "dashboardId": board.id,
        "uid": board.uid,
        "parentVersion": revision.version - 1,
        "restoredFrom": revision.restored_from,
        "version": revision.version,
        "created": revision.created,
        "createdBy": revision.created_by,
        "message": revision.message,
    }


ROUTES = (
    Route("GET", "/api/dashboards/uid/{uid}/versions", versions),
    Route("GET", "/api/dashboards/uid/{uid}/versions/{version}", version),
    Route("POST", "/api/dashboards/uid/{uid}/restore", restore),
)
