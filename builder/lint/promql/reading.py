"""From a dashboard's query text to a tree: variables stand in for what Grafana would insert."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Any

from builder.catalog.model import Match
from builder.errors import QueryError
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, Selector, Subquery, Text, Unary, Window
from builder.promql.limits import MAX_DEPTH, STRING, refuse_monsters
from builder.promql.parse import PLACEHOLDER, parse
from builder.promql.substitute import REFERENCE, references

_PARTS = re.compile(
    rf"(?P<string>{STRING})|(?P<range>\[[^\[\]\"']*\])|(?P<comment>#[^\n]*)|{REFERENCE.pattern}", re.ASCII | re.DOTALL
)
_SQUARE = re.compile(r"\[\[(\w+?)(?::\w+)?\]\]", re.ASCII)
_HELD = re.compile(rf"(?:{REFERENCE.pattern})(?:ms|[smhdwy])?", re.ASCII)
_MATCHER = re.compile(rf"(?<=[{{,])\s*(?:{REFERENCE.pattern})\s*(?=[,}}])", re.ASCII)
_NAMES = re.compile(r"\^?\(?([\w:]+(?:\|[\w:]+)*)\)?\$?", re.ASCII)
_COUNTED = re.compile(r"__\w+_m?s")
_MAX_OPERATORS = 400  # the tree is walked by recursion
_MARK = 900_000_000  # in milliseconds no range that anybody writes, so it can stand for a variable


@lru_cache(maxsize=20_000)
def read(text: str, numbers: frozenset[str] = frozenset()) -> Node:
    """The tree of an expression. ``numbers`` are the variables known to hold a number.

    Raises QueryError where no value of its variables makes it PromQL.
    """
    refuse_monsters(text, _MAX_OPERATORS)
    written = _SQUARE.sub(r"${\1}", text)
    whole = _MATCHER.sub('instance="x"', written)
    others = frozenset(references(written))
    error: QueryError | None = None
    # What a variable holds is mostly unknown: a name, then a number, then a whole matcher is tried.
    for candidate, known in ((written, numbers), (written, numbers | others), (whole, numbers)):
        marked, variables = _mark(candidate, known)
        try:
            return _not_too_deep(_convert(_parsed(marked), variables))
        except QueryError as refused:
            error = error or refused
    assert error is not None
    raise error


def _parsed(text: str) -> Any:
    try:
        return parse(text)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # a panic of the parser is no Exception to Python
            raise
        raise QueryError(f"not a PromQL expression: {error}") from error


def _not_too_deep(root: Node) -> Node:
    """The tree, if what recurses through it gets to its leaves."""
    level, depth = [root], 0
    while level:
        level, depth = [child for node in level for child in node.children], depth + 1
    if depth > MAX_DEPTH:
        raise QueryError(f"an expression nested {depth} deep", fix="record parts of it, so that a person can read it")
    return root


def _mark(text: str, numbers: frozenset[str]) -> tuple[str, dict[int, str]]:
    """Ranges and numbers held in variables become literals that tell which variable it was."""
    variables: dict[int, str] = {}

    def mark(held: re.Match[str]) -> int:
        number = _MARK + len(variables)
        variables[number] = held["plain"] or held["bracket"] or held["brace"]
        return number

    def part(match: re.Match[str]) -> str:
        if match["string"]:
            return match[0]
        if match["range"]:
            return _HELD.sub(lambda held: f"{mark(held)}ms", match[0])
        if match["comment"]:
            return ""
        name = match["plain"] or match["bracket"] or match["brace"]
        return str(mark(match)) if name in numbers or _COUNTED.fullmatch(name) else match[0]

    return _PARTS.sub(part, text), variables


def _convert(tree: Any, variables: dict[int, str]) -> Node:
    import promql_parser as parser

    def window(span: timedelta | None) -> Window:
        if span is None:
            return Window()
        milliseconds = round(span / timedelta(milliseconds=1))
        if milliseconds in variables:
            return Window(variable=variables[milliseconds])
        return Window(milliseconds / 1000)

    def convert(node: Any) -> Node:
        if isinstance(node, parser.ParenExpr):
            return convert(node.expr)
        if isinstance(node, parser.NumberLiteral):
            return Number(None if node.val in variables else node.val)
        if isinstance(node, parser.StringLiteral):
            return Text(node.val)
        if isinstance(node, parser.VectorSelector):
            return _selector(node, None)
        if isinstance(node, parser.MatrixSelector):
            return _selector(node.vector_selector, window(node.range))
        if isinstance(node, parser.SubqueryExpr):
            return Subquery(convert(node.expr), window(node.range))
        if isinstance(node, parser.Call):
            return Call(node.func.name, tuple(convert(argument) for argument in node.args))
        if isinstance(node, parser.UnaryExpr):
            inner = convert(node.expr)
            return Number(-inner.value) if isinstance(inner, Number) and inner.value is not None else Unary(inner)
        if isinstance(node, parser.AggregateExpr):
            by, without = _grouping(node.modifier)
            parameter = convert(node.param) if isinstance(node.param, parser.Expr) else None
            return Aggregate(str(node.op), convert(node.expr), by, without, parameter)
        if isinstance(node, parser.BinaryExpr):
            return _binary(node, convert(node.lhs), convert(node.rhs))
        raise QueryError(f"cannot read {type(node).__name__}")  # a kind of node that a newer parser brought

    return convert(tree)


def _selector(node: Any, window: Window | None) -> Selector:
    from promql_parser import MatchOp

    signs = ((MatchOp.Equal, "="), (MatchOp.NotEqual, "!="), (MatchOp.Re, "=~"), (MatchOp.NotRe, "!~"))
    written = [*node.matchers.matchers, *(m for group in node.matchers.or_matchers for m in group)]
    matchers = [Match(m.name, next(s for op, s in signs if m.op == op), m.value) for m in written]
    names = [node.name] if node.name else list(_named(m for m in matchers if m.label == "__name__"))
    known = tuple(name for name in names if PLACEHOLDER not in name)
    patterns = [m.value for m in matchers if (m.label, m.op) == ("__name__", "=~") and PLACEHOLDER not in m.value]
    pattern = "" if names or not patterns else patterns[0]
    return Selector(known, tuple(m for m in matchers if m.label != "__name__"), window, pattern)


def _named(matchers: Iterable[Match]) -> Iterator[str]:
    for matcher in matchers:
        alternatives = _NAMES.fullmatch(matcher.value)
        if alternatives and matcher.op in ("=", "=~"):
            yield from alternatives[1].split("|")


def _grouping(modifier: Any) -> tuple[frozenset[str] | None, frozenset[str]]:
    from promql_parser import AggModifierType

    if modifier is None:
        return frozenset(), frozenset()
    labels = frozenset(modifier.labels)
    return (labels, frozenset()) if modifier.type == AggModifierType.By else (None, labels)


def _binary(node: Any, left: Node, right: Node) -> Binary:
    from promql_parser import LabelModifierType, VectorMatchCardinality

    modifier = node.modifier
    if modifier is None:
        return Binary(str(node.op), left, right)
    groups = ((VectorMatchCardinality.ManyToOne, "left"), (VectorMatchCardinality.OneToMany, "right"))
    labels = frozenset(modifier.matching.labels) if modifier.matching is not None else None
    included = labels is not None and modifier.matching.type == LabelModifierType.Include
    return Binary(
        str(node.op),
        left,
        right,
        on=labels if included else None,
        ignoring=None if included else labels,
        group=next((name for card, name in groups if modifier.card == card), ""),
        copied=frozenset(modifier.group_labels or ()),
        to_bool=bool(modifier.return_bool),
    )
