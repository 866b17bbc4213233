"""What tells training jobs and their processes apart."""

from __future__ import annotations

JOB = ("cluster", "namespace", "training_job")
"""One training job."""

PROCESS = (*JOB, "pod", "instance", "rank")
"""One process of a job."""
