"""A PromQL expression as a tree of plain values, so that rules do not depend on a parser's classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from builder.catalog.model import Match


@dataclass(frozen=True)
class Window:
    """A range such as ``[5m]``. ``variable`` names the Grafana variable that holds it, if one does."""

    seconds: float = 0.0
    variable: str = ""

    def __str__(self) -> str:
        if self.variable:
            return f"${self.variable}"
        for unit, size in (("h", 3600), ("m", 60)):
            if self.seconds >= size and self.seconds % size == 0:
                return f"{self.seconds / size:g}{unit}"
        return f"{self.seconds:g}s"


@dataclass(frozen=True)
class Node:
    """Any part of an expression."""

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts that this one is made of."""
        return ()


@dataclass(frozen=True)
class Selector(Node):
    """Series of one metric, or of several (``__name__=~"a|b"``); no name where a ``pattern`` or a variable stands."""

    names: tuple[str, ...]
    matchers: tuple[Match, ...] = ()
    window: Window | None = None
    pattern: str = ""

    @property
    def shown(self) -> str:
        """What a reader calls these series."""
        return " or ".join(self.names) or "a selector without a name"


@dataclass(frozen=True)
class Number(Node):
    """A number, or a variable that holds one (then without a value)."""

    value: float | None


@dataclass(frozen=True)
class Text(Node):
    """A string."""

    value: str


@dataclass(frozen=True)
class Unary(Node):
    """A minus sign before a vector."""

    inner: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)


@dataclass(frozen=True)
class Subquery(Node):
    """``inner[window:step]``."""

    inner: Node
    window: Window

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)


@dataclass(frozen=True)
class Call(Node):
    """A function and its arguments."""

    function: str
    arguments: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.arguments

    @property
    def vector(self) -> Node | None:
        """The argument that holds series: the first that is neither a number nor text."""
        return next((a for a in self.arguments if not isinstance(a, Number | Text)), None)


@dataclass(frozen=True)
class Aggregate(Node):
    """``sum by (...) (inner)`` and its kin. ``by`` is None where ``without`` is used."""

    operator: str
    inner: Node
    by: frozenset[str] | None = frozenset()
    without: frozenset[str] = frozenset()
    parameter: Node | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)

    @property
    def keeps_series(self) -> bool:
        """True for topk and its kin, which choose among series and change none."""
        return self.operator in ("topk", "bottomk", "limitk", "limit_ratio")


@dataclass(frozen=True)
class Binary(Node):
    """Two operands. ``on`` and ``ignoring`` are None where they are not written."""

    operator: str
    left: Node
    right: Node
    on: frozenset[str] | None = None
    ignoring: frozenset[str] | None = None
    group: str = ""  # left, right or nothing
    copied: frozenset[str] = field(default_factory=frozenset)
    to_bool: bool = False

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    @property
    def compares(self) -> bool:
        """True for ``>``, ``==`` and their kin."""
        return self.operator in ("==", "!=", ">", "<", ">=", "<=")


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, parents first."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(reversed(each.children))


def selectors(node: Node) -> Iterator[Selector]:
    """All selectors below a node, in order."""
    return (each for each in walk(node) if isinstance(each, Selector))
