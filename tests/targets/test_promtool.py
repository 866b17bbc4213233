"""What promtool itself says of rule files."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.errors import OutputError
from builder.targets.promtool import check_rules

GOOD = b"groups: [{name: a, rules: [{record: 'gpu:x', expr: x}]}]\n"
BAD = b"groups: [{name: a, rules: [{record: 'gpu x', expr: x}]}]\n"


@pytest.mark.live
def test_it_names_the_file() -> None:
    assert check_rules({"good.yml": GOOD}) == ()
    said = check_rules({"good.yml": GOOD, "bad.yml": BAD})
    assert said and any("bad.yml" in line for line in said)


def test_it_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check_rules({"good.yml": GOOD}) is None


def test_it_cannot_be_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = tmp_path / "promtool"
    tool.write_bytes(b"\x7fELF")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OutputError, match="promtool cannot be run"):
        check_rules({"good.yml": GOOD})
