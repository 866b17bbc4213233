"""The commands of the pages about a running Prometheus print what the pages show, on a simulated fleet."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builder.live.outcome import Verdict
from builder.simulate import Fleet, history
from builder.testing import Prometheus
from tests.docs.markdown import ROOT, blocks, rows
from tests.docs.session import go_through, in_order, shown

URL = "http://prometheus:9090"

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def prometheus() -> Iterator[Prometheus]:
    end = float(int(time.time()))
    fleet = Fleet(nodes=2, cards=4, start=end - 7200)
    with Prometheus(history=history(fleet, begin=end - 1800, end=end, interval=30)) as server:
        yield server


@pytest.mark.parametrize("page", ["check-live.md", "init.md"])
def test_commands_print_what_the_page_shows(page: str, prometheus: Prometheus, tmp_path: Path) -> None:
    command = tmp_path / "bin/gpuboards"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m builder.cli "$@"\n')
    command.chmod(0o755)
    unset = ("GPUBOARDS_", "PYTHON", "PROMETHEUS_", "GRAFANA_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    environment["PATH"] = f"{command.parent}:{environment['PATH']}"
    here = [
        replace(block, text=block.text.replace(URL, prometheus.url))
        for block in blocks(ROOT / "docs" / page)
        if block.language in ("sh", "text")
    ]
    for answer in go_through(here, tmp_path, environment):
        missing = in_order(shown(here, answer.block), answer.output)
        assert not missing, f"{page} line {answer.block.line}: {missing} not in:\n{answer.output}"


def test_every_verdict_has_its_row() -> None:
    page = ROOT / "docs/check-live.md"
    told = {cells[0]: cells[1] for cells in rows(page) if len(cells) == 3}
    assert {v.value: v.severity.word for v in Verdict}.items() <= told.items()


def test_every_option_is_described() -> None:
    from builder.cli.check_live import _NAMES
    from builder.cli.init import command

    text = (ROOT / "docs/check-live.md").read_text()
    spelt = {"time_range": "range", "chosen": "var", "headers": "header"}
    for name in _NAMES:
        assert f"`--{spelt.get(name, name).replace('_', '-')}" in text, name
    own = {option for parameter in command.params for option in parameter.opts if parameter.name not in _NAMES}
    text = (ROOT / "docs/init.md").read_text()
    assert {option for option in own if not re.search(rf"{option}\b", text)} == {"--format"}
