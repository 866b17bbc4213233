"""A file for Prometheus' file_sd_configs that names this process's endpoint.

https://prometheus.io/docs/prometheus/latest/configuration/configuration/#file_sd_config
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from builder.probe.identity import Identity


def announce(directory: str, address: str, scheme: str, identity: Identity) -> Path:
    """Write the file and give its path. A restarted rank replaces the file of the one before.

    Raises OSError where the directory does not exist or cannot be written.
    """
    labels = {"job": "training", "training_job": identity.job, "namespace": identity.namespace, "pod": identity.pod}
    labels = {name: value for name, value in labels.items() if value}
    if scheme == "https":
        labels["__scheme__"] = "https"
    content = json.dumps([{"targets": [address], "labels": labels}], indent=2) + "\n"
    path = Path(directory) / f"gpuboards-{re.sub(r'[^0-9A-Za-z.-]+', '-', address)}.json"
    # Whole or not at all, under a name that no *.json pattern takes in between.
    handle, temporary = tempfile.mkstemp(dir=directory, prefix=".gpuboards-", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
    return path
