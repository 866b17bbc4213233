"""The import system, borrowed for a directory of definitions and given back as it was."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import types
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any
from zlib import crc32

from builder.load.places import is_users


def _working_directory() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # removed meanwhile; absolute paths do without
        return None


class Workshop:
    """A directory on the import path, and a package name of its own for its files, while it is entered.

    Outside, working directory, path, bytecode setting and standard output are as before, and no module of the
    directory is left under a plain name, so that another directory can have a ``shared_panels`` too; entered again,
    they are back.
    The directory comes last on the path: a board file called ``queue.py`` must not stand in for the standard
    library's.
    """

    def __init__(self, directory: Path) -> None:
        import builder.grafana.board  # noqa: F401  imported now, so that its bytecode is cached as usual

        self._directory = directory
        self._shared: dict[str, types.ModuleType] = {}
        self.package = f"gpuboards_definitions_{crc32(os.fsencode(directory)):08x}"
        holder = types.ModuleType(self.package)
        holder.__path__ = [str(directory)]
        sys.modules[self.package] = holder
        importlib.invalidate_caches()

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """The directory importable, for as long as a file of it runs."""
        last, path, bytecode = next(reversed(sys.modules)), list(sys.path), sys.dont_write_bytecode
        here = _working_directory()
        sys.path.append(str(self._directory))
        sys.modules.update(self._shared)
        sys.dont_write_bytecode = True
        try:
            # A file that prints must not end up in the middle of machine-readable output.
            with contextlib.redirect_stdout(sys.stderr):
                yield
        finally:
            if here is not None:
                os.chdir(here)  # relative paths on the command line are meant from there
            sys.path[:] = path
            sys.dont_write_bytecode = bytecode
            for name in list(takewhile(last.__ne__, reversed(sys.modules))):  # the newest first
                if name in self._shared or self._is_shared(name):
                    self._shared[name] = sys.modules.pop(name)

    def _is_shared(self, name: str) -> bool:
        file: Any = getattr(sys.modules[name], "__file__", None)
        return bool(file) and not name.startswith(f"{self.package}.") and is_users(file, self._directory)
