"""What the fake stores: frozen values, replaced at each save, so that a reader in another thread sees one state."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True)
class DataSource:
    """A data source that the Grafana has; ``default`` marks the one that panels without one use."""

    name: str
    uid: str
    type: str
    default: bool = False


@dataclass(frozen=True)
class Revision:
    """One entry of a board's history; ``json`` is the board without id, uid and version."""

    version: int
    json: Json
    message: str
    created_by: str
    created: str
    resource_version: int
    restored_from: int = 0


@dataclass(frozen=True)
class StoredBoard:
    """A board as Grafana keeps it. ``folder`` is a uid, empty for the root; times are ISO 8601 in UTC."""

    uid: str
    id: int
    spec: Json
    version: int
    resource_version: int
    folder: str
    message: str
    created: str
    created_by: str
    updated: str
    updated_by: str
    api_version: str = "v0alpha1"
    annotations: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    provisioned: str = ""
    allow_ui_updates: bool = False
    plugin: str = ""
    conversion_error: str = ""
    history: tuple[Revision, ...] = field(default=(), repr=False)

    @property
    def json(self) -> Json:
        """A copy of the board as the classic API gives it: with id, uid and version."""
        return {**copy.deepcopy(self.spec), "id": self.id, "uid": self.uid, "version": self.version}

    @property
    def title(self) -> str:
        return str(self.spec.get("title", ""))

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(self.spec.get("tags") or ())

    @property
    def manager(self) -> str:
        """What else manages the board: repo, terraform, kubectl, plugin, classic-file-provisioning or nothing."""
        return self.annotations.get("grafana.app/managedBy", "")

    @property
    def editable_by_others(self) -> bool:
        """False where neither the UI nor, on 13.1 and later, the classic API may save it."""
        if self.provisioned:
            return self.allow_ui_updates
        return not self.manager or self.annotations.get("grafana.app/managerAllowsEdits") == "true"


@dataclass(frozen=True)
class StoredFolder:
    """A folder as Grafana keeps it; ``parent`` is a uid, empty at the root."""

    uid: str
    id: int
    title: str
    parent: str
    version: int
    resource_version: int
    created: str
    created_by: str
    updated: str
    updated_by: str
    description: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LoggedRequest:
    """A request that reached the socket.

    ``path`` is without the sub-path; ``applied`` is False where a fault kept it from Grafana; ``status`` is 0
    where no status line was sent; ``body`` is the JSON, or None.
    """

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str] = field(repr=False)  # they hold the token
    body: Any
    login: str
    org: int
    status: int
    fault: str
    applied: bool

    @property
    def is_write(self) -> bool:
        """Whether it could have changed something."""
        return self.method not in ("GET", "HEAD", "OPTIONS") and self.query.get("dryRun") != ["All"]


def slug_of(title: str) -> str:
    """The last part of a board's or folder's address."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
