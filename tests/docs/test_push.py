"""docs/push.md: what it tells people to write can be written, and is all there is."""

from __future__ import annotations

import re

import pytest

from builder.config import parse
from builder.errors import ConfigError
from builder.targets.grafana.plan import REFUSED, WRITES
from tests.docs.markdown import ROOT, blocks, rows

PAGE = ROOT / "docs/push.md"


def _first_cells() -> list[str]:
    return [cells[0].strip("`") for cells in rows(PAGE)]


def test_the_example_is_read() -> None:
    (example,) = (block.text for block in blocks(PAGE) if block.language == "yaml")
    config = parse(example, "docs/push.md")
    assert set(config.contexts) == {"production", "development"} and config.project


def test_the_keys_of_a_context_are_all_there() -> None:
    with pytest.raises(ConfigError) as refused:
        parse("contexts: {x: {zzzzzzzz: 1}}", "test")
    known = refused.value.fix.removeprefix("known: ").split(", ")
    assert set(known) <= set(_first_cells())


def test_the_actions_are_all_there() -> None:
    assert {*WRITES, *REFUSED, "unchanged"} <= set(_first_cells())


def test_the_example_of_a_message_is_one() -> None:
    from builder.targets.grafana.signature import Signature

    shape = str(Signature("0.1.0", "1a2b3c4d5e6f", "0" * 64, 3, "gpuboards")).replace("0" * 64, "...")
    assert f"`{shape}`" in re.sub(r"\s+", " ", PAGE.read_text())
