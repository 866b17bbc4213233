"""The command line. Imports nothing but the standard library until a command runs."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence


def main() -> None:
    """Entry point of the ``gpuboards`` command."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: the next file opened would get its number
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115  for as long as the process runs
        # A name of a file may be bytes that are no text; it is written escaped rather than not at all.
        getattr(sys, name).reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever goes wrong is said on standard error.

    0 fine; 1 findings or differences; 2 a mistake in options, configuration or definitions; 3 a server
    refused or is out of reach; 70 a bug in gpuboards; 130 interrupted; 141 nobody reads the output.
    """
    import click

    from builder.cli.app import app

    try:
        code = app.main(args=list(arguments), prog_name="gpuboards", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit):
        # The reader has gone (`| head`); where click notices first, it raises SystemExit, and nothing else
        # does. Python would complain again when it flushes at exit.
        sys.stdout = None
        return 141
    except OSError as error:
        return _tell(_explained(error), arguments)
    except Exception as error:
        return _tell(error, arguments)
    return code if isinstance(code, int) else 0


def _explained(error: OSError) -> Exception:
    """What the commands themselves cannot know to be the user's: no place to stand, no room for the answer."""
    from pathlib import Path

    from builder.errors import OutputError, UsageError

    try:
        Path.cwd()
    except OSError as gone:
        return UsageError(f"the current directory cannot be read: {gone.strerror}", fix="cd to one that is there")
    if error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF):
        sys.stdout = None
        return OutputError(f"cannot be written: {error.strerror}", where="standard output", fix="send it elsewhere")
    return error


def _tell(error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong, in one line for a user's mistake and in full for a bug."""
    from builder.errors import GpuboardsError

    if isinstance(error, GpuboardsError):
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    from builder.cli.crash import report

    print(report(error, arguments), file=sys.stderr)
    return 70
