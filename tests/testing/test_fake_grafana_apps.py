"""The object API under /apis: discovery, dashboards, folders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.testing.grafana_versions import APIS, BOARD, UNIFIED, VERSIONS

SPEC = {"title": "Fleet", "schemaVersion": 42, "tags": ["gpuboards"]}


def boards(version: str, name: str = "") -> str:
    path = f"/apis/dashboard.grafana.app/{version}/namespaces/default/dashboards"
    return f"{path}/{name}" if name else path


def folders(version: str, name: str = "") -> str:
    path = f"/apis/folder.grafana.app/{version}/namespaces/default/folders"
    return f"{path}/{name}" if name else path


def wrapped(spec: dict[str, Any] = SPEC, name: str = "gpu-fleet", folder: str = "", **metadata: Any) -> dict[str, Any]:
    annotations = {**({"grafana.app/folder": folder} if folder else {}), **metadata.pop("annotations", {})}
    return {"metadata": {"name": name, "annotations": annotations, **metadata}, "spec": spec}


SERVED = {
    "12.0.0": (["v1beta1", "v0alpha1", "v2alpha1"], ["v1beta1"]),
    "12.2.0": (["v1beta1", "v0alpha1", "v2alpha1", "v2beta1"], ["v1beta1"]),
    "12.4.0": (["v1beta1", "v0alpha1", "v2alpha1", "v2beta1"], ["v1beta1"]),
    "13.0.0": (["v2", "v2beta1", "v2alpha1", "v0alpha1", "v1", "v1beta1"], ["v1", "v1beta1"]),
    "13.2.0": (["v2", "v2beta1", "v2alpha1", "v0alpha1", "v1", "v1beta1"], ["v1", "v1beta1"]),
}


@pytest.mark.parametrize("version", UNIFIED)
def test_discovery_lists_what_is_served(serve, version):
    api = serve(version)
    groups = {g["name"]: g for g in api("GET", "/apis").json()["groups"]}
    found = tuple(
        [v["version"] for v in groups[name]["versions"]] for name in ("dashboard.grafana.app", "folder.grafana.app")
    )
    assert found == SERVED[version]
    for name, group in groups.items():
        assert group["preferredVersion"] == group["versions"][0]
        assert api("GET", f"/apis/{name}").json()["versions"] == group["versions"]
        for served in group["versions"]:
            (resource,) = api("GET", f"/apis/{served['groupVersion']}").json()["resources"]
            assert resource["name"] in ("dashboards", "folders")


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_not_served_is_answered_in_plain_text(serve, version):
    api = serve(version)
    paths = ["/apis/nothing.grafana.app", "/apis/dashboard.grafana.app/v9", boards("v9"), boards("v9", "gpu-fleet")]
    if version not in UNIFIED:
        paths += ["/apis", "/apis/dashboard.grafana.app", boards("v1beta1"), folders("v1beta1")]
    if version < "13":
        paths += [boards("v1"), folders("v1")]
    for path in paths:
        answer = api("GET", path)
        assert (answer.status_code, answer.text) == (404, "404 page not found\n"), path


@pytest.mark.parametrize(("version", "served"), APIS)
def test_a_board_is_created_and_read(serve, version, served):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    body = wrapped(folder="gpu", annotations={"grafana.app/message": "first"})
    body["spec"] = {**SPEC, "id": 7, "uid": "other", "version": 3}
    made = api("POST", boards(served), body)
    assert made.status_code == 201
    board = made.json()
    assert board == api("GET", boards(served, "gpu-fleet")).json()
    assert (board["kind"], board["apiVersion"]) == ("Dashboard", f"dashboard.grafana.app/{served}")
    assert board["spec"] == SPEC
    metadata, stored = board["metadata"], api.grafana.boards["gpu-fleet"]
    assert (metadata["name"], metadata["namespace"], metadata["generation"]) == ("gpu-fleet", "default", 1)
    assert metadata["resourceVersion"] == str(stored.resource_version)
    assert metadata["annotations"].items() >= {"grafana.app/folder": "gpu", "grafana.app/message": "first"}.items()
    assert metadata["labels"] == {"grafana.app/deprecatedInternalID": str(stored.id)}
    assert (stored.folder, stored.message, stored.api_version) == ("gpu", "first", served)


@pytest.mark.parametrize(("version", "served"), APIS)
def test_both_apis_see_the_same_board(serve, version, served):
    api = serve(version)
    api("POST", boards(served), wrapped())
    read = api("GET", "/api/dashboards/uid/gpu-fleet").json()
    assert read["dashboard"].items() >= SPEC.items()
    assert read["meta"]["apiVersion"] == served
    api.save({**BOARD, "title": "Other"}, overwrite=True)
    board = api("GET", boards(served, "gpu-fleet")).json()
    assert (board["spec"]["title"], board["metadata"]["generation"]) == ("Other", 2)
    assert board["status"]["conversion"] == {"failed": False, "storedVersion": "v0alpha1"}


@pytest.mark.parametrize(("version", "served"), APIS)
def test_put_creates_and_updates(serve, version, served):
    api = serve(version)
    assert api("PUT", boards(served, "gpu-fleet"), wrapped()).status_code == 201
    answer = api("PUT", boards(served, "gpu-fleet"), wrapped({**SPEC, "title": "Other"}))
    assert (answer.status_code, answer.json()["metadata"]["generation"]) == (200, 2)


@pytest.mark.parametrize(("version", "served"), APIS)
def test_an_equal_spec_keeps_the_generation(serve, version, served):
    api = serve(version)
    first = api("PUT", boards(served, "gpu-fleet"), wrapped()).json()["metadata"]
    again = api("PUT", boards(served, "gpu-fleet"), wrapped()).json()["metadata"]
    assert again == first
    noted = wrapped(annotations={"grafana.app/message": "new words"})
    third = api("PUT", boards(served, "gpu-fleet"), noted).json()["metadata"]
    assert (third["generation"], third["resourceVersion"] != first["resourceVersion"]) == (1, True)


@pytest.mark.parametrize(("version", "served"), APIS)
def test_a_stale_resource_version_is_a_conflict(serve, version, served):
    api = serve(version)
    stale = api("POST", boards(served), wrapped()).json()["metadata"]["resourceVersion"]
    api.grafana.edit_in_ui("gpu-fleet", lambda board: board.update(title="Edited"))
    changed = wrapped({**SPEC, "title": "Mine"}, resourceVersion=stale)
    answer = api("PUT", boards(served, "gpu-fleet"), changed)
    assert answer.status_code == 409
    status = answer.json()
    assert (status["kind"], status["reason"], status["code"]) == ("Status", "Conflict", 409)
    assert status["details"] == {"name": "gpu-fleet", "group": "dashboard.grafana.app", "kind": "dashboards"}
    assert api.grafana.boards["gpu-fleet"].title == "Edited"
    fresh = wrapped({**SPEC, "title": "Mine"}, resourceVersion=str(api.grafana.boards["gpu-fleet"].resource_version))
    assert api("PUT", boards(served, "gpu-fleet"), fresh).status_code == 200
    assert api("PUT", boards(served, "gpu-fleet"), wrapped({**SPEC, "title": "No condition"})).status_code == 200


@pytest.mark.parametrize(("version", "served"), APIS)
def test_what_a_create_refuses(serve, version, served):
    api = serve(version)
    api("POST", boards(served), wrapped())
    exists = api("POST", boards(served), wrapped())
    assert (exists.status_code, exists.json()["reason"]) == (409, "AlreadyExists")
    lost = api("POST", boards(served), wrapped(name="b", folder="nowhere"))
    assert (lost.status_code, lost.json()["message"]) == (404, 'folders.folder.grafana.app "nowhere" not found')
    assert api("POST", boards(served), wrapped(name="b", resourceVersion="5")).status_code == 400
    assert api("PUT", boards(served, "b"), wrapped(name="b", resourceVersion="5")).status_code == 400
    assert set(api.grafana.boards) == {"gpu-fleet"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (wrapped(name=""), 422),
        (wrapped(name="a b"), 400),
        (wrapped(name="x" * 41), 400),
        (wrapped({"title": ""}), 400),
        (wrapped({}), 400),
        (wrapped({**SPEC, "refresh": "1s"}), 400),
        (wrapped(annotations={"grafana.app/message": "m" * 501}), 400),
        (wrapped(namespace="org-2"), 400),
        ({**wrapped(), "apiVersion": "dashboard.grafana.app/v0alpha1"}, 400),
        ({**wrapped(), "kind": "Folder"}, 400),
        ({"spec": SPEC}, 400),
        ({"metadata": {"name": "a"}}, 400),
        (wrapped(annotations={"grafana.app/managedBy": "repo"}), 403),
    ],
)
def test_objects_that_are_refused(serve, body, status):
    api = serve("12.2.0")
    answer = api("POST", boards("v1beta1"), body)
    assert (answer.status_code, answer.json()["kind"]) == (status, "Status")
    assert not api.grafana.boards


def test_the_name_in_the_path_is_the_name_of_the_object(serve):
    assert serve()("PUT", boards("v1beta1", "a"), wrapped(name="b")).status_code == 400


def test_only_json_is_read(serve):
    api = serve()
    assert api("POST", boards("v1beta1"), data=b"{").status_code == 415
    broken = api("POST", boards("v1beta1"), data=b"{", headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["kind"]) == (400, "Status")


def test_a_generated_name(serve):
    made = serve()("POST", boards("v1beta1"), {"metadata": {"generateName": "gpu-"}, "spec": SPEC}).json()
    assert made["metadata"]["name"].startswith("gpu-")


@pytest.mark.parametrize(("version", "served"), APIS)
def test_without_the_folder_annotation_a_board_moves_to_the_root(serve, version, served):
    api = serve(version)
    api.grafana.add_folder("gpu", "GPU")
    api("POST", boards(served), wrapped(folder="gpu"))
    moved = api("PUT", boards(served, "gpu-fleet"), wrapped()).json()
    assert "grafana.app/folder" not in moved["metadata"]["annotations"]
    assert (api.grafana.boards["gpu-fleet"].folder, moved["metadata"]["generation"]) == ("", 1)


STRICT = [
    ("12.0.0", "v1beta1", 20, 422),
    ("12.0.0", "v1beta1", 21, 201),
    ("12.2.0", "v1beta1", 12, 422),
    ("12.2.0", "v1beta1", 13, 201),
    ("12.2.0", "v0alpha1", 12, 201),
    ("12.4.0", "v1beta1", 12, 201),
    ("13.2.0", "v1", 12, 201),
]


@pytest.mark.parametrize(("version", "served", "schema", "status"), STRICT)
def test_an_old_schema_is_invalid_up_to_12_2(serve, version, served, schema, status):
    api = serve(version)
    answer = api("POST", boards(served), wrapped({**SPEC, "schemaVersion": schema}))
    assert answer.status_code == status
    assert status == 201 or "minimum version" in answer.json()["message"]


def test_without_validation_an_old_schema_is_stored_and_marked(serve):
    api = serve("12.2.0")
    made = api("POST", boards("v1beta1") + "?fieldValidation=Ignore", wrapped({**SPEC, "schemaVersion": 12}))
    assert made.status_code == 201
    assert made.json()["status"]["conversion"]["failed"] is True
    assert made.json()["spec"]["schemaVersion"] == 12


@pytest.mark.parametrize(("version", "served"), APIS)
def test_strict_writes_refuse_nulls(serve, version, served):
    api = serve(version)
    spec = {**SPEC, "panels": [{"id": 1, "datasource": None}]}
    answer = api("POST", boards(served), wrapped(spec))
    assert (answer.status_code, answer.json()["reason"]) == (422, "Invalid")
    assert "spec.panels[0].datasource" in answer.json()["message"]
    assert api("POST", boards(served) + "?fieldValidation=Ignore", wrapped(spec)).status_code == 201


@pytest.mark.parametrize(("version", "served"), APIS)
def test_the_nulls_that_a_board_needs_are_allowed(serve, version, served):
    steps = [{"color": "green", "value": None}, {"color": "red", "value": 80}]
    panel = {"id": 1, "fieldConfig": {"defaults": {"thresholds": {"mode": "absolute", "steps": steps}}}}
    assert serve(version)("POST", boards(served), wrapped({**SPEC, "id": None, "panels": [panel]})).status_code == 201


@pytest.mark.parametrize(("version", "latest"), [("12.0.0", 41), ("12.2.0", 42), ("13.2.0", 42)])
def test_the_object_api_lifts_a_board_to_its_schema(serve, version, latest):
    api = serve(version)
    hidden = {"custom": {"hideFrom": {"viz": True, "legend": False, "tooltip": False}}}
    panel = {"id": 1, "fieldConfig": {"defaults": hidden, "overrides": []}}
    old = {"title": "Old", "schemaVersion": 39, "timepicker": {"time_options": ["5m"]}, "panels": [panel]}
    api.save({**old, "uid": "classic", "refresh": False})
    api("POST", boards("v1beta1"), wrapped(old, name="object"))
    assert api.grafana.boards["classic"].spec["schemaVersion"] == 39
    assert api.grafana.boards["object"].spec["schemaVersion"] == latest
    read = api("GET", boards("v1beta1", "classic")).json()["spec"]
    assert (read["schemaVersion"], read["refresh"], read["timepicker"]) == (latest, "", {})
    shown = read["panels"][0]["fieldConfig"]["defaults"]["custom"]["hideFrom"]["tooltip"]
    assert shown == (latest == 42)
    assert api("GET", boards("v0alpha1", "classic")).json()["spec"]["schemaVersion"] == 39


@pytest.mark.parametrize(("version", "served"), APIS)
def test_a_dry_run_checks_and_stores_nothing(serve, version, served):
    api = serve(version)
    dry = "?dryRun=All"
    assert api("POST", boards(served) + dry, wrapped(folder="not-yet")).status_code == 201
    assert api("POST", folders(served) + dry, wrapped({"title": "GPU"}, name="gpu")).status_code == 201
    assert not api.grafana.boards
    assert not api.grafana.folders
    assert not api.grafana.writes
    api("POST", boards(served), wrapped())
    changed = api("PUT", boards(served, "gpu-fleet") + dry, wrapped({**SPEC, "title": "Other"}))
    assert (changed.json()["metadata"]["generation"], changed.json()["spec"]["title"]) == (2, "Other")
    assert api("DELETE", boards(served, "gpu-fleet") + dry).status_code == 200
    assert api("POST", boards(served) + dry, wrapped({"title": ""}, name="b")).status_code == 400
    assert api.grafana.boards["gpu-fleet"].version == 1
    api.grafana.settle()
    assert [hit["title"] for hit in api("GET", "/api/search").json()] == ["Fleet"]


@pytest.mark.parametrize(("version", "served"), APIS)
def test_boards_of_others(serve, version, served):
    api = serve(version)
    api.grafana.add_board({**SPEC, "uid": "repo"}, managed_by="repo")
    api.grafana.provision({**SPEC, "uid": "file"})
    api.grafana.add_board({**SPEC, "uid": "tf"}, managed_by="terraform")
    marks = api("GET", boards(served, "tf")).json()["metadata"]["annotations"]
    assert marks.items() >= {"grafana.app/managedBy": "terraform", "grafana.app/managerId": "terraform"}.items()
    mark = api("GET", boards(served, "file")).json()["metadata"]["annotations"]["grafana.app/managedBy"]
    assert mark == "classic-file-provisioning"
    for name, status in (("repo", 403), ("file", 400)):
        changed = wrapped({**SPEC, "title": "Mine"}, name=name)
        assert api("PUT", boards(served, name), changed).status_code == status
        assert api("DELETE", boards(served, name)).status_code == status
    assert api("PUT", boards(served, "tf"), wrapped({**SPEC, "title": "Mine"}, name="tf")).status_code == 200
    assert api.grafana.boards["tf"].manager == ""


@pytest.mark.parametrize(("version", "served"), APIS)
def test_a_delete_may_name_what_it_deletes(serve, version, served):
    api = serve(version)
    api("POST", boards(served), wrapped())
    now = str(api.grafana.boards["gpu-fleet"].resource_version)
    for named, status in (("1", 409), (now, 200)):
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"resourceVersion": named}}
        answer = api("DELETE", boards(served, "gpu-fleet"), options)
        assert answer.status_code == status
        assert (answer.json().get("reason") == "Conflict") == (status == 409) == ("gpu-fleet" in api.grafana.boards)


@pytest.mark.parametrize(("version", "served"), APIS)
def test_delete(serve, version, served):
    api = serve(version)
    api("POST", boards(served), wrapped())
    assert api("DELETE", boards(served, "gpu-fleet")).json()["status"] == "Success"
    gone = api("DELETE", boards(served, "gpu-fleet"))
    assert (gone.status_code, gone.json()["reason"]) == (404, "NotFound")
    assert api("GET", boards(served, "gpu-fleet")).status_code == 404


@pytest.mark.parametrize(("version", "served"), APIS)
def test_lists_come_in_pages(serve, version, served):
    api = serve(version)
    for name in "cab":
        api("POST", boards(served), wrapped(name=name))
        api("POST", folders(served), wrapped({"title": name}, name=f"f{name}"))
    for path, names in ((boards(served), ["a", "b", "c"]), (folders(served), ["fa", "fb", "fc"])):
        assert [i["metadata"]["name"] for i in api("GET", path).json()["items"]] == names
        page = api("GET", f"{path}?limit=2").json()
        assert [i["metadata"]["name"] for i in page["items"]] == names[:2]
        rest = api("GET", f"{path}?limit=2&continue={page['metadata']['continue']}").json()
        assert [i["metadata"]["name"] for i in rest["items"]] == names[2:]
        assert "continue" not in rest["metadata"]


@pytest.mark.parametrize(("version", "served"), APIS)
def test_dto_adds_the_rights(serve, version, served):
    api = serve(version)
    api("POST", boards(served), wrapped())
    reader = api.grafana.add_token("Viewer")
    access = api("GET", boards(served, "gpu-fleet") + "/dto").json()["access"]
    assert (access["canSave"], access["url"]) == (True, "/d/gpu-fleet/fleet")
    assert api("GET", boards(served, "gpu-fleet") + "/dto", token=reader).json()["access"]["canSave"] is False


def test_schema_v2_is_listed_but_not_converted(serve):
    api = serve("13.2.0")
    assert api("GET", boards("v2")).status_code == 501


@pytest.mark.parametrize(("version", "served"), APIS)
def test_folders(serve, version, served):
    api = serve(version)
    made = api("POST", folders(served), wrapped({"title": "GPU", "description": "cards"}, name="gpu"))
    assert made.status_code == 201
    assert made.json()["spec"] == {"title": "GPU", "description": "cards"}
    assert api("POST", folders(served), wrapped({"title": "GPU"}, name="gpu")).json()["reason"] == "AlreadyExists"
    assert api("PUT", folders(served, "deep"), wrapped({"title": "Deep"}, name="deep")).status_code == 201
    moved = api("PUT", folders(served, "deep"), wrapped({"title": "Deep"}, name="deep", folder="gpu"))
    assert moved.json()["metadata"]["annotations"]["grafana.app/folder"] == "gpu"
    assert api.grafana.folders["deep"].parent == "gpu"
    assert api("GET", "/api/folders/deep").json()["parentUid"] == "gpu"
    stale = wrapped({"title": "Other"}, name="deep", folder="gpu", resourceVersion="1")
    assert api("PUT", folders(served, "deep"), stale).status_code == 409
    assert api("DELETE", folders(served, "gpu")).status_code == 400
    assert api("DELETE", folders(served, "deep")).status_code == 200
    assert api("DELETE", folders(served, "gpu")).status_code == 200
    assert api("GET", folders(served, "gpu")).status_code == 404


@pytest.mark.parametrize(
    ("name", "title", "parent", "status"),
    [
        ("", "GPU", "", 422),
        ("general", "GPU", "", 400),
        ("a b", "GPU", "", 400),
        ("gpu", "", "", 400),
        ("gpu", "GPU", "nowhere", 404),
        ("l5", "Too deep", "l4", 400),
    ],
)
def test_folders_that_are_refused(serve, name, title, parent, status):
    api = serve()
    for above, uid in zip(["", "l1", "l2", "l3"], ["l1", "l2", "l3", "l4"], strict=True):
        api.grafana.add_folder(uid, uid, above)
    assert api("POST", folders("v1beta1"), wrapped({"title": title}, name=name, folder=parent)).status_code == status
    assert set(api.grafana.folders) == {"l1", "l2", "l3", "l4"}


def test_a_folder_does_not_go_into_itself(serve):
    api = serve()
    api.grafana.add_folder("a", "A")
    api.grafana.add_folder("b", "B", "a")
    answer = api("PUT", folders("v1beta1", "a"), wrapped({"title": "A"}, name="a", folder="b"))
    assert (answer.status_code, api.grafana.folders["a"].parent) == (400, "")


def test_an_object_can_be_too_large(serve):
    api = serve(max_bytes=1024)
    assert api("POST", boards("v1beta1"), wrapped({**SPEC, "description": "x" * 1024})).status_code == 413


def test_a_method_that_is_not_there(serve):
    assert serve()("PATCH", boards("v1beta1", "gpu-fleet"), {}).status_code == 405
