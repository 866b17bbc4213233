"""Runs one command and writes what it cost into a file: ``python -I -S launcher.py RESULT COMMAND...``

A process of its own because Linux counts what a child's parent has in memory as the child's peak: this one has
next to nothing, as long as it imports nothing more.
"""

import os
import sys
import time

result, *command = sys.argv[1:]
started = time.perf_counter()
child = os.posix_spawn(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - started
with open(result, "w") as file:  # noqa: PTH123  pathlib would double what this process holds
    file.write(f"{seconds} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
