"""The table that scripts/demo prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.grafana.encode import encode
from tests.live.fleets import FLEETS
from tests.live.opened import boards_of
from tests.live.proof import SHOWN, main

pytestmark = pytest.mark.live


@pytest.fixture
def provisioning(tmp_path: Path) -> Path:
    """The boards of the default profile, as the build writes them."""
    directory = tmp_path / "dashboards" / "gpuboards"
    directory.mkdir(parents=True)
    for uid, board in boards_of(FLEETS["dcgm"])[0].items():
        (directory / f"{uid}.json").write_bytes(encode(board))
    return tmp_path


def test_every_answer_is_right_and_fits_a_terminal(provisioning: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(provisioning) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("all are right")
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 70
    assert [line.split("(profile ")[1] for line in lines if "(profile " in line] == ["dcgm)", "nvidia-smi)", "nv-gpu)"]
    for boards in SHOWN.values():
        for panels in boards.values():
            for panel in panels:
                assert any(line.strip().startswith(panel) for line in lines), panel


def test_a_wrong_answer_is_shown_and_fails(provisioning: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mebibyte taken for a megabyte."""
    file = provisioning / "dashboards" / "gpuboards" / "gpu-memory.json"
    text = file.read_text()
    assert "1048576" in text
    file.write_text(text.replace("1048576", "1000000"))
    assert main(provisioning) == 1
    printed = capsys.readouterr().out
    assert "wrong: expected" in printed
    assert "panels are wrong" in printed
