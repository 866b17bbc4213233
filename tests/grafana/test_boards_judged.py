"""The standard boards, as every profile gives them, before the independent judge of dashboard JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.build import build_boards
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config
from builder.load import load
from tests.grafana.judge import findings

BOARDS = Path(__file__).parent.parent.parent / "dashboards"


@pytest.mark.parametrize("profile", GPU_PROFILES)
@pytest.mark.parametrize("training", ["auto", "tf-snippet", "none"])
def test_the_judge_finds_nothing(profile: str, training: str, tmp_path: Path) -> None:
    boards, _ = build_boards(load(BOARDS), Config(profile=profile, training=training))
    assert len(boards) == len(list(BOARDS.glob("gpu_*.py")))
    assert [finding for board in boards.values() for finding in findings(board, tmp_path)] == []
