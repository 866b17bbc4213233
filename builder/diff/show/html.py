"""A comparison as part of a page. All text is escaped."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from builder.diff.marked import Line, with_marks
from builder.diff.model import BoardDiff, Part
from builder.diff.show.visible import visible
from builder.diff.wording import Paragraph, Quoted, Sentence, described

CSS = """
.part { border: 1px solid var(--line); border-radius: 6px; margin: .8em 0; padding: .6em 1em }
.part > h3 { font-size: 1em; margin: 0 0 .4em }
.tag { border-radius: 4px; font-size: .8em; padding: .1em .5em }
.added > h3 .tag { background: var(--plus) } .removed > h3 .tag { background: var(--minus) }
.changed > h3 .tag { background: var(--line) }
pre.block { border-radius: 6px; background: var(--code); margin: .3em 0; overflow-x: auto; padding: .5em }
pre.block span { display: block; min-height: 1.3em; white-space: pre-wrap }
pre.block .plus { background: var(--plus) } pre.block .minus { background: var(--minus) }
pre.block ins, pre.block del { font-weight: bold; text-decoration: underline }
"""
"""Uses the colours --line, --plus, --minus and --code of the page."""


def render(diff: BoardDiff, below: Callable[[Part], str] = lambda part: "") -> str:
    """The paragraphs of one board; ``below`` gives what is to stand under a part, as HTML."""
    return "\n".join(_paragraph(paragraph, below) for paragraph in described(diff))


def words(given: Sequence[str]) -> str:
    """Words as HTML, foreign ones as code."""
    return "".join(f"<code>{text(word)}</code>" if isinstance(word, Quoted) else text(word) for word in given)


def text(given: str) -> str:
    """Any text as HTML that shows it."""
    return html.escape(visible(given))


def _paragraph(paragraph: Paragraph, below: Callable[[Part], str]) -> str:
    status = paragraph.status.value
    items = "".join(f"<li>{_sentence(sentence)}</li>" for sentence in paragraph.sentences)
    more = below(paragraph.part) if paragraph.part is not None else ""
    title = f'<h3><span class="tag">{status}</span> {words(paragraph.heading)}</h3>'
    return f'<section class="part {status}">{title}{f"<ul>{items}</ul>" if items else ""}{more}</section>'


def _sentence(sentence: Sentence) -> str:
    lines = "".join(_line(line) for line in sentence.lines)
    return words(sentence.words) + (f'<pre class="block">{lines}</pre>' if lines else "")


def _line(line: Line) -> str:
    if line.skipped:
        return f"<span>… {line.skipped} line{'' if line.skipped == 1 else 's'} as before</span>"
    tag, style = {"+": ("ins", "plus"), "-": ("del", "minus")}.get(line.sign, ("b", ""))
    written = with_marks(line, text, lambda part: f"<{tag}>{text(part)}</{tag}>")
    return f'<span class="{style}">{line.sign} {written}</span>'
