"""Definitions read a file at a time."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path

from builder.load import Definition, read

BOARD = (
    "from builder.grafana.board import Board\nfrom builder.grafana.panels.words import Text\n"
    "board = Board({uid!r}, {uid!r}, [Text('Words', content='words')])\n"
)


def test_nothing_is_kept_of_the_files_before(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"board_{number}.py").write_text(BOARD.format(uid=f"b-{number}"))
    gc.disable()  # freed because nobody holds them, not because a collection came by
    try:
        seen: list[weakref.ref[object]] = []
        for definition in read(tmp_path):
            assert [board() for board in seen[:-1]] == [None] * len(seen[:-1])
            seen.append(weakref.ref(definition.board))
    finally:
        gc.enable()
    assert len(seen) == 3


def test_the_import_system_is_as_before_between_two_files(tmp_path: Path) -> None:
    (tmp_path / "_shared.py").write_text("runs = []\nruns.append(1)\n")
    for name in ("a", "b"):
        text = "import _shared\n" + BOARD.format(uid=name) + "assert len(_shared.runs) == 1\n"
        (tmp_path / f"{name}.py").write_text(text)
    path, modules = list(sys.path), set(sys.modules)
    found: list[Definition] = []
    for definition in read(tmp_path):
        found.append(definition)
        assert sys.path == path
        assert "_shared" not in sys.modules
    assert len(found) == 2
    assert [name for name in set(sys.modules) - modules if name.endswith((".a", ".b", "_shared"))] == []


def test_a_shared_board_is_one_board(tmp_path: Path) -> None:
    (tmp_path / "_shared.py").write_text(BOARD.format(uid="shared"))
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("import _shared\nboard = _shared.board\n")
    assert [Path(definition.file).name for definition in read(tmp_path)] == ["a.py"]
