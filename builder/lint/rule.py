"""What a lint rule is: a name, a reason, and a function that looks at one thing at a time.

A rule is a module in ``builder.lint.rules`` whose name is its id (``rate_on_gauge`` is ``rate-on-gauge``),
with a ``RULE``. Its page is ``docs/lint/<id>.md``, its cases are ``tests/lint/rules/<id>.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.lint.finding import Place, Severity

if TYPE_CHECKING:
    from builder.lint.edits import Edit
    from builder.lint.model import Board, Panel, Query
    from builder.lint.world import World


@dataclass(frozen=True)
class Hit:
    """What a rule found. ``at`` is below the thing looked at; ``severity`` and ``fix`` are the rule's where empty.

    ``edits`` mend it without changing what the board shows, where that is possible.
    """

    summary: str
    at: Place = ()
    fix: str = ""
    severity: Severity | None = None
    edits: tuple[Edit, ...] = ()


Hits = Iterator[Hit]


@dataclass(frozen=True)
class Rule:
    """A rule looks at whole boards, at panels, or at queries that could be parsed.

    ``why`` says what goes wrong for the reader of the board, ``fix`` what to do about it.
    ``on_board`` gets one board at a time, ``on_panel`` one panel that is not a row, ``on_query`` one
    Prometheus query. ``World`` holds what is known beside them: the catalogue and the other boards.
    """

    id: str
    severity: Severity
    why: str
    fix: str
    on_board: Callable[[Board, World], Hits] | None = None
    on_panel: Callable[[Panel, Board, World], Hits] | None = None
    on_query: Callable[[Query, Panel, Board, World], Hits] | None = None
