"""colour-only-meaning: what cannot be read without telling red from green."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below, items, mapping, text
from builder.lint.world import World

_COLOURING = ("background", "background_solid", "value")


def _check(panel: Panel, _board: Board, _world: World) -> Hits:
    options = mapping(panel.data.get("options"))
    if panel.type == "stat" and options.get("textMode") == "none" and options.get("colorMode") in _COLOURING:
        yield Hit("the panel shows coloured fields without text", ("options", "textMode"))
    if panel.type in ("state-timeline", "status-history") and options.get("showValue") == "never":
        legend = mapping(options.get("legend"))
        hidden = legend.get("showLegend") is False or legend.get("displayMode") == "hidden"
        if hidden and len(_colours(panel)) > 2:
            yield Hit("states differ by colour alone: neither values nor a legend are shown", ("options", "showValue"))
    for place, result in _results(panel):
        # The text of a mapping takes the place of the value; a blank one leaves the colour alone.
        if "text" in result and not text(result.get("text")).strip() and text(result.get("color")):
            yield Hit("a value is replaced by a colour without text", place)
            return


def _colours(panel: Panel) -> set[str]:
    return {text(result.get("color")) for _, result in _results(panel)} - {"", "transparent"}


def _results(panel: Panel) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    start = ("fieldConfig", "defaults", "mappings")
    for index, mapped in enumerate(items(below(panel.data, *start))):
        options = mapping(below(mapped, "options"))
        if below(mapped, "type") == "value":
            for key, result in options.items():
                yield (*start, index, "options", key), mapping(result)
        else:
            yield (*start, index, "options", "result"), mapping(options.get("result"))


RULE = Rule(
    "colour-only-meaning",
    Severity.WARNING,
    why="One man in twelve cannot tell red from green, and neither can a printout. What only a colour says is lost to "
    "them.",
    fix="show the value or a word as well",
    on_panel=_check,
)
