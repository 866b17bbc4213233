"""Boards through the classic API, which every Grafana from 10.4 to 13 has: ``/api/dashboards``.

``overwrite`` is never sent. It would undo somebody's change, and up to Grafana 11.2 it takes over another board
that has the same title. A save names the version that it replaces. That does not tell of a move, which makes none from
Grafana 12 on, nor of a board that was made anew; so the board is looked at once more right before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builder.targets.grafana.answers import mapping, number, objects, part, text
from builder.targets.grafana.boards import Change, NotWritable, Stale, Stored, TitleTaken, Wanted
from builder.targets.grafana.client import Client, members
from builder.targets.http.failures import Refused

_V2 = "it was saved in the new layout (schema v2)"
_CHANGED, _AGAIN = "the board was changed while this ran", "run it again"


class ClassicApi:
    """``POST /api/dashboards/db`` and what belongs to it.

    ``by_number``: a save names the board's number too, so that one made anew under the same uid is not taken for it.
    Up to Grafana 11; later numbers are found by search, which is behind.
    """

    name = "classic API"
    counts_contents = False

    def __init__(self, client: Client, *, by_number: bool = False) -> None:
        self._client = client
        self._by_number = by_number

    def fetch(self, uid: str) -> Stored | None:
        """The board; None where there is none."""
        path, fits = f"/api/dashboards/uid/{part(uid)}", members("dashboard", "meta")
        reply = self._client.read(f"read board {uid}", path, accept=(404, 406), fits=fits)
        if reply.status == 404:
            return None
        if reply.status == 406:
            unread = Stored(uid, {}, "", 0, unreadable=_V2)
            change = self.last_change(unread)
            return replace(unread, version=change.version, change=change)
        body = reply.json()
        content, meta = dict(mapping(body, "dashboard")), mapping(body, "meta")
        is_v2 = "elements" in content and "panels" not in content
        return Stored(
            uid=uid,
            content={} if is_v2 else content,
            folder=text(meta, "folderUid"),
            version=number(content, "version") or number(meta, "version"),
            manager=f"the file {text(meta, 'provisionedExternalId') or '(unnamed)'}" if meta.get("provisioned") else "",
            writable=meta.get("canSave") is not False,
            unreadable=_V2 if is_v2 else "",
        )

    def last_change(self, stored: Stored) -> Change:
        """Who made the version that is there; unknown where the credentials may not read versions."""
        if stored.change:
            return stored.change
        path = f"/api/dashboards/uid/{part(stored.uid)}/versions"
        doing = f"read the versions of board {stored.uid}"
        reply = self._client.read(doing, path, {"limit": 5}, accept=(403, 404), fits=_are_versions)
        if not reply.ok:
            return Change(stored.version, known=False)
        latest = max(_versions(reply.json()), key=lambda entry: number(entry, "version"), default={})
        return Change(
            version=number(latest, "version") or stored.version,
            message=text(latest, "message"),
            by=text(latest, "createdBy"),
            when=text(latest, "created"),
        )

    def save(self, wanted: Wanted, before: Stored | None, message: str) -> None:
        """Create the board, or replace exactly the version ``before``."""
        content = {key: value for key, value in wanted.content.items() if key not in ("id", "version")}
        if before:
            now = self.fetch(wanted.uid)
            if now is None:
                raise Stale("the board was removed while this ran", where=self._client.endpoint.url, fix=_AGAIN)
            if _state(now) != _state(before):
                raise Stale(_CHANGED, where=self._client.endpoint.url, fix=_AGAIN)
            content["version"] = before.version
            if self._by_number and number(before.content, "id"):
                content["id"] = number(before.content, "id")
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
            raise _meant(refused, wanted) from refused

    def remove(self, stored: Stored) -> None:
        """Delete the board if it is still so. The API takes no precondition: between look and delete is one request."""
        now = self.fetch(stored.uid)
        if now is None:
            return
        if _state(now) != _state(stored):
            raise Stale(_CHANGED, where=self._client.endpoint.url, fix=_AGAIN)
        self._client.write(
            "DELETE",
            f"remove board {stored.uid}",
            f"/api/dashboards/uid/{part(stored.uid)}",
            done=lambda: True if self.fetch(stored.uid) is None else None,
            accept=(404,),
        )

    def _carries(self, uid: str, message: str) -> bool | None:
        stored = self.fetch(uid)
        return True if stored and self.last_change(stored).message == message else None


def _state(stored: Stored) -> tuple[object, ...]:
    return stored.version, stored.folder, stored.content.get("id"), stored.hash


def _are_versions(body: Any) -> bool:
    """A board has at least one version."""
    return bool(_versions(body))


def _versions(body: Any) -> list[Mapping[str, Any]]:
    """A bare array in older versions, an object in newer ones."""
    return list(objects({"versions": body} if isinstance(body, list) else body, "versions"))


def _meant(refused: Refused, wanted: Wanted) -> Exception:
    body = refused.body if isinstance(refused.body, dict) else {}
    status = body.get("status")
    if status == "name-exists" or status == "name-match":
        fix = "rename one of them: up to Grafana 11.2 a folder holds each title once"
        return TitleTaken("another board or folder there has this title", where=refused.where, fix=fix)
    if status == "plugin-dashboard":
        return NotWritable("the board belongs to a plugin", where=refused.where, fix="give yours another uid")
    if refused.status in (409, 412):
        return Stale(_CHANGED, where=refused.where, fix=_AGAIN)
    if refused.status == 404 and "Dashboard not found" in text(body, "message"):
        return Stale("the board was removed while this ran", where=refused.where, fix=_AGAIN)
    if refused.status in (400, 404) and "folder not found" in text(body, "message"):
        return Stale(f"the folder {wanted.folder!r} is gone", where=refused.where, fix=_AGAIN)
    if refused.status == 400 and "provisioned" in text(body, "message"):
        fix = "remove it where it is provisioned from, or give yours another uid"
        return NotWritable("the board is provisioned from somewhere else", where=refused.where, fix=fix)
    return refused
