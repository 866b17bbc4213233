"""What others do behind a client's back."""

from __future__ import annotations

import pytest

from builder.errors import UsageError
from tests.testing.grafana_versions import BOARD, VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_an_edit_in_the_interface_is_a_version_by_somebody_else(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    api.save({**BOARD, "schemaVersion": 39}, "gpu", message="pushed")
    edited = api.grafana.edit_in_ui("gpu-fleet", lambda board: board.update(title="Edited"), user="bob")
    assert edited == api.grafana.boards["gpu-fleet"]
    assert (edited.title, edited.version, edited.updated_by, edited.message) == ("Edited", 2, "bob", "")
    assert (edited.folder, edited.created_by) == ("gpu", "sa-1-gpuboards")
    latest = {"10.4.0": 39, "11.2.0": 39, "11.6.0": 41, "12.0.0": 41}.get(version, 42)
    assert edited.spec["schemaVersion"] == latest
    assert api("GET", "/api/dashboards/uid/gpu-fleet").json()["meta"]["updatedBy"] == "bob"
    assert api.save({**BOARD, "version": 1}, "gpu").status_code in (409, 412)


def test_an_edit_may_return_another_board(serve):
    api = serve()
    api.save(BOARD)
    assert api.grafana.edit_in_ui("gpu-fleet", lambda board: {"title": "New"}).title == "New"


def test_boards_are_moved_and_deleted(serve):
    api = serve("12.2.0", search_lag=0)
    api.grafana.add_folder("gpu", "GPU")
    api.save(BOARD)
    moved = api.grafana.move_in_ui("gpu-fleet", "gpu", user="bob")
    assert (moved.folder, moved.version, moved.updated_by) == ("gpu", 1, "bob")
    api.grafana.delete_in_ui("gpu-fleet")
    assert not api.grafana.boards
    assert api("GET", "/api/search?type=dash-db").json() == []


@pytest.mark.parametrize("version", ["11.6.0", "12.2.0"])
def test_boards_of_others(serve, version):
    api = serve(version)
    board = api.grafana.add_board(BOARD, user="carol", message="by hand")
    assert (board.created_by, board.message, board.manager) == ("carol", "by hand", "")
    again = api.grafana.provision({**BOARD, "title": "From a file"}, path="x.json")
    assert (again.id, again.version, again.provisioned) == (board.id, 2, "x.json")
    assert again.manager == ("classic-file-provisioning" if version == "12.2.0" else "")


def test_the_interface_does_not_save_what_it_may_not(serve):
    api = serve()
    api.grafana.provision(BOARD)
    api.grafana.add_board({"uid": "tf", "title": "T"}, managed_by="terraform")
    api.grafana.add_board({"uid": "tf-edits", "title": "T"}, managed_by="terraform", allows_edits=True)
    for uid in ("gpu-fleet", "tf"):
        with pytest.raises(UsageError, match="provisioned or managed"):
            api.grafana.edit_in_ui(uid, lambda board: None)
    assert api.grafana.edit_in_ui("tf-edits", lambda board: board.update(title="U")).title == "U"


def test_mistakes_of_a_test_are_explained(serve):
    grafana = serve().grafana
    with pytest.raises(UsageError, match="no board 'x'"):
        grafana.edit_in_ui("x", lambda board: None)
    with pytest.raises(UsageError, match="no folder 'x'"):
        grafana.add_board(BOARD, "x")
    with pytest.raises(UsageError, match="no organisation 2"):
        grafana.org(2)


def test_what_a_test_hands_in_stays_its_own(serve):
    api = serve()
    board = {**BOARD, "panels": [{"id": 1}]}
    api.grafana.add_board(board)
    board["panels"].append({"id": 2})
    assert api.grafana.boards["gpu-fleet"].spec["panels"] == [{"id": 1}]
