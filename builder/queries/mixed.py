"""Several exporters' own series as one source: what alerts ask where not every card has the same exporter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from builder.promql.expr import Expr
from builder.queries.feeds import best_of
from builder.queries.question import Question
from builder.queries.raw import RawSource
from builder.queries.source import Choices, Filter


@dataclass(frozen=True)
class MixedSource:
    """For each card the first of the sources that tells about it; they share training processes and hosts."""

    sources: tuple[RawSource, ...]

    @property
    def first(self) -> RawSource:
        """The best exporter's, which also answers for training processes and hosts."""
        return self.sources[0]

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def card(self) -> tuple[str, ...]:
        return max((source.card for source in self.sources), key=len)

    @property
    def instance(self) -> tuple[str, ...]:
        return (*self.card, "mig")

    @property
    def framework_key(self) -> tuple[str, ...]:
        return self.first.framework_key

    def has(self, signal: str) -> bool:
        return any(source.has(signal) for source in self.sources)

    def has_label(self, label: str) -> bool:
        return any(source.has_label(label) for source in self.sources)

    def without_filter(self, label: str) -> MixedSource:
        return MixedSource(tuple(source.without_filter(label) for source in self.sources))

    def with_window(self, window: str) -> MixedSource:
        return MixedSource(tuple(source.with_window(window) for source in self.sources))

    def prepared(self, question: Question) -> Expr | None:
        return None

    def level(self, signal: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self._best(signal, lambda source: source.level(signal, keep=keep, where=where))

    def rate(self, signal: str, window: str = "", *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self._best(signal, lambda source: source.rate(signal, window, keep=keep, where=where))

    def increase(self, signal: str, window: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self._best(signal, lambda source: source.increase(signal, window, keep=keep, where=where))

    def over_time(
        self,
        function: str,
        signal: str,
        window: str,
        *,
        offset: str = "",
        keep: Sequence[str] = (),
        where: Sequence[Filter] = (),
    ) -> Expr:
        return self._best(
            signal,
            lambda source: source.over_time(function, signal, window, offset=offset, keep=keep, where=where),
        )

    def stamp(self, signal: str) -> Expr:
        return self._best(signal, lambda source: source.stamp(signal))

    def coverage(self) -> Expr:
        whole, *others = [source.coverage() for source in self.sources]
        for other in others:
            whole = whole.join("or", other, on=("metric",))
        return whole

    def choices(self, label: str) -> Choices:
        return self.first.choices(label)

    def threshold(self, name: str) -> float:
        return self.first.threshold(name)

    def _best(self, signal: str, ask: Callable[[RawSource], Expr]) -> Expr:
        telling = [source for source in self.sources if source.gpu.has(signal)] or [self.first]
        answers = [(source.card, ask(source)) for source in telling]
        # Where an exporter lacks a label that another has, it is empty, and a series is as good without as with it.
        labels = frozenset[str]().union(*(answer.labels or () for _, answer in answers))
        return replace(best_of(answers), labels=labels)
