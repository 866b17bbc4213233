"""Several exporters feed the same names: each card once, whoever reports it, and no rule fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from builder.config import Config, Recording
from builder.rule_files import rule_groups
from builder.rules.model import Group
from builder.simulate import Fleet, history
from tests.rules.promtool import evaluate

pytestmark = pytest.mark.live

_DCGM = Fleet(nodes=1, cards=2, training="none", host=False, steady=True)
_SMI = replace(_DCGM, nodes=2, profile="nvidia-smi")
_OTHER = replace(_DCGM, nodes=3, profile="nvidia-gpu")


def _groups(*profiles: str) -> list[Group]:
    config = Config(profile=profiles[0], training="none", host="none", recording=Recording(also=profiles[1:]))
    return [group for level in rule_groups(config).values() for group in level]


def _scraped(*fleets: Fleet) -> str:
    """What their exporters answer at one moment; the first node's cards answer all of them."""
    texts = [history(fleet, begin=fleet.start + 60, end=fleet.start + 60) for fleet in fleets]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith(("#", "up{", "scrape_"))]
    return "\n".join(dict.fromkeys(lines))


def test_a_card_that_two_exporters_report_is_there_once(tmp_path: Path) -> None:
    expected = {
        "count by (node) (gpu:device_info)": [('{node="node-0"}', 2), ('{node="node-1"}', 2)],
        "count by (node) (gpu:power_watts)": [('{node="node-0"}', 2), ('{node="node-1"}', 2)],
        "node:cards:count": [
            ('node:cards:count{node="node-0"}', 2),
            ('node:cards:count{node="node-1"}', 2),
        ],
        "cluster:cards:count": [("cluster:cards:count{}", 4)],
        # Only one of them has it, and the card is its own all the same.
        "count(gpu:sm_clock_max_hertz)": [("{}", 4)],
    }
    assert evaluate(_groups("dcgm", "nvidia-smi"), _scraped(_DCGM, _SMI), expected, tmp_path) == ""


@pytest.mark.parametrize("also", [("nvidia-smi", "nvidia-gpu"), ("nvidia-gpu", "nvidia-smi")])
def test_an_exporter_without_uuids_joins_in(also: tuple[str, ...], tmp_path: Path) -> None:
    expected = {
        "node:cards:count": [(f'node:cards:count{{node="node-{n}"}}', 2) for n in range(3)],
        "cluster:nodes:count": [("cluster:nodes:count{}", 3)],
    }
    assert evaluate(_groups("dcgm", *also), _scraped(_DCGM, _SMI, _OTHER), expected, tmp_path) == ""


def test_exporters_that_call_a_node_differently_do_not_double_its_cards(tmp_path: Path) -> None:
    scraped = (
        _scraped(_DCGM) + "\n" + _scraped(_SMI).replace('"node-0:', '"10.0.0.7:').replace('"node-1:', '"10.0.0.8:')
    )
    expected = {
        "node:cards:count": [
            ('node:cards:count{node="10.0.0.8"}', 2),
            ('node:cards:count{node="node-0"}', 2),
        ],
        "count(gpu:power_watts)": [("{}", 4)],
    }
    assert evaluate(_groups("dcgm", "nvidia-smi"), scraped, expected, tmp_path) == ""


def test_an_error_would_be_seen(tmp_path: Path) -> None:
    assert "got:" in evaluate(_groups("dcgm"), _scraped(_DCGM), {"cluster:cards:count": []}, tmp_path)
