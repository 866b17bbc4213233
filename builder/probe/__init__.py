"""The training probe: one line in a training script, and the process tells what it holds.

    from builder.probe import start
    start()

Needs prometheus_client and nothing else (``pip install gpuboards[probe]``). It never sets up a device before
the training does, never stops a training, and does nothing while nobody scrapes. See docs/probe.md.
"""

from __future__ import annotations

from builder.probe.launch import start
from builder.probe.probe import Probe

__all__ = ["Probe", "start"]
