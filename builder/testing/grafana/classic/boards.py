"""``/api/dashboards/uid``: read and delete a board."""

from __future__ import annotations

from builder.testing.grafana.classic.save_command import board_url
from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, StoredBoard, slug_of
from builder.testing.grafana.permissions import access_denied


def read(call: Call) -> Response:
    """The board and what Grafana knows about it."""
    board = board_of(call, "dashboards:read")
    if call.behaviour.refuses_v2_reads and board.api_version.startswith("v2"):
        raise refused(406, "dashboard api version not supported, use /apis/dashboard.grafana.app instead")
    return Response(200, {"dashboard": board.json, "meta": _meta(call, board)})


def delete(call: Call) -> Response:
    """Delete the board, unless a file or a repository has it."""
    board = board_of(call, "dashboards:delete")
    if board.provisioned:
        raise refused(400, "provisioned dashboard cannot be deleted")
    if board.manager == "repo":
        raise refused(403, "this resource is managed by a repository")
    call.store.delete_board(call.org, board.uid)
    return Response(200, {"title": board.title, "message": f"Dashboard {board.title} deleted", "uid": board.uid})


def board_of(call: Call, action: str) -> StoredBoard:
    """The board that the path names; Refused with 404, or 403 where the caller has no right on it."""
    call.caller.require_any(action)
    board = call.org.boards.get(call.names["uid"])
    if board is None:
        raise refused(404, "Dashboard not found", status="not-found")
    if not call.may_on(board, action):
        raise access_denied(action)
    return board


def refuse_if_managed(board: StoredBoard) -> None:
    """Refuse the save of a board that a file (without allowUiUpdates) or a repository has."""
    if board.provisioned and not board.allow_ui_updates:
        raise refused(400, "Cannot save provisioned dashboard")
    if board.manager == "repo":
        raise refused(403, "this resource is managed by a repository")


def _meta(call: Call, board: StoredBoard) -> Json:
    folder = call.org.folders.get(board.folder)
    may_write = call.may_on(board, "dashboards:write")
    meta: Json = {
        "type": "db",
        "canSave": may_write and board.editable_by_others,
        "canEdit": may_write,
        "canAdmin": call.may_on(board, "dashboards.permissions:write"),
        "canDelete": call.may_on(board, "dashboards:delete"),
        "slug": slug_of(board.title),
        "url": board_url(call, board),
        "created": board.created,
        "updated": board.updated,
        "createdBy": board.created_by,
        "updatedBy": board.updated_by,
        "version": board.version,
        "isFolder": False,
        "folderId": folder.id if folder else 0,
        "folderUid": board.folder,
        "folderTitle": folder.title if folder else "General",
        "folderUrl": f"{call.settings.path}/dashboards/f/{folder.uid}/{slug_of(folder.title)}" if folder else "",
        "provisioned": bool(board.provisioned),
        "provisionedExternalId": board.provisioned,
    }
    if call.behaviour.unified_storage:
        meta["apiVersion"] = board.api_version
    return meta


ROUTES = (
    Route("GET", "/api/dashboards/uid/{uid}", read),
    Route("DELETE", "/api/dashboards/uid/{uid}", delete),
)
