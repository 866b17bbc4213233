"""A backtest on a running Prometheus: what is asked, in which order, and what is kept for the next run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from builder.backtest import Candidate, configured, expressions, outcome, presence, thresholds_of, tried, varied
from builder.config import Config
from builder.errors import ServerError, UsageError
from builder.rules.backtest.period import Period
from builder.rules.backtest.report import Report, Varied
from builder.rules.backtest.text import moment
from builder.rules.model import Group
from builder.targets.backtest_state import State
from builder.targets.http.failures import Interrupted
from builder.targets.http.parallel import Progress
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.history import ask, covered

STEP = Group.interval


@dataclass(frozen=True)
class Options:
    """``since`` is how much history is looked at, ``until`` its end (0: the server's now), ``slice`` the longest
    part of it that is asked for at once; in seconds. ``vary`` says whose thresholds are varied.

    ``thresholds`` are those to vary, with their values or none for the usual ones, whatever ``vary`` says; empty: those
    of each alert.
    """

    since: float
    until: float = 0.0
    slice: float = 21_600
    alerts: Sequence[str] = ()
    vary: Literal["fired", "all", "none"] = "fired"
    thresholds: Mapping[str, Sequence[float]] = field(default_factory=dict)
    wanted: float = 1.0


def backtest(config: Config, options: Options, client: Client, state_file: Path, progress: Progress) -> Report:
    """Ask for all that is not known yet, and judge it. Removes the state when all is told.

    Raises ServerError where the server does not answer, in the middle too; what it answered is then in the state.
    """
    present = configured(config, options.alerts)
    now = client.clock()
    state = _state(state_file, options, client, now)
    period = Period(state.about["start"], state.about["end"], STEP)
    known = _known(config, period, client)
    state.save()  # a place that cannot be written to is told of before the work
    seconds = known[1] - known[0]
    asking = _Asking(period, tuple(period.slices(options.slice)), client, state, progress)
    asking.ask(present)
    outcomes = {each.alert: outcome(each, asking.answers, period, seconds) for each in present}
    chosen = [each for each in present if _is_varied(each, outcomes[each.alert].count, options, config)]
    others = {each.alert: tuple(varied(config, each.alert, options.thresholds)) for each in chosen}
    asking.ask([candidate for several in others.values() for candidate in several])
    plots = [
        Varied(alert, name, config.alerts.thresholds.named(name), values)
        for alert, several in others.items()
        for name, values in tried(asking.evaluated(several), asking.answers, period, seconds).items()
    ]
    report = Report(
        server=client.endpoint.url,
        profile=config.profile,
        period=period,
        known=known,
        outcomes=outcomes,
        severities={each.alert: each.rules[0].severity.value for each in present},
        varied=plots,
        refused=asking.refusals(present),
        wanted=options.wanted,
    )
    state.remove()
    return report


def _is_varied(each: Candidate, count: int, options: Options, config: Config) -> bool:
    if options.thresholds:
        return any(name in options.thresholds for name in thresholds_of(config, each.alert))
    return options.vary == "all" or (options.vary == "fired" and bool(count or options.alerts))


@dataclass
class _Asking:
    period: Period
    slices: Sequence[tuple[int, int]]
    client: Client
    state: State
    progress: Progress
    refused: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)

    def ask(self, candidates: Sequence[Candidate]) -> None:
        """All answers that the candidates need. Raises ServerError, once what was answered is kept."""
        exprs = expressions(candidates)
        asked = ask(exprs, self.slices, self.period, self.client, self.state, self.progress)
        self.refused |= asked.refused
        if asked.trouble:
            raise _kept(asked.trouble, self.state)
        self.answers |= {expr: self.state.pieces(expr) for expr in exprs if expr not in self.refused}

    def evaluated(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates whose expressions all have answers."""
        return [each for each in candidates if not any(rule.expr.text in self.refused for rule in each.rules)]

    def refusals(self, candidates: Sequence[Candidate]) -> dict[str, str]:
        """What the server says of alerts that it cannot evaluate."""
        return {
            each.alert: self.refused[rule.expr.text]
            for each in candidates
            for rule in each.rules
            if rule.expr.text in self.refused
        }


def _state(path: Path, options: Options, client: Client, now: float) -> State:
    """The state to go on with, or a new one. Raises UsageError where the one that is there is of something else."""
    about = {"server": client.endpoint.url, "since": options.since, "slice": options.slice, "step": STEP}
    end = options.until or now
    found = State.read(path)
    if found is None:
        start = end - options.since
        return State(path, {**about, "until": options.until, "start": start, "end": end})
    wanted = {**about, "until": options.until}
    for name, value in wanted.items():
        if found.about.get(name) != value:
            raise UsageError(
                f"an interrupted backtest had another {name}: {found.about.get(name)}, not {value}",
                where=str(path),
                fix="run that one again to continue it, remove the file, or name another one with --state",
            )
    return found


def _known(config: Config, period: Period, client: Client) -> tuple[float, float]:
    """From when to when there is a history. Raises UsageError where there is none."""
    found = covered(presence(config), period, client)
    if found is None:
        raise UsageError(
            f"there is no history of cards between {moment(period.start)} and {moment(period.end)}",
            where=client.endpoint.url,
            fix=f"is {config.profile} the right --profile? Is that within the server's retention?",
        )
    return found


def _kept(trouble: ServerError, state: State) -> ServerError:
    """The trouble, and how to go on."""
    go_on = f"{state.count} answers are kept in {state.path}; the same command continues there"
    kind = Interrupted if isinstance(trouble, Interrupted) else ServerError
    return kind(trouble.what, where=trouble.where, fix=go_on)
