"""The report of a bug in gpuboards, ready to be pasted into an issue."""

from __future__ import annotations

import platform
import shlex
import traceback
from collections.abc import Sequence
from importlib import metadata


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """What to say when something went wrong that no user could have caused."""
    lines = [
        "This is a bug in gpuboards: it should have worked, or said what is wrong.",
        "Please open an issue with everything from here on:",
        "",
        *(f"{name} {version}" for name, version in versions().items()),
        f"command: {shlex.join(['gpuboards', *arguments])}",
        "",
        "".join(traceback.format_exception(error)).rstrip(),
    ]
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """What takes part in a run, and its version."""
    found = {name: _version(name) for name in ("gpuboards", "grafanalib", "click", "PyYAML", "promql-parser")}
    return {**found, "Python": platform.python_version(), "on": platform.platform()}


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(not installed as a package)"
