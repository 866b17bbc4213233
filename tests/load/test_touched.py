"""Which boards a change can have touched: rather one too many than one too few."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from builder.load.touched import touched

FILES = {
    "boards/plain.py": "board = 1",
    "boards/shared.py": "import _panels\nfrom library import colours",
    "boards/dotted.py": "from boards.helpers.legend import legend",
    "boards/listed.py": "from helpers import (\n    legend,\n)",
    "boards/late.py": "import importlib\nlibrary = importlib.import_module('library')",
    "boards/talks.py": '"""What library and _panels are for."""',
    "boards/_panels.py": "from helpers import legend",
    "boards/helpers/__init__.py": "",
    "boards/helpers/legend.py": "",
    "boards/words.txt": "",
    "library.py": "",
    "other.py": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "boards"),
    [
        (["boards/plain.py"], "plain"),
        (["boards/_panels.py"], "shared"),
        (["boards/helpers/legend.py"], "dotted listed shared"),
        (["boards/helpers/__init__.py"], "dotted listed shared"),
        (["library.py"], "late shared"),
        (["other.py", "README.md", "elsewhere/boards/words.txt"], ""),
        (["boards/gone.py"], ""),
        ([], ""),
    ],
)
def test_what_imports_what_differs(project: Path, changed: list[str], boards: str) -> None:
    found = touched(project / "boards", [project / name for name in changed])
    assert found is not None and [path.stem for path in found] == boards.split()


def test_a_file_that_is_no_python_may_be_read_by_any_board(project: Path) -> None:
    assert touched(project / "boards", [project / "boards/words.txt"]) is None


def test_one_file_is_a_place_too(project: Path) -> None:
    plain = project / "boards/plain.py"
    assert touched(plain, [plain]) == [plain]
    assert touched(plain, [project / "boards/shared.py"]) == []


def test_what_cannot_be_read_is_built(project: Path) -> None:
    (project / "boards/plain.py").write_text("import library (", encoding="utf-8")
    (project / "boards/talks.py").write_bytes(b"\xff")
    found = touched(project / "boards", [project / "library.py"])
    assert found is not None and {path.stem for path in found} == {"late", "plain", "shared", "talks"}


def test_a_change_is_passed_on_by_modules_elsewhere(project: Path) -> None:
    (project / "library.py").write_text("import palette", encoding="utf-8")
    asked: list[list[str]] = []

    def elsewhere(words: Sequence[str]) -> list[Path]:
        asked.append(list(words))
        return [project / "library.py"] if "palette" in words else []

    found = touched(project / "boards", [project / "palette.py"], elsewhere)
    assert found is not None and [path.stem for path in found] == ["late", "shared"]
    assert asked == [["palette"], ["library", "palette"]], "until nothing new is found"


def test_what_no_import_can_name_is_not_looked_into(project: Path) -> None:
    odd = project / "boards/.venv/lib"
    odd.mkdir(parents=True)
    (odd / "helpers.py").write_text("import library", encoding="utf-8")
    found = touched(project / "boards", [project / "library.py"])
    assert found is not None and [path.stem for path in found] == ["late", "shared"]
