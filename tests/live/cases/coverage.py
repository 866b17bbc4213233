"""Which panels there are, and which of them a known answer speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.testing.figures import headings
from tests.live.cases import planted
from tests.live.cases.moment import Shown
from tests.live.cases.opened import OF_ONE_NODE, expected
from tests.live.cases.readings import READINGS
from tests.live.fleets import FLEETS
from tests.live.known_answers import KNOWN

_OF_ONE_CARD = re.compile(r"(?<=^GPU )[^:]+(?=:)| \([^()]+\)$")
"""What a repeated panel's name says of its card, and the word that an answer is approximate."""


_WITHOUT_QUERIES = ("row", "text", "logs", "alertlist")


@dataclass(frozen=True)
class Part:
    """What one query of a panel shows: the panel or column, and what the legend makes of a series (a pattern)."""

    board: str
    name: str
    legend: str
    query: str = ""

    def is_answered_by(self, answers: Iterable[tuple[str, Shown]]) -> bool:
        """True where an answer names a series that this query could show, and its value."""
        return any(name == self.name and any(re.fullmatch(self.legend, s) for s in shown) for name, shown in answers)


def parts(board: Mapping[str, Any]) -> list[Part]:
    """Every query to Prometheus of a board. A text and a list of alerts ask nothing, and logs ask Loki."""
    return [part for panel in _panels(board["panels"]) for part in _parts(board["uid"], panel)]


def _panels(panels: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for panel in panels:
        yield from _panels(panel.get("panels") or ())
        if panel["type"] not in _WITHOUT_QUERIES:
            yield panel


def _parts(board: str, panel: Mapping[str, Any]) -> Iterator[Part]:
    title = bare(panel["title"])
    for target in panel["targets"]:
        if panel["type"] == "table":
            named = headings(panel)
            heading = named.get(f"Value #{target['refId']}") or named.get("Value", target["refId"])
            yield Part(board, f"{title} | {heading}", ".*", target["expr"])
        else:
            # A label may be empty, and the space before it is gone then.
            written = re.escape(target.get("legendFormat", "").strip())
            legend = re.sub(r"(?:\\ )?\\\{\\\{.*?\\\}\\\}", " ?.*", written)
            yield Part(board, title, legend if legend not in ("", "__auto") else ".*", target["expr"])


def bare(name: str) -> str:
    """A panel's name without its card."""
    title, bar, heading = name.partition(" | ")
    return _OF_ONE_CARD.sub("", title) + bar + heading


def answers(profile: str) -> dict[str, list[tuple[str, Shown]]]:
    """What is known of each board of a profile: by panel, the series and values that a test demands."""
    found: dict[str, list[tuple[str, Shown]]] = {board: [] for board in READINGS}
    for fleet, boards in KNOWN.items():
        if FLEETS[fleet].profile == profile:
            for address, panels in boards.items():
                found[address.partition("?")[0]] += [(bare(name), shown or {}) for name, shown in panels.items()]
    for cluster in planted.clusters(profile):
        for board in READINGS:
            node = planted.place(cluster)[0] or "node-0"
            panels = expected(profile, cluster, board, node if board in OF_ONE_NODE else "")
            found[board] += [(bare(name), shown) for name, shown in panels.items()]
    return found
