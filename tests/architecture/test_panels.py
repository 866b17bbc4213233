"""Every panel of the standard boards says what it shows, in what unit, and when it is good or bad."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES
from builder.cli.boards import panels_of
from builder.config import Config
from builder.load import load
from tests.architecture.sources import ROOT

Panel = Mapping[str, Any]

GRAPHS = {"timeseries"}
NUMBERS = {"stat", "gauge", "bargauge"}
STATES = {"state-timeline", "status-history"}
WORDS = {"text", "logs", "alertlist"}


@cache
def _panels(profile: str) -> tuple[tuple[str, Panel], ...]:
    boards, _ = build_boards(load(ROOT / "dashboards"), Config(profile=profile))
    return tuple((uid, panel) for uid, board in boards.items() for panel in panels_of(board))


PANELS = [
    pytest.param(panel, id=f"{profile}-{uid}-{panel['title']}")
    for profile in GPU_PROFILES
    for uid, panel in _panels(profile)
]
each_panel = pytest.mark.parametrize("panel", PANELS)


@each_panel
def test_it_has_a_title_and_a_description(panel: Panel) -> None:
    assert panel["title"].strip()
    # A text is its own description.
    assert panel["type"] == "text" or panel["description"].strip().endswith((".", "?"))


@each_panel
def test_numbers_have_a_unit(panel: Panel) -> None:
    if panel["type"] in GRAPHS | NUMBERS and not _defaults(panel).get("mappings"):
        assert _defaults(panel)["unit"]
    elif panel["type"] == "heatmap":
        assert panel["options"]["yAxis"].get("unit") or panel["options"]["cellValues"]["unit"]
    elif panel["type"] == "table":
        for heading, properties in _columns(panel):
            # A unit, words for its values, or a count: decimals say that it is one.
            assert properties & {"unit", "mappings", "decimals"}, heading
    else:
        assert panel["type"] in GRAPHS | NUMBERS | STATES | WORDS


@each_panel
def test_numbers_are_judged_or_have_a_plain_colour(panel: Panel) -> None:
    colour = _defaults(panel).get("color", {})
    judged = len(_defaults(panel).get("thresholds", {}).get("steps", ())) > 1
    if panel["type"] in NUMBERS:
        assert judged is not (colour.get("mode") == "fixed" and bool(colour["fixedColor"]))
    elif panel["type"] in GRAPHS:
        assert colour["mode"] in ("fixed", "palette-classic")
        drawn = _defaults(panel).get("custom", {}).get("thresholdsStyle", {}).get("mode", "off") != "off"
        assert drawn is judged, "thresholds that nobody sees"
    elif panel["type"] in STATES:
        assert judged
        assert _defaults(panel)["mappings"], "a state is a word, not a number"


def _defaults(panel: Panel) -> Mapping[str, Any]:
    defaults: Mapping[str, Any] = panel.get("fieldConfig", {}).get("defaults", {})
    return defaults


def _columns(panel: Panel) -> Iterator[tuple[str, set[str]]]:
    """The columns of a table that hold values, and the properties that they have been given."""
    renamed: dict[str, str] = {}
    for step in panel["transformations"]:
        renamed |= step.get("options", {}).get("renameByName", {})
    given = {o["matcher"]["options"]: {p["id"] for p in o["properties"]} for o in panel["fieldConfig"]["overrides"]}
    for name, heading in renamed.items():
        if name.startswith("Value"):
            yield heading, given.get(heading, set())
