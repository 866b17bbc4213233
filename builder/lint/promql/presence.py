"""Whether an expression returns anything, given which metrics are there."""

from __future__ import annotations

from collections.abc import Callable

from builder.lint.promql.tree import Binary, Node, Selector


def missing(node: Node, exported: Callable[[str], bool]) -> frozenset[str]:
    """The metrics whose absence empties the expression; empty where it has a value all the same.

    ``a or b`` has a value where one of them has. A metric without a known name is taken to be there.
    """
    if isinstance(node, Selector):
        if not node.names or any(exported(name) for name in node.names):
            return frozenset()
        return frozenset(node.names)
    if isinstance(node, Binary) and node.operator == "or":
        left, right = missing(node.left, exported), missing(node.right, exported)
        return left | right if left and right else frozenset()
    if isinstance(node, Binary) and node.operator == "unless":
        return missing(node.left, exported)
    found: frozenset[str] = frozenset()
    for child in node.children:
        found |= missing(child, exported)
    return found
