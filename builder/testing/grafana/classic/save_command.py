"""The body of ``POST /api/dashboards/db``, and the answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call
from builder.testing.grafana.model import Json, StoredBoard, slug_of


@dataclass(frozen=True)
class SaveCommand:
    """What to save and where; ``version`` is 0 and ``uid`` empty where the body has none."""

    spec: Json
    id: int
    uid: str
    version: int
    folder: str
    message: str
    overwrite: bool


def read_command(call: Call) -> SaveCommand:
    """The command in a request's body; Refused with 400 where it is malformed or its folder is not there."""
    body = call.request.json()
    spec = body.get("dashboard")
    if not isinstance(spec, dict):
        raise refused(400, "bad request data")
    return SaveCommand(
        spec=spec,
        id=_number(spec.get("id")),
        uid=_text(spec.get("uid")),
        version=_number(spec.get("version")),
        folder=_folder(call, body),
        message=_text(body.get("message")),
        overwrite=body.get("overwrite") is True,
    )


def saved(call: Call, board: StoredBoard) -> Response:
    """The answer to a save."""
    return Response(
        200,
        {
            "status": "success",
            "slug": slug_of(board.title),
            "version": board.version,
            "id": board.id,
            "uid": board.uid,
            "url": board_url(call, board),
            "folderUid": board.folder,
        },
    )


def board_url(call: Call, board: StoredBoard) -> str:
    """The address of a board, without scheme and host."""
    return f"{call.settings.path}/d/{board.uid}/{slug_of(board.title)}"


def _folder(call: Call, body: Json) -> str:
    """The folder's uid. Without one the board goes to the root, wherever it was; the numeric id ended with 13."""
    uid = _text(body.get("folderUid"))
    number = _number(body.get("folderId"))
    if not uid and number and call.behaviour.numeric_folder_ids:
        uid = next((f.uid for f in call.org.folders.values() if f.id == number), str(number))
    if uid and uid not in call.org.folders:
        raise refused(400, "folder not found", status="not-found")
    return uid


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
