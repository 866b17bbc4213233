"""duplicate-refid: two queries of a panel with one name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from builder.lint.edits import Edit
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import texts
from builder.lint.world import World


def _check(panel: Panel, _board: Board, _world: World) -> Hits:
    taken = {query.ref_id for query in panel.queries if query.ref_id}
    seen: set[str] = set()
    free = _free(taken)
    mentions = _Mentions(panel)
    for query in panel.queries:
        at = query.place[len(panel.place) :]
        if query.ref_id and query.ref_id not in seen:
            seen.add(query.ref_id)
            continue
        edits = () if query.ref_id in mentions else (Edit((*query.place, "refId"), next(free)),)
        if not query.ref_id:
            if len(panel.queries) > 1:
                yield Hit("a query has no refId", at, "give it a letter of its own", Severity.WARNING, edits)
        else:
            yield Hit(f"two queries have the refId {query.ref_id}", (*at, "refId"), edits=edits)


def _free(taken: set[str]) -> Iterator[str]:
    for number in range(26 * 27):
        first, second = divmod(number, 26)
        name = (chr(64 + first) if first else "") + chr(65 + second)
        if name not in taken:
            yield name
    number = 0
    while True:
        number += 1
        yield f"query{number}"


class _Mentions:
    """The names that something in the panel means a query by; which of two queries is anybody's guess."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._known: dict[str, bool] = {"": False}

    def __contains__(self, ref_id: str) -> bool:
        if ref_id not in self._known:
            name = re.compile(rf"(?:^|[#${{]){re.escape(ref_id)}(?:$|[}}\s])")
            self._known[ref_id] = any(name.search(written) for written in self._texts)
        return self._known[ref_id]

    @cached_property
    def _texts(self) -> list[str]:
        data = self._panel.data
        rest = {key: value for key, value in data.items() if key in ("fieldConfig", "transformations", "options")}
        queries = [texts(dict(query.data)) for query in self._panel.queries]
        return [written for found in (*queries, texts(rest)) for place, written in found if place != ("refId",)]


RULE = Rule(
    "duplicate-refid",
    Severity.BUG,
    why="Of two queries with one refId Grafana shows one, or shows one in place of the other; overrides, "
    "transformations and expressions cannot tell them apart.",
    fix="give every query of the panel a letter of its own",
    on_panel=_check,
)
