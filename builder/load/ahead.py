"""Many files compiled by a second process, while this one runs those before.

Compiling takes as long as running and does not depend on what ran before, so it can be done beside it. Where it
cannot (one processor, no second process, a file with a mistake in it), nothing is lost but time.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from types import CodeType
from typing import BinaryIO

MANY = 64
"""From so many files on a second process saves more than its start costs."""

_PROGRAM = Path(__file__).with_name("compile_files.py")


@contextlib.contextmanager
def compiled(files: Sequence[Path]) -> Iterator[Iterator[CodeType | None]]:
    """The code of each file in order; None for each that has to be compiled here. Names are absolute."""
    if len(files) < MANY or not _is_of_use():
        yield repeat(None)
        return
    try:
        process, stream = _started([os.fsencode(file) for file in files])
    except OSError:  # no more processes, no more open files
        yield repeat(None)
        return
    with stream:
        try:
            yield _codes(stream)
        finally:
            _end(process)


def _is_of_use() -> bool:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    python = bool(sys.executable) and not getattr(sys, "frozen", False)
    return processors > 1 and python and not sys.flags.optimize


def _end(process: int) -> None:
    # It may be gone: where SIGCHLD is ignored nobody has to wait for it, and a definition file may have waited for
    # any child. In a child that a definition file forked it is not there to be ended.
    with contextlib.suppress(ChildProcessError, ProcessLookupError):
        if os.waitpid(process, os.WNOHANG) == (0, 0):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _started(names: Sequence[bytes]) -> tuple[int, BinaryIO]:
    """The process, and what it writes. It reads all names before it writes, so neither waits for the other."""
    given, names_end = os.pipe()
    try:
        codes_end, written = os.pipe()
    except OSError:
        os.close(given)
        os.close(names_end)
        raise
    try:
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", str(_PROGRAM), sys.getfilesystemencoding()],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, given, 0),
                (os.POSIX_SPAWN_DUP2, written, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
    except OSError:
        os.close(names_end)
        os.close(codes_end)
        raise
    finally:
        os.close(given)
        os.close(written)
    with contextlib.suppress(BrokenPipeError), open(names_end, "wb") as names_file:  # noqa: PTH123  a descriptor
        names_file.write(b"\0".join(names))
    return process, open(codes_end, "rb")  # noqa: PTH123


def _codes(stream: BinaryIO) -> Iterator[CodeType | None]:
    reader = os.getpid()  # a child that a definition file forks would take away what its parent is to read
    while os.getpid() == reader and len(head := stream.read(4)) == 4:
        size = int.from_bytes(head, "little")
        content = stream.read(size)
        if len(content) < size:
            break
        yield marshal.loads(content) if content else None
    yield from repeat(None)
