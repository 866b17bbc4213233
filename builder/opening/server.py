"""What a dashboard asks of a Prometheus, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Series:
    """One time series of an answer: labels (``__name__`` among them), points (Unix time, value), legend."""

    labels: Mapping[str, str]
    points: tuple[tuple[float, float], ...]
    legend: str = ""

    @property
    def last(self) -> float:
        """The last value."""
        return self.points[-1][1]


class Server(Protocol):
    """What variables ask. Every method raises ServerError where the server does not answer."""

    def instant(self, expr: str, at: float) -> tuple[Series, ...]:
        """The answer to an expression at one time."""

    def label_values(self, label: str, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Values of a label among the selected series, sorted."""

    def label_names(self, selector: str = "", *, start: float = 0, end: float = 0) -> tuple[str, ...]:
        """Names of the labels of the selected series, sorted."""

    def series(self, selector: str, *, start: float = 0, end: float = 0) -> tuple[Mapping[str, str], ...]:
        """Labels of the selected series."""
