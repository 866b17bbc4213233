"""A pytest plugin that knows what came of what is asked again: a mutation changes few of some 40,000 queries.

Remembered are panels of boards, queries of variables, and runs of promtool, each by all that it is made of; histories
do not change. They lie in the directory that one environment variable names, a file for each server; where the other
variable is set, what is new is written there at the end. A server that a test starts for itself is asked anew, since
its port may be another's later.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest

from builder.opening.plan import PlannedPanel
from builder.testing import Client, PanelResult, panels
from tests.live.running import VARIABLE as RUNNING
from tests.queries import promtool as idioms

VARIABLE = "GPUBOARDS_ANSWERS"
LEARN = "GPUBOARDS_LEARN_ANSWERS"

_PROMTOOL = "promtool"
_known: dict[str, dict[Hashable, Any]] = {}
_ask, _run_panel, _run_tests = Client._ask, panels._run_panel, idioms.run_tests
_rules = importlib.import_module("builder.testing.promtool")
_judge = _rules.promtool


def _remembered(server: str, asked: object, ask: Callable[[], Any]) -> Any:
    if server not in _lasting():
        return ask()
    if server not in _known:
        file = _file(server)
        _known[server] = pickle.loads(file.read_bytes()) if file.exists() else {}
    key = sha1(repr(asked).encode(), usedforsecurity=False).digest()
    if key not in _known[server]:
        _known[server][key] = ask()
    return _known[server][key]


@cache
def _lasting() -> frozenset[str]:
    return frozenset({_PROMTOOL, *json.loads(os.environ.get(RUNNING, "{}")).values()})


def _file(server: str) -> Path:
    return Path(os.environ[VARIABLE]) / server.rpartition(":")[2]


def _asked(self: Client, path: str, parameters: Mapping[str, str], method: str = "POST") -> Any:
    if path == "query_range":  # of a panel, which is remembered as a whole
        return _ask(self, path, parameters, method)
    return _remembered(self.url, (path, sorted(parameters.items())), lambda: _ask(self, path, parameters, method))


def _panel(panel: PlannedPanel, client: Client) -> PanelResult:
    result: PanelResult = _remembered(client.url, panel, lambda: _run_panel(panel, client))
    return result


def _verdict(command: Sequence[str], files: Mapping[str, str], *, on: Sequence[str], timeout: float = 600) -> Any:
    asked = ("rules", command, sorted(files.items()), on)
    return _remembered(_PROMTOOL, asked, lambda: _judge(command, files, on=on, timeout=timeout))


def pytest_configure(config: pytest.Config) -> None:
    """Ask for nothing twice; nothing outside of this process changes."""
    Client._ask = _asked  # type: ignore[method-assign]
    panels._run_panel = _panel
    _rules.promtool = _verdict  # type: ignore[attr-defined]
    idioms.run_tests = lambda text, folder: _remembered(_PROMTOOL, text, lambda: _run_tests(text, folder))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write down what is known, for those that come after."""
    if os.environ.get(LEARN):
        Path(os.environ[VARIABLE]).mkdir(exist_ok=True)
        for server, known in _known.items():
            _file(server).write_bytes(pickle.dumps(known))
