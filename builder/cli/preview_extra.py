"""The optional packages that draw."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from builder.errors import UsageError

_NEEDED = {"matplotlib": "matplotlib", "markdown_it": "markdown-it-py"}


def require() -> None:
    """Raises UsageError, with the extra that brings them, where a package is not installed."""
    missing = [package for module, package in _NEEDED.items() if find_spec(module) is None]
    if missing:
        raise UsageError(
            f"preview draws with {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed",
            fix='pip install "gpuboards[preview]"',
        )
    # It tells of its font cache, which it makes once and wherever it can.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
