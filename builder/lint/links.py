"""Links between boards, and what they carry along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from builder.lint.finding import Place
from builder.lint.model import Board, Link, Panel
from builder.lint.shape import items, mapping, text, texts
from builder.lint.sources import held_in

_BOARD_PATH = re.compile(r"(?:^|\$\{__base_url\}|^https?://[^/]+(?:/[^/]+)*?)/d/([^/?#]+)")
_ASSIGNED = re.compile(r"[?&]var-([^=&]+)=([^&]*)")
_HANDED_ON = re.compile(r"\$\{(\w+):queryparam\}", re.ASCII)
_TIME = ("${__url_time_range}", "$__url_time_range", "from=", "timezone=")


def board_links(board: Board) -> Iterator[Link]:
    """Every link of a board that leads to a board by its uid."""
    for index, link in enumerate(items(board.data.get("links"))):
        data = mapping(link)
        if data.get("type") == "link":
            yield from _link(data, (*board.wrapped, "links", index, "url"), None)
    for panel in board.panels:
        for place, data in _of_panel(panel):
            yield from _link(data, place, panel)


def _of_panel(panel: Panel) -> Iterator[tuple[Place, Any]]:
    for index, link in enumerate(items(panel.data.get("links"))):
        yield (*panel.place, "links", index, "url"), mapping(link)
    for below_config in ("fieldConfig", "options"):
        for place, found in texts(panel.data.get(below_config), (*panel.place, below_config)):
            if place[-1] == "url":
                yield place, {"url": found}


def _link(data: Any, place: Place, panel: Panel | None) -> Iterator[Link]:
    url = text(data.get("url")) or text(data.get("dashUri"))
    if not target(url):
        return
    carries_time = data.get("keepTime") is True or any(mark in url for mark in _TIME)
    carries_variables = data.get("includeVars") is True or "__all_variables" in url
    yield Link(url, place, panel, carries_variables, carries_time)


def target(url: str) -> str:
    """The uid of the board that a URL leads to; empty for any other URL, or one held in a variable."""
    match = _BOARD_PATH.search(url)
    return match[1] if match and "$" not in match[1] and "[[" not in match[1] else ""


def carried(url: str) -> frozenset[str]:
    """The variables that a URL sets on the other board."""
    return frozenset(_HANDED_ON.findall(url)) | {name for name, _ in _ASSIGNED.findall(url)}


def assigned(url: str) -> frozenset[str]:
    """Those that it sets to something else than what is chosen on this board."""
    return frozenset(name for name, value in _ASSIGNED.findall(url) if held_in(value) != name)
