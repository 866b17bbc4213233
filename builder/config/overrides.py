"""A site's own spellings laid over a profile of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from builder.catalog.model import Metric, Profile
from builder.errors import ConfigError

if TYPE_CHECKING:
    from builder.config.model import Config, Override, Patch


def resolve_profile(config: Config, name: str = "") -> Profile:
    """The profile of that name (default: the configured one) with the configuration's overrides applied.

    Raises UnknownName where there is no such profile.
    """
    from builder.catalog.profiles import profile

    chosen = profile(name or config.profile)
    override = config.profiles.get(chosen.name)
    return profile_with(chosen, override) if override else chosen


def profile_with(profile: Profile, override: Override) -> Profile:
    """The profile as one site spells it.

    A signal's override replaces all its spellings; an empty one removes the signal or label.
    """
    signals = dict(profile.signals)
    for signal, patches in override.signals.items():
        signals.pop(signal, None)
        if patches:
            signals[signal] = tuple(_patched(profile, signal, patch) for patch in patches)
    if "device_info" in signals and "device_info" not in override.signals:
        # dcgm-exporter has no series only to tell its cards; its profiles count them by a reading that all have.
        signals["device_info"] = tuple(_renamed(profile, metric, override) for metric in signals["device_info"])
    labels = dict(profile.labels)
    for label, spellings in override.labels.items():
        labels.pop(label, None)
        if spellings:
            labels[label] = spellings
    interval = override.interval or profile.interval
    return replace(profile, signals=signals, labels=labels, interval=interval)


def _renamed(profile: Profile, metric: Metric, override: Override) -> Metric:
    """The metric under the name that the site gives it where the site renames the signal that it stands for."""
    for signal, patches in override.signals.items():
        names = [spelling.name for spelling in profile.signals.get(signal, ())]
        site = [_patched(profile, signal, patch) for patch in patches]
        if metric.name in names and site and metric.name not in (spelling.name for spelling in site):
            return replace(metric, name=site[0].name, labels=site[0].labels)
    return metric


def culprit(config: Config, works: Callable[[Config], bool]) -> str:
    """Which override has to go so that it works: ``gpuboards.yaml:4: profiles.dcgm.labels.node``; empty for none."""
    for name, override in config.profiles.items():
        for path, place in override.places.items():
            part, _, key = path.partition(".")
            kept = {k: v for k, v in getattr(override, part).items() if k != key}
            if works(replace(config, profiles={**config.profiles, name: _with(override, part, kept)})):
                return f"{place}: profiles.{name}.{path}"
    return ""


def _with(override: Override, part: str, kept: Mapping[str, Any]) -> Override:
    return replace(override, signals=kept) if part == "signals" else replace(override, labels=kept)


def _patched(profile: Profile, signal: str, patch: Patch) -> Metric:
    known = [metric for metric in profile.signals.get(signal, ()) if not metric.sum_of]
    name = patch.fields.get("name")
    if name is None and len(known) != 1:
        how = "has no spelling" if not known else f"has {len(known)} spellings"
        raise ConfigError(
            f"{signal} {how} in profile {profile.name}", where=patch.where, fix="say which metric with name:"
        )
    base = next((metric for metric in known if metric.name == name), known[0] if known else None)
    # A metric that a site names is one that it has: no longer a guess, nor something to switch on.
    stated = {**patch.fields, "default": True, "enable": "", "verified": True}
    return replace(base, **stated) if base else Metric(**stated)
