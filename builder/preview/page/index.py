"""The page that leads to the pages of several boards."""

from __future__ import annotations

from collections.abc import Sequence

from builder.preview.page.document import POLICY, styles
from builder.preview.page.markup import tag, text


def index(boards: Sequence[tuple[str, str, str]], *, source: str) -> str:
    """Links to the boards, each given by file name, title and description."""
    items = [
        tag("li", tag("a", text(title), href=file), tag("p", text(description)) if description else "")
        for file, title, description in boards
    ]
    head = (
        '<meta charset="utf-8">'
        + f'<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'
        + '<meta name="viewport" content="width=device-width, initial-scale=1">'
        + '<meta name="color-scheme" content="light dark">'
        + tag("title", "Preview of boards")
        + f"<style>{styles()}</style>"
    )
    top = tag("header", tag("h1", "Preview of boards"), tag("p", tag("strong", "Preview, not Grafana."), f" {text(source)}"))
    body = top + tag("main", tag("ul", *items, class_="index"))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
