"""A question: a named expression that waits for a source to be asked.

Board files hold questions, not PromQL. At build time a source (the exporter's raw series, or recorded
ones) turns a question into an expression, or says which signal is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.errors import DefinitionError, short
from builder.promql.expr import Expr

if TYPE_CHECKING:
    from builder.queries.source import Source


@dataclass(frozen=True, repr=False)
class Question:
    """What is asked, in words, and how the expression is built from a source."""

    name: str
    help: str
    build: Callable[[Source], Expr]

    def __repr__(self) -> str:
        return f"<question {self.name}>"

    def ask(self, source: Source) -> Expr:
        """The expression for this source.

        Raises SignalMissing where the source cannot answer, DefinitionError where it is no expression that comes back.
        """
        answer = self.build(source)
        if not isinstance(answer, Expr):
            raise DefinitionError(
                f"the question {self.name} answers {short(answer)}, which is no expression",
                fix='return what source.level("power") gives, or what is made of it',
            )
        # Built in any case: it says which signals are asked for, and which of them are missing.
        prepared = source.prepared(self)
        return answer if prepared is None else prepared

    def then(self, name: str, change: Callable[[Expr, Source], Expr], help: str = "") -> Question:
        """A question that takes this one's answer further."""
        return Question(f"{self.name}.{name}", help or self.help, lambda source: change(self.ask(source), source))


def question(build: Callable[[Source], Expr]) -> Question:
    """Make a function of a source a question; its name and first docstring line are the question's."""
    text = (build.__doc__ or "").strip().splitlines()
    return Question(build.__name__, text[0] if text else "", build)
