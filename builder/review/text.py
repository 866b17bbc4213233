"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.diff.show import text
from builder.diff.show.visible import on_one_line
from builder.lint import Finding
from builder.review import words
from builder.review.model import Review


def render(review: Review, *, colour: bool = False) -> str:
    """What differs, what was found, and the count of both at the end."""
    lines: list[str] = [f"note: {on_one_line(note)}" for note in review.notes]
    for board in review.boards:
        lines.append(text.render([board.diff], colour=colour))
        lines.append(f"    {words.size(board)}")
        lines += _findings(board.findings)
    lines += _findings((*review.unread, *review.live))
    return "\n".join([*lines, words.summary(review)])


def _findings(found: Sequence[Finding]) -> Iterator[str]:
    for each in found:
        first, *rest = ("".join(map(on_one_line, line)) for line in words.finding(each))
        yield f"  ! {first}"
        yield from (f"      {line}" for line in rest)
