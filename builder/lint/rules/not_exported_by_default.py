"""not-exported-by-default: the panel is empty until somebody switches a metric on."""

from __future__ import annotations

import re

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.promql.presence import missing
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_TELLING = re.compile(r"--[\w.-]+|\b[A-Z][A-Z0-9_]{6,}\b|(?<=backend )\w+")


def _check(panel: Panel, _board: Board, world: World) -> Hits:
    def exported(name: str) -> bool:
        return name not in world.facts or world.facts[name].default

    absent: list[str] = []
    for query in panel.asked:
        if query.tree is None or not (lacking := missing(query.tree, exported)):
            return  # something is shown
        absent += sorted(lacking - set(absent))
    ways = dict.fromkeys(world.facts[name].enable for name in absent if world.facts[name].enable)
    if absent and not _says_so(panel, [*absent, *ways]):
        yield Hit(
            f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not exported by default",
            panel.asked[0].place[len(panel.place) :],
            fix=f"{'; '.join(ways)}; and say so in the panel's description" if ways else "",
        )


def _says_so(panel: Panel, ways: list[str]) -> bool:
    """True where the panel tells its reader what has to be switched on."""
    told = f"{panel.title} {panel.description} {panel.row}".casefold()
    return any(word.casefold() in told for way in ways for word in (_TELLING.findall(way) or [way]))


RULE = Rule(
    "not-exported-by-default",
    Severity.WARNING,
    why="The exporter leaves the metric out unless it is told otherwise, so the panel stays empty on most sites, and "
    "nobody can tell that from a fault-free day. An alternative (`or`) that is exported, or a description that names "
    "what to switch on, is enough.",
    fix="fall back on a metric that is exported, or say in the description what to switch on",
    on_panel=_check,
)
