"""docs/testing.md: its examples run, and it names every parameter and every fault."""

from __future__ import annotations

import inspect

import pytest

from builder.testing import FakeGrafana
from builder.testing.grafana import Fault, faults
from tests.docs.markdown import ROOT, blocks, rows

PAGE = ROOT / "docs/testing.md"
EXAMPLES = [block for block in blocks(PAGE) if block.language == "python"]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: f"line {block.line}")
def test_the_examples_run(block):
    exec(compile(block.text, f"{PAGE}:{block.line}", "exec"), {})


def test_there_are_examples():
    assert len(EXAMPLES) == 3


def documented():
    return [row[0].strip("` ").partition("(")[0] for row in rows(PAGE)]


def test_every_parameter_has_a_row():
    assert set(inspect.signature(FakeGrafana).parameters) <= set(documented())


def test_every_fault_has_a_row():
    made = {
        name
        for name, value in vars(faults).items()
        if inspect.isfunction(value) and value.__annotations__.get("return") == Fault.__name__
    }
    assert len(made) == 11
    assert made <= set(documented())
