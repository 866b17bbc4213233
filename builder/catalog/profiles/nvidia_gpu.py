"""The names nvidia_gpu_utilization (0-100), nvidia_memory_used_bytes and their like.

Tutorials attribute them to the DCGM exporter, which emits none of them. Labels are ``gpu`` and the scrape
target's ``instance``: no uuid, no pod, no model.
"""

from __future__ import annotations

from builder.catalog.model import Metric, Profile, Spelling

PROFILE = Profile(
    name="nvidia-gpu",
    title="nvidia_gpu_* names",
    exporter="a small exporter or recording rules",
    port=9400,
    interval=15,
    signals={
        "utilisation": (Metric("nvidia_gpu_utilization", factor=0.01, cap=100),),
        "memory_used": (Metric("nvidia_memory_used_bytes"),),
        "memory_total": (Metric("nvidia_memory_total_bytes"),),
        "temperature": (Metric("nvidia_gpu_temperature_celsius"),),
        "power": (Metric("nvidia_gpu_power_usage_watts"),),
        "sm_clock": (Metric("nvidia_gpu_core_clock_mhz", factor=1e6),),
        "memory_clock": (Metric("nvidia_gpu_memory_clock_mhz", factor=1e6),),
        "device_info": (Metric("nvidia_memory_used_bytes"),),
    },
    labels={
        "cluster": (Spelling("cluster"),),
        "node": (Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),),
        "gpu": (Spelling("gpu"),),
    },
    card=("cluster", "node", "gpu"),
)
