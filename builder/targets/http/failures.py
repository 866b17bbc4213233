"""The ways in which a server does not answer as it should."""

from __future__ import annotations

from typing import Any

from builder.errors import ServerError, printable
from builder.targets.http.wire import Reply

LONGEST = 300
"""Characters of a server's own words that a message repeats."""


class Refused(ServerError):
    """A server said no. ``status`` is the HTTP status; ``body`` what it answered, as far as it was JSON."""

    def __init__(self, what: str, *, where: str, fix: str, status: int, body: Any = None) -> None:
        super().__init__(what, where=where, fix=fix)
        self.status = status
        self.body = body


class NotJson(Refused):
    """A success whose body is not what an API answers."""


class OutOfReach(ServerError):
    """No whole answer came, however often it was tried."""


class Interrupted(ServerError):
    """Somebody asked to stop while this was waiting for another try."""

    exit_code = 130


class NotBegun(ServerError):
    """Others before it found the server out of reach."""


def body_of(reply: Reply) -> Any:
    """The JSON of a reply; None where it is none."""
    try:
        return reply.json()
    except (ValueError, RecursionError):
        return None


def is_page(reply: Reply) -> bool:
    """True for a page meant for people."""
    start = reply.body[:200].lstrip().lower()
    return "html" in reply.headers.get("content-type", "") or start.startswith((b"<!doctype", b"<html"))


def one_line(text: str, longest: int = LONGEST) -> str:
    """A server's own words, made fit for a message."""
    text = " ".join(printable(text).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
