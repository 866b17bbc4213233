"""Markdown: laid out as HTML, or as the plain words that are left of it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token


def as_html(written: str) -> str:
    """Markdown laid out. HTML in it stays text, pictures (which would be loaded from somewhere) stay words."""
    return str(_parser().render(written))


def as_words(written: str) -> str:
    """The text of Markdown, a line for each paragraph, item or cell."""
    return "\n".join(filter(None, _lines(_parser().parse(written))))


def _lines(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield "".join(_inside(token.children or ()))
        elif token.type in ("fence", "code_block", "html_block"):
            yield token.content


def _inside(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        yield " " if token.type == "softbreak" else "\n" if token.type == "hardbreak" else token.content


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", lambda _renderer, tokens, n, _options, _environment: html.escape(tokens[n].content))
    return parser
