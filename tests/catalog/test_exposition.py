"""What exporters really answer drives the catalogue: a family that nobody decided about is a failing test."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from builder.catalog.model import Kind, Profile
from builder.catalog.profiles import PROFILES
from builder.catalog.signals import SIGNALS
from builder.testing import parse_exposition
from tests.catalog.families import IGNORED, IGNORED_UPSTREAM, NO_FIXTURE

FIXTURES = sorted((Path(__file__).parent.parent / "scrapes").glob("*.prom"))
REFERENCE = os.environ.get("GPUBOARDS_REFERENCE", "")
UPSTREAM = (
    sorted(p for p in Path(REFERENCE, "data", "scrapes").iterdir() if p.suffix in (".prom", ".metrics"))
    if REFERENCE
    else []
)

PROFILE_OF = {
    "dcgm_D_": "dcgm-4.9",
    "dcgm_": "dcgm",
    "nvidia_gpu_exporter_": "nvidia-smi",
    "nv_gpu_names": "nv-gpu",
    "nvidia_gpu_names": "nvidia-gpu",
    "train_probe_": "probe",
    "tf_snippet": "tf-snippet",
    "node_exporter": "node-exporter",
    "kube_state_metrics": "node-exporter",
}
"""Which profile reads a file, by how its name begins."""

each_file = pytest.mark.parametrize("path", [*FIXTURES, *UPSTREAM], ids=lambda path: path.name)


def _profile(path: Path) -> Profile:
    return PROFILES[next(name for start, name in PROFILE_OF.items() if path.name.startswith(start))]


def _names(path: Path) -> set[str]:
    return {sample.name for sample in parse_exposition(path.read_text(encoding="utf-8"))}


def _read_by(profile: Profile) -> set[str]:
    metrics = [metric for spelled in profile.signals.values() for metric in spelled]
    identity = {profile.identity.metric} if profile.identity else set()
    return identity | {name for metric in metrics for name in metric.sum_of or (metric.name,)}


def _declared(path: Path) -> dict[str, str]:
    """The TYPE of each sample name; the parts of a histogram are counters."""
    types: dict[str, str] = {}
    for family, kind in re.findall(r"^# TYPE (\S+) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE):
        names = [f"{family}{part}" for part in ("_sum", "_count", "_bucket")] if kind == "histogram" else [family]
        types |= dict.fromkeys(names, "counter" if kind == "histogram" else kind)
    return types


def _is_ignored(name: str, patterns: dict[str, str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@each_file
def test_every_family_is_read_or_ignored_for_a_reason(path: Path) -> None:
    unknown = _names(path) - _read_by(_profile(path))
    if _profile(path).name == "probe":  # which can repeat the names of the snippet for those who had it before
        unknown -= _read_by(PROFILES["tf-snippet"])
    ignored = {**IGNORED, **IGNORED_UPSTREAM} if path in UPSTREAM else IGNORED
    assert sorted(name for name in unknown if not _is_ignored(name, ignored)) == []


@each_file
def test_a_declared_type_that_is_not_the_truth_is_known_to_be_wrong(path: Path) -> None:
    declared = _declared(path)
    wrong = [
        f"{name}: declared {declared[name]}, by the catalogue {SIGNALS[signal].kind.value}"
        for signal, metrics in _profile(path).signals.items()
        for metric in metrics
        for name in metric.sum_of or (metric.name,)
        if name in declared and (declared[name] == "counter") is not (SIGNALS[signal].kind is Kind.COUNTER)
        if metric.declared is None or metric.declared.value != declared[name]
    ]
    assert wrong == []


@each_file
def test_every_sample_has_a_type(path: Path) -> None:
    assert sorted(_names(path) - set(_declared(path))) == []


@each_file
def test_the_cards_of_a_file_can_be_told_apart(path: Path) -> None:
    """Some spelling of each label of a card is on some series, or on the scrape target."""
    profile = _profile(path)
    if "utilisation" not in profile.signals:
        return
    written = {label for s in parse_exposition(path.read_text(encoding="utf-8")) for label in s.labels}
    target = {"cluster", "instance"}  # the scrape target's own
    for label in profile.card:
        assert {spelling.label for spelling in profile.labels[label]} & (written | target), label


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_what_is_exported_by_default_is_in_some_fixture(profile: Profile) -> None:
    exported = {name for path in FIXTURES if _profile(path) is profile for name in _names(path)}
    default = {
        name
        for metrics in profile.signals.values()
        for metric in metrics
        if metric.default and not metric.sum_of
        for name in (metric.name,)
    }
    if profile.name == "dcgm-4.9":  # what it takes over unchanged is shown by the classic files
        exported |= {name for path in FIXTURES if _profile(path).name == "dcgm" for name in _names(path)}
    assert sorted(default - exported - set(NO_FIXTURE)) == []


def test_no_exception_is_stale() -> None:
    exported = {name for path in FIXTURES for name in _names(path)}
    read = {name for profile in PROFILES.values() for name in _read_by(profile)}
    unread = exported - read
    assert [pattern for pattern in IGNORED if not any(fnmatchcase(name, pattern) for name in unread)] == []
    assert [name for name in NO_FIXTURE if name in exported or name not in read] == []


def test_the_upstream_files_are_read() -> None:
    if not REFERENCE:
        pytest.skip("GPUBOARDS_REFERENCE is not set: real exporter output is not held against the catalogue")
    seen = {name for path in UPSTREAM for name in _names(path)}
    assert len([path for path in UPSTREAM if path.suffix == ".metrics"]) >= 9
    assert [p for p in IGNORED_UPSTREAM if not any(fnmatchcase(name, p) for name in seen)] == []
