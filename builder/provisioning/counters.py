"""The counters file that makes dcgm-exporter export what the boards read (its ``-f`` option).

Rows are ``FIELD, type, help`` and lines that start with # are comments, as in etc/default-counters.csv of
github.com/NVIDIA/dcgm-exporter. The exporter stops on a field that it does not know, so what rests on
release notes alone is left out, and what a recent exporter has only is commented out.
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.catalog.model import Kind, Metric, Profile, Signal
from builder.config import Config, resolve_profile
from builder.provisioning.text import HEAD


def files(config: Config) -> dict[str, str]:
    """The counters file by its path; none where another exporter is in use."""
    profile = resolve_profile(config)
    if profile.exporter != "dcgm-exporter":
        return {}
    head = f"{HEAD}\n# What gpuboards can read, for {profile.title}: dcgm-exporter -f <this file>\n"
    return {"exporters/dcgm-counters.csv": head + "".join(f"{row}\n" for row in _rows(profile))}


def _rows(profile: Profile) -> Iterator[str]:
    from builder.catalog.signals import SIGNALS

    written: set[str] = set()
    for name, spellings in profile.signals.items():
        for metric in _needed(spellings):
            if metric.name not in written:
                written.add(metric.name)
                yield _row(SIGNALS[name], metric)


def _needed(spellings: tuple[Metric, ...]) -> tuple[Metric, ...]:
    """What is exported by default, else the best that can be switched on."""
    verified = [metric for metric in spellings if metric.verified and not metric.sum_of]
    return tuple(metric for metric in verified if metric.default) or tuple(verified[:1])


def _row(signal: Signal, metric: Metric) -> str:
    kind = "counter" if signal.kind is Kind.COUNTER else "gauge"
    text = "Reasons for reduced clocks, one bit each." if metric.bits else signal.help
    row = f"{metric.name}, {kind}, {text.replace(',', ';')}"
    return f"# {metric.enable}\n# {row}" if metric.name.startswith("DCGM_EXP_") else row
