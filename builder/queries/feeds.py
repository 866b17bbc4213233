"""What feeds the recorded series: the exporters' own series, and of several exporters the best for each card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.catalog.model import Profile
from builder.promql.expr import Expr
from builder.queries.raw import RawSource

WINDOW = "5m"
"""Of every recorded rate."""
MOST_APART = 75
"""Seconds between two values: that the window holds four of them."""


@dataclass(frozen=True)
class Feeds:
    """The profiles that feed the recorded series: of cards best first, of training processes and of hosts."""

    gpus: tuple[Profile, ...]
    training: Profile | None = None
    host: Profile | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def raw(self) -> RawSource:
        """The exporters' own series, the best exporter of cards first."""
        return self.sources[0]

    @property
    def sources(self) -> tuple[RawSource, ...]:
        """One source for each exporter of cards."""
        return tuple(RawSource(gpu, self.training, self.host, (), self.thresholds) for gpu in self.gpus)

    def best(self, ask: Callable[[RawSource], Expr | None]) -> Expr | None:
        """What the exporters answer, as ``best_of`` has it; None where none has an answer."""
        found = [(source.card, answer) for source in self.sources if (answer := ask(source)) is not None]
        return best_of(found) if found else None


def best_of(answers: Sequence[tuple[Sequence[str], Expr]]) -> Expr:
    """Of answers by several exporters, each with its key of a card: for each card the first that there is.

    Two exporters may report one card; it is told by its uuid, where they have one, because they may call its node
    differently.
    """
    known, whole = answers[0]
    for card, answer in answers[1:]:
        key = ("cluster", "uuid") if "uuid" in known and "uuid" in card else ("cluster", "node", "gpu")
        joined = whole.level("one card's value").join("or", answer.level("the same of another"), on=key)
        whole = Expr(joined.text, whole.kind, joined.labels, joined.precedence)
        known = tuple(label for label in known if label in card)
    return whole
