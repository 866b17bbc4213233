"""Boards as they come out, for the commands that tell about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder.config import Config
    from builder.grafana.context import Note
    from builder.load import Definition


@dataclass(frozen=True)
class Described:
    """A built board: what it is, its panels in reading order, and what dropped out for each profile."""

    uid: str
    title: str
    question: str
    where: str
    panels: tuple[Mapping[str, Any], ...]
    dropped: Mapping[str, tuple[Note, ...]]


def describe(definitions: Sequence[Definition], config: Config, profiles: Sequence[str]) -> list[Described]:
    """Each board as the first profile has it, with what drops out for each of the profiles."""
    from dataclasses import replace

    from builder.build import build_boards

    builds = {name: build_boards(definitions, replace(config, profile=name)) for name in profiles}
    boards, _ = builds[profiles[0]]
    return [
        Described(
            uid=uid,
            title=board["title"],
            question=board.get("description", ""),
            where=definition.where,
            panels=tuple(panels_of(board)),
            dropped={name: tuple(n for n in notes if n.board == uid) for name, (_, notes) in builds.items()},
        )
        for definition, (uid, board) in zip(definitions, boards.items(), strict=True)
    ]


def panels_of(board: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A board's panels in reading order: those in collapsed rows included, rows themselves not."""
    for panel in board["panels"]:
        if panel["type"] == "row":
            yield from panels_of({"panels": panel.get("panels", [])})
        else:
            yield panel
