"""sum-over-duplicates: one card is often several series."""

from __future__ import annotations

from collections.abc import Iterator

from builder.catalog.model import Kind, Scope
from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.identity import UUIDS
from builder.lint.promql.tree import Aggregate, Binary, Node, Selector
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_WORKLOADS = frozenset(("pod", "exported_pod", "pod_name", "hpc_job", "vgpu"))
_ONLY_GROUPS = ("count", "group")  # what is around them looks at the groups, not at their values


def _check(query: Query, _panel: Panel, _board: Board, world: World) -> Hits:
    for operator, fact in dict.fromkeys(_sums(query.parsed, "", world)):
        of_instance = fact.scope is Scope.INSTANCE
        key = "Hostname, gpu, UUID, GPU_I_ID" if of_instance else "Hostname, gpu, UUID"
        yield Hit(
            f"{operator}() over the raw series of {fact.name} counts a card once for each series that it has",
            ("expr",),
            fix=f"keep one series per {'instance' if of_instance else 'card'}: {operator}(max by ({key}) (...))",
        )


def _sums(node: Node, outer: str, world: World) -> Iterator[tuple[str, Fact]]:
    """Sums and counts of series that may stand for the same card, and what they are of."""
    operator = node.operator if isinstance(node, Aggregate) else ""
    if isinstance(node, Aggregate) and operator in ("sum", "count") and not _apart(node) and outer not in _ONLY_GROUPS:
        raw = (fact for selector in _raw(node.inner) for fact in world.known(selector))
        yield from ((operator, fact) for fact in raw if fact.repeated and fact.kind is not Kind.INFO)
    for child in node.children:
        yield from _sums(child, operator, world)


def _apart(node: Aggregate) -> bool:
    """True where what could be the same card stays apart."""
    return node.by is not None and bool(node.by & UUIDS) and bool(node.by & _WORKLOADS)


def _raw(node: Node) -> Iterator[Selector]:
    """Selectors whose series reach this point one by one."""
    if isinstance(node, Aggregate) and not node.keeps_series:
        return
    if isinstance(node, Selector):
        if not any(m.op == "=" and m.value == "" and m.label in _WORKLOADS for m in node.matchers):
            yield node
        return
    children = node.children[:1] if isinstance(node, Binary) and node.operator in ("and", "unless") else node.children
    for child in children:
        yield from _raw(child)


RULE = Rule(
    "sum-over-duplicates",
    Severity.WARNING,
    why="dcgm-exporter has one series for each pod, job or virtual GPU that shares a card, and repeats what belongs to "
    "the whole card (power, energy, temperature) on each of its MIG instances. A sum over the raw series counts the "
    "card once for each.",
    fix="take the maximum by card first, then sum",
    on_query=_check,
)
