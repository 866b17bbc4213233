"""Prometheus servers that run already: a run of many tests starts them once (see tests/mutations)."""

from __future__ import annotations

import json
import os

VARIABLE = "GPUBOARDS_RUNNING"
"""Environment: addresses by what a server holds, as JSON."""


def address_of(what: str) -> str | None:
    """The address of the server that holds this; None where a test has to start one."""
    found = json.loads(os.environ.get(VARIABLE, "{}")).get(what)
    return str(found) if found else None
