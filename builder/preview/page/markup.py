"""HTML from text. Everything that comes from a board, a label or a server passes through here."""

from __future__ import annotations

import html
from functools import cache

from markdown_it import MarkdownIt


def text(written: object) -> str:
    """The text with whatever is markup in it escaped."""
    return html.escape(str(written), quote=True)


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element around markup; ``class_`` and ``aria_label`` lose and change their underscores. None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>"


def markdown(written: str) -> str:
    """Markdown laid out. HTML in it stays text, pictures (which would be loaded from somewhere) stay words."""
    return str(_parser().render(written))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", lambda _renderer, tokens, n, _options, _environment: text(tokens[n].content))
    return parser
