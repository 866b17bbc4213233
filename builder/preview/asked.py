"""A panel together with the answers to its queries: what every kind of panel is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.preview.fields import Field, field_of
from builder.preview.results import Answer, Series, Unasked

MISSING = "No data"


@dataclass(frozen=True)
class Named:
    """A series with the way it is shown, and its number among all of the panel."""

    number: int
    series: Series
    field: Field
    answer: Answer


@dataclass(frozen=True)
class Asked:
    """A panel's JSON, its answers, and the time range (Unix times) that it shows."""

    panel: Mapping[str, Any]
    answers: Sequence[Answer]
    unasked: Sequence[Unasked]
    begin: float
    end: float

    def option(self, path: str, default: Any = None) -> Any:
        """What ``options`` say under a dotted path."""
        found: Any = self.panel.get("options") or {}
        for name in path.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        return default if found is None else found

    @property
    def shown(self) -> Iterator[Answer]:
        """The answers that are not hidden."""
        return (answer for answer in self.answers if not answer.hidden)

    @property
    def defaults(self) -> Field:
        """How a series is shown that no override fits."""
        return field_of(self.panel, "")

    def named(self) -> list[Named]:
        """Every series shown that has points, numbered in order."""
        found: list[Named] = []
        for answer in self.shown:
            for series in answer.series:
                if series.points:
                    name = series.legend.strip()
                    found.append(Named(len(found), series, field_of(self.panel, name, ref_id=answer.ref_id), answer))
        return found

    @property
    def nothing(self) -> str:
        """What is said where there is no data."""
        return self.defaults.no_value or MISSING
