"""Pushes in processes of their own, which may be killed at any moment."""

from __future__ import annotations

import multiprocessing
import signal
import time
from dataclasses import dataclass
from typing import Any

from builder.config import Config, Context, Folder, Place
from tests.targets.grafana.pushing import Boards, options

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.targets.grafana.victims"])


@dataclass(frozen=True)
class Push:
    """One push: what, where, and when it is killed (seconds after its start; None: never)."""

    url: str
    token: str
    api: str
    boards: Boards
    folders: tuple[Place, ...]
    more: dict[str, Any]
    killed_after: float | None


def push_and_kill(what: Push) -> bool:
    """Run a push until it ends or is killed with SIGKILL; True where the kill came before the end."""
    process = _PROCESSES.Process(target=_push, args=(what,))
    process.start()
    if what.killed_after is not None:
        time.sleep(what.killed_after)
        process.kill()
    process.join(60)
    code = process.exitcode
    process.close()
    assert code in (0, -signal.SIGKILL), f"a push ended with {code}"
    return code == -signal.SIGKILL


def _push(what: Push) -> None:
    import contextlib

    from builder.errors import ServerError
    from builder.targets.grafana.endpoint import endpoint
    from builder.targets.grafana.push import push

    config = Config(folder=Folder("GPU", "gpu"), contexts={"fake": Context(what.url, folders=what.folders)})
    target = endpoint(config, "fake", {"GRAFANA_TOKEN": what.token})
    with contextlib.suppress(ServerError):  # the faults were too many, and it said so
        push(what.boards, target, options(what.api, **what.more), confirm=lambda found: True)
