"""Lookups of variables on a Prometheus: each made once, and trouble with the server itself not swallowed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from builder.opening.server import Series
from builder.targets.http.failures import Interrupted, OutOfReach
from builder.targets.prometheus.client import Client

T = TypeVar("T")


class Lookups:
    """What variables ask, for several threads. ``trouble`` is the first failure that was not about the question.

    Boards have variables in common, so an answer is kept for those that ask the same.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._lock = threading.Lock()
        self._kept: dict[tuple[Any, ...], Any] = {}
        self.trouble: OutOfReach | Interrupted | None = None

    def instant(self, expr: str, at: float) -> tuple[Series, ...]:
        """The answer to an expression at one time."""
        return self._once(("instant", expr, at), lambda: self._client.instant(expr, at))

    def label_values(self, label: str, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Values of a label among the selected series, sorted."""

        def ask() -> tuple[str, ...]:
            return self._client.label_values(label, selector, start=start, end=end)

        return self._once(("values", label, selector, start, end), ask)

    def label_names(self, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Names of the labels of the selected series, sorted."""

        def ask() -> tuple[str, ...]:
            return self._client.label_names(selector, start=start, end=end)

        return self._once(("names", selector, start, end), ask)

    def series(self, selector: str, *, start: float = 0, end: float = 0) -> tuple[Mapping[str, str], ...]:
        """Labels of the selected series."""

        def ask() -> tuple[Mapping[str, str], ...]:
            return self._client.series(selector, start=start, end=end)

        return self._once(("series", selector, start, end), ask)

    def _once(self, key: tuple[Any, ...], ask: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                kept: T = self._kept[key]
                return kept
            if self.trouble:
                raise self.trouble
        try:
            found = ask()
        except (OutOfReach, Interrupted) as error:
            with self._lock:
                self.trouble = self.trouble or error
            raise
        with self._lock:
            self._kept[key] = found
        return found
