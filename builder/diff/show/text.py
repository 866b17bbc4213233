"""A comparison for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.diff.marked import Line, carets, with_marks
from builder.diff.model import BoardDiff, Status
from builder.diff.show.visible import on_one_line, visible
from builder.diff.wording import Paragraph, Quoted, counted, described, title_of

_SIGNS = {Status.ADDED: "+", Status.REMOVED: "-", Status.CHANGED: "~"}
_COLOURS = {"+": "32", "-": "31", "~": "33"}


def render(diffs: Sequence[BoardDiff], *, colour: bool = False) -> str:
    """The boards that differ, in as many lines as it takes; empty where none does."""
    return "\n".join(line for diff in diffs if diff for line in _board(diff, colour))


def _paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if text else ""


def _board(diff: BoardDiff, colour: bool) -> Iterator[str]:
    painter = _paint if colour else _plain
    sign = _SIGNS[diff.status]
    yield painter(f"{sign} {_words(title_of(diff))}", f"1;{_COLOURS[sign]}") + f": {counted(diff)}"
    for paragraph in described(diff):
        yield from _paragraph(paragraph, colour)


def _paragraph(paragraph: Paragraph, colour: bool) -> Iterator[str]:
    painter = _paint if colour else _plain
    sign = _SIGNS[paragraph.status]
    yield f"  {painter(sign, _COLOURS[sign])} {painter(_words(paragraph.heading), '1')}"
    for sentence in paragraph.sentences:
        yield f"      {_words(sentence.words)}"
        for line in sentence.lines:
            yield from (f"        {text}" for text in _line(line, colour))


def _line(line: Line, colour: bool) -> Iterator[str]:
    if line.skipped:
        yield f"… {line.skipped} line{'' if line.skipped == 1 else 's'} as before"
    elif colour and line.sign in _COLOURS:
        code = _COLOURS[line.sign]
        text = with_marks(line, lambda t: _paint(visible(t), code), lambda t: _paint(visible(t), f"7;{code}"))
        yield f"{_paint(line.sign, code)} {text}"
    else:
        yield f"{line.sign} {visible(line.text)}".rstrip()
        if below := carets(line, visible):
            yield f"  {below}"


def _words(words: Sequence[str]) -> str:
    return "".join(on_one_line(word) if isinstance(word, Quoted) else word for word in words)


def _plain(text: str, _style: str) -> str:
    return text
