"""What is stored, organisation by organisation, and how a save changes it."""

from __future__ import annotations

import copy
import itertools
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from builder.testing.grafana.index import SearchIndex
from builder.testing.grafana.model import DataSource, Json, Revision, StoredBoard, StoredFolder
from builder.testing.grafana.versions import Behaviour

_KEPT_VERSIONS = 20  # Grafana's own default of [dashboards] versions_to_keep
MAX_DEPTH = 4
"""How many folders may lie inside each other."""


@dataclass
class Org:
    """One organisation and all it has."""

    id: int
    name: str
    index: SearchIndex
    datasources: list[DataSource]
    boards: dict[str, StoredBoard] = field(default_factory=dict)
    folders: dict[str, StoredFolder] = field(default_factory=dict)

    def chain(self, folder: str) -> Iterator[str]:
        """The folder, then its ancestors, nearest first; the root (``""``) is its own chain."""
        yield folder
        while folder and (parent := self.folders[folder].parent):
            yield parent
            folder = parent

    def children(self, folder: str) -> list[StoredFolder]:
        """The folders directly inside."""
        return [f for f in self.folders.values() if f.parent == folder]

    def height(self, folder: str) -> int:
        """How many levels of folders there are from this one down."""
        return 1 + max((self.height(child.uid) for child in self.children(folder)), default=0)

    def depth(self, folder: str) -> int:
        """How many folders there are from the root down to this one; 0 for the root."""
        return len(list(self.chain(folder))) if folder else 0


class Store:
    """All organisations. Callers hold ``Instance.lock``; the values inside are replaced, never changed."""

    def __init__(self, behaviour: Behaviour, search_lag: float, datasources: Sequence[DataSource]) -> None:
        self.behaviour = behaviour
        self.orgs: dict[int, Org] = {}
        self._lag = search_lag
        self._datasources = tuple(datasources)
        self._ids = itertools.count(1)
        self._resource_versions = itertools.count(1001)

    def add_org(self, org: int, name: str) -> Org:
        """A new organisation, with the data sources all start with."""
        self.orgs[org] = Org(org, name, SearchIndex(self._lag), list(self._datasources))
        return self.orgs[org]

    def scratch(self, org: Org) -> Org:
        """A copy to write into where nothing is to change, for dry runs."""
        return replace(org, index=SearchIndex(self._lag), boards=dict(org.boards), folders=dict(org.folders))

    def save_board(
        self,
        org: Org,
        spec: Json,
        *,
        uid: str,
        folder: str,
        by: str,
        message: str = "",
        existing: StoredBoard | None = None,
        restored_from: int = 0,
        **attributes: Any,
    ) -> StoredBoard:
        """Store a board; ``attributes`` are those of StoredBoard that change with it.

        On unified storage an equal spec keeps the version (there: the generation), and an equal object is no
        write at all. Before, each save makes a version.
        """
        now = timestamp()
        spec = {key: copy.deepcopy(value) for key, value in spec.items() if key not in ("id", "uid", "version")}
        if existing is None:
            new = StoredBoard(uid, next(self._ids), spec, 0, 0, folder, message, now, by, now, by)
            previous = replace(new, spec={})
        else:
            previous = existing
            new = replace(existing, uid=uid, spec=spec, folder=folder, message=message)
        new = replace(new, **attributes)
        if existing is not None and self.behaviour.unified_storage and new == existing:
            return existing
        same = existing is not None and self.behaviour.unified_storage and spec == previous.spec
        version = previous.version if same else previous.version + 1
        stored = replace(
            new, version=version, resource_version=next(self._resource_versions), updated=now, updated_by=by
        )
        revision = Revision(version, spec, message, by, now, stored.resource_version, restored_from)
        stored = replace(stored, history=(*previous.history, revision)[-_KEPT_VERSIONS:])
        org.boards.pop(previous.uid, None)
        org.boards[uid] = stored
        org.index.put(stored)
        return stored

    def delete_board(self, org: Org, uid: str) -> StoredBoard:
        """Delete a board that exists."""
        board = org.boards.pop(uid)
        org.index.drop(board)
        return board

    def save_folder(
        self,
        org: Org,
        uid: str,
        title: str,
        parent: str,
        *,
        by: str,
        description: str = "",
        annotations: Mapping[str, str] | None = None,
    ) -> StoredFolder:
        """Create a folder, or rename or move the one of this uid."""
        now = timestamp()
        old = org.folders.get(uid)
        if old is None:
            old = StoredFolder(uid, next(self._ids), title, parent, 0, 0, now, by, now, by)
        kept = old.annotations if annotations is None else dict(annotations)
        new = replace(old, title=title, parent=parent, description=description, annotations=kept)
        if self.behaviour.unified_storage and old.version and new == old:
            return old
        stored = replace(
            new, version=old.version + 1, resource_version=next(self._resource_versions), updated=now, updated_by=by
        )
        org.folders[uid] = stored
        org.index.put(stored)
        return stored

    def delete_folder(self, org: Org, uid: str) -> StoredFolder:
        """Delete a folder with everything inside."""
        for child in org.children(uid):
            self.delete_folder(org, child.uid)
        for board in [b for b in org.boards.values() if b.folder == uid]:
            self.delete_board(org, board.uid)
        folder = org.folders.pop(uid)
        org.index.drop(folder)
        return folder


def new_uid() -> str:
    """A uid of the kind Grafana makes up."""
    return uuid.uuid4().hex[:14]


def timestamp() -> str:
    """Now, as Grafana writes times."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
