"""What a push did, or would do: one outcome a board, and what that comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from builder.targets.grafana.folders import FolderStep

Result = Literal["planned", "done", "refused", "failed", "not begun"]


@dataclass(frozen=True)
class Outcome:
    """One board. ``action`` is a plan's action, or ``remove``; ``detail`` says why, ``changes`` what differs."""

    uid: str
    title: str
    action: str
    result: Result
    link: str = ""
    detail: str = ""
    fix: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """All of it. ``writes`` counts the boards and folders that were, or would be, changed."""

    context: str
    url: str
    version: str
    api: str
    folder: str
    dry_run: bool
    folders: tuple[FolderStep, ...]
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def writes(self) -> int:
        """How much was, or would be, changed."""
        changed = [o for o in self.outcomes if o.result in ("done", "planned") and o.action != "unchanged"]
        return len(changed) + len(self.folders)

    @property
    def exit_code(self) -> int:
        """130 interrupted; 3 the server refused or failed; 1 boards that were left alone; 0 fine."""
        results = {outcome.result for outcome in self.outcomes}
        if self.interrupted:
            return 130
        return 3 if results & {"failed", "not begun"} else 1 if "refused" in results else 0
