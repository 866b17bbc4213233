"""The host side: node_exporter and kube-state-metrics."""

from __future__ import annotations

from builder.catalog.model import Match, Metric, Profile, Spelling

# What lies on other disks would be counted with them (RAID, LVM).
_DISKS = Match("device", "!~", "(dm-|md|loop).*")

PROFILE = Profile(
    name="node-exporter",
    title="node_exporter and kube-state-metrics",
    exporter="node_exporter, kube-state-metrics",
    port=9100,
    interval=30,
    signals={
        "cpu_io_wait": (Metric("node_cpu_seconds_total", where=(Match("mode", "=", "iowait"),)),),
        "disk_busy": (Metric("node_disk_io_time_seconds_total", where=(_DISKS,)),),
        "disk_read": (Metric("node_disk_read_bytes_total", where=(_DISKS,)),),
        "clock_offset": (Metric("node_timex_offset_seconds"),),
        "gpu_requests": (
            Metric("kube_pod_container_resource_requests", where=(Match("resource", "=", "nvidia_com_gpu"),)),
        ),
        "pod_labels": (
            Metric(
                "kube_pod_labels",
                default=False,
                enable="run kube-state-metrics with --metric-labels-allowlist=pods=[training.kubeflow.org/job-name]",
            ),
        ),
        "node_gpus": (Metric("kube_node_status_capacity", where=(Match("resource", "=", "nvidia_com_gpu"),)),),
    },
    labels={
        "cluster": (Spelling("cluster"),),
        "node": (
            Spelling("node"),
            Spelling("nodename"),
            Spelling("instance", pattern="(.+?)(?::[0-9]+)?", selector="(?:{value})(?::[0-9]+)?"),
        ),
        "namespace": (Spelling("exported_namespace"), Spelling("namespace")),
        "pod": (Spelling("exported_pod"), Spelling("pod")),
        "container": (Spelling("exported_container"), Spelling("container")),
        "job_name": (Spelling("label_training_kubeflow_org_job_name"), Spelling("label_ray_io_cluster")),
    },
    card=("cluster", "node"),
)
