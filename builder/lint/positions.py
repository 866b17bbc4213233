"""Where in a JSON text a value stands, looked up only for the places that somebody asks for."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from builder.lint.finding import Place

_BLANK = " \t\r\n"


@dataclass(frozen=True)
class Span:
    """A value in the text: from ``start`` up to ``end``, and where its key stands, if it has one."""

    start: int
    end: int
    key: int


class Positions:
    """Finds values in a text that is known to be JSON."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._decoder = json.JSONDecoder()
        self._inside: dict[int, dict[str | int, Span]] = {}
        self._lines: list[int] = []

    def span(self, place: Place) -> Span | None:
        """Where the value at a place stands; None where there is none."""
        start = self._skip(0)
        span = Span(start, len(self.source), start)
        for step in place:
            found = self._children(span.start).get(step)
            if found is None:
                return None
            span = found
        return span

    def line_and_column(self, place: Place) -> tuple[int, int]:
        """Line and column, from 1, of the value or of the nearest thing above it that exists."""
        while place and self.span(place) is None:
            place = place[:-1]
        span = self.span(place)
        offset = span.key if span else 0
        if not self._lines:
            self._lines = [0, *(i + 1 for i, c in enumerate(self.source) if c == "\n")]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def _children(self, start: int) -> dict[str | int, Span]:
        if start not in self._inside:
            scan = {"{": self._members, "[": self._elements}.get(self.source[start : start + 1])
            self._inside[start] = dict(scan(start + 1)) if scan else {}
        return self._inside[start]

    def _members(self, at: int) -> Iterator[tuple[str | int, Span]]:
        at = self._skip(at)
        while self.source[at] != "}":
            key_at = at
            key, at = self._decoder.raw_decode(self.source, at)
            at = self._skip(self._skip(at) + 1)  # the colon
            _, end = self._decoder.raw_decode(self.source, at)
            yield key, Span(at, end, key_at)
            at = self._next(end)

    def _elements(self, at: int) -> Iterator[tuple[str | int, Span]]:
        at, index = self._skip(at), 0
        while self.source[at] != "]":
            _, end = self._decoder.raw_decode(self.source, at)
            yield index, Span(at, end, at)
            at, index = self._next(end), index + 1

    def _next(self, at: int) -> int:
        at = self._skip(at)
        return self._skip(at + 1) if self.source[at] == "," else at

    def _skip(self, at: int) -> int:
        while at < len(self.source) and self.source[at] in _BLANK:
            at += 1
        return at
