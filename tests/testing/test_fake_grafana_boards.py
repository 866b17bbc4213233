"""Reading, deleting, the history, and search."""

from __future__ import annotations

import time

import pytest

from tests.testing.grafana_versions import BOARD, UNIFIED, VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_is_read_with_its_meta(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU cards")
    api.save(BOARD, "gpu")
    answer = api("GET", "/api/dashboards/uid/gpu-fleet").json()
    stored = api.grafana.boards["gpu-fleet"]
    assert answer["dashboard"] == {**BOARD, "id": stored.id, "version": 1}
    meta = answer["meta"]
    assert meta["url"] == "/d/gpu-fleet/fleet"
    assert (meta["folderUid"], meta["folderTitle"]) == ("gpu", "GPU cards")
    assert (meta["version"], meta["updatedBy"]) == (1, "sa-1-gpuboards")
    assert (meta["provisioned"], meta["canSave"]) == (False, True)
    assert meta.get("apiVersion") == ("v0alpha1" if version in UNIFIED else None)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_board_that_is_not_there(serve, version, method):
    answer = serve(version)(method, "/api/dashboards/uid/nothing")
    assert (answer.status_code, answer.json()["message"]) == (404, "Dashboard not found")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_meta_of_a_provisioned_board(serve, version):
    api = serve(version)
    api.grafana.provision(BOARD, path="gpu/fleet.json")
    meta = api("GET", "/api/dashboards/uid/gpu-fleet").json()["meta"]
    assert (meta["provisioned"], meta["provisionedExternalId"], meta["canSave"]) == (True, "gpu/fleet.json", False)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_in_schema_v2_is_not_read_from_12_0_to_13_0(serve, version):
    api = serve(version)
    api.save(BOARD)
    api.grafana.edit_in_ui("gpu-fleet", lambda board: None, schema="v2")
    status = api("GET", "/api/dashboards/uid/gpu-fleet").status_code
    assert status == (406 if version in ("12.0.0", "12.2.0", "12.4.0", "13.0.0") else 200)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_is_deleted(serve, version):
    api = serve(version)
    api.save(BOARD)
    answer = api("DELETE", "/api/dashboards/uid/gpu-fleet")
    assert answer.json() == {"title": "Fleet", "message": "Dashboard Fleet deleted", "uid": "gpu-fleet"}
    assert not api.grafana.boards


@pytest.mark.parametrize("version", VERSIONS)
def test_a_provisioned_board_is_not_deleted(serve, version):
    api = serve(version)
    api.grafana.provision(BOARD, allow_ui_updates=True)
    answer = api("DELETE", "/api/dashboards/uid/gpu-fleet")
    assert (answer.status_code, answer.json()) == (400, {"message": "provisioned dashboard cannot be deleted"})


@pytest.mark.parametrize("version", VERSIONS)
def test_versions_are_an_array_before_12_and_an_object_from_there(serve, version):
    api = serve(version)
    api.save(BOARD, message="one")
    api.grafana.edit_in_ui("gpu-fleet", lambda board: board.update(title="Edited"), user="alice", message="two")
    answer = api("GET", "/api/dashboards/uid/gpu-fleet/versions").json()
    assert isinstance(answer, dict) == (version in UNIFIED)
    versions = answer["versions"] if version in UNIFIED else answer
    assert [(v["version"], v["createdBy"], v["message"]) for v in versions] == [
        (2, "alice", "two"),
        (1, "sa-1-gpuboards", "one"),
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_one_version_has_its_board_and_can_be_restored(serve, version):
    api = serve(version)
    api.save(BOARD)
    api.grafana.edit_in_ui("gpu-fleet", lambda board: board.update(title="Edited"))
    first = api("GET", "/api/dashboards/uid/gpu-fleet/versions/1").json()
    assert first["data"]["title"] == "Fleet"
    assert api("GET", "/api/dashboards/uid/gpu-fleet/versions/9").status_code == 404
    assert api("POST", "/api/dashboards/uid/gpu-fleet/restore", {"version": 1}).json()["version"] == 3
    stored = api.grafana.boards["gpu-fleet"]
    assert (stored.title, stored.history[-1].restored_from) == ("Fleet", 1)


def test_a_provisioned_board_is_not_restored(serve):
    api = serve()
    api.grafana.provision(BOARD)
    assert api("POST", "/api/dashboards/uid/gpu-fleet/restore", {"version": 1}).status_code == 400


def test_twenty_versions_are_kept(serve):
    api = serve("11.6.0")
    for _ in range(25):
        api.save(BOARD, overwrite=True)
    versions = api("GET", "/api/dashboards/uid/gpu-fleet/versions").json()
    assert [v["version"] for v in versions] == list(range(25, 5, -1))
    page = api("GET", "/api/dashboards/uid/gpu-fleet/versions?limit=2&start=1").json()
    assert [v["version"] for v in page] == [24, 23]


@pytest.mark.parametrize("version", VERSIONS)
def test_search_lags_behind_from_12_on(serve, version):
    api = serve(version)
    api.save(BOARD)
    found = [hit["uid"] for hit in api("GET", "/api/search?type=dash-db").json()]
    assert found == ([] if version in UNIFIED else ["gpu-fleet"])
    api.grafana.settle()
    assert [hit["uid"] for hit in api("GET", "/api/search?type=dash-db").json()] == ["gpu-fleet"]
    api("DELETE", "/api/dashboards/uid/gpu-fleet")
    found = [hit["uid"] for hit in api("GET", "/api/search?type=dash-db").json()]
    assert found == (["gpu-fleet"] if version in UNIFIED else [])


def test_search_catches_up_by_itself(serve):
    api = serve("12.2.0", search_lag=0.1)
    api.save(BOARD)
    assert api("GET", "/api/search").json() == []
    time.sleep(0.15)
    assert len(api("GET", "/api/search").json()) == 1


@pytest.fixture
def stocked(serve):
    """Two folders, one in the other, and three boards."""
    api = serve("12.2.0", search_lag=0)
    api.grafana.add_folder("gpu", "GPU")
    api.grafana.add_folder("deep", "Deep", "gpu")
    api.grafana.add_board({"uid": "a", "title": "Alpha", "tags": ["x", "y"]})
    api.grafana.add_board({"uid": "b", "title": "Beta", "tags": ["x"]}, "gpu")
    api.grafana.add_board({"uid": "c", "title": "Gamma"}, "deep")
    return api


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["a", "b", "deep", "gpu", "c"]),
        ("type=dash-db", ["a", "b", "c"]),
        ("type=dash-folder", ["deep", "gpu"]),
        ("query=bet", ["b"]),
        ("tag=x", ["a", "b"]),
        ("tag=x&tag=y", ["a"]),
        ("folderUIDs=gpu", ["b", "deep"]),
        ("folderUIDs=gpu&type=dash-db", ["b"]),
        ("folderUIDs=general", ["a", "gpu"]),
        ("folderUIDs=gpu&folderUIDs=deep&type=dash-db", ["b", "c"]),
        ("dashboardUIDs=a&dashboardUIDs=c", ["a", "c"]),
        ("limit=2", ["a", "b"]),
        ("limit=2&page=2", ["deep", "gpu"]),
        ("limit=2&page=4", []),
    ],
)
def test_search_by(stocked, query, found):
    assert [hit["uid"] for hit in stocked("GET", f"/api/search?{query}").json()] == found


def test_a_hit_says_what_and_where(stocked):
    (hit,) = stocked("GET", "/api/search?dashboardUIDs=b").json()
    assert hit.items() >= {"type": "dash-db", "url": "/d/b/beta", "tags": ["x"], "folderUid": "gpu"}.items()
    (folder,) = stocked("GET", "/api/search?query=deep").json()
    assert folder.items() >= {"type": "dash-folder", "url": "/dashboards/f/deep/deep", "folderUid": "gpu"}.items()
