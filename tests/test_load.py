"""Definitions read from a directory, and every mistake told at the user's own line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.errors import DefinitionError
from builder.grafana.board import Board
from builder.load import Definition, load, users_mistake

Write = Callable[..., Path]

BOARD = """\
from builder import Board, Text
board = Board(uid={uid!r}, title="A board", panels=[Text(content="text")])
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files (name, text) into a directory of definitions."""

    def make(directory: str = "boards", **files: str) -> Path:
        root = tmp_path / directory
        root.mkdir(exist_ok=True)
        for name, text in files.items():
            (root / (name.replace("__dot__", ".") + ".py")).write_text(text)
        return root

    return make


def uids(definitions: tuple[Definition, ...]) -> list[str]:
    return [definition.board.uid for definition in definitions]  # type: ignore[attr-defined]


def refused(directory: Path) -> DefinitionError:
    with pytest.raises(DefinitionError) as caught:
        load(directory)
    return caught.value


# what is found -------------------------------------------------------------------------------


def test_files_by_name_and_boards_in_order(write: Write) -> None:
    directory = write(
        b=BOARD.format(uid="b"),
        a="from builder import Board, Text\n\n"
        'z = Board("a-1", "One", [Text()])\n'
        'y = Board("a-2", "Two", [Text()])\n'
        'boards = [\n    y,\n    Board("a-3", "Three", [Text()]),\n]\n',
    )
    found = load(directory)
    assert uids(found) == ["a-1", "a-2", "a-3", "b"]
    assert [(Path(d.file).name, d.line) for d in found] == [
        ("a.py", 3),
        ("a.py", 4),
        ("a.py", 5),
        ("b.py", 2),
    ]
    assert found[0].where == f"{directory / 'a.py'}:3"


def test_only_what_a_file_assigns_is_its_own(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a"), b="from a import board\nfrom a import *\n" + BOARD.format(uid="b"))
    assert uids(load(directory)) == ["a", "b"]


def test_underscore_hidden_and_other_files_are_no_definitions(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a"), _draft="raise SystemExit", __dot__hidden="1 / 0")
    (directory / "notes.txt").write_text("not Python")
    (directory / "folder.py").mkdir()
    assert uids(load(directory)) == ["a"]


def test_shared_code_is_importable_and_never_mixed_up_between_directories(write: Write) -> None:
    text = "from builder import Board, Text\nfrom shared_panels import UID\n"
    text += "import shared_panels\nboard = Board(shared_panels.UID, UID, [Text()])\n"
    first = write("first", one=text, shared_panels="UID = 'first'\n")
    second = write("second", one=text, shared_panels="UID = 'second'\n")
    assert uids(load(first)) == ["first"]
    assert uids(load(second)) == ["second"]
    assert uids(load(first)) == ["first"]


def test_relative_imports_work(write: Write) -> None:
    directory = write(
        a="from builder import Board, Text\nfrom ._shared import UID\nb = Board(UID, 'A', [Text()])\n",
        _shared="UID = 'relative'\n",
    )
    assert uids(load(directory)) == ["relative"]


def test_a_file_that_changed_is_read_again(write: Write) -> None:
    assert uids(load(write(a=BOARD.format(uid="old")))) == ["old"]
    assert uids(load(write(a=BOARD.format(uid="new")))) == ["new"]


def test_a_board_file_does_not_stand_in_for_the_standard_library(write: Write) -> None:
    directory = write(queue=BOARD.format(uid="queue"), zz="import queue\nqueue.Queue()\n")
    assert uids(load(directory)) == ["queue"]


def test_a_grafanalib_dashboard_is_a_definition(write: Write) -> None:
    stock = "from grafanalib.core import Dashboard\ndashboard = Dashboard(title='Stock', uid='stock')\n"
    found = load(write(mine__dot__dashboard=stock))
    assert uids(found) == ["stock"]
    assert found[0].line == 2


def test_nothing_is_left_behind(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    directory = write(a="import helper\nprint('talk')\n" + BOARD.format(uid="a"), helper="X = 1\n")
    path, bytecode = list(sys.path), sys.dont_write_bytecode
    load(directory)
    assert (sys.path, sys.dont_write_bytecode) == (path, bytecode)
    assert "helper" not in sys.modules
    assert sorted(p.name for p in directory.rglob("*")) == ["a.py", "helper.py"]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "talk\n")


def test_nothing_is_left_behind_after_a_mistake_either(write: Write) -> None:
    path, bytecode = list(sys.path), sys.dont_write_bytecode
    refused(write(a="1 / 0\n"))
    assert (sys.path, sys.dont_write_bytecode) == (path, bytecode)


def test_a_symlinked_directory_and_a_relative_path(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = write(a="import helper\n", helper="x = 1\ny = x.z\n")
    link = directory.with_name("link")
    link.symlink_to(directory)
    monkeypatch.chdir(directory.parent)
    assert refused(Path("link")).where == "link/helper.py:2"


# what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "what", "fix"),
    [
        ("x = (1,\n", 1, "not Python: '(' was never closed", ""),
        ("x = 1\n  y = 2\n", 2, "not Python: unexpected indent", ""),
        ("\n\n1 / 0\n", 3, "raised ZeroDivisionError: division by zero", ""),
        ("def f():\n    raise ValueError('no\\nmore')\nf()\n", 2, "raised ValueError: no", ""),
        ("import sys\nsys.exit(3)\n", 2, "the file ends the program", ""),
        ("raise RuntimeError\n", 1, "raised RuntimeError: no message", ""),
        ("colour = 1\nprint(color)\n", 2, "the name 'color' is not defined", "colour"),
        ("import sys\nprint(lenn('a'))\n", 2, "the name 'lenn' is not defined", "len"),
        ("import builder.querys\n", 1, "there is no module 'builder.querys'", "queries"),
        ("import gpuboards\n", 1, "there is no module 'gpuboards'", "imported as builder"),
        ("from gpuboards.queries import power\n", 1, "there is no module 'gpuboards'", "imported as builder"),
        (
            "from builder.queries import power\n\nx = power.fleet_power()\n",
            3,
            "a question is not called",
            "leave out the parentheses",
        ),
        ("import grafanalibs\n", 1, "there is no module 'grafanalibs'", "grafanalib"),
        ("import shared_panel\n", 1, "there is no module 'shared_panel'", "shared_panels"),
        ("from builder.grafana.board import Bord\n", 1, "has no 'Bord' to import", "Board"),
        ("import builder.grafana.board as b\nb.Bord\n", 2, "builder.grafana.board has no 'Bord'", "Board"),
        (
            "from builder.grafana.board import Board\nBoard(uid='a', titel='x')\n",
            2,
            "Board has no parameter 'titel'",
            "title",
        ),
        (
            "import builder.grafana.board as b\nb.Board(uid='a', titel='x')\n",
            2,
            "Board has no parameter 'titel'",
            "title",
        ),
        ("from builder.grafana.board import Board\nBoard(uid='a')\n", 2, "missing 1 required", ""),
        (
            "from builder.grafana.board import Board\n\n\nBoard('x' * 41, 'Long', ['p'])\n",
            4,
            "the uid has 41 characters",
            "shorten",
        ),
        ("boards = ['a']\n", 1, "boards[0] is a str, not a board", ""),
    ],
)
def test_mistakes(write: Write, text: str, line: int, what: str, fix: str) -> None:
    directory = write(wrong=text, _shared_panels="", shared_panels="")
    error = refused(directory)
    assert error.where.startswith(f"{directory / 'wrong.py'}:{line}")
    assert what in error.what
    assert fix in error.fix


def test_a_public_name_that_was_not_imported_says_how(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    import builder.load

    assert "Definition" in builder.load.__all__
    assert refused(write(a="Definition()\n")).fix == "from builder.load import Definition"


def test_a_mistake_in_shared_code_is_told_there(write: Write) -> None:
    directory = write(a="import helper\nhelper.panel()\n", helper="def panel():\n    return 1 / 0\n")
    assert refused(directory).where == f"{directory / 'helper.py'}:2"


def test_a_syntax_error_in_shared_code_is_told_there(write: Write) -> None:
    directory = write(a="import _helper\n", _helper="x = 1\ny = = 2\n")
    assert refused(directory).where == f"{directory / '_helper.py'}:2"


def test_bytes_that_are_no_text(write: Write) -> None:
    directory = write()
    (directory / "a.py").write_bytes(b"x = '\xff'\n")
    error = refused(directory)
    assert error.where.startswith(f"{directory / 'a.py'}:")
    assert "not Python" in error.what
    (directory / "a.py").write_bytes(b"x = 1\0\n")
    assert refused(directory).where.startswith(f"{directory / 'a.py'}:")


def test_no_board_says_where_it_looked(write: Write) -> None:
    directory = write(a="x = 1\n", b="")
    error = refused(directory)
    assert error.where == str(directory)
    assert error.what == "no board found (read a.py, b.py)"


def test_one_file_of_a_directory(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a"), b=BOARD.format(uid="b"), _c=BOARD.format(uid="c"))
    assert uids(load(directory / "b.py")) == ["b"]
    assert uids(load(directory / "_c.py")) == ["c"], "who names it wants it"
    (directory / "b.py").write_text("\n1 / 0\n")
    assert refused(directory / "b.py").where == f"{directory / 'b.py'}:2"


def test_boards_in_sub_directories_only(write: Write) -> None:
    directory = write()
    for name in ("two", "one", "_helpers", ".git"):
        (directory / name).mkdir()
        (directory / name / "a.py").write_text(BOARD.format(uid=name.strip("._")))
    error = refused(directory)
    assert "sub-directories are not looked into" in error.what
    assert error.fix == f"name {directory / 'one'} or {directory / 'two'}"


def test_an_empty_directory_and_none_at_all(write: Write) -> None:
    directory = write()
    assert "there is no *.py file in it" in refused(directory).what
    assert "No such file" in refused(directory / "nowhere").what
    (directory / "file").touch()
    assert "Not a directory" in refused(directory / "file").what


def test_a_dashboard_file_without_dashboard(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a"), b__dot__dashboard="x = 1\n")
    assert "defines no dashboard" in refused(directory).what


def test_the_same_object_under_two_names_is_one_board(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a") + "main = board\nboards = [board, main]\n")
    assert uids(load(directory)) == ["a"]


def test_boards_made_in_a_loop(write: Write) -> None:
    text = "from builder import Board, Text\nboards = [Board(f'b-{n}', 'B', [Text()]) for n in range(3)]\n"
    found = load(write(a=text))
    assert uids(found) == ["b-0", "b-1", "b-2"]
    assert all(isinstance(d.board, Board) and d.line == 2 for d in found)


def test_a_mistake_that_shows_only_later_is_still_the_users(write: Write) -> None:
    text = "def later():\n    return 1 / 0\n" + BOARD.format(uid="a") + "object.__setattr__(board, 'later', later)\n"
    (definition,) = load(write(a=text))
    with pytest.raises(ZeroDivisionError) as caught:
        definition.board.later()  # type: ignore[attr-defined]
    mistake = users_mistake(caught.value, definition)
    assert mistake is not None
    assert mistake.where == f"{definition.file}:2"
    with pytest.raises(ZeroDivisionError) as ours:
        1 / 0  # noqa: B018
    assert users_mistake(ours.value, definition) is None


@pytest.mark.parametrize("raised", ["GeneratorExit", "BaseException('x')", "SystemExit(0)", "BrokenPipeError(32, 'x')"])
def test_whatever_a_file_raises_is_the_files_mistake(write: Write, raised: str) -> None:
    directory = write(a=f"x = 1\nraise {raised}\n")
    assert refused(directory).where == f"{directory / 'a.py'}:2"


def test_an_interrupt_is_no_mistake(write: Write) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(write(a="raise KeyboardInterrupt\n"))


def test_an_error_that_cannot_say_what_it_is(write: Write) -> None:
    text = "class Mute(Exception):\n    def __str__(self):\n        raise ValueError\nraise Mute\n"
    error = refused(write(a=text))
    assert error.what == "raised Mute: a message that cannot be shown"


def test_a_long_message_is_cut(write: Write) -> None:
    assert len(refused(write(a="raise ValueError('x' * 1_000_000)\n")).what) < 300


def test_a_file_that_moves_elsewhere_takes_nobody_along(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    moving = "import os\nos.chdir('/')\n"
    directory = write(a=moving + BOARD.format(uid="a"), b=moving + BOARD.format(uid="b"))
    monkeypatch.chdir(directory.parent)
    assert uids(load(Path("boards"))) == ["a", "b"]
    assert Path.cwd() == directory.parent


def test_a_file_that_removes_its_own_module(write: Write) -> None:
    directory = write(a=BOARD.format(uid="a") + "import sys\ndel sys.modules[__name__]\n")
    assert uids(load(directory)) == ["a"]


def test_a_directory_whose_name_is_no_text(tmp_path: Path) -> None:
    directory = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff"))
    directory.mkdir()
    (directory / "a.py").write_text(BOARD.format(uid="a"))
    assert uids(load(directory)) == ["a"]
