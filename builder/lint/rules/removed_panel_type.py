"""removed-panel-type: a panel that newer versions of Grafana do not have."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

# Grafana 12's PanelModel: what it turns into something else when a board is opened.
_MIGRATED = {
    "graph": "timeseries",
    "table-old": "table",
    "singlestat": "stat",
    "grafana-singlestat-panel": "stat",
    "grafana-piechart-panel": "piechart",
    "grafana-worldmap-panel": "geomap",
    "natel-discrete-panel": "state-timeline",
}
_DEAD = {
    "flant-statusmap-panel": "status-history",
    "marcuscalidus-svg-panel": "canvas",
    "larona-epict-panel": "canvas",
}


def _check(panel: Panel, _board: Board, _world: World) -> Hits:
    if better := _MIGRATED.get(panel.type):
        yield Hit(f"the panel type {panel.type} is gone since Grafana 12", ("type",), fix=f"use {better}")
    elif better := _DEAD.get(panel.type):
        yield Hit(
            f"the panel type {panel.type} needs Angular, which is off since Grafana 11",
            ("type",),
            fix=f"use {better}",
            severity=Severity.BUG,
        )


RULE = Rule(
    "removed-panel-type",
    Severity.WARNING,
    why="Angular panels are off since Grafana 11 and gone since 12. Grafana converts a few each time the board is "
    "opened, not always to what was meant; the others show an error.",
    fix="convert the panel and save the board",
    on_panel=_check,
)
