"""What lint has to say, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builder.lint.edits import Edit

Place = tuple[str | int, ...]
"""A path inside a dashboard's JSON: keys and list positions from the root."""


class Severity(IntEnum):
    """How bad a finding is; a greater number is worse."""

    INFO = 1  # a hint: it may well be meant
    WARNING = 2  # it misleads, or breaks under circumstances that occur
    BUG = 3  # what is shown is wrong, or nothing is shown

    @property
    def word(self) -> str:
        """The name on the command line and in reports."""
        return self.name.lower()


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, where it is and what to do about it.

    ``line`` and ``column`` count from 1 and are 0 where the place in the file is not known. ``panel`` is the
    panel's title and ``panel_id`` its id; both are empty for what concerns the whole board. ``edits`` would mend it
    without changing what the board shows.
    """

    rule: str
    severity: Severity
    file: str
    summary: str
    details: str = ""
    fix: str = ""
    board: str = ""
    panel: str = ""
    panel_id: int | None = None
    place: Place = ()
    line: int = 0
    column: int = 0
    edits: tuple[Edit, ...] = field(default=(), repr=False, compare=False)

    @property
    def where(self) -> str:
        """File, line and column, as far as they are known."""
        parts = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)

    @property
    def path(self) -> str:
        """The place as it is commonly written: ``panels[2].targets[0].expr``."""
        return shown(self.place)


def shown(place: Place) -> str:
    """A place as text."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
