"""The label schemes of dcgm-exporter that are in the field, and the spellings of nvidia_gpu_exporter.

Sources: render and transformation code of github.com/NVIDIA/dcgm-exporter at the tags named below (NODE_NAME:
pull request 129; ``hostname``: pull request 655), and docs/METRICS.md of
github.com/utkuozdemir/nvidia_gpu_exporter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from builder.errors import UnknownName


@dataclass(frozen=True, eq=False)
class Dcgm:
    """How one range of dcgm-exporter versions writes.

    ``pod_as_host``: the host label holds the exporter pod's name on Kubernetes. ``empty_pods``: idle cards
    carry empty pod labels. ``codes``: ``err_code`` and ``err_msg`` on XID series. ``profiling``: PROF_* and
    FB_RESERVED are in the default counters file. ``honest_types``: families are rendered by Prometheus' own library,
    sorted, with right types, and real XID counters exist.
    """

    name: str
    versions: str
    host_label: str = "Hostname"
    driver_label: str = "DCGM_FI_DRIVER_VERSION"
    pod_as_host: bool = False
    empty_pods: bool = False
    codes: bool = True
    pci: bool = True
    profiling: bool = True
    honest_types: bool = False
    old_namespace: bool = False


@dataclass(frozen=True, eq=False)
class Smi:
    """How one range of nvidia_gpu_exporter and driver versions writes."""

    name: str
    versions: str
    reasons: str = "event"  # clocks_event_reasons, or clocks_throttle_reasons before driver 535
    identified: bool = True  # gpu_info says index and PCI address
    nvml: bool = False


@dataclass(frozen=True, eq=False)
class Plain:
    """The exporters that have only one way to write."""

    name: str = "plain"
    versions: str = "any"


Scheme = Dcgm | Smi | Plain

_A0 = Dcgm(
    "A0", "up to 3.1.2", pod_as_host=True, empty_pods=True, codes=False, pci=False, profiling=False
)  # fmt: skip
_B = Dcgm("B", "3.5.0 to 4.8.2")
_C = replace(_B, name="C", versions="4.8.3 to 4.8.4", host_label="hostname", honest_types=True)

_DCGM = (
    _B,
    _A0,
    replace(_A0, name="A", versions="3.1.3 to 3.4.0", pod_as_host=False),
    replace(_A0, name="A'", versions="3.4.1 to 3.4.2", pod_as_host=False, empty_pods=False, codes=True),
    _C,
    replace(_B, name="old-namespace", versions="3.5.0 to 4.8.2 with -o", old_namespace=True),
)
_SMI = (
    Smi("event", "1.5.0 and later"),
    Smi("throttle", "before 1.5.0, driver before 535", reasons="throttle", identified=False),
    Smi("nvml", "1.12 and later with --collect.backend nvml", nvml=True),
)

SCHEMES: Mapping[str, Mapping[str, Scheme]] = {
    "dcgm": {s.name: s for s in _DCGM},
    "dcgm-4.9": {"D": replace(_C, name="D", versions="4.9.0", driver_label="DCGM_FI_SYSTEM_DRIVER_VERSION")},
    "nvidia-smi": {s.name: s for s in _SMI},
    "nv-gpu": {"plain": Plain()},
    "nvidia-gpu": {"plain": Plain()},
}
"""By profile, the default first."""

UPGRADED = _C
"""What a node with the fault ``label-change`` writes from then on."""


def scheme(profile: str, name: str = "") -> Scheme:
    """The scheme of this name, or the profile's default one; UnknownName with the nearest otherwise."""
    known = SCHEMES[profile]
    if not name:
        return next(iter(known.values()))
    try:
        return known[name]
    except KeyError:
        raise UnknownName(f"scheme of {profile}", name, known, where="--scheme") from None
