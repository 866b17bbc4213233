"""Boards as they come out, for the commands that tell about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    def gone(self, profile: str) -> int:
        """How many of its panels drop out as a whole."""
        return sum(note.gone and not note.variable for note in self.dropped[profile])

    @property
    def defined(self) -> int:
        """How many panels its definition has, whatever becomes of them."""
        return len(self.panels) + self.gone(next(iter(self.dropped)))


def describe(definitions: Iterable[Definition], config: Config, profiles: Sequence[str]) -> Iterator[Described]:
    """Each board as the first profile has it, with what drops out for each of the profiles; one at a time."""
    from dataclasses import replace

    from builder.build import context_of, each_board, left_out

    first, *others = profiles
    contexts = {name: context_of(replace(config, profile=name)) for name in others}
    for board in each_board(definitions, replace(config, profile=first)):
        dropped = {name: left_out(board.definition, context) for name, context in contexts.items()}
        yield Described(
            uid=board.uid,
            title=board.data["title"],
            question=board.data.get("description", ""),
            where=board.definition.where,
            panels=tuple(panels_of(board.data)),
            dropped={first: board.notes, **dropped},
        )


def panels_of(board: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A board's panels in reading order: those in collapsed rows included, rows themselves not."""
    for panel in board["panels"]:
        if panel["type"] == "row":
            yield from panels_of({"panels": panel.get("panels", [])})
        else:
            yield panel
