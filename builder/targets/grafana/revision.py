"""Which revision of the definitions a push is made from."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_revision(directory: Path) -> str:
    """The short commit of the directory's repository, ``-dirty`` where tracked files differ; empty without Git."""
    command = ["git", "-C", str(directory), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    words = done.stdout.split()
    return words[0] if len(words) == 1 else ""
