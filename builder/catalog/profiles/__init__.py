"""How each exporter spells the signals: one file each, collected here."""

from __future__ import annotations

from builder.catalog.model import Profile
from builder.catalog.profiles import dcgm, dcgm49, host, nv_gpu, nvidia_gpu, nvidia_smi, training
from builder.errors import UnknownName

GPU_PROFILES: dict[str, Profile] = {
    p.name: p for p in (dcgm.PROFILE, dcgm49.PROFILE, nvidia_smi.PROFILE, nv_gpu.PROFILE, nvidia_gpu.PROFILE)
}
TRAINING_PROFILES: dict[str, Profile] = {p.name: p for p in (training.PROBE, training.SNIPPET)}
HOST_PROFILES: dict[str, Profile] = {host.PROFILE.name: host.PROFILE}

PROFILES: dict[str, Profile] = {**GPU_PROFILES, **TRAINING_PROFILES, **HOST_PROFILES}


def profile(name: str) -> Profile:
    """The profile of this name; UnknownName with the nearest one otherwise."""
    try:
        return PROFILES[name]
    except KeyError:
        raise UnknownName("profile", name, PROFILES) from None
