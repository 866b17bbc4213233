"""Looks at the server and plans; reads only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.grafana.board import BOARD_TAG
from builder.targets.grafana.answers import text
from builder.targets.grafana.boards import PROJECT_TAG, BoardApi, Change, Stored, Wanted
from builder.targets.grafana.client import Client
from builder.targets.grafana.plan import Step, decide, not_ours, settled, signed_as_it_is
from builder.targets.http.parallel import Progress, each

_PAGE = 1000


def survey(
    client: Client,
    boards: BoardApi,
    wanted: Sequence[Wanted],
    *,
    titles: Mapping[str, str],
    force: bool,
    progress: Progress,
) -> Iterator[tuple[Wanted, Step | Exception]]:
    """The step for each board, or why the board could not be looked at; ``titles`` as in ``decide``."""

    def look(board: Wanted) -> Step:
        stored = boards.fetch(board.uid)
        change = boards.last_change(stored) if stored and not settled(board, stored) else None
        return decide(board, stored, change, titles=titles, force=force)

    return each(look, wanted, client, progress, "reading")


def titles_in(client: Client, folder: str) -> Mapping[str, str]:
    """The boards and folders that a folder holds, by title: up to Grafana 11.2 search is never behind."""
    return {text(hit, "title"): text(hit, "uid") for hit in search(client, {"folderUIDs": folder})}


def search(client: Client, query: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a search finds. From Grafana 12 on it may be seconds behind."""
    page = 1
    while True:
        asked = {**query, "limit": _PAGE, "page": page}
        hits = client.json("search for boards", "/api/search", asked, fits=lambda body: isinstance(body, list))
        yield from (hit for hit in hits if isinstance(hit, dict))
        if len(hits) < _PAGE:
            return
        page += 1


@dataclass(frozen=True)
class Leftover:
    """A board of this project that is no longer defined. ``kept`` says why it is not removed; empty: it is."""

    stored: Stored
    change: Change
    kept: str = ""
    fix: str = ""


def leftovers(
    client: Client, boards: BoardApi, project: str, defined: Iterable[str], *, force: bool, progress: Progress
) -> list[Leftover]:
    """Boards that carry the project's tags but are not defined any more.

    Found by search, but judged by what the board itself says: the search may be behind.
    """
    mine = f"{PROJECT_TAG}{project}"
    hits = list(search(client, {"tag": [BOARD_TAG, mine], "type": "dash-db"}))
    candidates = sorted({text(hit, "uid") for hit in hits} - {"", *defined})

    def look(uid: str) -> Leftover | None:
        stored = boards.fetch(uid)
        if stored is None or not {BOARD_TAG, mine} <= set(stored.tags):
            return None
        change = boards.last_change(stored)
        if stored.manager:
            return Leftover(stored, change, f"it comes from {stored.manager}", "remove it there")
        if signed_as_it_is(stored, change) is None and not force:
            by = f", by {change.by}" if change.by else ""
            return Leftover(stored, change, f"{not_ours(change)}{by}", "remove it with --force")
        return Leftover(stored, change)

    found = []
    for _, result in each(look, candidates, client, progress, "looking for boards to remove"):
        if isinstance(result, Exception):
            raise result
        if result is not None:
            found.append(result)
    return found
