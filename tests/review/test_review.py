"""The report: what a change brought, at any length, and nothing in it that a forge or browser would run."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from builder.diff.pairing import Stored
from builder.lint import LintConfig, Subject
from builder.review import facts, markdown, page, text, words
from builder.review.assess import assessed
from builder.review.model import Picture, Review
from tests.diff.test_compare import board, panel
from tests.diff.test_show import NASTY, without_code

GOOD = {
    **panel(1, "Load", type="timeseries"),
    "description": "How busy it is.",
    "datasource": {"type": "prometheus", "uid": "${datasource}"},
    "targets": [
        {"refId": "A", "expr": 'avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[$__rate_interval]))'}
    ],
    "fieldConfig": {"defaults": {"unit": "percentunit"}, "overrides": []},
}
BARE = panel(2, "Bare")


def review(before: dict[str, Any] | None, after: dict[str, Any] | None, **more: Any) -> Review:
    sides = [[Stored("b.json", side)] if side is not None else [] for side in (before, after)]
    boards = assessed(*sides, LintConfig(), (), more.pop("files", None))
    return Review("origin/main", "0123456789abcdef", tuple(boards), 1, **more)


def rules(found: Review) -> list[str]:
    return [finding.rule for finding in found.findings]


# findings ----------------------------------------------------------------------------------------


def test_what_was_wrong_before_is_not_new() -> None:
    changed = {**BARE, "description": "Now it says what it is.", "interval": "1m"}
    found = review(board(GOOD, BARE), board(GOOD, changed))
    assert rules(found) == [] and found.boards[0].gone == 1
    assert "1 finding gone" in words.summary(found)


def test_what_the_change_brought_is_new_and_only_that() -> None:
    broken = copy.deepcopy(GOOD)
    broken["targets"][0]["expr"] = "rate(node_cpu_seconds_total[5m]"
    found = review(board(GOOD, BARE), board(broken, BARE))
    assert rules(found) == ["promql-parses"]
    assert "promql-parses" in markdown.render(found) and "promql-parses" in page.render(found)


def test_ids_given_anew_make_no_finding_new() -> None:
    after = board({**GOOD, "id": 11, "interval": "1m"}, {**BARE, "id": 12})
    assert rules(review(board(GOOD, BARE), after)) == []


@pytest.mark.parametrize("odd", [{"id": [2]}, {"title": None}, {"title": ["Bare"]}, {"id": {}, "title": 5}])
def test_a_panel_with_an_odd_name_keeps_its_findings(odd: dict[str, Any]) -> None:
    found = review(board(GOOD, {**BARE, **odd}), board(GOOD, {**BARE, **odd, "interval": "1m"}))
    assert rules(found) == [] and found.boards[0].gone == 0


def test_boards_without_a_uid_keep_their_findings_apart() -> None:
    good, bare = ({key: value for key, value in board(each).items() if key != "uid"} for each in (GOOD, BARE))
    before = [Stored("one.json", {**good, "title": "One"}), Stored("two.json", {**bare, "title": "Two"})]
    after = [Stored("one.json", {**bare, "title": "One"}), Stored("two.json", {**good, "title": "Two"})]
    one, two = assessed(before, after, LintConfig())
    assert "missing-description" in {finding.rule for finding in one.findings}
    assert "missing-description" not in {finding.rule for finding in two.findings} and two.gone > 0


def test_boards_that_shared_a_title_before_do_so_without_a_new_finding() -> None:
    before = [Stored(f"json/{uid}.json", {**board(GOOD), "uid": uid}) for uid in ("one", "two")]
    after = [replace(stored, data={**stored.data, "refresh": "5m"}) for stored in before]
    assert [review.findings for review in assessed(before, after, LintConfig())] == [(), ()]
    assert [review.gone for review in assessed(before, after, LintConfig())] == [0, 0]


def test_all_findings_of_a_new_board_are_new() -> None:
    assert "missing-description" in rules(review(None, board(BARE)))
    gone = review(board(BARE), None)
    assert rules(gone) == [] and gone.boards[0].gone > 0


def test_findings_name_the_definition_where_there_is_one() -> None:
    after = board({**GOOD, "description": ""})
    found = review(board(GOOD), after, files={"b.json": Subject("boards/b.py", after, line=7)})
    assert [finding.where for finding in found.findings] == ["boards/b.py:7"]


def test_size() -> None:
    found = review(board(GOOD), board(GOOD, panel(3, "More")))
    assert words.size(found.boards[0]).startswith("size 0.4 kB → 0.5 kB, panels 1 → 2, queries 1 → 2")


# length ------------------------------------------------------------------------------------------


def large(boards: int, panels: int) -> Review:
    sides: list[list[Stored]] = [[], []]
    for number in range(boards):
        made = [panel(n, f"Panel {n} of {number} {NASTY}") for n in range(panels)]
        after = [{**p, "targets": [{"refId": "A", "expr": f"max({p['targets'][0]['expr']})"}]} for p in made]
        for side, data in zip(sides, (made, after), strict=True):
            side.append(Stored(f"{number}.json", {**board(*data), "uid": f"b{number}", "title": f"Board {number}"}))
    return Review("main", "0" * 40, tuple(assessed(*sides, LintConfig())), boards)


@pytest.mark.parametrize(
    ("boards", "panels", "limit"), [(1, 3, 65_536), (3, 200, 65_536), (400, 2, 65_536), (40, 5, 2_000)]
)
def test_a_comment_is_never_too_long(boards: int, panels: int, limit: int) -> None:
    shown = markdown.render(large(boards, panels), limit=limit, artifact="https://ci.example/run/1")
    assert len(shown) <= limit
    assert shown.startswith(markdown.MARKER)
    assert f"{boards} board" in shown.splitlines()[1]
    assert shown.endswith("(https://ci.example/run/1)")
    assert shown.count("<details>") == shown.count("</details>")
    without_code(shown)


def test_the_longest_board_is_cut_first_and_those_left_out_are_counted() -> None:
    small, big = large(1, 1), large(1, 300)
    both = Review("main", "0" * 40, (*big.boards, *small.boards), 2)
    shown = markdown.render(both, limit=10_000)
    assert "Too much to be shown here." in shown and "query A" in shown
    assert "more boards differ; the whole report tells about them" in markdown.render(large(200, 1), limit=4_000)


# foreign text ------------------------------------------------------------------------------------


class Scripts(HTMLParser):
    """The elements of a page, and whatever could reach the network or run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.sources: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.sources += [str(value) for name, value in attrs if name in ("src", "href")]


def nasty() -> Review:
    before = {**board(GOOD, title=NASTY), "uid": NASTY}
    after = {**board({**GOOD, "title": NASTY, "description": "", NASTY: NASTY}, title=NASTY), "uid": NASTY}
    return review(before, after, notes=(NASTY,))


def test_a_page_runs_and_fetches_nothing() -> None:
    def draw(_board: Any, shown: Any) -> Picture:
        side = b"after" if shown["title"] == NASTY else b"before"
        return Picture("image/svg+xml", b"<svg onload='x()'>%s</svg>" % side, str(shown["title"]))

    scripts = Scripts()
    scripts.feed(page.render(nasty(), draw=draw))
    assert not scripts.tags & {"script", "link", "iframe", "object", "a", "svg"}
    assert not {name for name in scripts.attributes if name.startswith("on")}
    assert len(scripts.sources) == 2 and all(s.startswith("data:image/svg+xml;base64,") for s in scripts.sources)


def test_pictures_that_are_alike_are_shown_once() -> None:
    once = page.render(nasty(), draw=lambda board, panel: Picture("image/png", b"same", "words"), notes=(NASTY,))
    assert once.count("<img ") == 1 and "before and after, looking the same" in once
    assert NASTY not in once, "notes are text too"
    assert "<img " not in page.render(nasty(), draw=lambda board, panel: None)


def test_pictures_are_those_of_both_sides() -> None:
    drawn: list[tuple[str, str]] = []

    def draw(of: Any, shown: Any) -> None:
        drawn.append((of["title"], shown["title"]))

    page.render(review({**board(GOOD), "title": "old"}, {**board({**GOOD, "title": "New"}), "title": "new"}), draw=draw)
    assert drawn == [("old", "Load"), ("new", "New")]


def test_a_comment_holds_foreign_text_as_code() -> None:
    shown = markdown.render(nasty()).removeprefix(markdown.MARKER)
    outside = without_code(shown)
    assert not any(sign in outside for sign in ("<script", "@", "javascript", "**b**", "<!--"))


def test_all_forms_say_the_same() -> None:
    found = nasty()
    told = json.loads(json.dumps(facts.facts(found)))
    assert told["boards"][0]["findings"][0]["rule"] == "missing-description"
    for shown in (text.render(found), markdown.render(found), page.render(found)):
        assert "1 board differs of 1, 1 new finding" in shown
        assert "missing-description" in shown and "\x1b" not in shown
    assert text.render(Review("main", "0" * 40, (), 7)) == "no board differs"
