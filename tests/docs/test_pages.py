"""Pages that cannot go stale: links lead somewhere, tables are the catalogue's, boards are described panel by panel."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from builder.cli.boards import panels_of
from builder.grafana.board import Board, Values
from builder.load import load
from tests.docs import generated
from tests.docs.markdown import PAGES, ROOT, anchors, links, rows

BOARDS = {d.board.uid: d.board for d in load(ROOT / "dashboards") if isinstance(d.board, Board)}


def _relative(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_relative)
def test_links_lead_somewhere(page: Path) -> None:
    for target in links(page):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{target} leads nowhere"
        assert not anchor or anchor in anchors(file), f"{target}: no such heading"


def test_generated_tables_are_up_to_date() -> None:
    used = []
    for page in PAGES:
        text = page.read_text()
        used += generated.names(text)
        assert generated.renewed(text) == text, f"{_relative(page)}: run `python -m tests.docs.generated`"
    assert sorted(used) == sorted(generated.TABLES)


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs/adr"
    assert {"README.md", *links(folder / "README.md")} == {page.name for page in folder.glob("*.md")}


def test_every_board_has_a_page() -> None:
    assert {page.stem for page in (ROOT / "docs/boards").glob("*.md")} == BOARDS.keys()


@pytest.mark.parametrize("uid", BOARDS)
def test_a_board_page_names_every_panel_and_no_other(uid: str) -> None:
    described = {cells[0].partition("**")[2].partition("**")[0] for cells in rows(_page(uid))}
    titles = {panel["title"].removesuffix(" (approximate)") for panel in panels_of(_built(uid))}
    assert described == titles


@pytest.mark.parametrize("uid", BOARDS)
def test_a_board_page_has_the_rows_as_headings_in_order(uid: str) -> None:
    headings = re.findall(r"^## (.+)$", _page(uid).read_text(), re.MULTILINE)
    titles = [panel.title for panel in BOARDS[uid].panels]
    assert headings == [*titles, "What must be switched on", "Known limits"]


@pytest.mark.parametrize("uid", BOARDS)
def test_a_board_page_names_the_variables_and_the_question(uid: str) -> None:
    text = _page(uid).read_text()
    named = set(re.findall(r"`\$(\w+)`", text))
    assert named == {variable.name for variable in BOARDS[uid].variables}
    assert text.splitlines()[0] == f"# {uid}: {_question(uid)}"


@pytest.mark.parametrize("uid", BOARDS)
def test_a_board_page_says_what_must_be_switched_on(uid: str) -> None:
    text = _page(uid).read_text().partition("## What must be switched on")[2]
    for panel in panels_of(_built(uid)):
        hint = panel.get("description", "").partition("Not exported by default")[2]
        for field in re.findall(r"add (\w+) to", hint):
            assert field in text, panel["title"]


@pytest.mark.parametrize("uid", BOARDS)
def test_a_board_page_links_to_where_its_clicks_lead(uid: str) -> None:
    led_to = set(re.findall(r"/d/([\w-]+)\?", str(_built(uid)))) - {uid}
    assert led_to <= {Path(target).stem for target in links(_page(uid))}


def test_variables_that_do_not_narrow_are_said_to() -> None:
    for uid, board in BOARDS.items():
        for variable in board.variables:
            if isinstance(variable, Values) and not variable.narrow:
                assert "choose what the logs show" in " ".join(_page(uid).read_text().split()), uid


def _page(uid: str) -> Path:
    return ROOT / "docs/boards" / f"{uid}.md"


def _built(uid: str) -> Any:
    return generated.built("dcgm")[0][uid]


def _question(uid: str) -> str:
    """The board's question, without the hint after it."""
    return BOARDS[uid].question.partition("?")[0] + "?"
