"""The report as a comment on a forge: folded, and never longer than a comment may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from builder.diff.show.markdown import code, details, folded, heading, in_markdown
from builder.lint import Finding
from builder.review import words
from builder.review.model import BoardReview, Review

LIMITS = {"github": 65_536, "gitlab": 1_000_000}
"""Characters that a comment may have (GitHub: the column of its database; GitLab: the limit of its API)."""

MARKER = "<!-- gpuboards review -->"
"""Stands first in the comment, so that the next run finds it."""

_MOST_FINDINGS = 30


def render(review: Review, *, limit: int = LIMITS["github"], artifact: str = "") -> str:
    """The report in at most ``limit`` characters; ``artifact`` is where the whole of it can be read.

    What does not fit is first told without the lines of queries, then without details, then left out board by board;
    and it is said that it was.
    """
    head = "\n".join(_head(review, artifact))
    tail = f"\n\n{_whole_report(artifact)}" if artifact else ""
    levels: tuple[Callable[[BoardReview], str], ...] = (_brief, _short)
    room = limit - len(head) - len(tail) - 200
    sections = [_full(board) for board in review.boards]
    for level in levels:
        # The longest go first: small changes stay readable beside a large one.
        for number in sorted(range(len(sections)), key=lambda n: len(sections[n]), reverse=True):
            if _length(sections) <= room:
                break
            sections[number] = level(review.boards[number])
    left_out = 0
    while sections and _length(sections) > room:
        sections.pop()
        left_out += 1
    if left_out:
        sections.append(f"{left_out} more board{'' if left_out == 1 else 's'} differ; {_elsewhere(artifact)}")
    return "\n\n".join([head, *sections])[: limit - len(tail)] + tail


def _length(sections: Sequence[str]) -> int:
    return sum(len(section) + 2 for section in sections)


def _head(review: Review, artifact: str) -> Iterator[str]:
    yield MARKER
    yield f"### Dashboards: {words.summary(review)}"
    yield ""
    yield f"{in_markdown(words.compared_with(review))}."
    for note in review.notes[:_MOST_FINDINGS]:
        yield f"\n> {code(note)}"
    if review.unread:
        yield "\n**What cannot be read:**\n"
        yield from _findings(review.unread, artifact)
    if review.live:
        yield "\n**What Prometheus says:**"
        yield from _findings(review.live, artifact)


def _full(board: BoardReview) -> str:
    parts = [f"*{words.size(board)}*", details(board.diff)]
    return _section(board, "\n\n".join(part for part in parts if part))


def _brief(board: BoardReview) -> str:
    parts = [f"*{words.size(board)}*", "The lines that changed are too many to be shown here."]
    return _section(board, "\n\n".join([*parts, details(board.diff, blocks=False)]))


def _short(board: BoardReview) -> str:
    return _section(board, f"*{words.size(board)}*\n\nToo much to be shown here.")


def _section(board: BoardReview, text: str) -> str:
    shown = folded(heading(board.diff), text)
    if board.findings:
        shown += f"\n\n{chr(10).join(_findings(board.findings, ''))}"
    if board.gone:
        shown += f"\n\n{words.gone(board)}."
    return shown


def _findings(found: Sequence[Finding], artifact: str) -> Iterator[str]:
    for each in found[:_MOST_FINDINGS]:
        first, *rest = words.finding(each)
        yield f"- ⚠️ {in_markdown(first)}"
        yield from (f"  - {in_markdown(line)}" for line in rest)
    if len(found) > _MOST_FINDINGS:
        yield f"- {len(found) - _MOST_FINDINGS} more; {_elsewhere(artifact)}"


def _whole_report(artifact: str) -> str:
    return f"[The whole report, as a page]({artifact})"


def _elsewhere(artifact: str) -> str:
    return "the whole report is linked below" if artifact else "the whole report tells about them"
