"""The words of what rules keep above the device: an answer under a name, and the questions it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from builder.promql.expr import Expr
from builder.queries.question import Question

if TYPE_CHECKING:
    from builder.queries.recorded import RecordedSource


@dataclass(frozen=True)
class Kept:
    """An answer that a rule keeps: its name, the labels of its series, and how it is asked for."""

    name: str
    labels: tuple[str, ...]
    help: str
    ask: Callable[[RecordedSource], Expr]


@dataclass(frozen=True)
class Answer:
    """How a question is answered from kept series.

    ``narrow`` are the labels that a board may narrow it by: all that the kept series have. Narrowed by any other,
    the question is asked of the devices.
    """

    narrow: tuple[str, ...]
    read: Callable[[RecordedSource], Expr]


@dataclass(frozen=True)
class Store:
    """What the rules keep above the device, by name, and which questions are answered from it."""

    kept: Mapping[str, Kept] = field(default_factory=dict)
    answers: Mapping[Question, Answer] = field(default_factory=dict)
