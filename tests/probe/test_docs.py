"""What the documentation says of the probe against the probe."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from builder.probe.options import Settings
from tests.probe import scripted
from tests.probe.conftest import ROOT, Start, samples_of

PAGE = (ROOT / "docs/probe.md").read_text(encoding="utf-8")
PAGES = [ROOT / "docs/probe.md", *sorted((ROOT / "docs/recipes").glob("probe-*.md"))]


def _first_cells(section: str) -> list[str]:
    """The first cells of a section's first table."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    assert rows
    return rows


def _blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_every_option_has_a_row() -> None:
    assert _first_cells("Options") == [name for name in Settings.__dataclass_fields__ if name != "sealed"]


def test_every_metric_has_a_row(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf().install(monkeypatch)
    probe = begin(initial_step=1, framework="tensorflow", bucket=1)  # a mistake, for an error to be told
    with probe.training(), probe.input_wait(), probe.checkpoint():
        probe.step(records=1)
    told = {s.name for s in samples_of(probe)}
    histogram = "train_step_duration_seconds"
    told = {histogram if name.startswith(histogram) else name for name in told}
    assert {name for name in told if name.startswith("train_")} == set(_first_cells("Metrics"))
    assert {name for name in told if not name.startswith("train_")} <= set(re.findall(r"`(tfr?_\w+)", PAGE))


def test_every_mapping_has_a_row() -> None:
    source = (ROOT / "builder/probe/cards/resolve.py").read_text() + (ROOT / "builder/probe/cards/model.py").read_text()
    assert all(f'"{mapping}"' in source for mapping in _first_cells("Which card"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_code_can_be_read_by_what_it_is_for(page: Path) -> None:
    read = [ast.parse(block) for block in _blocks(page, "python")]
    read += [yaml.safe_load(block) for block in _blocks(page, "yaml")]
    assert read
    named = set(re.findall(r"GPUBOARDS_PROBE_([A-Z_]+)\b", page.read_text(encoding="utf-8"))) - {""}
    assert named <= {name.upper() for name in Settings.__dataclass_fields__}
