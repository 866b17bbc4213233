"""The benchmark of diff and review does what it says; how fast is not asked here."""

from __future__ import annotations

import pytest

from benchmarks.diff import edited, main
from benchmarks.push import board
from builder.diff import compare


def test_it_measures_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--panels", "20", "--boards", "2", "--rounds", "1"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0].split(" boards")[0] for line in lines] == [
        "diff of 20 panels",
        "diff of 20 panels",
        "review of 1 of 2",
    ]


def test_every_panel_asked_for_is_changed() -> None:
    before = board("b", 200)
    assert len(compare(before, edited(before, 100)).parts) == 2
    assert len(compare(before, edited(before, 1)).parts) == 200
