"""The expressions of every profile are what is committed; their diff is the review."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.catalog.profiles import GPU_PROFILES
from tests.queries import expressions


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_the_golden_is_what_the_questions_give(profile: str) -> None:
    committed = expressions.path_of(profile).read_bytes()
    assert committed == expressions.listing(profile).encode(), "run scripts/golden and review the diff"


def test_there_is_a_golden_for_each_profile_and_no_other() -> None:
    assert {path.stem for path in expressions.FOLDER.iterdir()} == set(GPU_PROFILES)


def test_check_names_what_differs_and_write_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(expressions, "FOLDER", tmp_path / "goldens")
    assert expressions.main([]) == 0
    assert expressions.main(["--check"]) == 0
    expressions.path_of("dcgm").write_text("by hand")
    expressions.path_of("gone").write_text("a profile that is no more")
    assert expressions.main(["--check"]) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "goldens/dcgm.txt",
        "goldens/gone.txt",
    ]
    assert expressions.main([]) == 0
    assert expressions.differing() == []
