"""``POST /api/dashboards/db``: codes, bodies and effects, by version."""

from __future__ import annotations

from typing import Any

import pytest

from tests.testing.grafana_versions import BOARD, CLASSIC, OBJECTS, UNIFIED, UNIQUE_TITLES, VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_board_is_stored_as_it_was_sent(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    answer = api.save(BOARD, "gpu", message="first")
    assert answer.status_code == 200
    stored = api.grafana.boards["gpu-fleet"]
    assert answer.json() == {
        "status": "success",
        "slug": "fleet",
        "version": 1,
        "id": stored.id,
        "uid": "gpu-fleet",
        "url": "/d/gpu-fleet/fleet",
        "folderUid": "gpu",
    }
    assert stored.json == {**BOARD, "id": stored.id, "version": 1}
    assert (stored.folder, stored.message, stored.updated_by) == ("gpu", "first", "sa-1-gpuboards")


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], int, dict[str, Any]]] = {
    "illegal uid": ({"uid": "a/b"}, {}, 400, {"message": "uid contains illegal characters"}),
    "long uid": ({"uid": "x" * 41}, {}, 400, {"message": "uid too long, max 40 characters"}),
    "long message": ({}, {"message": "m" * 501}, 400, {"message": "Dashboard message cannot exceed 500 characters"}),
    "unknown folder": ({}, {"folderUid": "nowhere"}, 400, {"message": "folder not found", "status": "not-found"}),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", REFUSED)
def test_what_every_version_refuses(serve, version, case):
    board, more, status, body = REFUSED[case]
    api = serve(version)
    command = {"dashboard": {**BOARD, **board}, **more}
    answer = api("POST", "/api/dashboards/db", command)
    assert (answer.status_code, answer.json()) == (status, body)
    assert not api.grafana.boards


@pytest.mark.parametrize("version", VERSIONS)
def test_the_limits_are_allowed(serve, version):
    api = serve(version)
    answer = api.save({"uid": "x" * 40, "title": "t" * 5000}, message="m" * 500)
    assert answer.status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("title", [None, "", "  ", "t" * 5001])
def test_a_title_is_needed_and_not_endless(serve, version, title):
    answer = serve(version).save({"uid": "a", "title": title})
    assert answer.status_code == 400
    assert answer.json().get("status") == (None if version in OBJECTS else "empty-name")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"dashboard": []}'])
def test_a_malformed_body_is_refused(serve, version, body):
    answer = serve(version)("POST", "/api/dashboards/db", data=body)
    assert (answer.status_code, answer.json()) == (400, {"message": "bad request data"})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("sent", [None, 0, 2])
def test_a_version_that_is_not_the_stored_one_is_a_conflict(serve, version, sent):
    api = serve(version)
    api.save(BOARD)
    changed = {**BOARD, "title": "Other", **({} if sent is None else {"version": sent})}
    answer = api.save(changed)
    if version in OBJECTS:
        assert answer.status_code == 409
        assert answer.json() == {"message": "Dashboard already exists. Use overwrite flag to update."}
    else:
        assert answer.status_code == 412
        assert answer.json()["status"] == "version-mismatch"
    assert api.grafana.boards["gpu-fleet"].title == "Fleet"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("more", [{"overwrite": True}, {"version": 1}])
def test_overwrite_or_the_stored_version_updates(serve, version, more):
    api = serve(version)
    api.save(BOARD)
    changed = {**BOARD, "title": "Other"}
    overwrite = more.get("overwrite", False)
    answer = api.save({**changed, "version": more.get("version", 0)}, overwrite=overwrite)
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    assert [r.json["title"] for r in api.grafana.boards["gpu-fleet"].history] == ["Fleet", "Other"]


@pytest.mark.parametrize("version", VERSIONS)
def test_saving_the_same_again_makes_a_version_only_before_12(serve, version):
    api = serve(version)
    api.save(BOARD, message="one")
    before = api.grafana.boards["gpu-fleet"]
    api.save(BOARD, message="one", overwrite=True)
    same = api.grafana.boards["gpu-fleet"]
    api.save(BOARD, message="two", overwrite=True)
    other_message = api.grafana.boards["gpu-fleet"]
    if version in UNIFIED:
        assert same is before
        assert (other_message.version, other_message.message) == (1, "two")
        assert other_message.resource_version > before.resource_version
    else:
        assert (same.version, other_message.version) == (2, 3)


@pytest.mark.parametrize("version", VERSIONS)
def test_without_a_folder_the_board_moves_to_the_root(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    api.save(BOARD, "gpu")
    api("POST", "/api/dashboards/db", {"dashboard": BOARD, "overwrite": True})
    assert api.grafana.boards["gpu-fleet"].folder == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_the_numeric_folder_id_counts_up_to_12(serve, version):
    api = serve(version)
    number = api.grafana.add_folder("gpu", "GPU").id
    api("POST", "/api/dashboards/db", {"dashboard": BOARD, "folderId": number})
    assert api.grafana.boards["gpu-fleet"].folder == ("" if version >= "13" else "gpu")


@pytest.mark.parametrize("version", CLASSIC)
def test_ids_are_looked_up(serve, version):
    api = serve(version)
    first, second = api.save(BOARD).json(), api.save({"uid": "b", "title": "B"}).json()
    unknown = api.save({"id": 999, "title": "X"})
    assert (unknown.status_code, unknown.json()["message"]) == (404, "Dashboard not found")
    mixed = api.save({"id": first["id"], "uid": "b", "title": "X"})
    assert (mixed.status_code, mixed.json()["message"]) == (400, "A dashboard with the same uid already exists")
    assert api.save({"id": second["id"], "title": "B2"}, overwrite=True).json()["uid"] == "b"
    assert api.grafana.boards["b"].title == "B2"


@pytest.mark.parametrize("version", OBJECTS)
def test_ids_no_longer_count(serve, version):
    assert serve(version).save({**BOARD, "id": 999}).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_titles_are_unique_in_a_folder_up_to_11_2(serve, version):
    api = serve(version)
    api.save(BOARD)
    answer = api.save({"uid": "other", "title": "Fleet"})
    if version in UNIQUE_TITLES:
        assert (answer.status_code, answer.json()["status"]) == (412, "name-exists")
        assert set(api.grafana.boards) == {"gpu-fleet"}
    else:
        assert answer.status_code == 200
        assert set(api.grafana.boards) == {"gpu-fleet", "other"}


@pytest.mark.parametrize("version", UNIQUE_TITLES)
def test_with_overwrite_the_old_server_takes_over_the_board_of_that_title(serve, version):
    api = serve(version)
    first = api.save(BOARD).json()
    answer = api.save({"uid": "other", "title": "Fleet", "description": "taken"}, overwrite=True)
    assert (answer.json()["uid"], answer.json()["id"], answer.json()["version"]) == ("gpu-fleet", first["id"], 2)
    assert api.grafana.boards["gpu-fleet"].spec["description"] == "taken"
    assert set(api.grafana.boards) == {"gpu-fleet"}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_may_have_a_title_twice_in_different_folders(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    assert api.save(BOARD).status_code == api.save({"uid": "other", "title": "Fleet"}, "gpu").status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_a_title_like_a_folder_is_refused_up_to_11_2(serve, version):
    api = serve(version)
    api.grafana.add_folder("gpu", "Fleet")
    answer = api.save(BOARD)
    if version in UNIQUE_TITLES:
        assert (answer.status_code, answer.json()["status"]) == (400, "name-match")
    else:
        assert answer.status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("refresh", "fine"), [("1s", False), ("500ms", False), ("5s", True), ("1m30s", True)])
def test_a_low_refresh_is_raised_or_refused(serve, version, refresh, fine):
    api = serve(version)
    answer = api.save({**BOARD, "refresh": refresh})
    if version in OBJECTS and not fine:
        assert (answer.status_code, answer.json()["message"]) == (400, "Dashboard refresh interval is too low")
    else:
        assert answer.status_code == 200
        assert api.grafana.boards["gpu-fleet"].spec["refresh"] == (refresh if fine else "5s")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("refresh", ["auto", "", False, "soon"])
def test_a_refresh_that_is_no_interval_is_left_alone(serve, version, refresh):
    api = serve(version, min_refresh="1m")
    api.save({**BOARD, "refresh": refresh})
    assert api.grafana.boards["gpu-fleet"].spec["refresh"] == refresh


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("overwrite", [True, False])
def test_provisioned_boards_are_not_saved(serve, version, overwrite):
    api = serve(version)
    api.grafana.provision(BOARD)
    answer = api.save({**BOARD, "title": "Mine", "version": 1}, overwrite=overwrite)
    assert (answer.status_code, answer.json()) == (400, {"message": "Cannot save provisioned dashboard"})
    assert api.grafana.boards["gpu-fleet"].title == "Fleet"


@pytest.mark.parametrize("version", VERSIONS)
def test_provisioned_boards_whose_provider_allows_it_are_saved(serve, version):
    api = serve(version)
    api.grafana.provision(BOARD, allow_ui_updates=True)
    assert api.save({**BOARD, "title": "Mine"}, overwrite=True).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("manager", ["terraform", "kubectl", "repo", "plugin"])
def test_boards_of_other_tools(serve, version, manager):
    api = serve(version)
    api.grafana.add_board(BOARD, managed_by=manager)
    answer = api.save({**BOARD, "title": "Mine"}, overwrite=True)
    expected = 400 if version in OBJECTS else 403 if manager == "repo" else 200
    assert answer.status_code == expected
    assert api.grafana.boards["gpu-fleet"].title == ("Mine" if expected == 200 else "Fleet")


def test_a_save_of_13_1_takes_the_managers_mark_away(serve):
    api = serve("13.2.0")
    api.grafana.add_board(BOARD, managed_by="terraform", allows_edits=True)
    assert api.save({**BOARD, "title": "Mine"}, overwrite=True).status_code == 200
    assert api.grafana.boards["gpu-fleet"].annotations == {}


@pytest.mark.parametrize("version", CLASSIC)
def test_boards_of_plugins_need_overwrite(serve, version):
    api = serve(version)
    api.grafana.add_board(BOARD, plugin="some-app")
    answer = api.save({**BOARD, "version": 1})
    assert (answer.status_code, answer.json()["status"]) == (412, "plugin-dashboard")
    assert api.save(BOARD, overwrite=True).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_can_be_too_large_from_12_on(serve, version):
    answer = serve(version, max_bytes=1024).save({**BOARD, "description": "x" * 1024})
    if version in UNIFIED:
        assert answer.status_code == 413
        assert answer.json()["message"].startswith("Dashboard is too large")
    else:
        assert answer.status_code == 200


@pytest.mark.parametrize(("version", "status"), [("12.0.0", 200), ("13.2.0", 400)])
def test_a_bare_v2_spec_is_stored_as_garbage_by_12_0_and_refused_by_13_1(serve, version, status):
    answer = serve(version).save({"uid": "v2", "title": "V2", "elements": {}, "layout": {}})
    assert answer.status_code == status
    assert status == 200 or "v2 format" in answer.json()["message"]


WRAPPED = {"apiVersion": "dashboard.grafana.app/v1", "metadata": {"name": "gpu-fleet"}, "spec": {"title": "Fleet"}}


def test_13_1_takes_a_whole_object(serve):
    api = serve("13.2.0")
    assert api.save(WRAPPED).json()["uid"] == "gpu-fleet"
    assert api.grafana.boards["gpu-fleet"].spec == {"title": "Fleet"}


@pytest.mark.parametrize(
    "wrong", [{"id": None}, {"spec": None}, {"apiVersion": ""}, {"apiVersion": "apps/v1"}], ids=str
)
def test_13_1_refuses_an_object_that_is_not_whole(serve, wrong):
    assert serve("13.2.0").save({**WRAPPED, **wrong}).status_code == 400


@pytest.mark.parametrize("version", VERSIONS)
def test_a_board_without_uid_gets_one(serve, version):
    api = serve(version)
    first, second = api.save({"title": "A"}).json()["uid"], api.save({"title": "B"}).json()["uid"]
    assert set(api.grafana.boards) == {first, second}


@pytest.mark.parametrize("version", UNIQUE_TITLES)
def test_what_a_file_has_is_not_taken_over(serve, version):
    api = serve(version)
    api.grafana.provision(BOARD)
    answer = api.save({"uid": "other", "title": "Fleet"}, overwrite=True)
    assert (answer.status_code, answer.json()["message"]) == (400, "Cannot save provisioned dashboard")
    assert set(api.grafana.boards) == {"gpu-fleet"}
