"""What Prometheus answers, held against what it may answer.

API: https://prometheus.io/docs/prometheus/latest/querying/api/.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builder.opening.server import Series


class Malformed(ValueError):
    """An answer that breaks the API's promise."""


@dataclass(frozen=True)
class Answer:
    """The answer to a query. ``size`` is in bytes, ``seconds`` the time until it was whole.

    ``samples`` is what the server says it read, None where it does not count. ``warnings`` are its own.
    """

    kind: str
    result: Any
    size: int
    seconds: float
    samples: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many series came back; a number alone is one."""
        return len(self.result) if self.kind in ("vector", "matrix") else 1

    def series(self) -> tuple[Series, ...]:
        """The series with their values; those of native histograms have none and are left out."""
        if self.kind not in ("vector", "matrix"):
            return (Series({}, (_point(self.result),)),) if self.kind == "scalar" else ()
        return tuple(series for found in self.result if (series := _series(found)).points)


def answer_of(body: Mapping[str, Any], size: int, seconds: float) -> Answer:
    """The answer in a query's JSON. Raises Malformed where it is none."""
    data = body.get("data")
    kind = data.get("resultType") if isinstance(data, dict) else None
    result = data.get("result") if isinstance(data, dict) else None
    if kind not in ("vector", "matrix", "scalar", "string") or not isinstance(result, list):
        raise Malformed("no result")
    if kind in ("vector", "matrix") and not all(isinstance(found, dict) and "metric" in found for found in result):
        raise Malformed("series without labels")
    warnings = (*_texts(body.get("warnings")), *_texts(body.get("infos")))
    return Answer(kind, result, size, seconds, _samples(data), tuple(dict.fromkeys(warnings)))


def texts_of(data: Any) -> tuple[str, ...]:
    """A list of texts, as label names and values are. Raises Malformed where it is none."""
    if data is None:
        return ()  # how an empty list is written by servers in Go that forget to make one
    if not isinstance(data, list) or not all(isinstance(value, str) for value in data):
        raise Malformed("not a list of texts")
    return tuple(data)


def labels_of(data: Any) -> tuple[Mapping[str, str], ...]:
    """A list of label sets. Raises Malformed where it is none."""
    if data is None:
        return ()
    if not isinstance(data, list):
        raise Malformed("not a list of series")
    return tuple(_labels(found) for found in data)


def _samples(data: Any) -> int | None:
    stats = data.get("stats")
    samples = stats.get("samples") if isinstance(stats, dict) else None
    total = samples.get("totalQueryableSamples") if isinstance(samples, dict) else None
    return total if isinstance(total, int) and not isinstance(total, bool) else None


def _series(found: Mapping[str, Any]) -> Series:
    points = found.get("values", [found["value"]] if "value" in found else [])
    if not isinstance(points, list):
        raise Malformed("values that are no list")
    return Series(_labels(found["metric"]), tuple(_point(point) for point in points))


def _labels(found: Any) -> Mapping[str, str]:
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise Malformed("labels that are no texts")
    return found


def _point(pair: Any) -> tuple[float, float]:
    try:
        moment, value = pair
        return float(moment), float(value)
    except (TypeError, ValueError) as error:
        raise Malformed("a value that is no pair of time and number") from error


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()
