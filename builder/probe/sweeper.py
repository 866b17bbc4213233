"""The child process that cleans up after this one. Started only where there is something to clean up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from builder.probe.gateway import Group

_SCRIPT = Path(__file__).with_name("sweep.py")


class Sweeper:
    """Owns the files and groups of this process until it ends."""

    def __init__(self, files: Sequence[Path], groups: Sequence[Group]) -> None:
        """Raises OSError where no process can be started."""
        described = [(str(path), [path.stat().st_ino, path.stat().st_mtime_ns]) for path in files]
        if not sys.executable or getattr(sys, "frozen", False):
            raise OSError("no Python to clean up with: this program would be started once more")
        task = {"pid": os.getpid(), "files": described, "groups": [(g.url, dict(g.headers)) for g in groups]}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # Ctrl-C is for the training
        )
        self._write(json.dumps(task).encode() + b"\n")

    def sweep(self, seconds: float) -> None:
        """Clean up now. Raises TimeoutError or RuntimeError where it is not done; the child goes on trying."""
        try:
            self._write(b"\n")
            failures = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"not cleaned up within {seconds:g} s") from None
        finally:
            self.abandon()
        if failures:
            raise RuntimeError("the file_sd file or the Pushgateway group could not be removed")

    def abandon(self) -> None:
        """Leave the child alone. In a forked process it is the parent's, and so is the pipe to it."""
        if self._process.stdin is not None:
            with suppress(OSError):  # it has been killed
                self._process.stdin.close()
        if self._process.returncode is None:
            self._process.returncode = 0  # not to be waited for

    def _write(self, line: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None  # asked for above
        pipe.write(line)
        pipe.flush()
