"""A fleet: what is scraped, when, and who reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.testing import AT, Target
from builder.testing import history as scraped_history

INTERVAL = 30
HOUR_AGO = AT - 3600
CHANGE = AT - 1800
"""When ``before`` ends and the fleet as it is now begins."""
SILENCE = AT - 3300
"""When ``silent`` targets answer for the last time."""
GAP = AT - 180
"""When ``late`` targets answer for the last time."""


@dataclass(frozen=True)
class Fleet:
    """Scrape targets, and the profiles (catalogue names) that read them.

    ``before`` is what was scraped in the first half of the hour, where that was something else. ``silent`` are
    targets that answered for the first five minutes of the hour, ``late`` those that answered until three
    minutes ago, as their expositions say.
    """

    profile: str
    targets: tuple[Target, ...]
    training: str = "none"
    host: str = "none"
    before: tuple[Target, ...] = ()
    silent: tuple[Target, ...] = ()
    late: tuple[Target, ...] = ()

    def history(self) -> str:
        """An hour of scrapes up to AT, as OpenMetrics text."""
        parts = [
            _scrapes(self.before, HOUR_AGO, CHANGE - INTERVAL),
            _scrapes(self.targets, CHANGE if self.before else HOUR_AGO, AT),
            _scrapes(self.silent, HOUR_AGO, SILENCE),
            _scrapes(self.late, HOUR_AGO, GAP),
        ]
        return "".join(part.removesuffix("# EOF\n") for part in parts) + "# EOF\n"


def _scrapes(targets: Sequence[Target], start: float, end: float) -> str:
    return scraped_history(targets, at=end, seconds=round(end - start), interval=INTERVAL)
