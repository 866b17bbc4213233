"""Which labels tell one card or host from another, and what an expression keeps of them."""

from __future__ import annotations

import re

from builder.catalog.model import Match
from builder.lint.model import Board, Panel
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, Selector, Subquery, Text, Unary, selectors
from builder.lint.sources import held_in

HOSTS = frozenset(
    [
        "Hostname",
        "hostname",
        "node",
        "instance",
        "host",
        "nodename",
        "node_name",
        "kubernetes_node",
        "exported_node",
        "exported_instance",
    ]
)
UUIDS = frozenset(("UUID", "uuid", "gpu_uuid", "GPU_UUID"))
INDEXES = frozenset(("gpu", "index", "device", "gpu_id", "minor_number"))
"""Labels that number the cards of one host: every host has its 0."""

_SEVERAL = re.compile(r"[.*+?|\[(]")


def pinned(node: Node, board: Board, panel: Panel | None, labels: frozenset[str] = HOSTS | UUIDS) -> bool:
    """True where one of the selectors below is narrowed to one value of one of the labels."""
    return any(
        matcher.label in labels and _is_one(matcher, board, panel)
        for selector in selectors(node)
        for matcher in selector.matchers
    )


def _is_one(matcher: Match, board: Board, panel: Panel | None) -> bool:
    if matcher.op == "=":
        return matcher.value != ""
    if matcher.op != "=~":
        return False
    if name := held_in(matcher.value):
        variable = board.by_name.get(name)
        return (panel is not None and name in panel.repeats) or (variable is not None and not variable.several)
    return bool(matcher.value) and "$" not in matcher.value and not _SEVERAL.search(matcher.value.replace("\\.", ""))


def labels_of(node: Node) -> frozenset[str] | None:
    """The labels that the result can have, or None where nothing limits them."""
    if isinstance(node, Selector):
        return None
    if isinstance(node, Subquery | Unary):
        return labels_of(node.inner)
    if isinstance(node, Call):
        return _called(node)
    if isinstance(node, Aggregate):
        if node.keeps_series or node.by is None:
            return labels_of(node.inner)
        counted = {node.parameter.value} if node.operator == "count_values" and isinstance(node.parameter, Text) else ()
        return node.by | frozenset(counted)
    if isinstance(node, Binary):
        return _combined(node)
    return frozenset()


def _called(node: Call) -> frozenset[str] | None:
    if node.function in ("time", "vector", "scalar", "absent", "absent_over_time"):
        return frozenset()
    inner = labels_of(node.vector) if node.vector is not None else frozenset()
    if node.function in ("label_replace", "label_join") and inner is not None and len(node.arguments) > 1:
        target = node.arguments[1]
        return inner | {target.value} if isinstance(target, Text) else inner
    return inner


def _combined(node: Binary) -> frozenset[str] | None:
    if isinstance(node.left, Number) or isinstance(node.right, Number):
        return labels_of(node.right if isinstance(node.left, Number) else node.left)
    left, right = labels_of(node.left), labels_of(node.right)
    if node.operator == "or":
        return None if left is None or right is None else left | right
    if node.operator in ("and", "unless"):
        return left
    many = right if node.group == "right" else left
    if node.group:
        return None if many is None else many | node.copied
    return node.on if node.on is not None else left if right is None or left is None else left & right
