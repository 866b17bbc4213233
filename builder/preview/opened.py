"""A dashboard with its answers, panel by panel, as it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from builder.preview.asked import Asked
from builder.preview.contents import Note, Shown
from builder.preview.grid import Placed, lay_out
from builder.preview.panels import content_of, table
from builder.preview.results import Opened, PanelAnswers
from builder.promql.substitute import Value, substitute


@dataclass(frozen=True)
class Board:
    """A dashboard as it is shown: its panels and rows in reading order, and what is chosen at its top."""

    title: str
    uid: str
    description: str
    chosen: tuple[tuple[str, str], ...]
    links: tuple[str, ...]
    begin: float
    end: float
    panels: tuple[tuple[Placed, Shown], ...]
    problems: tuple[str, ...] = ()


def board_of(dashboard: Mapping[str, Any], opened: Opened, *, begin: float, end: float) -> Board:
    """Lay a dashboard out and fill every panel. Times are Unix times; ``opened`` has the answers."""
    values = {name: variable.inserted for name, variable in opened.variables.items()}
    placed = lay_out(dashboard, {name: variable.value for name, variable in opened.variables.items()})
    answers = {_key(answered): answered for answered in opened.panels}
    return Board(
        title=str(dashboard.get("title") or "").strip() or "Untitled",
        uid=str(dashboard.get("uid") or ""),
        description=str(dashboard.get("description") or ""),
        chosen=tuple(_chosen(dashboard, values)),
        links=tuple(str(link.get("title") or link.get("url") or "") for link in dashboard.get("links") or ()),
        begin=begin,
        end=end,
        panels=tuple((one, _shown(one, answers, values, begin, end)) for one in placed),
        problems=tuple(f"variable {v.name}: {v.error}" for v in opened.variables.values() if v.error),
    )


def _key(answered: PanelAnswers) -> tuple[int, tuple[tuple[str, str], ...]]:
    return answered.id, tuple(sorted(answered.scope.items()))


def _chosen(dashboard: Mapping[str, Any], values: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for model in (dashboard.get("templating") or {}).get("list") or ():
        name = str(model.get("name"))
        if model.get("hide") != 2 and name in values:
            yield str(model.get("label") or name), substitute(f"${{{name}:text}}", values)


def _shown(
    placed: Placed,
    answers: Mapping[tuple[int, tuple[tuple[str, str], ...]], PanelAnswers],
    values: Mapping[str, Value],
    begin: float,
    end: float,
) -> Shown:
    panel = placed.panel
    chosen = {name: substitute(f"${{{name}:text}}", values) for name in values} | dict(placed.scope)

    def text(written: object) -> str:
        return substitute(str(written or ""), chosen, style="text")

    if placed.is_row:
        return Shown(text(panel.get("title")), Note("", "row"))
    found = answers.get((int(panel.get("id") or 0), tuple(sorted(placed.scope.items()))))
    targets, unasked = (found.targets, found.not_run) if found else ((), ())
    if panel.get("type") == "text":
        panel = {
            **panel,
            "options": {**(panel.get("options") or {}), "content": text((panel.get("options") or {}).get("content"))},
        }
    asked = Asked(panel, targets, unasked, *_range(panel, targets, begin, end))
    return Shown(
        text(panel.get("title")),
        content_of(asked),
        text(panel.get("description")),
        tuple(_remarks(asked)),
        sha256(repr(asked).encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _range(panel: Mapping[str, Any], targets: Sequence[Any], begin: float, end: float) -> tuple[float, float]:
    """A panel with a time of its own shows what was asked for."""
    times = [t for answer in targets for series in answer.series for t, _ in series.points]
    own = (panel.get("timeFrom") or panel.get("timeShift")) and times
    return (min(times), max(times)) if own else (begin, end)


def _remarks(asked: Asked) -> Iterator[str]:
    if any(answer.series for answer in asked.shown):
        yield from (f"query {answer.ref_id} failed: {answer.error}" for answer in asked.shown if answer.error)
    if unknown := table.unknown_steps(asked):
        yield f"transformations not carried out: {', '.join(unknown)}"
    if asked.answers and asked.unasked:
        yield f"queries not asked: {', '.join(sorted({one.type for one in asked.unasked}))}"
