"""What is known about a name, as plain data that prints as JSON or text alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from builder.build import context_of
from builder.catalog.model import LABELS, Metric, Profile, Scope, Signal, Spelling
from builder.catalog.profiles import GPU_PROFILES, HOST_PROFILES, PROFILES, TRAINING_PROFILES
from builder.catalog.signals import SIGNALS
from builder.config import resolve_profile
from builder.errors import SignalMissing, UsageError
from builder.promql.expr import OPEN
from builder.queries.listed import questions
from builder.queries.watch import Watch

if TYPE_CHECKING:
    from builder.cli.boards import Described
    from builder.config import Config

_SIDES = {Scope.JOB: TRAINING_PROFILES, Scope.NODE: HOST_PROFILES, Scope.POD: HOST_PROFILES}


def profiles(config: Config, only: str = "") -> dict[str, Profile]:
    """The profiles with the configuration's overrides; one of them if that is asked for."""
    return {name: resolve_profile(config, name) for name in ([only] if only else PROFILES)}


def names(known: Mapping[str, Profile]) -> set[str]:
    """Every name that can be explained without reading a board."""
    metrics = {n for p in known.values() for ms in p.signals.values() for m in ms for n in _spelled(m)}
    return {*SIGNALS, *PROFILES, *metrics, *_labels(known), *questions()}


def signal(name: str, known: Mapping[str, Profile]) -> dict[str, Any] | None:
    """A signal, and how each profile spells it."""
    if name not in SIGNALS:
        return None
    able = {p.name: [_metric(m) for m in p.signals[name]] for p in known.values() if p.has(name)}
    missing = [p.name for p in known.values() if not p.has(name) and _same_side(p, name)]
    asked = [dotted for dotted in questions() if dotted.endswith(f".{name}")]
    return {
        "explains": "signal",
        **_signal(SIGNALS[name]),
        "profiles": able,
        "not_exported_by": missing,
        "questions": asked,
    }


def profile(name: str, config: Config) -> dict[str, Any] | None:
    """A profile: how it spells labels and signals, and what it cannot answer."""
    if name not in PROFILES:
        return None
    chosen = resolve_profile(config, name)
    return {
        "explains": "profile",
        "name": chosen.name,
        "title": chosen.title,
        "exporter": chosen.exporter,
        "port": chosen.port,
        "interval_seconds": chosen.interval,
        "labels": {label: [s.label for s in spellings] for label, spellings in chosen.labels.items()},
        "signals": {s: [_metric(m) for m in metrics] for s, metrics in chosen.signals.items()},
        "missing": [s for s in SIGNALS if not chosen.has(s) and _same_side(chosen, s)],
        "notes": list(chosen.notes),
    }


def metric(name: str, known: Mapping[str, Profile]) -> dict[str, Any] | None:
    """A metric: what it measures, for which profile, and what turns it into the base unit."""
    uses = [
        {
            "profile": p.name,
            "signal": s,
            "unit": SIGNALS[s].unit.value,
            "kind": SIGNALS[s].kind.value,
            **_metric(m),
        }
        for p in known.values()
        for s, metrics in p.signals.items()
        for m in metrics
        if name in _spelled(m)
    ]
    return {"explains": "metric", "name": name, "uses": uses} if uses else None


def label(name: str, known: Mapping[str, Profile]) -> dict[str, Any] | None:
    """A canonical label, and how each profile spells it."""
    if name not in _labels(known):
        return None
    able = {p.name: [_label(s) for s in p.labels[name]] for p in known.values() if name in p.labels}
    missing = [p.name for p in known.values() if name not in p.labels]
    return {"explains": "label", "name": name, "profiles": able, "not_exported_by": missing}


def question(name: str, config: Config) -> dict[str, Any] | None:
    """A question, by its name alone or with its module's: its expression for the configured profile.

    Raises UsageError where several modules have one of that name.
    """
    found = [dotted for dotted in questions() if name in (dotted, dotted.partition(".")[2])]
    if len(found) > 1:
        raise UsageError(f"{name} is a question of several modules", fix=f"say {' or '.join(found)}")
    if not found:
        return None
    asked = questions()[found[0]]
    source = Watch(context_of(config).source(()))
    answer: dict[str, Any]
    try:
        expression = asked.ask(source)
        answer = {"expression": expression.text, "labels": sorted(expression.labels - OPEN), "missing": []}
    except SignalMissing as missing:
        answer = {"expression": None, "labels": [], "missing": [missing.signal], "fix": missing.fix}
    about = {"name": found[0], "help": asked.help, "profile": config.profile, "signals": list(source.asked)}
    return {"explains": "question", **about, **answer}


def board(described: Described) -> dict[str, Any]:
    """A board: its panels and how to read them, and what drops out."""
    return {
        "explains": "board",
        "uid": described.uid,
        "title": described.title,
        "question": described.question,
        "file": described.where,
        "panels": [
            {"title": p.get("title", ""), "type": p["type"], "help": p.get("description", "")} for p in described.panels
        ],
        "dropped": {name: [asdict(n) for n in notes] for name, notes in described.dropped.items()},
    }


def _signal(known: Signal) -> dict[str, str]:
    return {
        "name": known.name,
        "help": known.help,
        "kind": known.kind.value,
        "unit": known.unit.value,
        "per": known.scope.value,
    }


def _metric(spelling: Metric) -> dict[str, Any]:
    """The metric without what is as usual."""
    facts: dict[str, Any] = {"metric": spelling.name, "by_default": spelling.default}
    if spelling.factor != 1:
        facts["factor"] = spelling.factor
    if spelling.where:
        facts["where"] = [f'{m.label}{m.op}"{m.value}"' for m in spelling.where]
    if spelling.bits:
        facts["bits"] = spelling.bits
    if spelling.above is not None:
        facts["above"] = spelling.above
    if spelling.sum_of:
        facts["sum_of"] = list(spelling.sum_of)
    if spelling.enable:
        facts["enable"] = spelling.enable
    if not spelling.verified:
        facts["unverified"] = True
    return facts


def _labels(known: Mapping[str, Profile]) -> list[str]:
    return [*dict.fromkeys([*LABELS, *(label for profile in known.values() for label in profile.labels)])]


def _label(spelling: Spelling) -> dict[str, Any]:
    """The spelling without what is as usual."""
    facts: dict[str, Any] = {"label": spelling.label}
    if spelling.pattern != "(.+)":
        facts["pattern"] = spelling.pattern
    if spelling.replacement != "$1":
        facts["replacement"] = spelling.replacement
    if spelling.guard:
        facts["only_where"] = [f'{m.label}{m.op}"{m.value}"' for m in spelling.guard]
    return facts


def _spelled(spelling: Metric) -> tuple[str, ...]:
    return spelling.sum_of or (spelling.name,)


def _same_side(chosen: Profile, name: str) -> bool:
    """True where the profile measures the kind of thing that the signal is about: card, training or host."""
    return chosen.name in _SIDES.get(SIGNALS[name].scope, GPU_PROFILES)
