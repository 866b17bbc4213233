"""Code that a second process compiled is the code that this one would have made, and does without it as well."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import CodeType

import pytest

from builder.errors import DefinitionError
from builder.load import ahead, load
from builder.load.ahead import MANY, compiled


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


def codes(files: list[Path]) -> list[CodeType | None]:
    with compiled(files) as found:
        return list(islice(found, len(files)))


def write(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Files of these names, and as many more as it takes to start a process."""
    filled = texts | {f"z{number}.py": f"number = {number}\n" for number in range(MANY)}
    for name, text in filled.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in filled]


def test_code_is_what_is_compiled_here(tmp_path: Path) -> None:
    files = write(tmp_path, {"wärme\n .py": "def f(x):\n    return [y for y in x]\n", "empty.py": ""})
    assert codes(files) == [compile(file.read_bytes(), str(file), "exec", dont_inherit=True) for file in files]


@pytest.mark.parametrize("text", ["a = (", 'a = "\\d"', "\0", "# coding: nothing", "a = " + "(" * 500])
def test_what_does_not_compile_in_silence_is_left_to_the_caller(tmp_path: Path, text: str) -> None:
    files = write(tmp_path, {"a.py": text, "b.py": "b = 1"})
    found = codes(files)
    assert found[0] is None
    assert None not in found[1:]


def test_what_cannot_be_read_is_left_to_the_caller(tmp_path: Path) -> None:
    files = [tmp_path / "missing.py", *write(tmp_path, {})]
    found = codes(files)
    assert found[0] is None
    assert None not in found[1:]


def test_few_files_start_no_process(tmp_path: Path) -> None:
    assert codes(write(tmp_path, {})[: MANY - 1]) == [None] * (MANY - 1)


@pytest.mark.parametrize(
    ("holder", "name", "value"),
    [
        (os, "sched_getaffinity", lambda _: {0}),
        (sys, "executable", ""),
        (sys, "executable", "/no/such/python"),
        (sys, "executable", "/bin/false"),
        (sys, "executable", "/bin/echo"),
    ],
)
def test_without_a_second_process_all_is_left_to_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: object, name: str, value: object
) -> None:
    monkeypatch.setattr(holder, name, value, raising=False)
    assert codes(write(tmp_path, {})) == [None] * MANY


def test_a_process_that_dies_on_the_way_leaves_the_rest_to_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\n{sys.executable} "$@" | head -c 5000\n', encoding="utf-8")
    program.chmod(0o755)
    files = write(tmp_path, {})
    monkeypatch.setattr(sys, "executable", str(program))
    found = codes(files)
    assert found[0] is not None
    assert found[-1] is None


def test_nothing_is_left_behind_where_nobody_reads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    spawn = os.posix_spawn
    monkeypatch.setattr(os, "posix_spawn", lambda *given, **more: started.append(spawn(*given, **more)) or started[0])
    files = write(tmp_path, {f"a{number}.py": "x = 1\n" * 5000 for number in range(5)})
    before = set(Path("/proc/self/fd").iterdir())
    with compiled(files) as found:
        next(found)
    assert set(Path("/proc/self/fd").iterdir()) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)


@pytest.fixture
def _unwaited() -> Iterator[None]:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGCHLD, before)


@pytest.mark.usefixtures("_unwaited")
def test_where_nobody_has_to_wait_for_children(tmp_path: Path) -> None:
    assert None not in codes(write(tmp_path, {}))


FORKING = {
    "that ends": "import os\nif not os.fork():\n    os._exit(0)\nos.wait()\n",
    "all waited for": (
        "import os\nif not os.fork():\n    os._exit(0)\n"
        "try:\n    while True:\n        os.wait()\nexcept ChildProcessError:\n    pass\n"
    ),
    "that reads on": "import os\nfirst = os.fork()\n",
}


@pytest.mark.parametrize("text", FORKING.values(), ids=FORKING)
def test_a_definition_that_forks(tmp_path: Path, text: str) -> None:
    board = 'from builder import Board, Text\n\nboard = Board("b-{0}", "Board {0}", panels=[Text("t", "x")])\n'
    write(tmp_path, {"a.py": text, **{f"b{number}.py": board.format(number) for number in range(9)}})
    # One write, for two processes may do it at once.
    program = f"""
import os
from pathlib import Path
from builder.load import load
os.write(1, b"read %d\\n" % len(load(Path({str(tmp_path)!r}))))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.splitlines()) == {"read 9"}


def test_a_lack_of_descriptors_is_lived_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipes = iter([os.pipe()])

    def pipe() -> tuple[int, int]:
        try:
            return next(pipes)
        except StopIteration:
            raise OSError(errno.EMFILE, "Too many open files") from None

    files = write(tmp_path, {})
    before = set(Path("/proc/self/fd").iterdir())
    monkeypatch.setattr(os, "pipe", pipe)
    assert codes(files) == [None] * MANY
    assert len(before - set(Path("/proc/self/fd").iterdir())) == 2  # the ends of the one that was to be had


def test_many_definitions_are_read_in_order_and_mistakes_told_at_their_line(tmp_path: Path) -> None:
    text = 'from builder import Board, Text\n\nboard = Board("b-{0}", "Board {0}", panels=[Text("t", "x")])\n'
    for number in range(MANY):
        (tmp_path / f"b{number:03}.py").write_text(text.format(number), encoding="utf-8")
    assert [definition.where for definition in load(tmp_path)] == [
        f"{tmp_path}/b{number:03}.py:3" for number in range(MANY)
    ]
    (tmp_path / "b040.py").write_text("from builder import Board\n\nboard = Board(\n", encoding="utf-8")
    with pytest.raises(DefinitionError, match=r"not Python") as caught:
        load(tmp_path)
    assert caught.value.where == f"{tmp_path}/b040.py:3"


def test_a_warning_of_the_compiler_is_shown(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": 'x = "\\d"\n'})
    with pytest.warns(DeprecationWarning, match="invalid escape"), pytest.raises(DefinitionError, match="no board"):
        load(tmp_path)


def test_the_program_imports_nothing_of_ours() -> None:
    text = Path(ahead.__file__).with_name("compile_files.py").read_text(encoding="utf-8")
    assert "builder" not in text
