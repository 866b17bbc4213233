"""What a PromQL text says, read by the package promql-parser rather than by the code that wrote it."""

from __future__ import annotations

from typing import Any

from builder.promql.expr import OPEN

_SCALARS = ("time", "scalar")
"""Functions whose result is one number without labels."""

Tree = tuple[Any, ...] | float | str


def tree_of(node: Any) -> Tree:
    """The syntax tree as nested tuples; brackets are gone, what they group is the nesting."""
    kind = type(node).__name__
    if kind == "ParenExpr":
        return tree_of(node.expr)
    if kind in ("NumberLiteral", "StringLiteral"):
        return node.val  # type: ignore[no-any-return]
    if kind == "UnaryExpr":
        inner = tree_of(node.expr)
        return -inner if isinstance(inner, float) else ("-", inner)
    if kind == "VectorSelector":
        return str(node.name or node.matchers)
    if kind == "MatrixSelector":
        return ("range", tree_of(node.vector_selector), str(node.range), "")
    if kind == "SubqueryExpr":
        return ("range", tree_of(node.expr), str(node.range), str(node.step or ""))
    if kind == "Call":
        return (node.func.name, *map(tree_of, node.args))
    if kind == "AggregateExpr":
        parameter = () if node.param is None else (tree_of(node.param),)
        return (str(node.op), _listed(node.modifier), *parameter, tree_of(node.expr))
    return (str(node.op), *_matching(node.modifier), tree_of(node.lhs), tree_of(node.rhs))


def labels_of(node: Any) -> frozenset[str]:
    """The labels that the result carries, by the rules of Prometheus; OPEN where only the data know."""
    kind = type(node).__name__
    if kind in ("ParenExpr", "UnaryExpr", "SubqueryExpr"):
        return labels_of(node.expr)
    if kind in ("VectorSelector", "MatrixSelector"):
        return OPEN
    if kind in ("NumberLiteral", "StringLiteral"):
        return frozenset()
    if kind == "AggregateExpr":
        return _labels_of_aggregation(node)
    if kind == "Call":
        return _labels_of_call(node)
    return _labels_of_operator(node)


def _labels_of_aggregation(node: Any) -> frozenset[str]:
    if str(node.op) in ("topk", "bottomk"):
        return labels_of(node.expr)
    counted = {node.param.val} if str(node.op) == "count_values" else set()
    return frozenset(_listed(node.modifier)) | counted


def _labels_of_call(node: Any) -> frozenset[str]:
    name, arguments = node.func.name, list(node.args)
    if name in ("vector", *_SCALARS):
        return frozenset()
    vector = next(a for a in arguments if type(a).__name__ not in ("NumberLiteral", "StringLiteral"))
    labels = labels_of(vector)
    return labels | {arguments[1].val} if name == "label_replace" and labels != OPEN else labels


def _labels_of_operator(node: Any) -> frozenset[str]:
    left, right, op = labels_of(node.lhs), labels_of(node.rhs), str(node.op)
    if _is_scalar(node.lhs) or _is_scalar(node.rhs):
        return left | right
    if op in ("and", "unless"):
        return left
    if op == "or":
        return OPEN if OPEN in (left, right) else left & right
    _, on, _, included = _matching(node.modifier)
    if included is not None:
        return OPEN if left == OPEN else left | set(included)
    return frozenset(on or ()) if on is not None else left


def _is_scalar(node: Any) -> bool:
    kind = type(node).__name__
    return kind == "NumberLiteral" or (kind == "Call" and node.func.name in _SCALARS)


def _listed(modifier: Any) -> tuple[str, ...]:
    return tuple(modifier.labels) if modifier else ()


def _matching(modifier: Any) -> tuple[bool, tuple[str, ...] | None, str, tuple[str, ...] | None]:
    """Whether ``bool``, the labels of ``on``, how many meet how many, and the labels of ``group_left``."""
    if modifier is None:
        return False, None, "", None
    on = tuple(modifier.matching.labels) if modifier.matching else None
    many = str(modifier.card).rpartition(".")[2]
    included = tuple(modifier.group_labels) if many == "ManyToOne" else None
    return modifier.return_bool, on, many if included is not None else "", included
