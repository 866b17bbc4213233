"""The commands of the page about backtests print what it shows, on a simulated history."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest

from builder.cli.prometheus_options import NAMES
from builder.cli.rules_backtest import command
from builder.testing import Prometheus
from tests.docs.markdown import ROOT, blocks
from tests.docs.session import go_through, in_order, shown

PAGE = ROOT / "docs/backtest.md"


@pytest.mark.live
def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    program = tmp_path / "bin/gpuboards"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m builder.cli "$@"\n')
    program.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GPUBOARDS_")}
    environment["PATH"] = f"{program.parent}:{environment['PATH']}"
    page = [block for block in blocks(PAGE) if block.language in ("sh", "text")]
    (made,) = (block for block in page if "gpuboards simulate" in block.text)
    simulate, prometheus, _ = made.text.partition("prometheus --storage.tsdb.path=history ")
    assert prometheus
    go_through([replace(made, text=simulate)], tmp_path, environment)
    with Prometheus(data=tmp_path / "history") as server:
        here = [
            replace(block, text=block.text.replace("http://prometheus:9090", server.url))
            for block in page
            if block is not made
        ]
        answers = go_through(here, tmp_path, environment)
    assert answers
    for answer in answers:
        missing = in_order(shown(here, answer.block), answer.output)
        assert not missing, f"line {answer.block.line}: {missing} not in:\n{answer.output}"


def test_every_option_is_described() -> None:
    text = PAGE.read_text()
    own = [p for p in command.params if isinstance(p, click.Option) and p.name not in NAMES]
    missing = [
        option.opts[0] for option in own if f"`{option.opts[0]}" not in text and f" {option.opts[0]} " not in text
    ]
    assert missing == []
