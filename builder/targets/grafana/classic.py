"""Boards through the classic API, which every Grafana from 10.4 to 13 has: ``/api/dashboards``.

``overwrite`` is never sent. It would undo somebody's change, and up to Grafana 11.2 it takes over another board
that has the same title.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builder.targets.grafana.boards import Change, NotWritable, Stale, Stored, TitleTaken, Wanted
from builder.targets.grafana.client import Client, members
from builder.targets.http.failures import Refused

_V2 = "it was saved in the new layout (schema v2)"


class ClassicApi:
    """``POST /api/dashboards/db`` and what belongs to it."""

    name = "classic API"

    def __init__(self, client: Client) -> None:
        self._client = client

    def fetch(self, uid: str) -> Stored | None:
        """The board; None where there is none."""
        path, fits = f"/api/dashboards/uid/{uid}", members("dashboard", "meta")
        reply = self._client.read(f"read board {uid}", path, accept=(404, 406), fits=fits)
        if reply.status == 404:
            return None
        if reply.status == 406:
            unread = Stored(uid, {}, "", 0, unreadable=_V2)
            change = self.last_change(unread)
            return replace(unread, version=change.version, change=change)
        body = reply.json()
        content, meta = dict(_mapping(body, "dashboard")), _mapping(body, "meta")
        is_v2 = "elements" in content and "panels" not in content
        return Stored(
            uid=uid,
            content={} if is_v2 else content,
            folder=str(meta.get("folderUid") or ""),
            version=int(content.get("version") or meta.get("version") or 0),
            manager=f"the file {meta.get('provisionedExternalId') or '(unnamed)'}" if meta.get("provisioned") else "",
            writable=meta.get("canSave") is not False,
            unreadable=_V2 if is_v2 else "",
        )

    def last_change(self, stored: Stored) -> Change:
        """Who made the version that is there; unknown where the credentials may not read versions."""
        if stored.change:
            return stored.change
        path = f"/api/dashboards/uid/{stored.uid}/versions"
        doing = f"read the versions of board {stored.uid}"
        reply = self._client.read(doing, path, {"limit": 5}, accept=(403, 404), fits=_are_versions)
        body = reply.json() if reply.ok else []
        found = body.get("versions", []) if isinstance(body, dict) else body
        entries = [entry for entry in found if isinstance(entry, dict)]
        latest = max(entries, key=lambda entry: int(entry.get("version") or 0), default={})
        return Change(
            version=int(latest.get("version") or stored.version),
            message=str(latest.get("message") or ""),
            by=str(latest.get("createdBy") or ""),
            when=str(latest.get("created") or ""),
        )

    def save(self, wanted: Wanted, before: Stored | None, message: str) -> None:
        """Create the board, or replace exactly the version ``before``."""
        content = {key: value for key, value in wanted.content.items() if key not in ("id", "version")}
        if before:
            content["version"] = before.version
        body = {"dashboard": content, "folderUid": wanted.folder, "message": message, "overwrite": False}
        try:
            self._client.write(
                "POST",
                f"save board {wanted.uid}",
                "/api/dashboards/db",
                body,
                fits=members("uid"),
                done=lambda: self._carries(wanted.uid, message),
            )
        except Refused as refused:
            if refused.status in (409, 412) and self._carries(wanted.uid, message):
                return
            raise _meant(refused) from refused

    def _carries(self, uid: str, message: str) -> bool | None:
        stored = self.fetch(uid)
        return True if stored and self.last_change(stored).message == message else None


def _are_versions(body: Any) -> bool:
    """A bare array in older versions, an object in newer ones; and a board has at least one version."""
    found = body.get("versions") if isinstance(body, dict) else body
    return isinstance(found, list) and bool(found)


def _meant(refused: Refused) -> Exception:
    body = refused.body if isinstance(refused.body, dict) else {}
    status = body.get("status")
    if status == "name-exists" or status == "name-match":
        fix = "rename one of them: up to Grafana 11.2 a folder holds each title once"
        return TitleTaken("another board or folder there has this title", where=refused.where, fix=fix)
    if status == "plugin-dashboard":
        return NotWritable("the board belongs to a plugin", where=refused.where, fix="give yours another uid")
    if refused.status in (409, 412):
        return Stale("the board was changed while this ran", where=refused.where, fix="run it again")
    if refused.status == 400 and "provisioned" in str(body.get("message", "")):
        fix = "remove it where it is provisioned from, or give yours another uid"
        return NotWritable("the board is provisioned from somewhere else", where=refused.where, fix=fix)
    return refused


def _mapping(body: Any, key: str) -> Mapping[str, Any]:
    found = body.get(key) if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}
