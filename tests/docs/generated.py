"""The tables in the documentation that are made from the catalogue and the boards.

``python -m tests.docs.generated`` writes them between ``<!-- generated: NAME -->`` and ``<!-- end -->``; a test fails
where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES, PROFILES
from builder.cli.boards import panels_of
from builder.config import Config
from builder.grafana.context import Note
from builder.load import load
from tests.docs import recorded
from tests.docs.markdown import PAGES, ROOT

_PLACE = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_OPT_IN = re.compile(r"add (\w+) to")


@cache
def built(profile: str) -> tuple[Mapping[str, Mapping[str, Any]], tuple[Note, ...]]:
    """The standard boards and the notes of a build for the profile."""
    boards, notes = build_boards(load(ROOT / "dashboards"), replace(Config(), profile=profile))
    return boards, tuple(notes)


def boards() -> str:
    """uid, title and question of each board."""
    lines = ["| board | title | question |", "|---|---|---|"]
    for uid, board in built("dcgm")[0].items():
        question = board["description"].partition("?")[0] + "?"
        lines.append(f"| [`{uid}`](docs/boards/{uid}.md) | {board['title']} | {question} |")
    return "\n".join(lines)


def dropped() -> str:
    """What each profile cannot show: the panels that drop out, and those that lose a part."""
    found = {name: _lost(name) for name in GPU_PROFILES}
    lacking = [name for name, lost in found.items() if lost]
    panels = dict.fromkeys(panel for name in lacking for panel in found[name])
    lines = [f"| board | panel | {' | '.join(f'`{name}`' for name in lacking)} |", f"|---|---|{'---|' * len(lacking)}"]
    for board, panel in sorted(panels):
        cells = [found[name].get((board, panel), "") for name in lacking]
        lines.append(f"| `{board}` | {panel} | {' | '.join(cells)} |")
    whole = [name for name, lost in found.items() if not lost]
    return "\n".join([*lines, "", f"Nothing drops out with {' and '.join(f'`{name}`' for name in whole)}."])


def _lost(profile: str) -> dict[tuple[str, str], str]:
    lost: dict[tuple[str, str], str] = {}
    for note in built(profile)[1]:
        lost[note.board, note.panel] = "no" if note.gone else "in part"
    return lost


def opt_in() -> str:
    """The fields that dcgm-exporter leaves out, and the panels that stay empty until they are there."""
    needs: dict[str, list[str]] = {}
    for uid, panel in _panels("dcgm"):
        for field in _OPT_IN.findall(panel.get("description", "").partition("Not exported by default")[2]):
            needs.setdefault(field, []).append(f"{uid}: {panel['title']}")
    lines = ["| field | panels |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{field}` | {'; '.join(panels)} |" for field, panels in sorted(needs.items()))])


def unverified() -> str:
    """The names that nobody has seen on a running exporter."""
    lines = ["| signal | name |", "|---|---|"]
    for signal, metrics in PROFILES["dcgm-4.9"].signals.items():
        lines += [f"| `{signal}` | `{metric.name}` |" for metric in metrics if not metric.verified]
    return "\n".join(lines)


def _panels(profile: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for uid, board in built(profile)[0].items():
        for panel in panels_of(board):
            yield uid, panel


TABLES: Mapping[str, Callable[[], str]] = {
    "boards": boards,
    "dropped": dropped,
    "opt-in": opt_in,
    "unverified": unverified,
    **recorded.tables(),
}


def renewed(text: str) -> str:
    """A page with its generated tables as they should be."""
    return _PLACE.sub(lambda place: f"{place[1]}{TABLES[place[2]]()}\n{place[3]}", text)


def names(text: str) -> list[str]:
    """The generated tables that a page has."""
    return [place[2] for place in _PLACE.finditer(text)]


def write(pages: list[Path]) -> None:
    """Bring the tables of the pages up to date."""
    for page in pages:
        text = page.read_text()
        if renewed(text) != text:
            page.write_text(renewed(text))


if __name__ == "__main__":
    write(PAGES)
