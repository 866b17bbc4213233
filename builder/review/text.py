"""The report for a terminal."""

from __future__ import annotations

from builder.diff.show import text
from builder.diff.show.visible import on_one_line
from builder.review import words
from builder.review.model import Review


def render(review: Review, *, colour: bool = False) -> str:
    """What differs, what was found, and the count of both at the end."""
    lines: list[str] = [f"note: {on_one_line(note)}" for note in review.notes]
    for board in review.boards:
        lines.append(text.render([board.diff], colour=colour))
        lines.append(f"    {words.size(board)}")
        for found in board.findings:
            first, *rest = ("".join(map(on_one_line, line)) for line in words.finding(found))
            lines += [f"  ! {first}", *(f"      {line}" for line in rest)]
    for found in review.live:
        lines += [f"  ! {''.join(map(on_one_line, line))}" for line in words.finding(found)]
    return "\n".join([*lines, words.summary(review)])
