"""How far long work has come, for somebody who looks on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builder.targets.http.parallel import Progress

_WIDTH = 24


def progress() -> Progress:
    """A bar on a terminal; silent in a pipe."""
    if not sys.stderr.isatty():
        return lambda _doing, _done, _total: None

    def show(doing: str, done: int, total: int) -> None:
        filled = "#" * (_WIDTH * done // max(total, 1))
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r\x1b[K{doing} [{filled:<{_WIDTH}}] {done}/{total}{end}")
        sys.stderr.flush()

    return show
