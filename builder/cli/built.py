"""What ``gpuboards build`` did or found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from builder.cli.boards import panels_of

if TYPE_CHECKING:
    from builder.build import BuiltBoard
    from builder.config import Config
    from builder.grafana.context import Note
    from builder.targets.files import Report

MOST_REMOVED = 20
"""How many removed files are named."""


@dataclass
class Tally:
    """What has been built so far."""

    boards: int = 0
    panels: int = 0
    notes: list[Note] = field(default_factory=list)

    def add(self, board: BuiltBoard) -> None:
        """Count one more board."""
        self.boards += 1
        self.panels += sum(1 for _ in panels_of(board.data))
        self.notes += board.notes


def summary(tally: Tally, report: Report, config: Config, out: str, *, at_most: int | None) -> Iterator[str]:
    """What was built, what had to be left out (so many lines of it), and what became of the files."""
    counted = f"{plural(tally.boards, 'board')}, {plural(tally.panels, 'panel')}"
    yield f"{counted} for {config.profile}, source {config.source}"
    yield from left_out(tally.notes, config, at_most=at_most)
    if report.removed:
        more = len(report.removed) - MOST_REMOVED
        yield f"removed: {', '.join(report.removed[:MOST_REMOVED])}{f' and {more} more' if more > 0 else ''}"
    changes = ", ".join(f"{len(paths)} {what}" for what, paths in vars(report).items())
    yield f"{out}: {changes}"


def left_out(notes: Sequence[Note], config: Config, *, at_most: int | None) -> Iterator[str]:
    """One line a panel, under the reason that they share; after ``at_most`` of them, how many more there are."""
    shown = 0
    for reason, group in _by_reason(notes, config).items():
        kept = group if at_most is None else group[: at_most - shown]
        shown += len(kept)
        if kept:
            yield f"left out, because {reason}:"
            yield from (f"  {note.board}: {note.panel}: {loss(vars(note))}" for note in kept)
            yield from _fixes(kept)
    if shown < len(notes):
        yield f"  {len(notes) - shown} more: --verbose"


def _fixes(notes: Sequence[Note]) -> Iterator[str]:
    panels: dict[str, dict[str, None]] = {}
    for note in notes:
        if note.fix:
            panels.setdefault(note.fix, {})[note.panel] = None
    yield from (f"  fix for {', '.join(titles)}: {fix}" for fix, titles in panels.items())


def loss(note: Mapping[str, Any]) -> str:
    """What a panel lost: ``gone, needs power`` or ``without power``."""
    return f"{'gone, needs' if note['gone'] else 'without'} {', '.join(note['missing'])}"


def plural(count: int, noun: str) -> str:
    """``1 panel``, ``2 panels``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# who does not export it --------------------------------------------------------------------------


def _by_reason(notes: Sequence[Note], config: Config) -> Mapping[str, Sequence[Note]]:
    groups: dict[str, list[Note]] = {}
    for note in notes:
        reasons = dict.fromkeys(_reason(name, config) for name in note.missing)
        groups.setdefault(" and ".join(reasons), []).append(note)
    return groups


def _reason(missing: str, config: Config) -> str:
    """Why a signal is missing: the exporter of its kind lacks it, or the configuration names none of that kind."""
    from builder.build import training_of
    from builder.catalog.model import Scope
    from builder.catalog.signals import SIGNALS

    scope = SIGNALS[missing].scope if missing in SIGNALS else Scope.BOARD
    if scope is Scope.JOB:
        training = training_of(config)
        return _lacks(training.name) if training else "the configuration says training: none"
    if scope in (Scope.NODE, Scope.POD):
        return _lacks(config.host) if config.host != "none" else "the configuration says host: none"
    return _lacks(config.profile)


def _lacks(exporter: str) -> str:
    return f"{exporter} does not export what they need"
