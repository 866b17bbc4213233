"""utilisation-as-efficiency: a hint that a busy card need not be a useful one."""

from __future__ import annotations

import re

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_CLAIM = re.compile(r"\befficien|\beffective|\bcompute density|\bMFU\b|\bproductiv|\bsaturat", re.IGNORECASE)
_BETTER = frozenset(("sm_activity", "sm_occupancy", "tensor_activity", "dram_activity"))


def _check(panel: Panel, _board: Board, world: World) -> Hits:
    signals = {fact.signal: fact.name for query in panel.asked for fact in world.metrics(query)}
    if _CLAIM.search(panel.title) and "utilisation" in signals and not signals.keys() & _BETTER:
        yield Hit(f"{panel.title!r} is measured by {signals['utilisation']}", ("title",))


RULE = Rule(
    "utilisation-as-efficiency",
    Severity.INFO,
    why="Utilisation is the share of time in which any kernel ran. One small kernel keeps it at 100 % while most of "
    "the card idles, so it says that a card is busy, not that it is used well.",
    fix="use SM activity or tensor activity (DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_PROF_PIPE_TENSOR_ACTIVE), or call the "
    "panel utilisation",
    on_panel=_check,
)
