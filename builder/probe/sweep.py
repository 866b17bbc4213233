"""Removes what a training process leaves behind, however it ended. Run as a script by a child process of its own.

It waits without waking until the training process is gone (SIGKILL included) or says that it is done, then
unlinks the process's file_sd file and deletes its Pushgateway group. Standard library only, so that it starts
without the training's packages.
"""

import contextlib
import json
import os
import select
import signal
import sys
import urllib.request
from pathlib import Path
from typing import IO


def main() -> int:
    """Exit code: how many things could not be removed."""
    for caught in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(caught, signal.SIG_IGN)  # sent to the whole group when a job is cancelled; work is still to do
    with open(0, "rb", buffering=0) as parent:  # unbuffered: the rest must stay visible to select
        task = json.loads(parent.readline())
        _await_end(task["pid"], parent)
    failures = 0
    for path, identity in task["files"]:
        try:
            found = Path(path).stat()
            if [found.st_ino, found.st_mtime_ns] == identity:  # else a restarted process has written it anew
                Path(path).unlink()
        except FileNotFoundError:
            continue
        except OSError:
            failures += 1
    for url, headers in task["groups"]:
        try:
            request = urllib.request.Request(url, method="DELETE", headers=headers)
            urllib.request.urlopen(request, timeout=5).close()
        except (OSError, ValueError):
            failures += 1
    return failures


def _await_end(pid: int, parent: IO[bytes]) -> None:
    watched: list[IO[bytes] | int] = [parent]
    with contextlib.suppress(AttributeError, OSError):  # gone already, or an old kernel: the pipe's end tells
        watched.append(os.pidfd_open(pid))
    if os.getppid() != pid:
        return
    select.select(watched, [], [])


if __name__ == "__main__":
    sys.exit(main())
