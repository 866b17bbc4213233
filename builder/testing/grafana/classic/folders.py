"""``/api/folders``: create, read, rename, move and delete."""

from __future__ import annotations

from builder.testing.grafana import checks
from builder.testing.grafana.exchange import Response, refused
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, StoredFolder, slug_of
from builder.testing.grafana.permissions import GENERAL, access_denied
from builder.testing.grafana.storage import MAX_DEPTH, new_uid


def children(call: Call) -> Response:
    """The folders of one parent (the root unless ``parentUid`` says more), a page of them."""
    call.caller.require_any("folders:read")
    parent = call.request.first("parentUid")
    if parent and parent not in call.org.folders:
        raise refused(404, "folder not found", status="not-found")
    found = [f for f in call.org.children(parent) if call.may_in(f.uid, "folders:read")]
    found.sort(key=lambda f: (f.title, f.uid))
    limit = call.request.number("limit", 1000) or 1000
    first = (max(call.request.number("page", 1), 1) - 1) * limit
    hits: list[Json] = [{"id": f.id, "uid": f.uid, "title": f.title} for f in found[first : first + limit]]
    if parent:
        hits = [{**hit, "parentUid": parent} for hit in hits]
    return Response(200, hits)


def read(call: Call) -> Response:
    """One folder with its ancestors."""
    return Response(200, _body(call, _folder(call, "folders:read")))


def create(call: Call) -> Response:
    """A new folder; without ``uid`` Grafana makes one up."""
    call.caller.require_any("folders:create")
    body = call.request.json()
    uid = str(body.get("uid") or "") or new_uid()
    parent = str(body.get("parentUid") or "") if call.behaviour.nested_folders else ""
    title = _title(body)
    if complaint := checks.uid_complaint(uid):
        raise refused(400, complaint)
    if uid == GENERAL:
        raise refused(400, "Folder can't be created with reserved uid: general")
    if parent and parent not in call.org.folders:
        raise refused(404, "folder not found", status="not-found")
    if not call.may_in(parent, "folders:create"):
        raise access_denied("folders:create")
    if uid in call.org.folders or (not call.behaviour.unified_storage and uid in call.org.boards):
        raise _uid_taken(call)
    _refuse_taken_title(call, title, parent)
    if call.org.depth(parent) >= MAX_DEPTH:
        raise _too_deep()
    return Response(200, _body(call, call.store.save_folder(call.org, uid, title, parent, by=call.caller.login)))


def update(call: Call) -> Response:
    """Rename; 412 where ``version`` is not the stored one and ``overwrite`` is not set."""
    folder = _folder(call, "folders:write")
    body = call.request.json()
    if body.get("version") != folder.version and body.get("overwrite") is not True:
        raise refused(412, "the folder has been changed by someone else", status="version-mismatch")
    title = _title(body)
    _refuse_taken_title(call, title, folder.parent, but=folder.uid)
    description = str(body.get("description") or folder.description)
    renamed = call.store.save_folder(
        call.org, folder.uid, title, folder.parent, by=call.caller.login, description=description
    )
    return Response(200, _body(call, renamed))


def move(call: Call) -> Response:
    """Put a folder with all that is inside into another, or into the root."""
    if not call.behaviour.nested_folders:
        raise refused(404, "To use this service, you need to activate nested folder feature.")
    folder = _folder(call, "folders:write")
    parent = str(call.request.json().get("parentUid") or "")
    if parent and parent not in call.org.folders:
        raise refused(404, "folder not found", status="not-found")
    if not call.may_in(parent, "folders:create"):
        raise access_denied("folders:create")
    if folder.uid in call.org.chain(parent):
        raise refused(400, "circular reference detected", messageId="folder.circular-reference", statusCode=400)
    _refuse_taken_title(call, folder.title, parent, but=folder.uid)
    if call.org.depth(parent) + call.org.height(folder.uid) > MAX_DEPTH:
        raise _too_deep()
    moved = call.store.save_folder(
        call.org, folder.uid, folder.title, parent, by=call.caller.login, description=folder.description
    )
    return Response(200, _body(call, moved))


def delete(call: Call) -> Response:
    """Delete the folder and everything inside."""
    folder = _folder(call, "folders:delete")
    call.store.delete_folder(call.org, folder.uid)
    return Response(200, {"message": "Folder deleted", "id": folder.id, "title": folder.title, "uid": folder.uid})


def _folder(call: Call, action: str) -> StoredFolder:
    call.caller.require_any(action)
    folder = call.org.folders.get(call.names["uid"])
    if folder is None:
        raise refused(404, "folder not found", status="not-found")
    if not call.may_in(folder.uid, action):
        raise access_denied(action)
    return folder


def _title(body: Json) -> str:
    title = str(body.get("title") or "").strip()
    if not title:
        raise refused(400, "folder title cannot be empty")
    return title


def _refuse_taken_title(call: Call, title: str, parent: str, *, but: str = "") -> None:
    taken = any(f.title == title and f.uid != but for f in call.org.children(parent))
    if taken and call.behaviour.unique_titles:
        raise refused(
            call.behaviour.folder_name_status, "a folder with the same name already exists in the current location"
        )


def _uid_taken(call: Call) -> Exception:
    if call.behaviour.unified_storage:
        return refused(
            call.behaviour.folder_uid_status, "the folder has been changed by someone else", status="version-mismatch"
        )
    return refused(call.behaviour.folder_uid_status, "a folder/dashboard with the same uid already exists")


def _too_deep() -> Exception:
    return refused(400, "Maximum nested folder depth reached", messageId="folder.maximum-depth-reached")


def _body(call: Call, folder: StoredFolder) -> Json:
    may_write = call.may_in(folder.uid, "folders:write")
    body: Json = {
        "id": folder.id,
        "uid": folder.uid,
        "title": folder.title,
        "url": f"{call.settings.path}/dashboards/f/{folder.uid}/{slug_of(folder.title)}",
        "hasAcl": False,
        "canSave": may_write,
        "canEdit": may_write,
        "canAdmin": call.may_in(folder.uid, "folders.permissions:write"),
        "canDelete": call.may_in(folder.uid, "folders:delete"),
        "createdBy": folder.created_by,
        "created": folder.created,
        "updatedBy": folder.updated_by,
        "updated": folder.updated,
        "version": folder.version,
    }
    if folder.parent:
        ancestors = [call.org.folders[uid] for uid in call.org.chain(folder.parent)]
        body["parentUid"] = folder.parent
        body["parents"] = [
            {
                "uid": a.uid,
                "title": a.title,
                "url": f"{call.settings.path}/dashboards/f/{a.uid}/{slug_of(a.title)}",
            }
            for a in reversed(ancestors)
        ]
    return body


ROUTES = (
    Route("GET", "/api/folders", children),
    Route("POST", "/api/folders", create),
    Route("GET", "/api/folders/{uid}", read),
    Route("PUT", "/api/folders/{uid}", update),
    Route("POST", "/api/folders/{uid}/move", move),
    Route("DELETE", "/api/folders/{uid}", delete),
)
