"""``GET /api/search``: what the index has seen, which may be behind what is stored."""

from __future__ import annotations

from builder.testing.grafana.exchange import Response
from builder.testing.grafana.index import Entry
from builder.testing.grafana.instance import Call, Route
from builder.testing.grafana.model import Json, StoredBoard, StoredFolder, slug_of
from builder.testing.grafana.permissions import GENERAL, board_scopes, folder_scopes

_MOST = 5000


def search(call: Call) -> Response:
    """Boards and folders that fit all parameters, by title, one page of them."""
    call.caller.require_any("dashboards:read", "folders:read")
    found = sorted((e for e in call.org.index.entries() if _fits(call, e)), key=lambda e: (e.title, e.uid))
    limit = min(call.request.number("limit", 1000) or 1000, _MOST)
    first = (max(call.request.number("page", 1), 1) - 1) * limit
    return Response(200, [_hit(call, entry) for entry in found[first : first + limit]])


def _fits(call: Call, entry: Entry) -> bool:
    query = call.request.query
    is_folder = isinstance(entry, StoredFolder)
    kind = "dash-folder" if is_folder else "dash-db"
    folders = {"" if uid == GENERAL else uid for uid in query.get("folderUIDs", ())}
    return (
        call.request.first("type", kind) == kind
        and call.request.first("query").lower() in entry.title.lower()
        and set(query.get("tag", ())) <= set(entry.tags if isinstance(entry, StoredBoard) else ())
        and (not folders or _home(entry) in folders)
        and ("dashboardUIDs" not in query or (not is_folder and entry.uid in query["dashboardUIDs"]))
        and _readable(call, entry)
    )


def _readable(call: Call, entry: Entry) -> bool:
    """By what the index knows: the folder may be gone by now."""
    home = _home(entry)
    chain = list(call.org.chain(home)) if home in call.org.folders else [home]
    if isinstance(entry, StoredFolder):
        return call.caller.may("folders:read", folder_scopes([entry.uid, *chain]))
    return call.caller.may("dashboards:read", board_scopes(entry.uid, chain))


def _home(entry: Entry) -> str:
    return entry.parent if isinstance(entry, StoredFolder) else entry.folder


def _hit(call: Call, entry: Entry) -> Json:
    is_folder = isinstance(entry, StoredFolder)
    slug, path = slug_of(entry.title), call.settings.path
    hit: Json = {
        "id": entry.id,
        "uid": entry.uid,
        "title": entry.title,
        "uri": f"db/{slug}",
        "url": f"{path}/dashboards/f/{entry.uid}/{slug}" if is_folder else f"{path}/d/{entry.uid}/{slug}",
        "slug": "",
        "type": "dash-folder" if is_folder else "dash-db",
        "tags": list(entry.tags) if isinstance(entry, StoredBoard) else [],
        "isStarred": False,
        "sortMeta": 0,
    }
    home = call.org.folders.get(_home(entry))
    if home is not None:
        hit |= {
            "folderId": home.id,
            "folderUid": home.uid,
            "folderTitle": home.title,
            "folderUrl": f"{path}/dashboards/f/{home.uid}/{slug_of(home.title)}",
        }
    return hit


ROUTES = (Route("GET", "/api/search", search),)
