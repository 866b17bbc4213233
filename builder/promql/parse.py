"""Parsing PromQL as boards hold it, that is with Grafana's variables in it.

Variables inside quotes parse as they are; elsewhere they get a placeholder first: a duration inside
brackets and after ``offset``, a number where the name says so, else an identifier. The parser is imported
when it is first needed, so that commands which parse nothing do not pay for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from builder.catalog.model import Match
from builder.errors import QueryError, cut, short
from builder.promql.limits import STRING, refuse_monsters
from builder.promql.substitute import REFERENCE

PLACEHOLDER = "variable_"
"""What an identifier begins with that stands for a variable."""

_DURATIONS = frozenset({"__interval", "__rate_interval", "__range"})
_TOKEN = re.compile(
    rf"(?P<string>{STRING})"
    rf"""|(?P<variable>{REFERENCE.pattern})(?P<unit>(?:ms|[smhdwy])\b)?"""
    r"""|(?P<open>\[)|(?P<close>\])|(?P<word>[A-Za-z_:]\w*)|(?P<space>\s+)|(?P<other>.)""",
    re.ASCII | re.DOTALL,
)
_QUOTED = re.compile(STRING, re.DOTALL)
_EQUALS = re.compile(rf"""(?P<equal>(?<![=!<>~])=\s*"[^"\\\n]+")|{STRING}""", re.DOTALL)
"""A matcher with ``=`` and a plain value; other strings are found too, so that none is looked into."""
_MARK = re.compile(r"\$|\[\[")


def parse(text: str, numbers: Collection[str] = ()) -> Any:
    """The syntax tree (of the package promql-parser) of an expression, types checked.

    ``numbers`` names the variables that hold a number. Raises QueryError with the parser's message.
    """
    from promql_parser import parse as parse_promql

    try:
        refuse_monsters(text)
    except QueryError as error:
        raise error.at(cut(text)) from None
    filled = _with_placeholders(text, numbers)
    try:
        return parse_promql(filled)
    except ValueError as error:
        raise QueryError(f"not a PromQL expression: {error}", where=cut(text), fix=_fix(str(error), filled)) from error


def _fix(said: str, filled: str) -> str:
    """What to do about what the parser said."""
    if "unclosed" in said or "end of input" in said:
        return "close what is open: ( { [ or a quote"
    if PLACEHOLDER in filled and "expected type scalar" in said:
        return "a variable that holds a number must be declared as one"
    if "expected type matrix" in said:
        return "give it a range, such as [5m] or [$__rate_interval]"
    return "check brackets, ranges and matchers"


def check_query(text: str, numbers: frozenset[str] = frozenset()) -> None:
    """Refuse what a panel cannot ask: what does not parse, and a range or a text, which is no answer to show.

    ``numbers`` names the variables that hold a number. Raises QueryError.
    """
    # Many queries of many boards differ in the value of a label alone, which no rule looks at: one stands for all.
    try:
        _check_query(_EQUALS.sub(_any_value, text), numbers)
    except QueryError:
        _check_query(text, numbers)  # in the words of the text as it is


def _any_value(found: re.Match[str]) -> str:
    return found[0] if found["equal"] is None else '="x"'


@lru_cache(maxsize=4096)
def _check_query(text: str, numbers: frozenset[str]) -> None:
    from promql_parser import MatrixSelector, ParenExpr, StringLiteral, SubqueryExpr

    tree = parse(text, numbers)
    if "label_replace" in text:
        _check_patterns(tree, text)
    while isinstance(tree, ParenExpr):
        tree = tree.expr
    if isinstance(tree, MatrixSelector | SubqueryExpr):
        fix = "take rate(), increase() or max_over_time() of it"
        raise QueryError("a range of samples cannot be drawn", where=cut(text), fix=fix)
    if isinstance(tree, StringLiteral):
        raise QueryError("a text is no series", where=cut(text), fix="name a metric, without quotes")


def check_pattern(pattern: str) -> None:
    """Refuse a regular expression that Prometheus would refuse (RE2). Raises QueryError."""
    from promql_parser import parse as parse_promql

    escaped = REFERENCE.sub("x", pattern).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    try:
        parse_promql(f'x{{a=~"{escaped}"}}')
    except ValueError:
        raise QueryError(
            f"{short(pattern)} is not a regular expression of Prometheus",
            fix="write it in RE2: every bracket closed, no look-around",
        ) from None


def _check_patterns(tree: Any, text: str) -> None:
    """The parser itself does not look at the last argument of label_replace()."""
    from promql_parser import Call, StringLiteral, walk

    def visit(node: Any) -> bool:
        if isinstance(node, Call) and node.func.name == "label_replace" and isinstance(node.args[4], StringLiteral):
            try:
                check_pattern(node.args[4].val)
            except QueryError as error:
                raise error.at(cut(text)) from None
        return True

    walk(tree, visit)


def metrics(text: str, numbers: Collection[str] = ()) -> set[str]:
    """The names of the metrics an expression reads (those in a variable are not known)."""
    found = set()
    for selector in _selectors(parse(text, numbers)):
        names = [m.value for m in selector.matchers.matchers if m.name == "__name__" and _operator(m) == "="]
        found.update([selector.name] if selector.name else names)
    return {name for name in found if not name.startswith(PLACEHOLDER) and "$" not in name}


def label_matchers(text: str, numbers: Collection[str] = ()) -> tuple[Match, ...]:
    """Every label matcher of an expression in order, each once; variables in values stay as written."""
    found = [
        Match(matcher.name, _operator(matcher), matcher.value)
        for selector in _selectors(parse(text, numbers))
        for matcher in selector.matchers.matchers
    ]
    return tuple(dict.fromkeys(found))


def _selectors(tree: Any) -> Iterator[Any]:
    from promql_parser import VectorSelector, walk

    nodes: list[Any] = []
    walk(tree, nodes.append)
    return (node for node in nodes if isinstance(node, VectorSelector))


def _operator(matcher: Any) -> str:
    from promql_parser import MatchOp

    if matcher.op == MatchOp.Equal:
        return "="
    if matcher.op == MatchOp.NotEqual:
        return "!="
    return "=~" if matcher.op == MatchOp.Re else "!~"


def _with_placeholders(text: str, numbers: Collection[str]) -> str:
    if not _MARK.search(_QUOTED.sub("", text)):
        return text  # in quotes a variable is text as good as any
    depth = 0
    after_offset = False
    parts = []
    for token in _TOKEN.finditer(text):
        part = token[0]
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif token["variable"]:
            name = token["plain"] or token["bracket"] or token["brace"]
            is_duration = depth > 0 or after_offset or name in _DURATIONS
            part = _placeholder(name, token["unit"] or "", is_duration, numbers)
        if not token["space"]:
            after_offset = token["word"] == "offset" or (after_offset and part == "-")
        parts.append(part)
    return "".join(parts)


def _placeholder(name: str, unit: str, is_duration: bool, numbers: Collection[str]) -> str:
    if unit:  # "${__range_s}s": the variable is the number before the unit
        return f"5{unit}"
    if name.startswith("__") and name.endswith(("_s", "_ms")):
        return "5"
    if is_duration:
        return "5m"
    return "5" if name in numbers else f"{PLACEHOLDER}{name}"
