"""Which signals a server lacks, by the names that boards ask for, and what would have to be switched on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from builder.catalog.profiles import GPU_PROFILES
from builder.lint.facts import Fact, facts
from builder.live.outcome import BoardOutcome, Lack, PanelOutcome

_EXPORTERS = 2


def lacks(boards: Sequence[BoardOutcome], known: Mapping[str, Fact]) -> tuple[Lack, ...]:
    """What the panels go without, one entry a signal, the most wanted first.

    A metric that the catalogue does not know stands for itself.
    """
    metrics: dict[str, list[str]] = {}
    wanted: dict[str, list[str]] = {}
    for board in boards:
        for panel in board.panels:
            for name in _gone(panel):
                signal = (known[name].signal if name in known else "") or name
                metrics.setdefault(signal, []).append(name)
                wanted.setdefault(signal, []).append(f"{board.name}: {panel.title or '(no title)'}")
    found = [
        Lack(signal, tuple(dict.fromkeys(names)), _fix(names, known), tuple(dict.fromkeys(wanted[signal])))
        for signal, names in metrics.items()
    ]
    return tuple(sorted(found, key=lambda lack: (-len(lack.wanted_by), lack.name)))


def _gone(panel: PanelOutcome) -> Iterable[str]:
    return dict.fromkeys(name for query in panel.queries if not query.series for name in query.missing)


def _fix(names: Sequence[str], known: Mapping[str, Fact]) -> str:
    facts = [known[name] for name in dict.fromkeys(names) if name in known]
    enable = next((fact.enable for fact in facts if fact.enable), "")
    if enable:
        return enable
    if facts:
        exporters = ", ".join(dict.fromkeys(name for fact in facts for name in fact.profiles[:_EXPORTERS]))
        return f"exported by default ({exporters}): does Prometheus scrape the exporter, and keep this metric?"
    if any(":" in name for name in names):
        return "it looks recorded: are the rules loaded that record it?"
    return "no exporter of the catalogue has it"


def misfit(asked: Set[str], there: Set[str]) -> Iterator[str]:
    """What to say where boards and server do not fit: of what the boards ask of a GPU exporter, nothing is there."""
    names = {profile.name: facts([profile]).keys() for profile in GPU_PROFILES.values()}
    wanted = {name for each in names.values() for name in each} & asked
    if not wanted or wanted & there:
        return
    found = [profile for profile, each in names.items() if each & there]
    if found:
        yield f"the boards ask for another exporter than this server has: try --profile {' or '.join(found)}"
    else:
        yield "this server has no GPU metric that is known here: does it scrape a GPU exporter?"


def cards_are_counted_by(there: Set[str]) -> tuple[str, ...]:
    """The metrics that every card has, of those that are there."""
    names = {metric.name for profile in GPU_PROFILES.values() for metric in profile.signals["device_info"]}
    return tuple(sorted(names & there))
