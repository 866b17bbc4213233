"""The commands at the head of the page about recording rules print what it shows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.docs.markdown import ROOT, blocks
from tests.docs.session import go_through, in_order, shown

PAGE = ROOT / "docs/recording-rules.md"


def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    program = tmp_path / "bin/gpuboards"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m builder.cli "$@"\n')
    program.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GPUBOARDS_")}
    environment["PATH"] = f"{program.parent}:{environment['PATH']}"
    page = blocks(PAGE)
    here = [block for block in page if block.language == "text" or block.text.startswith("gpuboards ")]
    (answer,) = go_through(here, tmp_path, environment)
    missing = in_order(shown(here, answer.block), answer.output)
    assert not missing, f"{missing} not in:\n{answer.output}"
