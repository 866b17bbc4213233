"""From canonical labels to an exporter's spelling and back, for one metric.

A label may be spelled in several ways (``Hostname`` or ``hostname``). Where it is only needed in the result,
a chain of label_replace() reads whichever is there. Where it is filtered, each spelling needs a selector of
its own, and ``or`` puts them together; a selector takes only series that lack the better spellings, so that
no series is found twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from builder.catalog.model import Kind, Match, Metric, Profile, Spelling
from builder.errors import QueryError
from builder.promql.expr import Expr, relabel, selector, selector_of
from builder.queries.source import Filter

WORKLOAD_LABELS = ("namespace", "pod", "container")
"""Labels that are spelled alike: a series that says exported_pod says exported_namespace too."""

Spelled = Mapping[str, tuple[Spelling, ...]]
Choice = dict[str, Spelling]


def canonical(
    profile: Profile,
    metric: Metric,
    kind: Kind,
    labels: Sequence[str],
    filters: Sequence[Filter],
    apply: Callable[[Expr], Expr],
    names: Sequence[str] = (),
) -> Expr:
    """The metric's series with canonical labels; ``apply`` works on each selector before relabelling.

    ``names`` selects several metrics at once in place of the one.
    """
    spelled = {**profile.labels, **metric.labels}
    filters = [f for f in filters if f.label in spelled]
    own = [label for label in labels if _needs_own_selector(label, spelled)]
    parts = []
    for choice, guards in _choices(spelled, filters, own):
        matchers = [*metric.where, *(spelling_matcher(choice[f.label], f) for f in filters), *guards]
        matchers = list(dict.fromkeys(matchers))
        found = selector_of(names, matchers, kind) if names else selector(metric.name, matchers, kind)
        part = apply(found)
        for label in own:
            part = _read(part, label, choice[label])
        parts.append(part)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.either(part)
    for label in labels:
        if label not in own:
            for spelling in _worst_first(spelled.get(label, ())):
                whole = _read(whole, label, spelling)
    return whole


def _worst_first(spellings: Sequence[Spelling]) -> list[Spelling]:
    """What reads a label, so that the best is read last; a label that is spelled twice alike is read once."""
    readers = {(s.label, s.pattern, s.replacement): s for s in reversed(spellings)}
    best_first = dict.fromkeys((s.label, s.pattern, s.replacement) for s in spellings)
    return [readers[reader] for reader in reversed(best_first)]


def _read(series: Expr, label: str, spelling: Spelling) -> Expr:
    if spelling.is_plain(label):
        return series
    return relabel(series, label, spelling.label, spelling.pattern, spelling.replacement)


def spelling_matcher(spelling: Spelling, wanted: Filter) -> Match:
    """The matcher that a filter becomes in one spelling. Raises QueryError where none can find the value."""
    if wanted.value and not spelling.can_be_filtered:
        raise QueryError(
            f"a filter by {wanted.label}: {spelling.label} holds only a part of it",
            fix="narrow=False on the variable, or a variable of another label",
        )
    if not wanted.value or spelling.selector == "{value}":
        return Match(spelling.label, wanted.op, wanted.value)
    operator = {"=": "=~", "!=": "!~"}.get(wanted.op, wanted.op)  # the selector is a regular expression
    return Match(spelling.label, operator, spelling.selector.replace("{value}", wanted.value))


def _needs_own_selector(label: str, spelled: Spelled) -> bool:
    """A label that has its canonical name already must not be overwritten by a worse spelling."""
    spellings = spelled.get(label, ())
    return any(s.label == label for s in spellings) and spellings[-1].label != label


def _choices(spelled: Spelled, filters: Sequence[Filter], own: Sequence[str]) -> list[tuple[Choice, list[Match]]]:
    """One spelling for each filtered label, with the matchers that keep the choices apart."""
    leaders = dict.fromkeys(_leader(label, spelled) for label in (*(f.label for f in filters), *own))
    present = {_leader(f.label, spelled) for f in filters if f.wants_presence}
    options = [_options(spelled, leader, leader in present, leader in own) for leader in leaders]
    result = []
    for combination in product(*options):
        choice: Choice = {}
        guards: list[Match] = []
        for chosen, matchers in combination:
            choice |= chosen
            guards += matchers
        result.append((choice, guards))
    return result


def _leader(label: str, spelled: Spelled) -> str:
    """The label whose spellings decide: a workload's namespace is there where its pod is."""
    return "pod" if label in WORKLOAD_LABELS and "pod" in spelled else label


def _options(spelled: Spelled, leader: str, present: bool, own: bool) -> list[tuple[Choice, list[Match]]]:
    group = [label for label in WORKLOAD_LABELS if label in spelled] if leader == "pod" else [leader]
    options = []
    for index, spelling in enumerate(spelled[leader]):
        chosen = {label: spelled[label][min(index, len(spelled[label]) - 1)] for label in group}
        better = dict.fromkeys(s.label for s in spelled[leader][:index] if s.label != spelling.label)
        lacking = [Match(label, "=", "") for label in better]
        # A selector of its own, and a worse one after it: what lacks the label is left to that.
        there = [Match(spelling.label, "!=", "")] if own and index + 1 < len(spelled[leader]) else []
        options.append((chosen, [*there, *lacking, *spelling.when, *(spelling.guard if present else ())]))
    return options
