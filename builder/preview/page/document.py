"""The page of one board."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import UTC, datetime

from builder.preview.contents import Shown
from builder.preview.drawing import figure as fig
from builder.preview.grid import Place, Placed
from builder.preview.opened import Board
from builder.preview.page.body import body
from builder.preview.page.frame import POLICY, framed
from builder.preview.page.markup import tag, text
from builder.preview.prose import as_html
from builder.preview.sizes import body_of, size_of

_HONEST = (
    "This is a preview drawn by gpuboards, not Grafana: fonts, spacing and colours differ a little, nothing can be"
    " clicked through, and log lines, annotations and links are left out. Collapsed rows are opened."
)


Drawn = MutableMapping[tuple[str, Place], str]
"""The inside of panels that were drawn before, by the key of what they show and their place."""


def page(board: Board, *, source: str, drawn: Drawn | None = None, extra_head: str = "", policy: str = POLICY) -> str:
    """The whole document. ``source`` says in words where the data is from; ``extra_head`` is markup for its head.

    What is in ``drawn`` is not drawn again, and what is drawn is put there.
    """
    known: Drawn = {} if drawn is None else drawn
    with fig.settings():
        panels = [_placed(board, n, placed, shown, known) for n, (placed, shown) in enumerate(board.panels)]
    main = tag("main", *panels, class_="board", id="board", aria_label="Panels")
    body = _header(board, source) + main + tag("footer", tag("p", text(_HONEST)))
    return framed(f"{board.title}: preview", body, extra_head=extra_head, policy=policy)


def _header(board: Board, source: str) -> str:
    chosen = [
        tag("div", tag("dt", text(name)), tag("dd", text(value or "none")), class_="chosen")
        for name, value in board.chosen
    ]
    links = tag("p", "Links: ", text(", ".join(board.links)), class_="links") if board.links else ""
    problems = [tag("p", text(problem), class_="problem") for problem in board.problems]
    when = f"{_time(board.begin)} to {_time(board.end)} UTC"
    return tag(
        "header",
        tag("div", tag("h1", text(board.title)), _themes(), class_="top"),
        tag("p", tag("strong", "Preview, not Grafana."), " ", text(f"{source}, {when}"), class_="honest"),
        tag("dl", *chosen, class_="variables") if chosen else "",
        links,
        *problems,
    )


def _themes() -> str:
    choices = [
        f'<label><input type="radio" name="theme" id="theme-{name}"{checked}>{text(label)}</label>'
        for name, label, checked in (("system", "System", " checked"), ("light", "Light", ""), ("dark", "Dark", ""))
    ]
    return tag("fieldset", tag("legend", "Theme", class_="unseen"), *choices, class_="themes")


def _time(t: float) -> str:
    return datetime.fromtimestamp(t, UTC).strftime("%Y-%m-%d %H:%M")


def _placed(board: Board, number: int, placed: Placed, shown: Shown, drawn: Drawn) -> str:
    place = placed.place
    style = f"grid-column: {place.x + 1} / span {place.w}; grid-row: {place.y + 1} / span {place.h}"
    if placed.is_row:
        return tag("h2", text(shown.title), class_="row", style=style)
    level = "h3" if any(one.is_row for one, _ in board.panels) else "h2"
    name = f"panel-{number}"
    inside = drawn.get((shown.key, place))
    if inside is None:
        inside = body(shown.content, *body_of(*size_of(place), titled=bool(shown.title)), f"{shown.key[:12]}-{number}")
        drawn[shown.key, place] = inside
    heading = tag(level, text(shown.title), id=name, title=shown.title) if shown.title else ""
    label = {"aria_labelledby": name} if shown.title else {"aria_label": "Panel without a title"}
    header = tag("div", heading, _description(shown), class_="head") if shown.title or shown.description else ""
    remarks = [tag("p", text(remark), class_="remark") for remark in shown.remarks]
    return tag(
        "article",
        header,
        *remarks,
        tag("div", inside, class_="body"),
        class_="panel",
        style=f"{style}; --lines: {place.h}",
        **label,
    )


def _description(shown: Shown) -> str:
    if not shown.description.strip():
        return ""
    summary = tag("summary", "i", aria_label=f"Description of {shown.title}")
    return tag("details", summary, tag("div", as_html(shown.description), class_="prose"), class_="description")
