"""gpu-training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import mean, median

from tests.live.cases.moment import Moment, Process, Shown, named
from tests.live.cases.planted import AT
from tests.live.cases.readings import parts

_PEERS = 3
"""A job of no more processes has no median worth the name."""


def _each(jobs: Mapping[str, list[Process]], ask: Callable[[list[Process]], float | None]) -> Shown:
    """What is asked of each job, where there is an answer."""
    return {name: value for name, processes in jobs.items() if (value := ask(processes)) is not None}


def _rate(processes: Sequence[Process], signal: str) -> float:
    return sum(process.per_second[signal] for process in processes)


def _records(m: Moment) -> Shown:
    snippets = m.snippet_records()
    if snippets is not None:
        return {"": snippets}
    return _each(m.jobs(), lambda processes: _rate(processes, "records"))


def _step_time(processes: list[Process]) -> float | None:
    steps = _rate(processes, "steps")
    return _rate(processes, "step_time") / steps if steps else None


def _waiting(processes: list[Process]) -> float | None:
    seconds = _rate(processes, "step_time")
    return _rate(processes, "input_wait") / seconds if seconds else None


def _cards(m: Moment) -> Shown:
    if "uuid" not in _card_key(m):
        return {}
    return _each(m.jobs(), len)  # each process has a card of its own


def _card_key(m: Moment) -> tuple[str, ...]:
    return m.fleet.exporter.card


def _utilisation(m: Moment) -> Shown:
    known = m.busy()

    def of(processes: list[Process]) -> float | None:
        found = [known[named(p.card)] for p in processes if named(p.card) in known]
        return mean(found) if found else None

    return _each(m.jobs(), of) if "uuid" in _card_key(m) else {}


def _inefficient(m: Moment) -> Shown:
    advancing = {name for name, processes in m.jobs().items() if _rate(processes, "steps")}
    return {name: use for name, use in _utilisation(m).items() if use < parts.INEFFICIENT and name in advancing}


def _since_step(m: Moment) -> Shown:
    return _each(m.running(), lambda processes: max(AT - p.card.signals["last_step"] for p in processes))


def _since_checkpoint(m: Moment) -> Shown:
    def latest(processes: list[Process]) -> float | None:
        written = [p.card.signals["last_checkpoint"] for p in processes if "last_checkpoint" in p.card.signals]
        return AT - max(written) if written else None

    return _each(m.running(), latest)


def _lag(m: Moment, name: Callable[[Process], str]) -> Shown:
    found: dict[str, float] = {}
    for processes in m.jobs().values():
        stepping = [p for p in processes if p.per_second["steps"]]
        if len(stepping) > _PEERS:
            middle = median(p.step_time for p in stepping)
            found |= {name(p): p.step_time / middle - 1 for p in stepping}
    return found


def _in_a_table(process: Process) -> str:
    pod = f"{process.card.namespace}/{process.card.pod}" if process.card.pod else process.card.job
    return f"{pod} rank {process.rank}"


def _in_a_legend(process: Process) -> str:
    return f"{process.card.job} rank {process.rank} {process.card.pod}".rstrip()


def _clocks(m: Moment) -> Shown:
    clocks = m.each("sm_clock")
    found: dict[str, float] = {}
    for processes in m.jobs().values() if "uuid" in _card_key(m) else ():
        known = [p.card for p in processes if named(p.card) in clocks]
        middle = median(clocks[named(card)] for card in known) if known else 0
        found |= {f"{card.job} {card.uuid}": clocks[named(card)] / middle for card in known}
    return found


def _legend(shown: Shown) -> Shown:
    """Namespace and job as the legend has them."""
    return {name.replace("/", " "): value for name, value in shown.items()}


def _worst(shown: Shown) -> Shown:
    return parts.one(list(shown.values()), max)


def _waits(m: Moment) -> Shown:
    return _each(m.jobs(), _waiting)


def _phases(m: Moment) -> Shown:
    """The mean over all processes."""
    shares: dict[str, list[float]] = {}
    for process in m.processes:
        for phase, share in process.phases.items():
            shares.setdefault(phase, []).append(share)
    return {phase: mean(found) for phase, found in shares.items()}


PANELS = {
    "Running jobs": lambda m: {"": len(m.running())} if m.running() else {},
    "Records per second": lambda m: {**parts.one(list(_records(m).values())), **_legend(_records(m))},
    "Waiting for input": lambda m: _worst(_waits(m)),
    "Longest without a step": lambda m: _worst(_since_step(m)),
    "Jobs | Cards": _cards,
    "Jobs | Records/s": _records,
    "Jobs | Step time": lambda m: _each(m.jobs(), _step_time),
    "Jobs | Waiting for input": _waits,
    "Jobs | Utilisation": _utilisation,
    "Jobs | Since last step": _since_step,
    "Jobs | Since checkpoint": _since_checkpoint,
    "Jobs that advance on idle cards | Utilisation": _inefficient,
    "Stragglers | Slower than the median by": lambda m: _lag(m, _in_a_table),
    "Utilisation of the jobs' cards": lambda m: _legend(_utilisation(m)),
    "Step time": lambda m: _legend(_each(m.jobs(), _step_time)),
    "Share of step time waiting for input": lambda m: _legend(_waits(m)),
    "Host CPU waiting for disks": lambda m: m.host_rising("cpu_io_wait"),
    "Busiest disk": lambda m: m.host_rising("disk_busy"),
    "Read from disks": lambda m: m.host_rising("disk_read"),
    "Fleet utilisation": lambda m: parts.called("All cards", parts.utilisation(m)),
    "Slower than the job's median": lambda m: _lag(m, _in_a_legend),
    "SM clock against the job's median": _clocks,
    "Share of time by phase": _phases,
    # No probe of a simulated fleet fails, and each knows its card: the recorded one has those that do not.
    "Failures inside the probe | Times": lambda _: {},
    "Processes that do not know their card | Devices": lambda _: {},
}
