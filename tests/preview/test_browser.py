"""The pages in a real browser: every panel is seen, where it belongs, with something in it, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from builder.preview import Board
from builder.preview.page import page
from builder.preview.page.document import Drawn
from builder.preview.sizes import left_of, size_of, top_of
from tests.preview.browser import Browser
from tests.preview.made import HOSTILE, every_kind

pytestmark = pytest.mark.browser
WIDE, NARROW = 1632, 390
_DRAWN: Drawn = {}
_MEASURE = """
[...document.querySelectorAll('.board > *')].map((one) => {
  const box = one.getBoundingClientRect();
  const body = one.querySelector('.body');
  const inside = body ? body.getBoundingClientRect() : box;
  const drawn = [...one.querySelectorAll('svg path, svg image, svg use')].filter((shape) => {
    const place = shape.getBoundingClientRect();
    return shape.checkVisibility() && place.width + place.height > 4;
  });
  const charts = [...one.querySelectorAll('.drawing svg')].filter((svg) => svg.checkVisibility());
  const chart = charts.length ? charts[0].getBoundingClientRect() : null;
  return {
    title: (one.querySelector('h2, h3') || one).innerText.trim(),
    row: one.matches('.row'),
    visible: one.checkVisibility(),
    box: [box.left, box.top + scrollY, box.right, box.bottom + scrollY],
    inside: [inside.width, inside.height],
    overflow: [box.right - innerWidth, body ? inside.bottom - box.bottom : 0],
    text: (body || one).innerText.trim(),
    shapes: drawn.length,
    charts: charts.length,
    chart: chart ? [chart.width, chart.height, chart.right - inside.right, chart.bottom - inside.bottom] : null,
  };
})
"""


_CORNER = """(() => {
  const board = document.querySelector('.board').getBoundingClientRect();
  return [board.left, board.top + scrollY];
})()"""


@dataclass(frozen=True)
class Seen:
    """What the browser made of one panel or row; lengths in pixels."""

    title: str
    row: bool
    visible: bool
    box: Sequence[float]
    inside: Sequence[float]
    overflow: Sequence[float]
    text: str
    shapes: int
    charts: int
    chart: Sequence[float] | None


def measured(browser: Browser) -> list[Seen]:
    return [Seen(**one) for one in browser.run(_MEASURE)]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Callable[..., list[Seen]]:
    """Opens a board's page in the browser and measures its panels."""

    def show(board: Board, **how: Any) -> list[Seen]:
        file = tmp_path / "page.html"
        file.write_text(page(board, source="made", drawn=_DRAWN), encoding="utf-8")
        browser.failed.clear()
        browser.open(file, **how)
        return measured(browser)

    return show


def check(seen: Sequence[Seen], board: Board) -> None:
    """Every panel is there, visible, apart from the others, inside the window, and has something in it."""
    assert [one.row for one in seen] == [placed.is_row for placed, _ in board.panels]
    for one in seen:
        assert one.visible and one.inside[0] > 20 and one.inside[1] > 10, one
        assert one.overflow[0] <= 0.5 and one.overflow[1] <= 0.5, one
        assert one.text or one.shapes, one
        assert one.charts <= 1, one  # of the drawings for wide and narrow screens, and for the themes
        if one.chart:
            width, height, right, below = one.chart
            assert one.shapes and width > 60 and height > 40 and right <= 0.5 and below <= 0.5, one
    for one, other in combinations(seen, 2):
        apart = (
            one.box[2] <= other.box[0] + 0.5
            or other.box[2] <= one.box[0] + 0.5
            or one.box[3] <= other.box[1] + 0.5
            or other.box[3] <= one.box[1] + 0.5
        )
        assert apart, (one, other)


def check_grid(browser: Browser, seen: Sequence[Seen], board: Board) -> None:
    """Each panel lies where Grafana's grid has it, to the pixel."""
    left, top = browser.run(_CORNER)
    for one, (placed, _) in zip(seen, board.panels, strict=True):
        if not placed.is_row:
            width, height = size_of(placed.place)
            expected = (left_of(placed.place), top_of(placed.place), width, height)
            found = (one.box[0] - left, one.box[1] - top, one.box[2] - one.box[0], one.box[3] - one.box[1])
            assert found == pytest.approx(expected, abs=2), one


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_every_kind_of_panel_on_a_wide_screen(shown: Callable[..., list[Seen]], browser: Browser, dark: bool) -> None:
    board = every_kind()
    seen = shown(board, width=WIDE, dark=dark)
    check(seen, board)
    assert [one.title for one in seen[:2]] == ["GPU row", "GPU graph"]
    check_grid(browser, seen, board)
    assert browser.failed == []


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_every_kind_of_panel_on_a_telephone(shown: Callable[..., list[Seen]], browser: Browser, dark: bool) -> None:
    board = every_kind()
    seen = shown(board, width=NARROW, dark=dark)
    check(seen, board)
    assert browser.run("document.documentElement.scrollWidth") <= NARROW
    assert all(one.box[2] - one.box[0] > NARROW - 40 for one in seen if not one.row)


@pytest.mark.parametrize("width", [800, 1050, 1300, 2200])
def test_every_kind_of_panel_on_screens_between(shown: Callable[..., list[Seen]], width: int) -> None:
    board = every_kind()
    check(shown(board, width=width), board)


def test_a_reader_chooses_the_theme_against_the_system(shown: Callable[..., list[Seen]], browser: Browser) -> None:
    shown(every_kind(), width=WIDE, dark=True)
    colour = "getComputedStyle(document.body).backgroundColor"
    drawn = "getComputedStyle(document.querySelector('.drawing .wide text')).fill"
    heat = "[...document.querySelectorAll('.wide > .only-dark')].every((one) => one.checkVisibility())"
    system = browser.run(colour), browser.run(drawn), browser.run(heat)
    browser.run("document.querySelector('#theme-light').click()")
    light = browser.run(colour), browser.run(drawn), browser.run(heat)
    browser.prefer("light")
    browser.run("document.querySelector('#theme-dark').click()")
    dark = browser.run(colour), browser.run(drawn), browser.run(heat)
    assert system == dark == ("rgb(17, 18, 23)", "rgb(157, 157, 171)", True)
    assert light == ("rgb(244, 245, 245)", "rgb(95, 102, 112)", False)


def test_the_theme_and_what_scrolls_are_reached_by_key(shown: Callable[..., list[Seen]], browser: Browser) -> None:
    shown(every_kind(), width=WIDE)
    for _ in range(2):
        for kind in ("rawKeyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert browser.run("document.activeElement.matches('input[name=theme], summary')")
    unreached = """[...document.querySelectorAll('.board *')].filter((one) => {
      const style = getComputedStyle(one);
      return one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(style.overflowY) && one.tabIndex < 0;
    }).map((one) => one.className)"""
    assert browser.run(unreached) == []


def test_markup_in_names_does_nothing(shown: Callable[..., list[Seen]], browser: Browser) -> None:
    board = every_kind(HOSTILE)
    check(shown(board, width=WIDE), board)
    assert browser.run("document.querySelectorAll('script, img, iframe, object, .board a').length") == 0
    assert browser.run("document.querySelector('h1').textContent") == f"{HOSTILE} board"
    assert browser.failed == []


@pytest.mark.live
@pytest.mark.parametrize("width", [WIDE, NARROW], ids=["wide", "telephone"])
@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_our_boards(
    browser: Browser, own_boards: Mapping[str, Board], own_pages: Mapping[str, Path], width: int, dark: bool
) -> None:
    assert len(own_boards) == 7
    for uid, board in own_boards.items():
        browser.failed.clear()
        browser.open(own_pages[uid], width=width, dark=dark)
        seen = measured(browser)
        check(seen, board)
        if width == WIDE:
            check_grid(browser, seen, board)
        assert browser.failed == [], uid
