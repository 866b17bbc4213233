"""``/api/folders``."""

from __future__ import annotations

import pytest

from tests.testing.grafana_versions import BOARD, UNIFIED, UNIQUE_TITLES, VERSIONS

NESTED = tuple(v for v in VERSIONS if v != "10.4.0")


def create(api, uid, title=None, parent=""):
    return api("POST", "/api/folders", {"uid": uid, "title": title or uid, "parentUid": parent})


@pytest.mark.parametrize("version", VERSIONS)
def test_a_folder_is_made_and_read(serve, version):
    api = serve(version)
    made = create(api, "gpu", "GPU cards")
    assert made.status_code == 200
    assert made.json() == api("GET", "/api/folders/gpu").json()
    body = made.json()
    assert (body["uid"], body["title"], body["version"]) == ("gpu", "GPU cards", 1)
    assert body["url"] == "/dashboards/f/gpu/gpu-cards"
    assert "parentUid" not in body
    assert api.grafana.folders["gpu"].created_by == "sa-1-gpuboards"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_folder_without_uid_gets_one(serve, version):
    api = serve(version)
    uid = api("POST", "/api/folders", {"title": "GPU"}).json()["uid"]
    assert set(api.grafana.folders) == {uid}


@pytest.mark.parametrize("version", NESTED)
def test_folders_lie_in_folders(serve, version):
    api = serve(version)
    create(api, "a")
    create(api, "b", parent="a")
    body = create(api, "c", parent="b").json()
    assert body["parentUid"] == "b"
    assert [p["uid"] for p in body["parents"]] == ["a", "b"]
    assert [f["uid"] for f in api("GET", "/api/folders").json()] == ["a"]
    assert api("GET", "/api/folders?parentUid=b").json() == [
        {"id": body["id"], "uid": "c", "title": "c", "parentUid": "b"}
    ]


@pytest.mark.parametrize(("nested", "parent"), [(None, ""), (True, "a")])
def test_on_10_nesting_has_to_be_switched_on(serve, nested, parent):
    api = serve("10.4.0", nested_folders=nested)
    create(api, "a")
    create(api, "b", parent="a")
    assert api.grafana.folders["b"].parent == parent
    create(api, "c")
    assert api("POST", "/api/folders/c/move", {"parentUid": "a"}).status_code == (200 if nested else 404)


@pytest.mark.parametrize("version", NESTED)
def test_four_levels_and_no_more(serve, version):
    api = serve(version)
    for parent, uid in zip(["", "a", "b", "c"], "abcd", strict=True):
        assert create(api, uid, parent=parent).status_code == 200
    answer = create(api, "e", parent="d")
    assert (answer.status_code, answer.json()["messageId"]) == (400, "folder.maximum-depth-reached")
    create(api, "x")
    create(api, "y", parent="x")
    assert api("POST", "/api/folders/x/move", {"parentUid": "c"}).status_code == 400
    assert api("POST", "/api/folders/x/move", {"parentUid": "b"}).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_a_uid_that_is_taken(serve, version):
    api = serve(version)
    create(api, "gpu", "GPU")
    answer = create(api, "gpu", "Other")
    if version in UNIFIED:
        assert (answer.status_code, answer.json()["status"]) == (412, "version-mismatch")
    else:
        assert answer.status_code == 409
        assert answer.json() == {"message": "a folder/dashboard with the same uid already exists"}
    assert api.grafana.folders["gpu"].title == "GPU"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_title_is_unique_in_its_parent_up_to_11_2(serve, version):
    api = serve(version)
    create(api, "one", "GPU")
    expected = {"10.4.0": 412, "11.2.0": 409}.get(version, 200)
    assert create(api, "two", "GPU").status_code == expected
    assert ("two" in api.grafana.folders) == (version not in UNIQUE_TITLES)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"uid": "gpu", "title": ""}, 400),
        ({"uid": "a b", "title": "GPU"}, 400),
        ({"uid": "x" * 41, "title": "GPU"}, 400),
        ({"uid": "general", "title": "GPU"}, 400),
    ],
)
def test_folders_that_are_refused(serve, version, body, status):
    api = serve(version)
    assert api("POST", "/api/folders", body).status_code == status
    assert not api.grafana.folders


@pytest.mark.parametrize("version", NESTED)
def test_a_parent_that_is_not_there(serve, version):
    api = serve(version)
    create(api, "gpu")
    assert create(api, "deep", parent="nowhere").status_code == 404
    assert api("POST", "/api/folders/gpu/move", {"parentUid": "nowhere"}).status_code == 404
    assert api("GET", "/api/folders?parentUid=nowhere").status_code == 404


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("more", "status"), [({}, 412), ({"version": 7}, 412), ({"version": 1}, 200), ({"overwrite": True}, 200)]
)
def test_a_rename_needs_the_version_or_overwrite(serve, version, more, status):
    api = serve(version)
    create(api, "gpu", "GPU")
    answer = api("PUT", "/api/folders/gpu", {"title": "Cards", **more})
    assert answer.status_code == status
    if status == 412:
        assert answer.json()["status"] == "version-mismatch"
    stored = api.grafana.folders["gpu"]
    assert (stored.title, stored.version) == (("Cards", 2) if status == 200 else ("GPU", 1))


@pytest.mark.parametrize("version", NESTED)
def test_a_folder_moves_with_all_it_holds(serve, version):
    api = serve(version)
    create(api, "a")
    create(api, "b")
    api.save(BOARD, "b")
    assert api("POST", "/api/folders/b/move", {"parentUid": "a"}).json()["parentUid"] == "a"
    assert api.grafana.folders["b"].parent == "a"
    assert api.grafana.boards["gpu-fleet"].folder == "b"
    assert api("POST", "/api/folders/a/move", {"parentUid": "b"}).json()["messageId"] == "folder.circular-reference"
    assert api("POST", "/api/folders/b/move", {"parentUid": ""}).status_code == 200
    assert api.grafana.folders["b"].parent == ""


@pytest.mark.parametrize("version", NESTED)
def test_a_deleted_folder_takes_everything_along(serve, version):
    api = serve(version)
    create(api, "a")
    create(api, "b", parent="a")
    api.save(BOARD, "b")
    assert api("DELETE", "/api/folders/a?forceDeleteRules=true").json()["title"] == "a"
    assert not api.grafana.folders
    assert not api.grafana.boards
    assert api("GET", "/api/folders/a").status_code == 404
