"""The import system, borrowed for a directory of definitions and given back as it was."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.load.places import is_users


@contextlib.contextmanager
def importable(directory: Path) -> Iterator[str]:
    """The directory on the import path, and a package name of its own for its files.

    Afterwards path, bytecode setting and standard output are as before, and no module of the directory is
    left under a plain name, so that another directory can have a ``shared_panels`` too. The directory comes
    last on the path: a board file called ``queue.py`` must not stand in for the standard library's.
    """
    import builder.grafana.board  # noqa: F401  imported now, so that its bytecode is cached as usual

    package = f"gpuboards_definitions_{hashlib.sha256(str(directory).encode()).hexdigest()[:12]}"
    holder = types.ModuleType(package)
    holder.__path__ = [str(directory)]
    sys.modules[package] = holder
    before, path, bytecode = set(sys.modules), list(sys.path), sys.dont_write_bytecode
    sys.path.append(str(directory))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        # A file that prints must not end up in the middle of machine-readable output.
        with contextlib.redirect_stdout(sys.stderr):
            yield package
    finally:
        sys.path[:] = path
        sys.dont_write_bytecode = bytecode
        for name in set(sys.modules) - before:
            file: Any = getattr(sys.modules[name], "__file__", None)
            if file and not name.startswith(f"{package}.") and is_users(file, directory):
                del sys.modules[name]
