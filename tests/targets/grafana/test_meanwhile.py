"""What others do while a push runs is kept: between its plan and its writes, and at the very moment of a write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from builder.config import Place
from builder.targets.grafana.push import push
from builder.targets.grafana.report import Report
from builder.testing import FakeGrafana
from builder.testing.grafana import apps
from builder.testing.grafana.faults import Fault
from builder.testing.grafana.model import Json
from tests.targets.grafana.pushing import actions, at, board, changed, options, outcome, run, some

Served = tuple[FakeGrafana, str]
BOARDS = some("one", "two")
NEW = changed(BOARDS, "one", title="New")


def push_while(grafana: FakeGrafana, api: str, somebody: Callable[[], object]) -> Report:
    """Push the new boards; somebody acts when all is planned and nothing written."""

    def meanwhile(doing: str, done: int, total: int) -> None:
        if (doing, done) == ("reading", total):
            somebody()

    return push(NEW, at(grafana), options(api), progress=meanwhile)


def test_a_board_that_was_moved_stays_where_it_is(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    grafana.add_folder("elsewhere", "Elsewhere")
    report = push_while(grafana, api, lambda: grafana.move_in_ui("one", "elsewhere"))
    assert actions(report)["one"] == "conflict refused" and grafana.boards["one"].folder == "elsewhere"
    assert grafana.boards["one"].title == "Board one"


def test_a_board_that_was_removed_is_not_made_again(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    report = push_while(grafana, api, lambda: grafana.delete_in_ui("one"))
    assert actions(report)["one"] == "update refused" and "removed" in outcome(report, "one").detail
    assert "one" not in grafana.boards and report.exit_code == 1


def test_a_board_that_was_made_anew_is_not_overwritten(served: Served) -> None:
    """It has the number of the version that the push knows."""
    grafana, api = served
    run(grafana, BOARDS, api)

    def anew() -> None:
        grafana.delete_in_ui("one")
        grafana.add_board(board("one", "Somebody's"), "gpu")

    assert actions(push_while(grafana, api, anew))["one"] == "conflict refused"
    assert grafana.boards["one"].title == "Somebody's" and grafana.boards["one"].version == 1


def test_a_folder_that_was_removed_is_said_so(served: Served) -> None:
    grafana, api = served
    grafana.add_folder("gpu", "GPU")
    report = push_while(grafana, api, lambda: grafana.delete_folder_in_ui("gpu"))
    assert actions(report) == {"one": "create refused", "two": "create refused"}
    assert outcome(report, "one").detail == "the folder 'gpu' is gone" and outcome(report, "one").fix == "run it again"
    assert actions(run(grafana, NEW, api)) == {"one": "create done", "two": "create done"}


def test_a_board_that_was_edited_is_not_removed(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api, project="fleet")
    grafana.settle()

    def confirm(_found: object) -> bool:
        grafana.edit_in_ui("two", lambda b: {**b, "description": "precious"})
        return True

    report = push(some("one"), at(grafana), options(api, project="fleet", prune=True), confirm=confirm)
    assert actions(report)["two"] == "remove refused" and grafana.boards["two"].spec["description"] == "precious"


@pytest.mark.parametrize("version", ["12.0.0", "12.4.0", "13.2.0"])
def test_not_even_in_the_moment_of_the_removal(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The classic API has no precondition for a delete; this one has."""
    with FakeGrafana(version, search_lag=0) as grafana:
        run(grafana, BOARDS, "apps", project="fleet")
        draw = grafana.faults.draw

        def edit_first(method: str, path: str) -> Fault:
            if method == "DELETE":
                grafana.edit_in_ui("two", lambda b: {**b, "description": "precious"})
            return draw(method, path)

        monkeypatch.setattr(grafana.faults, "draw", edit_first)
        report = run(grafana, some("one"), "apps", project="fleet", prune=True)
        assert actions(report)["two"] == "remove refused" and "two" in grafana.boards


# a server that stores boards in a form of its own ----------------------------------------------


@pytest.fixture
def own_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """/apis fill in what was left out, as a server may that knows more of boards than we do."""
    before = apps.dashboards.migrated

    def filled(spec: Json, oldest: int, latest: int) -> tuple[Json, str]:
        made, complaint = before(spec, oldest, latest)
        return {"graphTooltip": 0, "links": [], **made}, complaint

    monkeypatch.setattr(apps.dashboards, "migrated", filled)


@pytest.mark.usefixtures("own_form")
@pytest.mark.parametrize("version", ["12.2.0", "13.2.0"])
def test_a_form_of_the_servers_own_is_no_edit_not_even_after_a_move(version: str) -> None:
    with FakeGrafana(version) as grafana:
        report = run(grafana, BOARDS, "apps")
        assert "form of its own" in outcome(report, "one").detail
        assert run(grafana, BOARDS, "apps").writes == 0
        assert actions(run(grafana, NEW, "apps")) == {"one": "update done", "two": "unchanged done"}
        elsewhere = at(grafana, folders=(Place("new", "New"),))
        assert actions(push(NEW, elsewhere, options("apps"))) == {"one": "move done", "two": "move done"}
        assert push(NEW, elsewhere, options("apps")).writes == 0
        grafana.move_in_ui("one", "gpu")
        assert actions(push(NEW, elsewhere, options("apps")))["one"] == "conflict refused"
        assert actions(push(NEW, elsewhere, options("apps", force=True)))["one"] == "update done"
        assert push(NEW, elsewhere, options("apps")).writes == 0
        grafana.edit_in_ui("one", lambda b: {**b, "description": "mine"})
        assert actions(push(NEW, elsewhere, options("apps")))["one"] == "conflict refused"


# somebody who may only look --------------------------------------------------------------------


def test_who_may_only_read_is_told_the_differences(served: Served) -> None:
    grafana, api = served
    run(grafana, some("one", "two", "gone"), api, project="fleet")
    grafana.settle()
    viewer = at(grafana, grafana.add_token("Viewer"))
    report = push(NEW, viewer, options(api, project="fleet", prune=True, dry_run=True))
    assert outcome(report, "one").changes == ("title: 'Board one' to 'New'",)
    assert outcome(report, "two").action == "unchanged"
    gone = outcome(report, "gone")
    assert gone.result == "planned" or "cannot be told" in gone.detail


def test_a_board_next_to_ours_may_have_any_uid(served: Served) -> None:
    """Old servers and the object API know uids that would be other paths; they are asked for as what they are."""
    grafana, api = served
    run(grafana, BOARDS, api, project="fleet")
    for uid in ("..", "a.b", "x?y#z", "sp ace%2e"):
        grafana.add_board({**board(uid), "tags": ["gpuboards", "gpuboards:fleet"]}, "gpu")
    grafana.settle()
    report = run(grafana, BOARDS, api, project="fleet", prune=True)
    assert [o.result for o in report.outcomes if o.action == "remove"] == ["refused"] * 4
    assert len(grafana.boards) == 6
