"""The examples build for every exporter, and the commands of the other pages do what they show."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, parse
from builder.load import load
from tests.docs.markdown import PAGES, ROOT, blocks, links
from tests.docs.session import go_through, in_order, shown

WITH_COMMANDS = [ROOT / "docs/exporters.md"]
WITH_SETTINGS = [(p, b) for p in PAGES for b in blocks(p) if b.language == "yaml" and b.text.startswith("profile")]


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_examples_build_for_every_exporter(profile: str) -> None:
    boards, _ = build_boards(load(ROOT / "docs/examples"), replace(Config(), profile=profile))
    assert boards.keys() == {"team-gpus", "team-models", "team-hall"}


def test_examples_lose_nothing_on_the_default_exporter() -> None:
    _, notes = build_boards(load(ROOT / "docs/examples"), Config())
    assert notes == []


def test_every_example_is_listed() -> None:
    listed = {Path(target).name for target in links(ROOT / "docs/examples/README.md")}
    assert listed == {file.name for file in (ROOT / "docs/examples").glob("*.py")}


@pytest.mark.parametrize(("page", "block"), WITH_SETTINGS, ids=lambda value: getattr(value, "name", ""))
def test_settings_in_the_documentation_are_read(page: Path, block: object) -> None:
    parse(block.text, page.name)  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    command = tmp_path / "bin/gpuboards"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m builder.cli "$@"\n')
    command.chmod(0o755)
    unset = ("GPUBOARDS_", "PYTHON")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    environment["PATH"] = f"{command.parent}:{environment['PATH']}"
    page_blocks = [block for block in blocks(page) if block.language in ("sh", "text")]
    for answer in go_through(page_blocks, tmp_path, environment):
        missing = in_order(shown(page_blocks, answer.block), answer.output)
        assert not missing, f"{page.name} line {answer.block.line}: {missing} not in:\n{answer.output}"
