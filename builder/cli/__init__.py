"""The command line. Imports nothing but the standard library until a command runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main() -> None:
    """Entry point of the ``gpuboards`` command."""
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
    except Exception as error:
        return _tell(error, arguments)
    return code if isinstance(code, int) else 0


def _tell(error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong, in one line for a user's mistake and in full for a bug."""
    from builder.errors import GpuboardsError

    if isinstance(error, GpuboardsError):
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    from builder.cli.crash import report

    print(report(error, arguments), file=sys.stderr)
    return 70
