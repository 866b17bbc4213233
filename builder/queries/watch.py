"""A source that remembers what it was asked for."""

from __future__ import annotations

from typing import Any

from builder.promql.expr import Expr
from builder.queries.question import Question
from builder.queries.source import Choices, Source


class Watch:
    """Passes every question on to another source and keeps the names of the signals in ``asked``."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: dict[str, None] = {}
        self.name = source.name
        self.card = source.card
        self.instance = source.instance
        self.framework_key = source.framework_key

    @property
    def asked(self) -> tuple[str, ...]:
        """The signals asked for so far, in order."""
        return tuple(self._asked)

    def has(self, signal: str) -> bool:
        return self._source.has(signal)

    def has_label(self, label: str) -> bool:
        return self._source.has_label(label)

    def threshold(self, name: str) -> float:
        return self._source.threshold(name)

    def without_filter(self, label: str) -> Watch:
        return self._beside(self._source.without_filter(label))

    def with_window(self, window: str) -> Watch:
        return self._beside(self._source.with_window(window))

    def choices(self, label: str) -> Choices:
        return self._source.choices(label)

    def coverage(self) -> Expr:
        return self._source.coverage()

    def prepared(self, question: Question) -> Expr | None:
        return self._source.prepared(question)

    def stamp(self, signal: str) -> Expr:
        return self._note(signal, self._source.stamp(signal))

    def level(self, signal: str, **options: Any) -> Expr:
        return self._note(signal, self._source.level(signal, **options))

    def rate(self, signal: str, *window: str, **options: Any) -> Expr:
        return self._note(signal, self._source.rate(signal, *window, **options))

    def increase(self, signal: str, window: str, **options: Any) -> Expr:
        return self._note(signal, self._source.increase(signal, window, **options))

    def over_time(self, function: str, signal: str, window: str, **options: Any) -> Expr:
        return self._note(signal, self._source.over_time(function, signal, window, **options))

    def _beside(self, source: Source) -> Watch:
        """Another source, whose questions count as asked of this one."""
        other = Watch(source)
        other._asked = self._asked
        return other

    def _note(self, signal: str, answer: Expr) -> Expr:
        self._asked[signal] = None
        return answer
