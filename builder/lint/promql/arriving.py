"""Which series get through an expression with their own numbers."""

from __future__ import annotations

from collections.abc import Iterator

from builder.lint.promql.functions import PRESENCE
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Selector

_COUNTS = ("count", "group", "count_values")


def arriving(node: Node, decoded_by: str = "") -> Iterator[Selector]:
    """The selectors whose numbers reach the top, perhaps calculated with.

    Not those that were turned into 0 or 1, were counted, or went through the operator ``decoded_by``.
    """
    if isinstance(node, Selector):
        yield node
        return
    if isinstance(node, Aggregate) and node.operator in _COUNTS:
        return
    if isinstance(node, Call) and node.function in PRESENCE:
        return
    children = node.children
    if isinstance(node, Binary):
        if node.to_bool or node.operator == decoded_by:
            return
        if node.compares or node.operator in ("and", "unless"):
            children = (node.left,)
    for child in children:
        yield from arriving(child, decoded_by)
