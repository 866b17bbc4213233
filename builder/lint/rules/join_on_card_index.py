"""join-on-card-index: every host has a card 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from builder.catalog.model import Scope
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.identity import HOSTS, INDEXES, UUIDS, pinned
from builder.lint.promql.tree import Aggregate, Binary, Node, selectors, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_OF_ONE_HOST = HOSTS | UUIDS | {"pod", "exported_pod", "pod_name"}
_NOT_CARDS = (Scope.NODE, Scope.POD)


def _check(query: Query, panel: Panel, board: Board, world: World) -> Hits:
    def of_one_host(node: Node) -> bool:
        return pinned(node, board, panel)

    hits = (_judge(node, of_one_host) for node in walk(query.parsed) if _of_cards(node, world))
    yield from dict.fromkeys(hit for hit in hits if hit is not None)


def _judge(node: Node, of_one_host: Callable[[Node], bool]) -> Hit | None:
    if isinstance(node, Binary) and node.on and _bare(node.on):
        if not (of_one_host(node.left) and of_one_host(node.right)):
            return Hit(f"{node.operator} on ({_listed(node.on)}) matches cards of different hosts", ("expr",))
    elif isinstance(node, Aggregate) and node.by and _bare(node.by) and not node.keeps_series and not of_one_host(node):
        what = f"{node.operator} by ({_listed(node.by)}) merges cards of different hosts"
        return Hit(what, ("expr",), severity=Severity.WARNING)
    return None


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(sorted(labels))


def _bare(labels: Iterable[str]) -> bool:
    given = frozenset(labels)
    return bool(given & INDEXES) and not given & _OF_ONE_HOST


def _of_cards(node: Node, world: World) -> bool:
    return any(fact.scope not in _NOT_CARDS for selector in selectors(node) for fact in world.known(selector))


RULE = Rule(
    "join-on-card-index",
    Severity.BUG,
    why="The index numbers the cards of one host. Across hosts it is no key: a join on it pairs card 0 of one host "
    "with card 0 of another or fails with many-to-many, and a grouping by it mixes them.",
    fix="add the host label, or use the card's uuid",
    on_query=_check,
)
