"""What a push does to a Grafana of each version, through each API."""

from __future__ import annotations

import pytest

from builder.config import Place
from builder.errors import UsageError
from builder.targets.grafana.push import push
from builder.targets.grafana.signature import read_signature
from builder.testing import FakeGrafana
from tests.targets.grafana.pushing import actions, at, board, changed, options, outcome, run, some

Served = tuple[FakeGrafana, str]
BOARDS = some("one", "two")


def test_boards_are_created_signed_and_tagged(served: Served) -> None:
    grafana, api = served
    report = run(grafana, BOARDS, api, project="fleet")
    assert actions(report) == {"one": "create done", "two": "create done"}
    assert (report.exit_code, report.writes) == (0, 3)
    assert outcome(report, "one").link == f"{grafana.url}/d/one"
    stored = grafana.boards["one"]
    assert stored.folder == "gpu" and grafana.folders["gpu"].title == "GPU"
    assert set(stored.tags) == {"gpuboards", "gpuboards:fleet"}
    signature = read_signature(stored.message)
    assert signature is not None
    assert (signature.tool, signature.revision, signature.version) == ("0.1.0", "abc123", 1)


def test_a_second_push_writes_nothing(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    grafana.forget_requests()
    report = run(grafana, BOARDS, api)
    assert actions(report) == {"one": "unchanged done", "two": "unchanged done"}
    assert (report.exit_code, report.writes, grafana.writes) == (0, 0, ())
    assert [len(b.history) for b in grafana.boards.values()] == [1, 1]


def test_only_what_changed_is_written(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    untouched = grafana.boards["two"]
    report = run(grafana, changed(BOARDS, "one", title="New"), api)
    assert actions(report) == {"one": "update done", "two": "unchanged done"}
    assert (grafana.boards["one"].title, grafana.boards["one"].version) == ("New", 2)
    assert grafana.boards["two"] == untouched


def test_a_dry_run_only_reads(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api, project="p")
    grafana.settle()
    grafana.forget_requests()
    new = {"one": board("one", "New"), "three": board("three")}
    report = run(grafana, new, api, project="p", prune=True, dry_run=True)
    assert actions(report) == {"one": "update planned", "three": "create planned", "two": "remove planned"}
    assert outcome(report, "one").changes == ("title: 'Board one' to 'New'",)
    assert grafana.writes == () and report.exit_code == 0


def test_the_version_message_stays_below_what_grafana_takes() -> None:
    from builder.targets.grafana.signature import Signature

    message = str(Signature("10.20.30.dev400+local", "0123456789ab-dirty", "f" * 64, 10**9, "x" * 40))
    assert len(message) < 500 and read_signature(message) is not None


# other people's work ---------------------------------------------------------------------------


def test_an_edit_in_the_browser_is_not_overwritten(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    grafana.edit_in_ui("one", lambda b: {**b, "description": "mine"}, user="alice")
    edited = grafana.boards["one"]
    report = run(grafana, changed(BOARDS, "two", title="New"), api)
    assert actions(report) == {"one": "conflict refused", "two": "update done"}
    assert grafana.boards["one"] == edited and report.exit_code == 1
    conflict = outcome(report, "one")
    assert "alice" in conflict.detail and edited.updated[:16] in conflict.detail and "--force" in conflict.fix
    assert conflict.changes == ("description removed",)

    report = run(grafana, changed(BOARDS, "two", title="New"), api, force=True)
    assert actions(report) == {"one": "update done", "two": "unchanged done"}
    assert "description" not in grafana.boards["one"].spec and "alice" in outcome(report, "one").detail
    assert run(grafana, changed(BOARDS, "two", title="New"), api).writes == 0


def test_an_edit_that_keeps_our_message_is_still_an_edit(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    ours = grafana.boards["one"].message
    grafana.edit_in_ui("one", lambda b: {**b, "description": "mine"}, message=ours)
    assert actions(run(grafana, BOARDS, api))["one"] == "conflict refused"


def test_an_edit_that_makes_the_board_what_we_want_is_no_conflict(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    grafana.edit_in_ui("one", lambda b: {**b, "description": "the same idea"})
    report = run(grafana, changed(BOARDS, "one", description="the same idea"), api)
    assert actions(report)["one"] == "unchanged done" and report.writes == 0


def test_a_board_that_was_there_before_is_not_taken_over(served: Served) -> None:
    grafana, api = served
    grafana.add_folder("gpu", "GPU")
    grafana.add_board(board("one", "Somebody's"), "gpu", user="bob")
    report = run(grafana, BOARDS, api)
    assert actions(report) == {"one": "conflict refused", "two": "create done"}
    assert grafana.boards["one"].title == "Somebody's" and "bob" in outcome(report, "one").detail


def test_a_board_of_another_project_is_not_taken_over(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api, project="theirs")
    report = run(grafana, BOARDS, api, project="ours")
    assert actions(report) == {"one": "conflict refused", "two": "conflict refused"}
    assert "theirs" in outcome(report, "one").detail


def test_a_provisioned_board_is_not_touched(served: Served) -> None:
    grafana, api = served
    grafana.provision(board("one", "From a file"), path="boards/one.json")
    report = run(grafana, BOARDS, api, force=True)
    assert actions(report) == {"one": "not writable refused", "two": "create done"}
    assert "boards/one.json" in outcome(report, "one").detail and report.exit_code == 1
    assert grafana.boards["one"].version == 1


@pytest.mark.parametrize("manager", ["repo", "terraform", "kubectl"])
def test_a_board_that_another_tool_manages_is_not_touched(manager: str) -> None:
    with FakeGrafana(version="13.0.0") as grafana:
        grafana.add_board(board("one", "Theirs"), managed_by=manager, manager_id="infra")
        report = run(grafana, BOARDS, force=True)
        assert actions(report) == {"one": "not writable refused", "two": "create done"}
        assert grafana.boards["one"].title == "Theirs"


def test_a_board_in_the_new_layout_is_a_conflict(unified: Served) -> None:
    grafana, api = unified
    run(grafana, BOARDS, api)
    v2 = {"title": "New layout", "elements": {}, "layout": {"kind": "GridLayout"}, "tags": []}
    grafana.edit_in_ui("one", lambda b: v2, schema="v2")
    report = run(grafana, BOARDS, api)
    assert actions(report)["one"] == "conflict refused" and "new layout" in outcome(report, "one").detail
    assert actions(run(grafana, BOARDS, api, force=True))["one"] == "update done"
    assert grafana.boards["one"].title == "Board one"


@pytest.mark.parametrize("version", ["10.4.0", "11.2.0"])
def test_a_title_that_is_taken_is_said_so(version: str) -> None:
    with FakeGrafana(version=version) as grafana:
        grafana.add_folder("gpu", "GPU")
        grafana.add_board(board("theirs", "Board one"), "gpu")
        report = run(grafana, BOARDS)
        assert actions(report) == {"one": "title taken refused", "two": "create done"}
        assert "theirs" in outcome(report, "one").detail and "one" not in grafana.boards
        assert grafana.boards["theirs"].version == 1


def test_a_title_may_be_there_twice_in_newer_versions() -> None:
    with FakeGrafana(version="11.6.0") as grafana:
        grafana.add_folder("gpu", "GPU")
        grafana.add_board(board("theirs", "Board one"), "gpu")
        assert actions(run(grafana, BOARDS)) == {"one": "create done", "two": "create done"}


# between plan and apply ------------------------------------------------------------------------


def test_a_change_between_plan_and_apply_is_not_lost(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)

    def meanwhile(doing: str, done: int, total: int) -> None:
        if (doing, done) == ("reading", total):
            grafana.edit_in_ui("one", lambda b: {**b, "description": "quick"}, user="carol")

    new = changed(BOARDS, "one", title="New")
    report = push(new, at(grafana), options(api), progress=meanwhile)
    assert actions(report)["one"] == "conflict refused" and "carol" in outcome(report, "one").detail
    assert grafana.boards["one"].spec["description"] == "quick"


def test_a_board_created_between_plan_and_apply_is_not_overwritten(served: Served) -> None:
    grafana, api = served

    def meanwhile(doing: str, done: int, total: int) -> None:
        if (doing, done) == ("reading", total):
            grafana.add_board(board("one", "Quicker"), user="carol")

    report = push(BOARDS, at(grafana), options(api), progress=meanwhile)
    assert actions(report) == {"one": "conflict refused", "two": "create done"}
    assert grafana.boards["one"].title == "Quicker"


# folders ---------------------------------------------------------------------------------------

PATH = (Place("team", "Team"), Place("hardware", "Hardware"), Place("gpu", "GPU"))


def test_a_path_of_folders_is_created_parents_first(nesting: Served) -> None:
    grafana, api = nesting
    report = push(BOARDS, at(grafana, folders=PATH), options(api))
    assert [step.uid for step in report.folders] == ["team", "hardware", "gpu"] and report.exit_code == 0
    assert {f.uid: f.parent for f in grafana.folders.values()} == {"team": "", "hardware": "team", "gpu": "hardware"}
    assert grafana.boards["one"].folder == "gpu"
    assert push(BOARDS, at(grafana, folders=PATH), options(api)).writes == 0


def test_a_folder_is_moved_and_renamed_in_place(nesting: Served) -> None:
    grafana, api = nesting
    run(grafana, BOARDS, api)
    before = grafana.folders["gpu"].id
    path = (Place("team", "Team"), Place("gpu", "Graphics cards"))
    report = push(BOARDS, at(grafana, folders=path), options(api))
    assert [step.action for step in report.folders] == ["create", "move", "rename"]
    folder = grafana.folders["gpu"]
    assert (folder.id, folder.parent, folder.title) == (before, "team", "Graphics cards")
    assert [b.version for b in grafana.boards.values()] == [1, 1]


def test_folders_above_are_used_as_they_are(grafana: FakeGrafana) -> None:
    grafana.add_folder("company", "Company")
    grafana.add_folder("team", "Their name", "company")
    report = push(BOARDS, at(grafana, folders=(Place("team", "Team"), Place("gpu", "GPU"))), options())
    assert grafana.folders["team"].title == "Their name" and grafana.folders["team"].parent == "company"
    assert any("Their name" in note for note in report.notes)


def test_boards_move_when_the_configured_folder_changes(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    report = push(BOARDS, at(grafana, folders=(Place("new", "New"),)), options(api))
    assert actions(report) == {"one": "move done", "two": "move done"}
    assert {b.folder for b in grafana.boards.values()} == {"new"} and len(grafana.boards) == 2
    assert push(BOARDS, at(grafana, folders=(Place("new", "New"),)), options(api)).writes == 0


def test_a_board_that_somebody_moved_is_left_where_it_is(served: Served) -> None:
    grafana, api = served
    run(grafana, BOARDS, api)
    grafana.add_folder("elsewhere", "Elsewhere")
    grafana.move_in_ui("one", "elsewhere")
    report = run(grafana, BOARDS, api)
    assert actions(report)["one"] == "conflict refused"
    assert outcome(report, "one").changes == ("folder: elsewhere to gpu",)
    assert actions(run(grafana, BOARDS, api, force=True))["one"] == "move done"
    assert grafana.boards["one"].folder == "gpu"


# pruning ---------------------------------------------------------------------------------------


def test_prune_removes_what_is_ours_and_no_longer_defined(served: Served) -> None:
    grafana, api = served
    run(grafana, some("one", "two", "edited"), api, project="fleet")
    run(grafana, some("other"), api, project="other")
    grafana.add_board(board("bare"), "gpu")
    grafana.add_board(board("copied", tags=["gpuboards", "gpuboards:fleet"]), "gpu", user="dave")
    grafana.edit_in_ui("edited", lambda b: {**b, "title": "Mine now"}, user="alice")
    grafana.settle()
    report = run(grafana, some("one"), api, project="fleet", prune=True)
    assert actions(report) == {
        "one": "unchanged done",
        "two": "remove done",
        "edited": "remove refused",
        "copied": "remove refused",
    }
    assert set(grafana.boards) == {"one", "edited", "other", "bare", "copied"} and report.exit_code == 1
    assert "alice" in outcome(report, "edited").detail


def test_prune_needs_a_project_and_a_yes(grafana: FakeGrafana) -> None:
    with pytest.raises(UsageError, match="project"):
        options(prune=True)
    run(grafana, BOARDS, project="fleet")
    grafana.settle()
    grafana.forget_requests()
    with pytest.raises(UsageError, match="not confirmed"):
        push(some("one"), at(grafana), options(prune=True, project="fleet"), confirm=lambda found: False)
    assert grafana.writes == () and "two" in grafana.boards


# what the server asks for ----------------------------------------------------------------------


def test_blanks_around_a_title_are_no_difference(served: Served) -> None:
    grafana, api = served
    boards = {"one": board("one", "  One ")}
    assert outcome(run(grafana, boards, api), "one").detail == ""
    assert grafana.boards["one"].title == "One" and run(grafana, boards, api).writes == 0


@pytest.mark.parametrize(("version", "api"), [("10.4.0", "classic"), ("13.2.0", "classic"), ("12.2.0", "apps")])
def test_a_refresh_below_the_servers_least_is_raised(version: str, api: str) -> None:
    with FakeGrafana(version=version, min_refresh="5m") as grafana:
        report = run(grafana, BOARDS, api)
        assert report.exit_code == 0 and "refreshes every 5m" in report.notes[0]
        assert grafana.boards["one"].spec["refresh"] == "5m"
        assert run(grafana, BOARDS, api).writes == 0


def test_a_server_below_a_path(served: Served) -> None:
    version, api = served[0].version, served[1]
    with FakeGrafana(version=version, path="/grafana") as grafana:
        report = run(grafana, BOARDS, api)
        assert report.exit_code == 0 and outcome(report, "one").link.endswith("/grafana/d/one")


@pytest.mark.parametrize("api", ["classic", "apps"])
def test_another_organisation(grafana: FakeGrafana, api: str) -> None:
    grafana.add_org(7, "Seven")
    token = grafana.add_token("Admin", org=7)
    report = push(BOARDS, at(grafana, token, org=7), options(api))
    assert report.exit_code == 0 and outcome(report, "one").link.endswith("/d/one?orgId=7")
    assert set(grafana.org(7).boards) == {"one", "two"} and not grafana.boards


def test_data_sources_are_mapped(grafana: FakeGrafana) -> None:
    from builder.testing.grafana import DataSource

    grafana.add_datasource(DataSource("Mimir EU", "mimir", "prometheus"))
    named = board("one")
    named["panels"][0]["datasource"]["uid"] = "old"
    endpoint = at(grafana, datasources={"prometheus": "mimir", "old": "mimir"})
    assert push({"one": named}, endpoint, options()).exit_code == 0
    spec = grafana.boards["one"].spec
    assert spec["templating"]["list"][0]["current"] == {"text": "Mimir EU", "value": "mimir"}
    assert spec["panels"][0]["datasource"]["uid"] == "mimir"
    assert spec["panels"][0]["targets"][0]["datasource"]["uid"] == "${datasource}"
    assert push({"one": named}, endpoint, options()).writes == 0
