"""Alerts of a fleet in which not every node has the same exporter, and one node has two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.prometheus import server
from builder.alerting import alerts_of, source_of, unit_tests_of
from builder.config import Config, Recording
from builder.simulate import Fleet
from builder.simulate.files import write_blocks
from builder.testing import Client
from builder.testing.promtool import promtool
from tests.rules.firing import BLIND, firing

pytestmark = pytest.mark.live
HOURS = 0.75
CONFIG = Config(training="none", recording=Recording(also=("nvidia-smi",)))
DCGM = Fleet(nodes=1, cards=2, training="none")
SMI = replace(DCGM, nodes=2, profile="nvidia-smi", faults=["hot:node-1/gpu-1", "lost:node-1/gpu-0@15m"])
"""Its first node is the other's."""


def test_cards_of_either_exporter_are_watched_and_none_is_missed(tmp_path: Path) -> None:
    end = DCGM.start + HOURS * 3600
    for fleet in (DCGM, SMI):
        write_blocks(fleet, tmp_path, begin=fleet.start, end=end)
    with server(tmp_path) as url:
        client = Client(url)
        rules = [variant.rule for variant in alerts_of(CONFIG).variants]
        found = [str(each) for rule in rules for each in firing(client, rule, DCGM.start + BLIND, end)]
        client.close()
    assert sorted(found) == [
        "GpuLost node-1/0",
        "GpuNodeCardsMissing node-1",
        "GpuTemperatureHigh node-1/1",
        "GpuTemperatureNotice node-1/1",
    ]


@pytest.mark.parametrize(
    ("profile", "also"),
    [("nvidia-gpu", ("dcgm",)), ("nv-gpu", ("nvidia-gpu",))],
)
def test_promtool_agrees_whichever_exporters_there_are(profile: str, also: tuple[str, ...]) -> None:
    config = Config(profile=profile, recording=Recording(also=also))
    tests = list(unit_tests_of(config, alerts_of(config)))
    files = dict(file for one in tests for file in (one.rules, one.tests))
    verdict = promtool(["test", "rules"], files, on=[one.tests[0] for one in tests])
    assert verdict.passed, verdict.said


def test_a_fleet_of_one_exporter_is_asked_as_before() -> None:
    assert source_of(Config(recording=Recording(also=("dcgm",)))) == source_of(Config())
