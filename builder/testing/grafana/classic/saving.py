"""``POST /api/dashboards/db`` as it is up to Grafana 13.0, and the way to the later form."""

from __future__ import annotations

from dataclasses import dataclass

from builder.testing.grafana import checks
from builder.testing.grafana.classic import saving_objects
from builder.testing.grafana.classic.boards import refuse_if_managed
from builder.testing.grafana.classic.save_command import SaveCommand, read_command, saved
from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import StoredBoard
from builder.testing.grafana.storage import new_uid


@dataclass(frozen=True)
class _Target:
    """The stored board that a save replaces, if any, and the uid that it is stored under."""

    board: StoredBoard | None
    uid: str


def save(call: Call) -> Response:
    """Create or update a board."""
    call.caller.require_any("dashboards:create", "dashboards:write")
    if call.behaviour.unified_storage and len(call.request.body) > call.settings.max_bytes:
        limit = call.settings.max_bytes / 1024 / 1024
        raise refused(413, f"Dashboard is too large, max is {limit:g} MB")
    command = read_command(call)
    if call.behaviour.saves_as_objects:
        return saving_objects.save(call, command)
    if complaint := checks.title_complaint(command.spec.get("title")):
        raise refused(400, complaint, status="empty-name")
    for complaint in (checks.uid_complaint(command.uid), checks.message_complaint(command.message)):
        if complaint:
            raise refused(400, complaint)
    target = _by_title(call, command, _by_id_or_uid(call, command))
    spec = {**command.spec, "title": command.spec["title"].strip()}
    if checks.refresh_too_low(spec, call.settings.min_refresh):
        spec["refresh"] = call.settings.min_refresh
    board = call.store.save_board(
        call.org,
        spec,
        uid=target.uid,
        folder=command.folder,
        by=call.caller.login,
        message=command.message,
        existing=target.board,
        api_version="v0alpha1",
        conversion_error="",
    )
    return saved(call, board)


def _by_id_or_uid(call: Call, command: SaveCommand) -> _Target:
    """The board that id or uid name, once it is known that the caller may save it so."""
    boards = call.org.boards
    by_uid = boards.get(command.uid) if command.uid else None
    existing = by_uid
    if command.id:
        existing = next((b for b in boards.values() if b.id == command.id), None)
        if existing is None:
            raise refused(404, "Dashboard not found", status="not-found")
        if by_uid is not None and by_uid.uid != existing.uid:
            raise refused(400, "A dashboard with the same uid already exists")
    if existing is None:
        if not call.may_in(command.folder, "dashboards:create"):
            raise refused(403, "Access denied to save dashboard")
        return _Target(None, command.uid or new_uid())
    if command.version != existing.version and not command.overwrite:
        raise refused(412, "The dashboard has been changed by someone else", status="version-mismatch")
    if existing.plugin and not command.overwrite:
        raise refused(412, f"The dashboard belongs to plugin {existing.plugin}.", status="plugin-dashboard")
    _refuse_if_not_writable(call, command, existing)
    return _Target(existing, command.uid or existing.uid)


def _refuse_if_not_writable(call: Call, command: SaveCommand, existing: StoredBoard) -> None:
    refuse_if_managed(existing)
    moves_to_forbidden = existing.folder != command.folder and not call.may_in(command.folder, "dashboards:create")
    if moves_to_forbidden or not call.may_on(existing, "dashboards:write"):
        raise refused(403, "Access denied to save dashboard")


def _by_title(call: Call, command: SaveCommand, target: _Target) -> _Target:
    """Up to 11.2 a title is taken once in a folder; with overwrite the save takes over the board that has it."""
    if not call.behaviour.unique_titles:
        return target
    title = command.spec["title"]
    if any(folder.title == title for folder in call.org.children(command.folder)):
        raise refused(400, "Dashboard name cannot be the same as folder", status="name-match")
    for other in call.org.boards.values():
        same = other.title == title and other.folder == command.folder
        if same and (target.board is None or other.id != target.board.id):
            if not command.overwrite:
                raise refused(412, "A dashboard with the same name in the folder already exists", status="name-exists")
            _refuse_if_not_writable(call, command, other)
            return _Target(other, other.uid)
    return target


ROUTES = (Route("POST", "/api/dashboards/db", save),)
