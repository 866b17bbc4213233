"""The fixtures are what they say: valid exposition, each described, each used."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from builder.testing import parse_exposition
from builder.testing.exposition import format_labels

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.prom"))
_LINT_ONLY = 3  # promtool's exit code for names that are not to its taste


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_promtool_reads_the_file(path: Path) -> None:
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=path.read_bytes(), capture_output=True, check=False
    )
    assert checked.returncode in (0, _LINT_ONLY), checked.stderr.decode()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_series_is_there_twice(path: Path) -> None:
    series = [s.name + format_labels(s.labels) for s in parse_exposition(path.read_text(encoding="utf-8"))]
    assert series
    assert len(series) == len(set(series))


def test_the_readme_describes_every_file_and_no_other() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8").partition("## What is made of them")[0]
    described = {line.split("|")[1].strip().strip("`") for line in text.splitlines() if line.startswith("| `")}
    groups = {name for name in described if "*" in name or "," in name}
    assert described - groups == {path.stem for path in FILES}


def test_every_file_is_scraped_by_a_fleet() -> None:
    sources = [HERE.parent / "live" / name for name in ("fleets.py", "jobs.py")]
    fleets = "".join(path.read_text(encoding="utf-8") for path in sources)
    assert [path.stem for path in FILES if f'"{path.stem}"' not in fleets] == []
