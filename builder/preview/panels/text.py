"""Text panels: Markdown is laid out; HTML and code are shown as written."""

from __future__ import annotations

from builder.preview.asked import Asked
from builder.preview.contents import Note, Prose


def content(asked: Asked) -> Prose | Note:
    """The text of the panel."""
    text = str(asked.option("content", ""))
    return (
        Prose(text, asked.option("mode", "markdown") == "markdown")
        if text.strip()
        else Note("An empty text panel", "placeholder")
    )
