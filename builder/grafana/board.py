"""A board: what a definition file declares, before any exporter is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from builder.catalog.model import LABELS
from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.declared import check_fields, is_text
from builder.grafana.members import check_annotation, check_entry, check_panel, check_variable
from builder.grafana.names import check_variable_name
from builder.queries.source import Filter
from builder.queries.spelling import WORKLOAD_LABELS

_UID = re.compile(r"[a-zA-Z0-9_-]+")
_INTERVAL = re.compile(r"(\d+[smhd])?")
_MOMENT = re.compile(r"now(?:[+-]\d*[smhdwMQy]|/f?[smhdwMQy]+)*|\d{4}-\d\d-\d\d.*|\d+")
"""What Grafana reads as the end of a time range: relative to now, a date, or milliseconds since 1970."""
UID_LENGTH = 40
BOARD_TAG = "gpuboards"
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

    def __post_init__(self) -> None:
        where = f"variable {short(self.name)}"
        check_fields(self, where)
        try:
            check_variable_name(self.name)
        except DefinitionError as error:
            raise error.at(where) from None
        if self.of not in LABELS:
            raise UnknownName("label", self.of, LABELS, where=where)

    @property
    def filter(self) -> Filter:
        """How it narrows a query. Grafana escapes a value for ``=~`` only where there can be several."""
        return Filter(self.of, f"${self.name}", "=~" if self.multi or self.include_all else "=")

    @property
    def all_value(self) -> str:
        """What All stands for; empty: all that the variable offers.

        A node must have a name, so that each spelling of its label finds its own series. A workload's All is the
        list of those on the chosen cards, for the logs too. Anything else may be missing.
        """
        if self.of in WORKLOAD_LABELS:
            return ""
        return ".+" if self.of == "node" else ".*"


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
        check_identity(self.uid, self.title, self.panels)
        where = f"board {short(self.uid)}"
        check_fields(self, where)
        for what, check, members in (
            ("panels", check_panel, self.panels),
            ("variables", check_variable, self.variables),
            ("links", check_entry, self.links),
            ("annotations", check_annotation, self.annotations),
        ):
            for place, member in enumerate(members):
                try:
                    check(member)
                except DefinitionError as error:
                    raise error.at(f"{where}, {what}[{place}]") from None
        if not _INTERVAL.fullmatch(self.refresh):
            raise DefinitionError(
                f"{short(self.refresh)} is not a refresh interval", where=where, fix='"30s", "1m" or ""'
            )
        for name in ("time_from", "time_to"):
            moment = getattr(self, name)
            if not _MOMENT.fullmatch(moment) and (moment or name == "time_to"):
                raise DefinitionError(
                    f"{name} {short(moment)} is no moment", where=where, fix='write it like "now-6h" or "now"'
                )
        check_distinct([variable.name for variable in self.variables], where)


def check_distinct(names: Sequence[str], where: str = "") -> None:
    """Refuse variables of one name."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DefinitionError(f"variable {', '.join(twice)} declared twice", where=where, fix="drop one")


def check_identity(uid: Any, title: Any, panels: Any) -> None:
    """Refuse a board that Grafana would refuse, or that nobody could find."""
    if not isinstance(uid, str) or not uid:
        fix = 'uid="my-board", so that links to it stay'
        raise DefinitionError("a board without uid", where=f"board {short(title)}", fix=fix)
    where = f"board {short(uid)}"
    if len(uid) > UID_LENGTH:
        raise DefinitionError(
            f"the uid has {len(uid)} characters; Grafana takes {UID_LENGTH}", where=where, fix="shorten it"
        )
    if not _UID.fullmatch(uid):
        raise DefinitionError(
            "the uid has characters that Grafana refuses", where=where, fix="letters, digits, - and _ only"
        )
    if uid == "general":
        raise DefinitionError("the uid 'general' is Grafana's own", where=where, fix="choose another one")
    if not is_text(title) or not title.strip():
        raise DefinitionError("a board without title", where=where, fix="give it one")
    if not panels:
        raise DefinitionError("a board without panels", where=where, fix="add at least one")
