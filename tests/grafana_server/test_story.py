"""The whole story of a push on one server: create, nothing to do, conflict, force, move, prune, pull.

It runs on the fake of every version, and with ``pytest -m grafana --grafana-url URL`` on a real server. Everything it
makes there has a name of its own and is removed again.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from builder.config import Config, Context, Place
from builder.diff import content_hash
from builder.targets.grafana.endpoint import Endpoint, endpoint
from builder.targets.grafana.pull import pull
from builder.targets.grafana.push import push
from builder.targets.grafana.report import Report
from builder.testing import FakeGrafana
from tests.targets.grafana.pushing import SERVED, actions, board, changed, options, outcome

_SEARCH_SECONDS = 60


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    url = metafunc.config.getoption("--grafana-url")
    servers: list[Any] = [pytest.param(served, id="-".join(served)) for served in SERVED]
    if url:
        apis = ("classic", "auto")
        servers += [pytest.param((url, api), id=f"server-{api}", marks=pytest.mark.grafana) for api in apis]
    metafunc.parametrize("server", servers, indirect=True)


@dataclass(frozen=True)
class Somewhere:
    """A Grafana in which everything of this test begins with ``mark``."""

    url: str
    environment: dict[str, str]
    api: str
    mark: str

    def at(self, *folders: str) -> Endpoint:
        """The endpoint with this path of folders."""
        places = tuple(Place(f"{self.mark}-{name}", f"{self.mark} {name}") for name in folders)
        config = Config(contexts={"it": Context(self.url, folders=places)})
        return endpoint(config, "it", self.environment)

    def push(self, boards: dict[str, Any], *folders: str, **more: Any) -> Report:
        """Push with this test's project name."""
        chosen = options(self.api, project=self.mark, seconds=30, **more)
        return push(boards, self.at(*folders), chosen, confirm=lambda found: True)

    def ask(self, method: str, path: str, body: Any = None, *, accept: tuple[int, ...] = (200,)) -> Any:
        """What somebody else does through the API."""
        target = self.at("top")
        headers = {name: value.reveal() for name, value in target.headers.items()}
        reply = requests.request(method, f"{self.url}{path}", json=body, headers=headers, timeout=30)
        assert reply.status_code in accept, (method, path, reply.status_code, reply.text[:300])
        return reply.json() if reply.content else None

    def read(self, uid: str) -> Any:
        """The board and what Grafana says about it."""
        return self.ask("GET", f"/api/dashboards/uid/{uid}")

    def edit(self, uid: str, **new: Any) -> None:
        """Save the board as the browser does: in its folder, without our message."""
        found = self.read(uid)
        body = {"dashboard": {**found["dashboard"], **new}, "folderUid": found["meta"]["folderUid"], "overwrite": True}
        self.ask("POST", "/api/dashboards/db", body)


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Somewhere]:
    """A fake of some version, or the real server; empty of ours before and after."""
    where, api = request.param
    mark = f"gpuboards-test-{secrets.token_hex(4)}"
    with ExitStack() as stack:
        if where.startswith("http"):
            named = ("GRAFANA_TOKEN", "GRAFANA_USER", "GRAFANA_PASSWORD")
            environment = {name: os.environ[name] for name in named if os.environ.get(name)}
            found = Somewhere(where.rstrip("/"), environment, api, mark)
        else:
            fake = stack.enter_context(FakeGrafana(where, search_lag=0.2 if where >= "12" else 0))
            found = Somewhere(fake.url, {"GRAFANA_TOKEN": fake.token}, api, mark)
        try:
            yield found
        finally:
            for uid in ("one", "two", "foreign"):
                found.ask("DELETE", f"/api/dashboards/uid/{mark}-{uid}", accept=(200, 404))
            for uid in ("inner", "top", "other"):
                found.ask("DELETE", f"/api/folders/{mark}-{uid}?forceDeleteRules=true", accept=(200, 404))


def test_the_story(server: Somewhere) -> None:
    one, two, foreign = (f"{server.mark}-{name}" for name in ("one", "two", "foreign"))
    boards = {uid: board(uid, f"Board {uid}") for uid in (one, two)}
    nested = tuple(map(int, _version(server).split(".")[:2])) >= (11, 0)

    # nothing is there, then everything, then there is nothing to do
    assert actions(server.push(boards, "top", dry_run=True)) == {one: "create planned", two: "create planned"}
    server.ask("GET", f"/api/dashboards/uid/{one}", accept=(404,))
    assert actions(server.push(boards, "top")) == {one: "create done", two: "create done"}
    version = server.read(one)["meta"]["version"]
    assert server.read(one)["meta"]["folderUid"] == f"{server.mark}-top"
    again = server.push(boards, "top")
    assert (again.writes, again.exit_code) == (0, 0) and server.read(one)["meta"]["version"] == version

    # somebody edits in the browser
    server.edit(one, description="by hand")
    report = server.push(changed(boards, two, title=f"New {two}"), "top")
    boards = changed(boards, two, title=f"New {two}")
    assert actions(report) == {one: "conflict refused", two: "update done"} and report.exit_code == 1
    assert outcome(report, one).changes == ("description removed",)
    pulled = {p.uid: p for p in pull(server.at("top"), options(server.api), uids=[one, two])}
    assert pulled[one].content["description"] == "by hand"
    assert actions(server.push(boards, "top", force=True)) == {one: "update done", two: "unchanged done"}
    assert server.push(boards, "top").writes == 0

    # what was pulled is what was pushed
    pulled = {p.uid: p for p in pull(server.at("top"), options(server.api), uids=[one, two])}
    tags = ["gpuboards", f"gpuboards:{server.mark}"]
    assert {uid: content_hash(p.content) for uid, p in pulled.items()} == {
        uid: content_hash({**content, "tags": tags}) for uid, content in boards.items()
    }

    # the folder changes, and then moves with what is in it
    assert actions(server.push(boards, "other")) == {one: "move done", two: "move done"}
    assert server.read(two)["meta"]["folderUid"] == f"{server.mark}-other"
    if nested:
        assert server.push(boards, "inner").exit_code == 0
        report = server.push(boards, "top", "inner")
        assert [step.action for step in report.folders] == ["move"] and report.exit_code == 0
        assert server.ask("GET", f"/api/folders/{server.mark}-inner")["parentUid"] == f"{server.mark}-top"
        assert server.push(boards, "top", "inner").writes == 0
    folders = ("top", "inner") if nested else ("other",)

    # one is no longer defined; somebody else's board stays
    body = {"dashboard": board(foreign, f"Foreign {foreign}"), "folderUid": f"{server.mark}-{folders[-1]}"}
    server.ask("POST", "/api/dashboards/db", body)
    del boards[two]
    deadline = time.monotonic() + _SEARCH_SECONDS
    while "remove planned" not in actions(server.push(boards, *folders, prune=True, dry_run=True)).values():
        assert time.monotonic() < deadline, "search does not find the board"
        time.sleep(0.1)
    assert actions(server.push(boards, *folders, prune=True)) == {one: "unchanged done", two: "remove done"}
    server.ask("GET", f"/api/dashboards/uid/{two}", accept=(404,))
    assert server.read(foreign)["dashboard"]["title"] == f"Foreign {foreign}"


def _version(server: Somewhere) -> str:
    settings = server.ask("GET", "/api/frontend/settings")
    return str(settings["buildInfo"]["version"])
