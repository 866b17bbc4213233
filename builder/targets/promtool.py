"""promtool, Prometheus' own checker, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from builder.errors import OutputError

_SECONDS = 120


def check_rules(files: Mapping[str, bytes]) -> tuple[str, ...] | None:
    """What promtool has against rule files, given by name; None where it is not installed.

    Raises OutputError where it cannot be run.
    """
    binary = shutil.which("promtool")
    if binary is None:
        return None
    with tempfile.TemporaryDirectory(prefix="gpuboards-rules-") as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        command = [binary, "check", "rules", "--lint=all", "--lint-fatal", *files]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise OutputError(f"promtool cannot be run: {error}", where=binary) from error
    said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return tuple(said) if done.returncode else ()
