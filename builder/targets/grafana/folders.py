"""The folder that holds the boards, and those above it.

Folders are found by uid. Missing ones are created, parents first. The innermost one is ours: it is renamed and
moved to where the configuration says, with all that is in it. Those above may be anybody's: they are used as
they are.

Source: Grafana's folder API, the same from 10.4 to 13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from builder.config.contexts import Place
from builder.errors import ServerError
from builder.targets.grafana.answers import text
from builder.targets.grafana.client import Client, members
from builder.targets.grafana.preflight import Server, need_right
from builder.targets.http.failures import Interrupted, Refused

FolderAction = Literal["create", "rename", "move"]


@dataclass(frozen=True)
class FolderStep:
    """Something to do to a folder; ``parent`` is the uid of the folder that it belongs in, empty for the root."""

    action: FolderAction
    uid: str
    title: str
    parent: str
    was: str = ""

    def __str__(self) -> str:
        target = f"folder {self.title!r} ({self.uid})"
        if self.action == "rename":
            return f"rename {target}, now {self.was!r}"
        inside = f"in {self.parent}" if self.parent else "at the top"
        return f"{self.action} {target} {inside}" + (f", now in {self.was or 'the root'}" if self.was else "")


@dataclass(frozen=True)
class FolderPlan:
    """What has to be done, outermost first; and what is worth knowing."""

    steps: tuple[FolderStep, ...]
    notes: tuple[str, ...] = ()

    def creates(self, uid: str) -> bool:
        """True where this folder is not there yet."""
        return any(step.action == "create" and step.uid == uid for step in self.steps)


def plan_folders(client: Client, places: Sequence[Place]) -> FolderPlan:
    """Compare the path with the server, reading only. Raises ServerError for a folder that should be there."""
    steps: list[FolderStep] = []
    notes: list[str] = []
    parent = ""
    for depth, place in enumerate(places):
        innermost = depth == len(places) - 1
        found = _fetch(client, place.uid)
        if found is None:
            if not place.title:
                raise ServerError(
                    f"there is no folder {place.uid!r}",
                    where=client.endpoint.url,
                    fix="correct the uid, or give it a title in the configuration to have it created",
                )
            steps.append(FolderStep("create", place.uid, place.title, parent))
        else:
            title, above = text(found, "title"), text(found, "parentUid")
            if depth and above != parent:
                if innermost:
                    steps.append(FolderStep("move", place.uid, title, parent, above))
                else:
                    notes.append(f"folder {title!r} ({place.uid}) is not in {parent}; it is used where it is")
            if place.title and title != place.title:
                if innermost:
                    steps.append(FolderStep("rename", place.uid, place.title, parent, title))
                else:
                    notes.append(f"folder {place.uid} is called {title!r}, not {place.title!r}; it keeps its name")
        parent = place.uid
    return FolderPlan(tuple(steps), tuple(notes))


def need_folder_rights(plan: FolderPlan, server: Server, client: Client) -> None:
    """Refuse early where the credentials allow nothing of what the plan has to do."""
    for step in plan.steps:
        action = "folders:create" if step.action == "create" else "folders:write"
        need_right(server, client, action, f"{step.action} folder {step.uid}")


def apply_folders(client: Client, plan: FolderPlan) -> None:
    """Do it, one after the other: each folder may be the parent of the next."""
    for step in plan.steps:
        if client.stop.is_set():
            raise Interrupted(f"interrupted before it could {step}", where=client.endpoint.url, fix="run it again")
        try:
            {"create": _create, "rename": _rename, "move": _move}[step.action](client, step)
        except Refused as refused:
            raise _meant(refused, step) from refused


def _create(client: Client, step: FolderStep) -> None:
    body = {"uid": step.uid, "title": step.title, **({"parentUid": step.parent} if step.parent else {})}
    try:
        client.write(
            "POST", str(step), "/api/folders", body, fits=members("uid"), done=lambda: _fetch(client, step.uid)
        )
    except Refused as refused:
        # Somebody was quicker, or our own first try did arrive: what counts is that it is there now.
        if refused.status not in (409, 412) or _fetch(client, step.uid) is None:
            raise
    created = _fetch(client, step.uid) or {}
    if step.parent and text(created, "parentUid") != step.parent:
        raise ServerError(
            f"folder {step.title!r} is not in {step.parent} now that it is created",
            where=client.endpoint.url,
            fix="this Grafana has no nested folders: up to 10.4 switch on nestedFolders, or name one folder only",
        )


def _rename(client: Client, step: FolderStep) -> None:
    found = _fetch(client, step.uid) or {}
    body = {"title": step.title, "version": found.get("version"), "overwrite": False}

    def done() -> bool | None:
        return True if text(_fetch(client, step.uid), "title") == step.title else None

    _tolerating_own(client, "PUT", step, f"/api/folders/{step.uid}", body, done)


def _move(client: Client, step: FolderStep) -> None:
    def done() -> bool | None:
        return True if text(_fetch(client, step.uid), "parentUid") == step.parent else None

    _tolerating_own(client, "POST", step, f"/api/folders/{step.uid}/move", {"parentUid": step.parent}, done)


def _tolerating_own(client: Client, method: str, step: FolderStep, path: str, body: Any, done: Any) -> None:
    try:
        client.write(method, str(step), path, body, fits=members("uid"), done=done)
    except Refused as refused:
        if refused.status not in (409, 412) or not done():
            raise


def _fetch(client: Client, uid: str) -> Mapping[str, Any] | None:
    reply = client.read(f"read folder {uid}", f"/api/folders/{uid}", accept=(404,), fits=members("uid", "title"))
    body: Mapping[str, Any] | None = reply.json() if reply.ok else None
    return body


def _meant(refused: Refused, step: FolderStep) -> Exception:
    if refused.status in (400, 409, 412) and "maximum-depth" in str(refused.body):
        fix = "Grafana nests four folders; name a shorter path"
    elif refused.status in (409, 412):
        fix = f"is there another folder {step.title!r} there? Use its uid, or another title"
    elif refused.status == 403:
        fix = f"give the service account the right to {step.action} folders, or have an administrator do it"
    else:
        return refused
    return Refused(refused.what, where=refused.where, fix=fix, status=refused.status, body=refused.body)
