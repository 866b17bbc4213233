"""A comparison for a forge. All that comes out of a dashboard stands in code, where neither Markdown, HTML nor a
mention of somebody means anything."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from builder.diff.marked import Line, carets
from builder.diff.model import BoardDiff, Status
from builder.diff.show.visible import on_one_line, visible
from builder.diff.wording import Paragraph, Quoted, Sentence, counted, described, title_of

_SIGNS = {Status.ADDED: "➕", Status.REMOVED: "➖", Status.CHANGED: "✏️"}


def render(diffs: Sequence[BoardDiff]) -> str:
    """The boards that differ, each folded under its title; empty where none does."""
    return "\n\n".join(board(diff) for diff in diffs if diff)


def board(diff: BoardDiff) -> str:
    """One board, folded."""
    return folded(heading(diff), details(diff))


def heading(diff: BoardDiff) -> str:
    """The board and how much differs, as HTML."""
    return f"{_SIGNS[diff.status]} <b>{in_html(title_of(diff))}</b>: {counted(diff)}"


def details(diff: BoardDiff, *, blocks: bool = True) -> str:
    """What differs, as a list; without ``blocks`` the lines of queries and long values are left out."""
    return "\n".join(line for paragraph in described(diff) for line in _paragraph(paragraph, blocks))


def folded(summary: str, text: str) -> str:
    """Text that opens when its summary, which is HTML, is clicked."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def in_markdown(words: Sequence[str]) -> str:
    """Our words, and foreign ones as code."""
    return "".join(code(word) if isinstance(word, Quoted) else word for word in words)


def in_html(words: Sequence[str]) -> str:
    """The same where the forge reads HTML."""
    return "".join(
        f"<code>{html.escape(on_one_line(word))}</code>" if isinstance(word, Quoted) else html.escape(word)
        for word in words
    )


def code(text: str) -> str:
    """A code span that holds the text, whatever is in it."""
    text = on_one_line(text)
    if not text.strip():
        return "(blank)"
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(lines: Sequence[str], language: str) -> list[str]:
    """A code block, behind a fence that no line of it can close."""
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{fence}{language}", *lines, fence]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _paragraph(paragraph: Paragraph, blocks: bool) -> Iterator[str]:
    yield f"- {_SIGNS[paragraph.status]} {in_markdown(paragraph.heading)}"
    for sentence in paragraph.sentences:
        yield from (f"  {line}" for line in _sentence(sentence, blocks))


def _sentence(sentence: Sentence, blocks: bool) -> Iterator[str]:
    yield f"- {in_markdown(sentence.words)}"
    if blocks and sentence.lines:
        lines = [text for line in sentence.lines for text in _line(line)]
        yield from (f"  {line}" for line in fenced(lines, "diff"))


def _line(line: Line) -> Iterator[str]:
    if line.skipped:
        yield f"  … {line.skipped} line{'' if line.skipped == 1 else 's'} as before"
        return
    yield f"{line.sign} {visible(line.text)}"
    if below := carets(line, visible):
        yield f"  {below}"
