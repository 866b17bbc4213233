"""What every page has around it: head, style sheet, and what a browser may do with it."""

from __future__ import annotations

from importlib.resources import files

from builder.preview.colours import DARK, LIGHT, Theme
from builder.preview.page.markup import tag, text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may do with the page: nothing but show it."""


def framed(title: str, body: str, *, extra_head: str = "", policy: str = POLICY) -> str:
    """A whole document; ``extra_head`` is markup for its head."""
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"{tag('title', text(title))}<style>{styles()}</style>{extra_head}"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def styles() -> str:
    """The style sheet, with the colours of the two themes."""
    sheet = files("builder.preview.page").joinpath("style.css").read_text(encoding="utf-8")
    return sheet.replace("/* dark */", _variables(DARK)).replace("/* light */", _variables(LIGHT))


def _variables(theme: Theme) -> str:
    return " ".join(f"--{name}: {value};" for name, value in vars(theme).items() if name != "name")


def complaint(message: str, *, extra_head: str = "", policy: str = POLICY) -> str:
    """A page that says what is wrong, instead of a board."""
    body = tag("main", tag("h1", "This does not build"), tag("pre", text(message)))
    return framed("Preview: does not build", body, extra_head=extra_head, policy=policy)
