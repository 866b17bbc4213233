"""Two texts as one list of lines: which went, which came, and what in them is different."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import combining, east_asian_width

_AROUND = 2
_MOST = 1_000_000
"""How many pairs of lines or tokens are compared; where there are more, the middle that differs counts as one."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """A line of a block. ``sign`` is "-", "+", " ", or "…" for ``skipped`` equal lines; ``marks`` are what differs."""

    sign: str
    text: str
    marks: tuple[Span, ...] = ()
    skipped: int = 0


def block(before: Sequence[str], after: Sequence[str]) -> tuple[Line, ...]:
    """The lines that differ, with some equal ones around them."""
    found: list[Line] = []
    for tag, a, b in _opcodes(before, after):
        if tag == "equal":
            found += [Line(" ", text) for text in before[a[0] : a[1]]]
        else:
            found += _differing(before[a[0] : a[1]], after[b[0] : b[1]])
    return tuple(_shortened(found))


def _differing(gone: Sequence[str], came: Sequence[str]) -> Iterator[Line]:
    """Lines that were replaced; of as many on both sides, each stands above the one that took its place."""
    left, right = _marks("\n".join(gone), "\n".join(came)) if gone and came else ((), ())
    old = [Line("-", text, marks) for text, marks in _by_line(gone, left)]
    new = [Line("+", text, marks) for text, marks in _by_line(came, right)]
    if len(old) == len(new):
        yield from (line for pair in zip(old, new, strict=True) for line in pair)
    else:
        yield from (*old, *new)


def _by_line(lines: Sequence[str], marks: Sequence[Span]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The marks of the joined lines, for each line its own; blanks at the ends are not marked."""
    start = 0
    for line in lines:
        end = start + len(line)
        found = []
        for first, last in marks:
            text = line[max(first - start, 0) : max(min(last, end) - start, 0)]
            if text.strip():
                at = max(first - start, 0) + len(text) - len(text.lstrip())
                found.append((at, at + len(text.strip())))
        yield line, tuple(found)
        start = end + 1


def _marks(one: str, two: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The places of the words that differ; none where the lines have next to nothing in common."""
    words = _words(one), _words(two)
    left: list[Span] = []
    right: list[Span] = []
    common = 0
    for tag, a, b in _opcodes([w for w, _ in words[0]], [w for w, _ in words[1]]):
        if tag == "equal":
            common += sum(len(w) for w, _ in words[0][a[0] : a[1]])
        else:
            left += _span(words[0], a)
            right += _span(words[1], b)
    return (tuple(left), tuple(right)) if 3 * common >= min(len(one), len(two)) else ((), ())


def _words(line: str) -> list[tuple[str, int]]:
    return [(found[0], found.start()) for found in re.finditer(r"\w+|\s+|.", line)]


def _span(words: Sequence[tuple[str, int]], part: Span) -> list[Span]:
    chosen = words[part[0] : part[1]]
    return [(chosen[0][1], chosen[-1][1] + len(chosen[-1][0]))] if chosen else []


def _opcodes(one: Sequence[str], two: Sequence[str]) -> Iterator[tuple[str, Span, Span]]:
    """As SequenceMatcher's, with what is equal at both ends set aside first, which is most of it."""
    start = 0
    shorter = min(len(one), len(two))
    while start < shorter and one[start] == two[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == two[-1 - end]:
        end += 1
    a, b = one[start : len(one) - end], two[start : len(two) - end]
    if start:
        yield "equal", (0, start), (0, start)
    if len(a) * len(b) > _MOST:
        yield "replace", (start, start + len(a)), (start, start + len(b))
    elif a or b:
        for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            yield tag, (start + i, start + j), (start + k, start + m)
    if end:
        yield "equal", (len(one) - end, len(one)), (len(two) - end, len(two))


def _shortened(lines: Sequence[Line]) -> Iterator[Line]:
    """Without the equal lines that are far from any difference."""
    near: set[int] = set()
    for number, line in enumerate(lines):
        if line.sign != " ":
            near.update(range(number - _AROUND, number + _AROUND + 1))
    skipped = 0
    for number, line in enumerate(lines):
        if number in near or (number - 1 in near and number + 1 in near):
            if skipped:
                yield Line("…", "", (), skipped)
                skipped = 0
            yield line
        else:
            skipped += 1
    if skipped:
        yield Line("…", "", (), skipped)


def carets(line: Line, shown: Callable[[str], str] = str) -> str:
    """Marks as a line of text to stand below the line, as it is ``shown``; empty where there are none."""
    if not line.marks:
        return ""
    row = with_marks(line, lambda text: " " * _columns(shown(text)), lambda text: "^" * _columns(shown(text)))
    return row.rstrip()


def _columns(text: str) -> int:
    """How many columns a text takes where every letter has the same width, or two of them."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(each) else 1 + (east_asian_width(each) in "WF") for each in text)


def with_marks(line: Line, plain: Callable[[str], str], marked: Callable[[str], str]) -> str:
    """The line's text, with what differs and what does not each written its own way."""
    text, at = "", 0
    for start, stop in line.marks:
        text += plain(line.text[at:start]) + marked(line.text[start:stop])
        at = stop
    return text + plain(line.text[at:])
