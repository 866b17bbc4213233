"""variable-not-carried: a drill-down that forgets what was chosen."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.links import assigned, carried, target
from builder.lint.model import Board, Link
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World
from builder.promql.substitute import references

_CHOSEN = ("query", "datasource")


def _check(board: Board, world: World) -> Hits:
    told = set()
    for link in board.links:
        other = world.by_uid.get(target(link.url))
        if other is None:
            continue
        for hit in _hits(board, link, other):
            key = (hit.summary, link.panel.place if link.panel else ())
            if key not in told:
                told.add(key)
                yield hit


def _hits(board: Board, link: Link, other: Board) -> Hits:
    sent = carried(link.url)
    anew = _chosen_anew(link, other)
    shared = [v.name for v in board.variables if v.type in _CHOSEN and v.name in other.by_name]
    lost = [name for name in shared if name not in sent | anew]
    if lost and not link.carries_variables:
        add = "&".join(f"${{{name}:queryparam}}" for name in lost)
        yield Hit(f"the link to {other.uid} loses ${', $'.join(lost)}", link.place, fix=f"add &{add} to the link")
    if not link.carries_time:
        yield Hit(
            f"the link to {other.uid} loses the time range", link.place, fix="add ${__url_time_range} to the link"
        )
    unknown = sorted(name for name in sent if name not in other.by_name and name not in board.by_name)
    if unknown:
        yield Hit(f"the link sets ${', $'.join(unknown)}, which {other.uid} does not have", link.place)


def _chosen_anew(link: Link, other: Board) -> frozenset[str]:
    """Variables of the other board that depend on one which the link sets: a choice made for another node is void."""
    found = set(assigned(link.url))
    for _ in other.variables:
        found |= {v.name for v in other.variables if found & set(references(v.query))}
    return frozenset(found)


RULE = Rule(
    "variable-not-carried",
    Severity.WARNING,
    why="The board that opens shows another data source, another cluster or another hour than the one that was looked "
    "at, and nothing tells the reader.",
    fix="hand the time range and every variable that both boards have on with the link",
    on_board=_check,
)
