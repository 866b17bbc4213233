"""A source for rules: windows of a fixed length where boards have Grafana's, and thresholds of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.errors import UnknownName
from builder.promql.expr import RATE_INTERVAL, Expr
from builder.queries.question import Question
from builder.queries.source import Choices, Filter, Source


@dataclass(frozen=True)
class FixedWindow:
    """Asks another source, with ``window`` (such as ``5m``) where a question leaves the window to the board.

    A rule is evaluated where no Grafana is, so that ``$__rate_interval`` means nothing there.
    """

    source: Source
    window: str
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def card(self) -> tuple[str, ...]:
        return self.source.card

    @property
    def instance(self) -> tuple[str, ...]:
        return self.source.instance

    @property
    def framework_key(self) -> tuple[str, ...]:
        return self.source.framework_key

    def has(self, signal: str) -> bool:
        return self.source.has(signal)

    def has_label(self, label: str) -> bool:
        return self.source.has_label(label)

    def without_filter(self, label: str) -> FixedWindow:
        return replace(self, source=self.source.without_filter(label))

    def prepared(self, question: Question) -> Expr | None:
        return self.source.prepared(question)

    def level(self, signal: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self.source.level(signal, keep=keep, where=where)

    def rate(
        self, signal: str, window: str = RATE_INTERVAL, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()
    ) -> Expr:
        return self.source.rate(signal, self._fixed(window), keep=keep, where=where)

    def increase(self, signal: str, window: str, *, keep: Sequence[str] = (), where: Sequence[Filter] = ()) -> Expr:
        return self.source.increase(signal, self._fixed(window), keep=keep, where=where)

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
        return self.source.over_time(function, signal, self._fixed(window), offset=offset, keep=keep, where=where)

    def stamp(self, signal: str) -> Expr:
        return self.source.stamp(signal)

    def coverage(self) -> Expr:
        return self.source.coverage()

    def choices(self, label: str) -> Choices:
        return self.source.choices(label)

    def threshold(self, name: str) -> float:
        try:
            return self.thresholds[name]
        except KeyError:
            raise UnknownName("threshold", name, self.thresholds) from None

    def _fixed(self, window: str) -> str:
        return self.window if window == RATE_INTERVAL else window
