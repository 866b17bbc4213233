"""What differs between two versions of a dashboard, as far as findings are concerned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from builder.lint.finding import Finding, Place
from builder.lint.model import Board, Panel

_OF_THE_LAYOUT = ("overlap",)


class Changes:
    """Tells which findings of the new version lie in what is new. ``before`` is None for a new board."""

    def __init__(self, before: Board | None, after: Board) -> None:
        self._before, self._after = before, after
        self._panels: dict[Place, Panel] = {panel.place: panel for panel in after.panels}
        self._old = {_content(panel) for panel in before.panels} if before else set()
        self._old_grid = {_written(panel.data) for panel in before.panels} if before else set()
        self._frame_changed = before is None or _frame(before) != _frame(after)

    def concern(self, finding: Finding) -> bool:
        """True where the finding is about a panel that changed, or about the board's frame where that did."""
        panel = next((self._panels[p] for p in _upwards(finding.place) if p in self._panels), None)
        if panel is None:
            return self._frame_changed
        if finding.rule in _OF_THE_LAYOUT:
            return _written(panel.data) not in self._old_grid
        return _content(panel) not in self._old


def _upwards(place: Place) -> list[Place]:
    return [place[:length] for length in range(len(place), 0, -1)]


def _content(panel: Panel) -> str:
    """A panel without its place: what is inserted above it does not change it."""
    return _written({key: value for key, value in panel.data.items() if key != "gridPos"})


def _written(panel: Mapping[str, Any]) -> str:
    return json.dumps(panel, sort_keys=True)


def _frame(board: Board) -> Mapping[str, Any]:
    """A board without its panels, and without what every save counts up."""
    return {k: v for k, v in board.data.items() if k not in ("panels", "rows", "version", "id", "iteration")}
