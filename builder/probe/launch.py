"""Starting the one probe of a process."""

from __future__ import annotations

import atexit
import logging
import os
import sys
from threading import RLock
from typing import Unpack

from builder.probe.faults import tell
from builder.probe.options import Options, Settings, settle
from builder.probe.probe import Probe

_START_SECONDS = 3.0

_lock = RLock()
_probe: Probe | None = None
_told: dict[str, object] = {}


def start(**options: Unpack[Options]) -> Probe:
    """Start the probe of this process, or give the one that runs: calling it again is harmless.

    It never raises and takes no longer than a few seconds. A wrong option is told in one warning and counts
    as not given, but where it would have protected the endpoint there is none. While ``multiprocessing``
    imports the main script again in a child, the probe is one that nobody scrapes.
    """
    try:
        with _lock:
            return _start(dict(options))
    except Exception as error:
        probe = Probe(Settings())
        probe.note("start", error)
        return probe


def _start(options: dict[str, object]) -> Probe:
    global _probe, _told
    if _probe is not None and not _probe.stopped:
        if options and not _same(options, _told):
            tell(logging.WARNING, "the probe runs already: other options than at its start have no effect")
        return _probe
    settings, mistakes = settle(options, os.environ)
    if _main_is_imported_again():
        return Probe(settings)
    probe = Probe(settings)
    if mistakes:
        closed = "; no endpoint is opened" if settings.sealed else ""
        probe.note("options", f"ignored: {'; '.join(mistakes)}{closed}")
    probe.open(_START_SECONDS)
    if _probe is None:
        atexit.register(_stop)
    _probe, _told = probe, options
    return probe


def _same(options: dict[str, object], told: dict[str, object]) -> bool:
    try:
        return options == told
    except Exception:  # an array, which has no single answer to that
        return False


def _main_is_imported_again() -> bool:
    """True in a child that multiprocessing spawns, before it reaches its own work; its own word for that."""
    processes = sys.modules.get("multiprocessing.process")
    return processes is not None and getattr(processes.current_process(), "_inheriting", False)


def _stop() -> None:
    if _probe is not None:
        _probe.stop()


def _forget() -> None:
    """In a forked child: the probe is the parent's, and so may the lock be."""
    global _probe, _lock
    _lock = RLock()
    if _probe is not None:
        _probe.leave_to_parent()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_forget)
