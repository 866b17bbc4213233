"""``python -m builder.testing.grafana``: a fake Grafana to try a pipeline on, in whatever language it is written."""

from __future__ import annotations

import argparse
import signal
import sys

from builder.errors import GpuboardsError
from builder.testing.grafana.fake import FakeGrafana


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM; the first line on standard output is what a shell needs to reach it."""
    parser = argparse.ArgumentParser(prog="python -m builder.testing.grafana", description=__doc__)
    parser.add_argument("--version", default="12.2.0", help="the Grafana that it is, 10.4.0 to 13.2.0 (12.2.0)")
    parser.add_argument("--path", default="", help="the sub-path that it is served under")
    options = parser.parse_args(arguments)
    signals = {signal.SIGINT, signal.SIGTERM}
    # Blocked before there are threads, which inherit it: so the signal comes to sigwait and to nobody else.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        with FakeGrafana(options.version, path=options.path) as grafana:
            sys.stdout.write(f"export GRAFANA_URL={grafana.url} GRAFANA_TOKEN={grafana.token}\n")
            sys.stdout.flush()
            sys.stderr.write(f"a fake Grafana {grafana.version}: it forgets everything when it ends (Ctrl-C)\n")
            signal.sigwait(signals)
    except GpuboardsError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return 0


if __name__ == "__main__":
    sys.exit(main())
