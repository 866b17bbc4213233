"""A fake Grafana of any version, and a client for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import requests

from builder.testing import FakeGrafana


class Api:
    """Asks a fake Grafana with an account's token; ``json`` of a call is sent as its body."""

    def __init__(self, grafana: FakeGrafana, session: requests.Session) -> None:
        self.grafana = grafana
        self._session = session

    def __call__(self, method: str, path: str, json: Any = None, **options: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {options.pop('token', self.grafana.token)}", **options.pop("headers", {})}
        return self._session.request(method, self.grafana.url + path, json=json, headers=headers, timeout=10, **options)

    def save(self, board: dict[str, Any], folder: str = "", **more: Any) -> requests.Response:
        """``POST /api/dashboards/db``; ``token`` is the account, the rest goes into the body."""
        options = {"token": more.pop("token")} if "token" in more else {}
        return self("POST", "/api/dashboards/db", {"dashboard": board, "folderUid": folder, **more}, **options)


Serve = Callable[..., Api]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """``serve("12.2.0", ...)``: a client for a fake Grafana of that version."""
    with ExitStack() as stack:

        def start(version: str = "12.2.0", **options: Any) -> Api:
            session = stack.enter_context(requests.Session())
            session.trust_env = False
            return Api(stack.enter_context(FakeGrafana(version, **options)), session)

        yield start
