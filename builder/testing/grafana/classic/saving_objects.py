"""``POST /api/dashboards/db`` from Grafana 13.1 on, where it passes the board to the object API."""

from __future__ import annotations

from dataclasses import replace

from builder.testing.grafana import checks
from builder.testing.grafana.classic.save_command import SaveCommand, saved
from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call
from builder.testing.grafana.storage import new_uid

_V2 = (
    "dashboard appears to be in v2 format. Please use the /apis/dashboard.grafana.app/v2 API OR it should include "
    "a object wrapper with an explicit 'apiVersion'"
)


def save(call: Call, command: SaveCommand) -> Response:
    """Create or update a board; 409 where it exists and neither version nor overwrite say that this is known."""
    api_version = "v0alpha1"
    if "apiVersion" in command.spec or "kind" in command.spec or "metadata" in command.spec:
        command, api_version = _unwrap(command)
    if checks.is_v2(command.spec) and not api_version.startswith("v2"):
        raise refused(400, _V2)
    complaints = (
        checks.title_complaint(command.spec.get("title")),
        checks.uid_complaint(command.uid),
        checks.message_complaint(command.message),
    )
    for complaint in filter(None, complaints):
        raise refused(400, complaint)
    if checks.refresh_too_low(command.spec, call.settings.min_refresh):
        raise refused(400, "Dashboard refresh interval is too low")
    existing = call.org.boards.get(command.uid) if command.uid else None
    may = call.may_in(command.folder, "dashboards:create")
    if existing is not None:
        if not existing.editable_by_others:
            raise refused(400, "Cannot save provisioned dashboard")
        if not command.overwrite and command.version != existing.version:
            raise refused(409, "Dashboard already exists. Use overwrite flag to update.")
        may = call.may_on(existing, "dashboards:write") and (may or existing.folder == command.folder)
    if not may:
        raise refused(403, "Access denied to save dashboard")
    board = call.store.save_board(
        call.org,
        command.spec,
        uid=command.uid or new_uid(),
        folder=command.folder,
        by=call.caller.login,
        message=command.message,
        existing=existing,
        api_version=api_version,
        annotations={},
        labels={},
        conversion_error="",
    )
    return saved(call, board)


def _unwrap(command: SaveCommand) -> tuple[SaveCommand, str]:
    """The command of a board that is wrapped as an object, and the object's version."""
    wrapped = command.spec
    if "id" in wrapped:
        raise refused(400, "an object must not have an id at its root")
    spec = wrapped.get("spec")
    if not isinstance(spec, dict):
        raise refused(400, "an object must have a spec")
    group, _, version = str(wrapped.get("apiVersion", "")).partition("/")
    if group != "dashboard.grafana.app" or not version:
        raise refused(400, "an object must have an apiVersion of dashboard.grafana.app")
    name = (wrapped.get("metadata") or {}).get("name", "")
    return replace(command, spec=spec, uid=str(name or command.uid)), version
