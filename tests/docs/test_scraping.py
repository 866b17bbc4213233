"""docs/scraping.md against the files that are written."""

from __future__ import annotations

import pytest
import yaml

from builder.config import Config, parse
from builder.provisioning import render
from tests.docs.markdown import ROOT, Block, blocks, rows

PAGE = ROOT / "docs/scraping.md"


def test_every_file_of_the_scrape_side_has_a_row() -> None:
    documented = {cells[0].strip("`") for cells in rows(PAGE) if "/" in cells[0]}
    assert documented == {path for path in render(Config()) if path.startswith(("prometheus/", "exporters/"))}


@pytest.mark.parametrize("block", [b for b in blocks(PAGE) if b.language == "yaml"], ids=lambda b: b.line)
def test_examples_are_read(block: Block) -> None:
    if "targets:" in block.text:
        assert all(group["targets"] for group in yaml.safe_load(block.text))
    else:
        assert render(parse(block.text, "docs/scraping.md"))
