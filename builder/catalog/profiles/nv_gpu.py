"""The names nv_gpu_utilization_ratio, nvml_gpu_memory_used_bytes and nv_gpu_temperature_celsius.

Tutorials attribute them to the DCGM exporter, which emits none of them; a site has them from small NVML
exporters, relabelling or recording rules. The families do not agree on their labels, so a card is known by
node and index alone.
"""

from __future__ import annotations

from builder.catalog.model import Match, Metric, Profile, Spelling

_INSTANCE = Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?")

PROFILE = Profile(
    name="nv-gpu",
    title="nv_gpu_* and nvml_gpu_* names",
    exporter="an NVML exporter or recording rules",
    port=9400,
    interval=15,
    signals={
        "utilisation": (Metric("nv_gpu_utilization_ratio", cap=1),),
        "memory_used": (Metric("nvml_gpu_memory_used_bytes"),),
        "temperature": (Metric("nv_gpu_temperature_celsius"),),
        "device_info": (Metric("nvml_gpu_memory_used_bytes"),),
    },
    labels={
        "cluster": (Spelling("cluster"),),
        "node": (_INSTANCE,),
        "gpu": (Spelling("gpu"),),
        "uuid": (Spelling("UUID"), Spelling("uuid")),
        "model": (Spelling("name"),),
        "pod": (Spelling("pod", guard=(Match("pod", "!~", ".*exporter.*"),)),),
        "namespace": (Spelling("namespace"),),
        "container": (Spelling("container"),),
    },
    card=("cluster", "node", "gpu"),
    notes=("Total memory is not exported, so shares of memory cannot be shown.",),
)
