"""legend-without-host: ten curves called "GPU 0"."""

from __future__ import annotations

import re

from builder.catalog.model import Scope
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.identity import HOSTS, INDEXES, UUIDS, labels_of, pinned
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_LABEL = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_TELLING = HOSTS | UUIDS | {"pod", "exported_pod", "pod_name"}


def _check(query: Query, panel: Panel, board: Board, world: World) -> Hits:
    shown = frozenset(_LABEL.findall(query.legend))
    if not shown & INDEXES or shown & _TELLING:
        return
    if all(fact.scope in (Scope.NODE, Scope.POD) for fact in world.metrics(query)):
        return  # no metric of a card, as far as is known
    kept = labels_of(query.parsed)
    if kept is not None and not (kept & INDEXES and kept & _TELLING):
        return  # one curve a card index whatever the legend says: join-on-card-index has it
    if pinned(query.parsed, board, panel):
        return
    yield Hit(f"the legend {query.legend!r} does not name the host", ("legendFormat",))


RULE = Rule(
    "legend-without-host",
    Severity.WARNING,
    why="Every host has a card 0, so curves of different hosts get the same name and nobody can tell which is hot.",
    fix="put the host label in the legend, for example {{Hostname}} gpu {{gpu}}",
    on_query=_check,
)
