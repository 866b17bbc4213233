"""Who may do what: tokens, passwords, organisations, roles, rights on folders."""

from __future__ import annotations

import pytest

from tests.testing.grafana_versions import APIS, BOARD, VERSIONS

SPEC = {"title": "Fleet", "schemaVersion": 42}


def objects(served, namespace="default"):
    return f"/apis/dashboard.grafana.app/{served}/namespaces/{namespace}/dashboards"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("header", "message_id"),
    [
        ("", "auth.unauthorized"),
        ("Bearer glsa_nobody", "api-key.invalid"),
        ("Basic YWRtaW46d3Jvbmc=", "password-auth.failed"),
        ("Basic ???", "password-auth.failed"),
    ],
)
def test_nobody_is_401(serve, version, header, message_id):
    api = serve(version)
    for method, path in (("GET", "/api/org"), ("POST", "/api/dashboards/db"), ("GET", "/api/frontend/settings")):
        answer = api(method, path, headers={"Authorization": header})
        assert (answer.status_code, answer.json()["messageId"]) == (401, message_id)
    assert api("GET", "/api/health", headers={"Authorization": header}).status_code == 200


def test_expired_and_revoked_tokens(serve):
    api = serve()
    expired = api("GET", "/api/org", token=api.grafana.add_token(expired=True))
    assert (expired.status_code, expired.json()["message"]) == (401, "Expired API key")
    token = api.grafana.add_token()
    assert api("GET", "/api/org", token=token).status_code == 200
    api.grafana.revoke(token)
    assert api("GET", "/api/org", token=token).json()["message"] == "Invalid API key"


def test_the_administrator_has_a_password(serve):
    api = serve()
    answer = api("GET", "/api/user", auth=(api.grafana.user, api.grafana.password), headers={"Authorization": None})
    assert (answer.json()["login"], answer.json()["isGrafanaAdmin"]) == ("admin", True)


def test_a_service_account_is_no_user(serve):
    assert serve()("GET", "/api/user").status_code == 404


def test_the_organisation_is_the_tokens_or_the_headers(serve):
    api = serve("12.2.0", search_lag=0)
    api.grafana.add_org(2, "Two")
    second = api.grafana.add_token("Admin", org=2)
    api.save(BOARD)
    assert api.save({**BOARD, "title": "Two's"}, token=second).status_code == 200
    assert api.grafana.boards["gpu-fleet"].title == "Fleet"
    assert api.grafana.org(2).boards["gpu-fleet"].title == "Two's"
    assert api("GET", "/api/org", token=second).json()["name"] == "Two"
    admin = {"auth": (api.grafana.user, api.grafana.password)}
    header = {"Authorization": None, "X-Grafana-Org-Id": "2"}
    assert api("GET", "/api/org", headers=header, **admin).json()["id"] == 2
    assert [h["title"] for h in api("GET", "/api/search", headers=header, **admin).json()] == ["Two's"]
    wrong = api("GET", "/api/org", headers={"X-Grafana-Org-Id": "2"})
    assert (wrong.status_code, wrong.json()["messageId"]) == (401, "api-key.organization-mismatch")
    assert api("GET", "/api/org", headers={"Authorization": None, "X-Grafana-Org-Id": "9"}, **admin).status_code == 403


def test_the_namespace_is_the_organisation(serve):
    api = serve()
    api.grafana.add_org(2, "Two")
    second = api.grafana.add_token("Admin", org=2)
    body = {"metadata": {"name": "gpu-fleet"}, "spec": SPEC}
    assert api("GET", "/api/frontend/settings", token=second).json()["namespace"] == "org-2"
    assert api("POST", objects("v1beta1", "org-2"), body, token=second).status_code == 201
    assert set(api.grafana.org(2).boards) == {"gpu-fleet"}
    assert api("POST", objects("v1beta1", "org-2"), body).status_code == 403
    assert api("GET", objects("v1beta1", "nonsense")).status_code == 403


@pytest.mark.parametrize("version", VERSIONS)
def test_a_viewer_reads_and_does_not_write(serve, version):
    api = serve(version, search_lag=0)
    api.grafana.add_folder("gpu", "GPU")
    api.save(BOARD)
    viewer = api.grafana.add_token("Viewer")
    for path in ("/api/dashboards/uid/gpu-fleet", "/api/folders/gpu", "/api/search", "/api/datasources"):
        assert api("GET", path, token=viewer).status_code == 200, path
    assert api("GET", "/api/dashboards/uid/gpu-fleet", token=viewer).json()["meta"]["canSave"] is False
    denied = api.save({**BOARD, "title": "Mine"}, token=viewer, overwrite=True)
    assert denied.status_code == 403
    assert denied.json()["accessErrorId"]
    assert "any of dashboards:create, dashboards:write" in denied.json()["message"]
    for method, path, body in (
        ("DELETE", "/api/dashboards/uid/gpu-fleet", None),
        ("GET", "/api/dashboards/uid/gpu-fleet/versions", None),
        ("POST", "/api/folders", {"title": "Mine"}),
        ("PUT", "/api/folders/gpu", {"title": "Mine", "overwrite": True}),
        ("POST", "/api/folders/gpu/move", {"parentUid": ""}),
        ("DELETE", "/api/folders/gpu", None),
    ):
        answer = api(method, path, body, token=viewer)
        if (version, path) == ("10.4.0", "/api/folders/gpu/move"):
            assert answer.status_code == 404
        else:
            assert (answer.status_code, answer.json()["title"]) == (403, "Access denied"), path
    assert api.grafana.boards["gpu-fleet"].title == "Fleet"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_account_without_rights(serve, version):
    api = serve(version)
    api.save(BOARD)
    nobody = api.grafana.add_token("None")
    for path in ("/api/dashboards/uid/gpu-fleet", "/api/search", "/api/folders", "/api/datasources"):
        assert api("GET", path, token=nobody).status_code == 403, path
    assert api("GET", "/api/access-control/user/permissions", token=nobody).json() == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_rights_on_one_folder(serve, version):
    api = serve(version, nested_folders=True)
    api.grafana.add_folder("mine", "Mine")
    api.grafana.add_folder("below", "Below", "mine")
    api.grafana.add_folder("theirs", "Theirs")
    token = api.grafana.add_token("Editor", folders=("mine",))
    assert api.save({"uid": "a", "title": "A"}, "mine", token=token).status_code == 200
    assert api.save({"uid": "b", "title": "B"}, "below", token=token).status_code == 200
    api.save({"uid": "c", "title": "C"}, "theirs")
    for uid, folder in (("d", ""), ("d", "theirs"), ("c", "theirs"), ("a", "theirs"), ("c", "mine")):
        answer = api.save({"uid": uid, "title": "New"}, folder, token=token, overwrite=True)
        assert (answer.status_code, answer.json()["message"]) == (403, "Access denied to save dashboard"), (uid, folder)
    assert api("POST", "/api/folders", {"title": "X", "parentUid": "mine"}, token=token).status_code == 200
    assert api("POST", "/api/folders", {"title": "X", "parentUid": "theirs"}, token=token).status_code == 403
    assert api("POST", "/api/folders", {"title": "X"}, token=token).status_code == 403
    assert api("DELETE", "/api/dashboards/uid/c", token=token).status_code == 403
    assert api("DELETE", "/api/dashboards/uid/a", token=token).status_code == 200


@pytest.mark.parametrize(("version", "served"), APIS)
def test_rights_hold_in_the_object_api(serve, version, served):
    api = serve(version)
    api.grafana.add_folder("mine", "Mine")
    api.grafana.add_folder("theirs", "Theirs")
    body = {"metadata": {"name": "a", "annotations": {"grafana.app/folder": "theirs"}}, "spec": SPEC}
    api("POST", objects(served), body)
    token = api.grafana.add_token("Editor", folders=("mine",))
    for method, path in (("PUT", "/a"), ("DELETE", "/a")):
        answer = api(method, objects(served) + path, body if method == "PUT" else None, token=token)
        assert (answer.status_code, answer.json()["reason"]) == (403, "Forbidden")
    body["metadata"] = {"name": "b", "annotations": {"grafana.app/folder": "mine"}}
    assert api("POST", objects(served), body, token=token).status_code == 201
    nobody = api.grafana.add_token("None")
    assert api("GET", objects(served) + "/a", token=nobody).status_code == 403
    assert api("GET", objects(served), token=nobody).json()["items"] == []
    folders = f"/apis/folder.grafana.app/{served}/namespaces/default/folders"
    new = {"metadata": {"name": "new"}, "spec": {"title": "New"}}
    assert api("POST", folders, new, token=token).status_code == 403
    new["metadata"] = {"name": "new", "annotations": {"grafana.app/folder": "mine"}}
    assert api("POST", folders, new, token=token).status_code == 201
    assert api("DELETE", f"{folders}/theirs", token=token).status_code == 403


def test_no_folder_at_all_is_no_right_to_write(serve):
    api = serve()
    token = api.grafana.add_token("Editor", folders=())
    assert api.save(BOARD, token=token).status_code == 403


def test_rights_can_be_seen(serve):
    api = serve()
    rights = api("GET", "/api/access-control/user/permissions").json()
    assert rights["dashboards:create"] == ["dashboards:*", "folders:*"]
    token = api.grafana.add_token("Editor", folders=("gpu", ""))
    rights = api("GET", "/api/access-control/user/permissions", token=token).json()
    assert rights["dashboards:create"] == ["folders:uid:gpu", "folders:uid:general"]


def test_single_permissions(serve):
    api = serve()
    api.grafana.add_user("bob", "secret", permissions={"dashboards:read": ["dashboards:uid:gpu-fleet"]})
    api.save(BOARD)
    api.save({"uid": "other", "title": "Other"})
    bob = {"auth": ("bob", "secret"), "headers": {"Authorization": None}}
    assert api("GET", "/api/dashboards/uid/gpu-fleet", **bob).status_code == 200
    assert api("GET", "/api/dashboards/uid/other", **bob).status_code == 403
    api.grafana.settle()
    assert [h["uid"] for h in api("GET", "/api/search", **bob).json()] == ["gpu-fleet"]
