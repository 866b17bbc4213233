"""Which alerts keep which others quiet, and whether the alerts carry the labels that this rests on.

To Alertmanager a label that is missing equals one that is missing on the other alert, so an inhibition whose
``equal`` labels are on neither side would silence the whole fleet. ``unguaranteed`` finds that before it happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.rules.labels import IDENTITY, MUTES, OPTIONAL, SCOPE, SEVERITY, STAGE, Scope
from builder.rules.model import AlertRule, Group


@dataclass(frozen=True)
class Inhibition:
    """While an alert like ``source`` is on, alerts like ``target`` with the same ``equal`` labels tell nobody.

    The stage is among these labels: an alert that is only observed silences no other that is told.
    """

    name: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    equal: tuple[str, ...]


INHIBITIONS = (
    Inhibition(
        "a lost node silences what its cards and itself show",
        (f'{MUTES}="node"',),
        (f'{SCOPE}=~"card|node"', f'{MUTES}!="node"'),
        (*IDENTITY[Scope.NODE], STAGE),
    ),
    Inhibition(
        "a lost card silences what it shows",
        (f'{MUTES}="card"',),
        (f'{SCOPE}="card"', f'{MUTES}!="card"'),
        (*IDENTITY[Scope.CARD], STAGE),
    ),
    *(
        Inhibition(
            f"critical before the rest of the same {scope.value}",
            (f'{SEVERITY}="critical"', f'{SCOPE}="{scope.value}"'),
            (f'{SEVERITY}=~"warning|info"', f'{SCOPE}="{scope.value}"'),
            (*IDENTITY[scope], STAGE),
        )
        for scope in (Scope.CARD, Scope.JOB)
    ),
)


@dataclass(frozen=True)
class Unguaranteed:
    """An alert without a label that inhibition compares, and what to do about it."""

    alert: str
    label: str
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.alert}: {self.what}\n  fix: {self.fix}"


def unguaranteed(groups: Iterable[Group]) -> list[Unguaranteed]:
    """What inhibition cannot rely on in these rules, in their order; empty when all is well.

    Each alert says its scope and its stage, and carries the labels that tell its card, node or job from another. A
    label that no alert of a scope has (``uuid``, where the exporter knows none) may be missing on all of them, as
    long as a card is still told by its ``gpu`` or its ``uuid``.
    """
    rules = [rule for group in groups for rule in group.rules if isinstance(rule, AlertRule)]
    seen = [(rule.alert, rule.labels.get(SCOPE, ""), _carried(rule)) for rule in rules]
    found = []
    for alert, scope, carried in seen:
        if STAGE not in carried:
            found.append(Unguaranteed(alert, STAGE, "no stage", "mark the groups with builder.rules.stages"))
        if scope not in {known.value for known in Scope}:
            fix = "add the label scope: card, node or job"
            found.append(Unguaranteed(alert, SCOPE, "no scope, so that nothing can silence it", fix))
            continue
        peers = [labels for _, other, labels in seen if other == scope]
        found.extend(_missing(alert, Scope(scope), carried, peers))
    return found


def _carried(rule: AlertRule) -> frozenset[str]:
    """The labels that the alert has for certain; those of raw series are anybody's guess."""
    return frozenset(rule.expr.labels | set(rule.labels)) - {"*"}


def _missing(alert: str, scope: Scope, carried: frozenset[str], peers: list[frozenset[str]]) -> Iterable[Unguaranteed]:
    anybodys = frozenset[str]().union(*peers)
    for label in IDENTITY[scope]:
        if label in carried:
            continue
        if label in anybodys:
            what = f"no label {label}, which other alerts of a {scope.value} have: they never silence each other"
        elif label not in OPTIONAL and not _told_otherwise(label, anybodys):
            what = f"no label {label}: it would silence, or be silenced by, every {scope.value}"
        else:
            continue
        yield Unguaranteed(alert, label, what, f"keep {label} in the expression (by, on), or add it as a label")


def _told_otherwise(label: str, anybodys: frozenset[str]) -> bool:
    pair: Mapping[str, str] = {"gpu": "uuid", "uuid": "gpu"}
    return pair.get(label) in anybodys
