"""What all forms of the report say in the same words."""

from __future__ import annotations

from collections.abc import Iterator

from builder.diff.wording import Quoted
from builder.lint import Finding
from builder.review.model import BoardReview, Review

Words = tuple[str, ...]


def summary(review: Review) -> str:
    """The report in one line."""
    differ = len(review.boards)
    found = len(review.findings)
    gone = sum(board.gone for board in review.boards)
    told = [
        f"{_plural(differ, 'board differs', 'boards differ')} of {review.compared}" if differ else "no board differs"
    ]
    if differ or found:
        told.append(_plural(found, "new finding") if found else "no new findings")
    if gone:
        told.append(_plural(gone, "finding") + " gone")
    return ", ".join(told)


def compared_with(review: Review) -> Words:
    """Which revision the report is about."""
    return "Compared with ", Quoted(review.base), " at ", Quoted(review.commit[:12])


def size(board: BoardReview) -> str:
    """How a board grew or shrank."""
    before, after = board.sizes
    if board.diff.before is None or board.diff.after is None:
        one = after if board.diff.before is None else before
        return f"{_kilo(one.bytes)}, {_plural(one.panels, 'panel')}, {_plural(one.queries, 'query', 'queries')}"
    return ", ".join(
        f"{what} {old}" if old == new else f"{what} {old} → {new}"
        for what, old, new in (
            ("size", _kilo(before.bytes), _kilo(after.bytes)),
            ("panels", before.panels, after.panels),
            ("queries", before.queries, after.queries),
        )
    )


def finding(found: Finding) -> Iterator[Words]:
    """A finding, and what to do about it."""
    panel: Words = (" in ", Quoted(found.panel)) if found.panel else ()
    yield (
        f"{found.severity.word}: ",
        Quoted(found.summary),
        *panel,
        " (",
        Quoted(found.rule),
        ", ",
        Quoted(found.where),
        ")",
    )
    if found.fix:
        yield ("fix: ", Quoted(found.fix))


def gone(board: BoardReview) -> str:
    """How many findings the change took away."""
    return f"{_plural(board.gone, 'finding')} gone"


def _plural(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _kilo(number: int) -> str:
    return f"{number / 1000:.1f} kB"
