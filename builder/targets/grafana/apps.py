"""Boards through ``/apis/dashboard.grafana.app``, as objects with a resource version (Grafana 12 and later).

The server brings a board's schema up to date when it is written this way, so what it stores is not always
what was sent; ``builder.diff`` makes the same steps before it compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builder.targets.grafana.answers import mapping, number, part, text
from builder.targets.grafana.boards import Change, NotWritable, Stale, Stored, Wanted
from builder.targets.grafana.classic import ClassicApi
from builder.targets.grafana.client import Client, members
from builder.targets.grafana.signature import read_signature
from builder.targets.http.failures import Refused

_FOLDER = "grafana.app/folder"
_MESSAGE = "grafana.app/message"
_MANAGERS = {"classic-file-provisioning": "a provisioned file", "repo": "a Git repository"}


class AppsApi:
    """``/apis/dashboard.grafana.app/<version>`` in one namespace."""

    counts_contents = True

    def __init__(self, client: Client, version: str, namespace: str) -> None:
        self.name = f"dashboard.grafana.app/{version}"
        self._client = client
        self._version = self.name
        self._path = f"/apis/{self.name}/namespaces/{namespace}/dashboards"

    def fetch(self, uid: str) -> Stored | None:
        """The board; None where there is none."""
        fits = members("metadata", "spec")
        reply = self._client.read(f"read board {uid}", f"{self._path}/{part(uid)}", accept=(404,), fits=fits)
        if reply.status == 404:
            return None
        body = reply.json()
        metadata, spec = mapping(body, "metadata"), dict(mapping(body, "spec"))
        annotations = mapping(metadata, "annotations")
        version = number(metadata, "generation")
        unreadable = _unreadable(body)
        return Stored(
            uid=uid,
            content={} if unreadable else {**spec, "uid": uid},
            folder=text(annotations, _FOLDER),
            version=version,
            lock=text(metadata, "resourceVersion"),
            manager=_manager(annotations),
            unreadable=unreadable,
            change=Change(
                version=version,
                message=text(annotations, _MESSAGE),
                by=text(annotations, "grafana.app/updatedBy") or text(annotations, "grafana.app/createdBy"),
                when=text(annotations, "grafana.app/updatedTimestamp") or text(metadata, "creationTimestamp"),
            ),
            metadata=metadata,
        )

    def last_change(self, stored: Stored) -> Change:
        """Who made the version that is there. The object has only an id for people; the classic API names them."""
        change = stored.change or Change(stored.version)
        if read_signature(change.message):
            return change
        named = ClassicApi(self._client).last_change(replace(stored, change=None))
        return replace(change, by=named.by) if named.by and named.version == change.version else change

    def save(self, wanted: Wanted, before: Stored | None, message: str) -> None:
        """Create the board, or replace exactly the version ``before``."""
        spec = {key: value for key, value in wanted.content.items() if key not in ("id", "uid", "version")}
        annotations: dict[str, Any] = {_FOLDER: wanted.folder, _MESSAGE: message}
        metadata: dict[str, Any] = {"name": wanted.uid}
        if before:
            metadata["resourceVersion"] = before.lock
            metadata["labels"] = dict(mapping(before.metadata, "labels"))
            annotations = {**mapping(before.metadata, "annotations"), **annotations}
        else:
            # As the browser does; without it only administrators may edit the board in a browser.
            annotations["grafana.app/grant-permissions"] = "default"
        metadata["annotations"] = annotations
        body = {"apiVersion": self._version, "kind": "Dashboard", "metadata": metadata, "spec": spec}
        method, path = ("PUT", f"{self._path}/{part(wanted.uid)}") if before else ("POST", self._path)
        try:
            self._client.write(
                method,
                f"save board {wanted.uid}",
                path,
                body,
                fits=members("metadata"),
                done=lambda: self._carries(wanted.uid, message),
            )
        except Refused as refused:
            if refused.status in (409, 412) and self._carries(wanted.uid, message):
                return
            if before and refused.status in (400, 404) and self.fetch(wanted.uid) is None:
                raise Stale(
                    "the board was removed while this ran", where=refused.where, fix="run it again"
                ) from refused
            raise _meant(refused, wanted) from refused

    def remove(self, stored: Stored) -> None:
        """Delete exactly this state of the board, by a precondition of the Kubernetes API."""
        body = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"resourceVersion": stored.lock}}
        try:
            self._client.write(
                "DELETE",
                f"remove board {stored.uid}",
                f"{self._path}/{part(stored.uid)}",
                body,
                done=lambda: True if self.fetch(stored.uid) is None else None,
                accept=(404,),
            )
        except Refused as refused:
            if refused.status in (409, 412):
                raise Stale(
                    "the board was changed while this ran", where=refused.where, fix="run it again"
                ) from refused
            raise

    def _carries(self, uid: str, message: str) -> bool | None:
        stored = self.fetch(uid)
        return True if stored and stored.change and stored.change.message == message else None


def _unreadable(body: Any) -> str:
    """Why the spec is no classic board: of the new layout, or Grafana could not make one of it."""
    spec, conversion = mapping(body, "spec"), mapping(mapping(body, "status"), "conversion")
    if "elements" in spec and "panels" not in spec:
        return "it was saved in the new layout (schema v2)"
    if conversion.get("failed") is True and text(conversion, "storedVersion").startswith("v2"):
        return "it was saved in the new layout (schema v2), which Grafana could not convert"
    return ""


def _manager(annotations: Mapping[str, Any]) -> str:
    kind = text(annotations, "grafana.app/managedBy")
    if not kind or annotations.get("grafana.app/managerAllowsEdits") == "true":
        return ""
    name = text(annotations, "grafana.app/sourcePath") or text(annotations, "grafana.app/managerId")
    return f"{_MANAGERS.get(kind, kind)} {name}".strip()


def _meant(refused: Refused, wanted: Wanted) -> Exception:
    if refused.status in (409, 412):
        return Stale("the board was changed while this ran", where=refused.where, fix="run it again")
    said = text(refused.body, "message")
    if "managed by" in said or "provisioned" in said:
        fix = "remove it where it is managed, or give yours another uid"
        return NotWritable("the board is managed by something else", where=refused.where, fix=fix)
    if refused.status == 404 and "folder" in said:
        return Stale(f"the folder {wanted.folder!r} is gone", where=refused.where, fix="run it again")
    return refused
