"""HTML from text. Everything that comes from a board, a label or a server passes through here."""

from __future__ import annotations

import html


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
