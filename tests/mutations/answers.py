"""A pytest plugin that knows what came of what is asked again: a mutation changes few of some 40,000 queries.

Remembered are panels of boards, queries of variables, and runs of promtool, each by all that it is made of; histories
do not change. They lie in the directory that one environment variable names, a file for each server; where the other
variable is set, what is new is written there at the end.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Hashable, Mapping
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest

from builder.testing import Client, PanelResult, panels
from tests.queries import promtool

VARIABLE = "GPUBOARDS_ANSWERS"
LEARN = "GPUBOARDS_LEARN_ANSWERS"

_PROMTOOL = "promtool"
_known: dict[str, dict[Hashable, Any]] = {}
_ask, _run_panel, _run_tests = Client._ask, panels._run_panel, promtool.run_tests


def _remembered(server: str, asked: object, ask: Callable[[], Any]) -> Any:
    if server not in _known:
        file = _file(server)
        _known[server] = pickle.loads(file.read_bytes()) if file.exists() else {}
    key = sha1(repr(asked).encode(), usedforsecurity=False).digest()
    if key not in _known[server]:
        _known[server][key] = ask()
    return _known[server][key]


def _file(server: str) -> Path:
    return Path(os.environ[VARIABLE]) / server.rpartition(":")[2]


def _asked(self: Client, path: str, parameters: Mapping[str, str], method: str = "POST") -> Any:
    if path == "query_range":  # of a panel, which is remembered as a whole
        return _ask(self, path, parameters, method)
    return _remembered(self.url, (path, sorted(parameters.items())), lambda: _ask(self, path, parameters, method))


def _panel(panel: Mapping[str, Any], row: str, scope: Mapping[str, str], opened: Any) -> PanelResult:
    shown = (opened.at, opened.range_seconds, opened.scrape_interval, opened.max_data_points)
    asked = (panel, row, scope, shown, sorted(opened.inserted(scope).items()))
    result: PanelResult = _remembered(opened.client.url, asked, lambda: _run_panel(panel, row, scope, opened))
    return result


def pytest_configure(config: pytest.Config) -> None:
    """Ask for nothing twice; nothing outside of this process changes."""
    Client._ask = _asked  # type: ignore[method-assign]
    panels._run_panel = _panel
    promtool.run_tests = lambda text, folder: _remembered(_PROMTOOL, text, lambda: _run_tests(text, folder))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write down what is known, for those that come after."""
    if os.environ.get(LEARN):
        Path(os.environ[VARIABLE]).mkdir(exist_ok=True)
        for server, known in _known.items():
            _file(server).write_bytes(pickle.dumps(known))
