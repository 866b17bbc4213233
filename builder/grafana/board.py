"""A board: what a definition file declares, before any exporter is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builder.errors import DefinitionError

_UID = re.compile(r"[a-zA-Z0-9_-]+")
_INTERVAL = re.compile(r"(\d+[smhd])?")
UID_LENGTH = 40
TAG = "gpuboards"
"""Every board carries it: links between boards and ownership go by it."""


@dataclass(frozen=True)
class Values:
    """A variable whose values are those of a canonical label, as far as the variables before it allow.

    Each query of the board is narrowed by it (``narrow``), in the exporter's own spelling. Without
    ``include_all`` the first value is chosen until somebody picks another one.
    """

    name: str
    of: str
    label: str = ""
    description: str = ""
    multi: bool = True
    include_all: bool = True
    hide: str = "no"
    narrow: bool = True
    sort: str = "natural"

    @property
    def all_value(self) -> str:
        """What All stands for.

        A node must have a name, so that each spelling of its label finds its own series. A pod must too, or Loki
        refuses the selector; not written ``.+`` there, since a link to Explore would read the plus as a space.
        Anything else may be missing.
        """
        return {"node": ".+", "namespace": "..*", "pod": "..*", "container": "..*"}.get(self.of, ".*")


@dataclass(frozen=True)
class Board:
    """A dashboard: who it is, what it asks, and how it is laid out.

    ``uid`` is public (at most 40 letters, digits, - and _): bookmarks and links use it. ``question`` is the
    one question that the board answers; it becomes the description. ``variables`` come from
    ``builder.variables`` or are Values and Variable objects. ``panels`` are panels and rows.
    ``time_from`` and ``refresh`` default to the configuration's.
    """

    uid: str
    title: str
    panels: Sequence[Any] = ()
    question: str = ""
    variables: Sequence[Any] = ()
    tags: Sequence[str] = ()
    links: Sequence[Any] = ()
    annotations: Sequence[Any] = ()
    time_from: str = ""
    time_to: str = "now"
    refresh: str = ""

    def __post_init__(self) -> None:
        where = f"board {self.uid!r}"
        if not isinstance(self.uid, str) or not self.uid:
            raise DefinitionError("a board without uid", where=f"board {self.title!r}", fix='uid="my-board"')
        if len(self.uid) > UID_LENGTH:
            raise DefinitionError(
                f"the uid has {len(self.uid)} characters; Grafana takes {UID_LENGTH}",
                where=where,
                fix="shorten it",
            )
        if not _UID.fullmatch(self.uid):
            raise DefinitionError(
                "the uid has characters that Grafana refuses",
                where=where,
                fix="letters, digits, - and _ only",
            )
        if self.uid == "general":
            raise DefinitionError("the uid 'general' is Grafana's own", where=where, fix="choose another one")
        if not isinstance(self.title, str) or not self.title.strip():
            raise DefinitionError("a board without title", where=where, fix="give it one")
        if not self.panels:
            raise DefinitionError("a board without panels", where=where, fix="add at least one")
        if not _INTERVAL.fullmatch(self.refresh):
            raise DefinitionError(f"{self.refresh!r} is not a refresh interval", where=where, fix='"30s", "1m" or ""')
        names = [variable.name for variable in self.variables if hasattr(variable, "name")]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DefinitionError(f"variable {', '.join(twice)} declared twice", where=where, fix="drop one")
        if isinstance(self.tags, str):
            raise DefinitionError("tags must be a list", where=where, fix=f'tags=["{self.tags}"]')
