"""Every name that the probe's page documents can be explained."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs/probe.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`((?:train|tfr?)_\w+?)(?:\{\w+\})?`", PAGE)))


def test_the_page_has_names() -> None:
    assert len(NAMES) >= 24


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_probe_is_explained(name: str) -> None:
    run = CliRunner().invoke(app, ["explain", name, "--format", "json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert found["explains"] == "metric"
    assert all(use["profile"] in ("probe", "tf-snippet") for use in found["uses"])
