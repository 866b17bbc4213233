"""A board on both sides: as it should be, and as Grafana has it. And what either API has to be able to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from builder.diff import content_hash
from builder.errors import ServerError
from builder.grafana.board import BOARD_TAG

PROJECT_TAG = f"{BOARD_TAG}:"
"""Before a project's name; ``gpuboards:fleet`` marks the boards of the project ``fleet``."""


@dataclass(frozen=True)
class Wanted:
    """A board as it should be: classic JSON without ``id`` and ``version``, in the folder of this uid."""

    uid: str
    title: str
    content: Mapping[str, Any]
    folder: str
    project: str

    @cached_property
    def hash(self) -> str:
        """The content's hash."""
        return content_hash(self.content)


@dataclass(frozen=True)
class Change:
    """The last change of a board: the version that it made, its message, by whom and when.

    ``known`` is False where the credentials may not ask for it.
    """

    version: int
    message: str = ""
    by: str = ""
    when: str = ""
    known: bool = True


@dataclass(frozen=True)
class Stored:
    """A board as Grafana has it.

    ``lock`` is what a save must name so as not to undo a change of somebody else. ``manager`` says what else
    writes this board; empty: people only. ``unreadable`` says why the content is not classic JSON. ``change`` is
    None where it takes another request to learn of it.
    """

    uid: str
    content: Mapping[str, Any]
    folder: str
    version: int
    lock: str = ""
    manager: str = ""
    writable: bool = True
    unreadable: str = ""
    change: Change | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def hash(self) -> str:
        """The content's hash; that of nothing where it cannot be read."""
        return "" if self.unreadable else content_hash(self.content)

    @property
    def title(self) -> str:
        """The title, as far as it is known."""
        return str(self.content.get("title", ""))

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags."""
        tags = self.content.get("tags")
        return tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()

    @property
    def project(self) -> str:
        """The project that the board is tagged with."""
        return next((tag.removeprefix(PROJECT_TAG) for tag in self.tags if tag.startswith(PROJECT_TAG)), "")


class Stale(ServerError):
    """The board is no longer what it was when the save was planned."""


class TitleTaken(ServerError):
    """Another board of the folder has the title."""


class NotWritable(ServerError):
    """Something else owns the board."""


class BoardApi(Protocol):
    """One of Grafana's two APIs for boards."""

    name: str
    counts_contents: bool
    """True where a save of equal content, such as a move, keeps the version number; False where none surely does."""

    def fetch(self, uid: str) -> Stored | None:
        """The board; None where there is none."""

    def last_change(self, stored: Stored) -> Change:
        """Who made the version that is there, and with what message."""

    def save(self, wanted: Wanted, before: Stored | None, message: str) -> None:
        """Create the board, or replace exactly the version ``before``.

        A save whose reply was lost counts as done where the board then carries this message. Raises Stale,
        TitleTaken, NotWritable or another ServerError.
        """

    def remove(self, stored: Stored) -> None:
        """Delete the board, unless it is no longer as ``stored`` says: Stale."""
