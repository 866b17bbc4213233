"""A backtest on the history of a simulated fleet: what was planted is found, as Prometheus itself would find it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from builder.backtest import configured
from builder.config import Config
from builder.errors import ServerError, UsageError
from builder.rules.backtest.data import data
from builder.rules.backtest.report import Report
from builder.rules.model import AlertRule
from builder.rules.thresholds import Thresholds
from builder.targets.backtest_state import State
from builder.targets.http.failures import Interrupted
from builder.targets.prometheus.address import Access, address
from builder.targets.prometheus.backtest import Options, backtest
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.refusals import QueryRefused
from builder.testing import Prometheus
from builder.testing.promtool import promtool
from tests.targets.prometheus.histories import END, STEP, promtool_files, written
from tests.targets.prometheus.relay import Relay

pytestmark = pytest.mark.live
CONFIG = Config()
HOUR = 3600.0
SOME = (
    *("GpuTemperatureNotice", "GpuTemperatureHigh", "GpuTemperatureCritical"),
    *("GpuXidCritical", "GpuExporterDown", "GpuNodeCardsMissing"),
)
SINCE = Options(since=1.5 * HOUR, until=END, slice=HOUR, vary="none")


@pytest.fixture(scope="module")
def past() -> str:
    return written()


@pytest.fixture(scope="module")
def prometheus(past: str) -> Iterator[Prometheus]:
    with Prometheus(history=past) as server:
        yield server


def run(url: str, options: Options, state: Path, config: Config = CONFIG) -> Report:
    with Client(address(Access(url), {}), jobs=2) as client:
        return backtest(config, options, client, state, lambda _doing, _done, _total: None)


def found(report: Report) -> set[tuple[str, str, float, float]]:
    return {
        (alert, firing.place, firing.incident.fired / 60, firing.incident.ended / 60)
        for alert, outcome in report.outcomes.items()
        for firing in outcome.firings
    }


def test_planted_incidents_are_found(prometheus: Prometheus, tmp_path: Path) -> None:
    """All alerts are asked for, and exactly these fire: from when to when, in minutes of the fleet's time."""
    assert found(run(prometheus.url, SINCE, tmp_path / "state")) == {
        ("GpuTemperatureNotice", "node-0/1", 70.5, 103.5),  # two faults, and the alert was kept in between
        ("GpuTemperatureNotice", "node-0/1", 135.5, 150.0),
        ("GpuTemperatureNotice", "node-1/0", 75.5, 90.5),
        ("GpuTemperatureHigh", "node-0/1", 77.0, 90.0),  # the second fault was too short for it
        ("GpuTemperatureHigh", "node-0/1", 142.0, 150.0),
        ("GpuTemperatureHigh", "node-1/0", 81.5, 90.0),
        ("GpuTemperatureCritical", "node-1/0", 77.5, 90.0),
        ("GpuNearSlowdownTemperature", "node-1/0", 77.5, 90.0),
        ("GpuMemoryTemperatureHigh", "node-1/0", 82.5, 90.0),
        ("GpuXidCritical", "node-0/0/79", 80.0, 95.0),
        ("GpuExporterDown", "node-1", 110.0, 130.0),
        ("GpuNodeCardsMissing", "node-1", 115.0, 133.0),
    }


def test_promtool_sees_the_same_alerts_at_every_evaluation(past: str, prometheus: Prometheus, tmp_path: Path) -> None:
    """Promtool evaluates the rules on the same samples, with the states that Prometheus' own rule manager has."""
    report = run(prometheus.url, replace(SINCE, alerts=SOME), tmp_path / "state")
    candidates = configured(CONFIG, SOME)
    rules = {rule.alert: rule for candidate in candidates for rule in candidate.rules}
    firings = [
        (firing.incident, _series(rules[alert], firing.labels))
        for alert, outcome in report.outcomes.items()
        for firing in outcome.firings
    ]
    evaluations = range(round(report.period.start / STEP), round(END / STEP))
    firing = {float(n * STEP): [name for i, name in firings if i.fired <= n * STEP < i.ended] for n in evaluations}
    assert {rule for rule in SOME if any(f'"{rule}"' in name for _, name in firings)} == set(SOME)
    verdict = promtool(["test", "rules"], promtool_files(past, candidates, firing), on=["test.yml"])
    assert verdict.passed, verdict.said[:4000]
    late = {at + STEP: names for at, names in firing.items() if at + STEP < END}
    assert not promtool(["test", "rules"], promtool_files(past, candidates, late), on=["test.yml"]).passed


def test_slices_and_the_number_of_requests_change_nothing(prometheus: Prometheus, tmp_path: Path) -> None:
    whole = run(prometheus.url, replace(SINCE, slice=86_400, alerts=SOME), tmp_path / "state")
    parts = run(prometheus.url, replace(SINCE, slice=7 * 60, alerts=SOME), tmp_path / "state")
    assert data(parts) == data(whole)


def test_other_thresholds_and_the_one_for_a_wanted_number(prometheus: Prometheus, tmp_path: Path) -> None:
    options = replace(
        SINCE,
        alerts=["GpuTemperatureHigh"],
        vary="fired",
        thresholds={"temperature_warning": (82, 87, 89), "temperature_warning_hold": (60,)},
        wanted=1.5 * 7 * 24 / 1.5,  # a rate that one alert in this time is below of, and two are not
    )
    report = run(prometheus.url, options, tmp_path / "state")
    by_heat, by_time = report.varied
    assert [(each.value, each.outcome.count) for each in by_heat.tried] == [(82, 3), (85, 3), (87, 3), (89, 1)]
    suggested = by_heat.suggested(report.wanted)
    assert suggested is not None
    assert suggested.value == 89
    assert [(each.value, each.outcome.count) for each in by_time.tried] == [(60, 4), (600, 3)]
    # Sooner by nine minutes, and for the second fault of node-0/1 too.
    assert by_time.tried[0].outcome.firings[0].incident.fired == 68 * 60


def test_a_slice_of_too_many_samples_is_asked_in_halves(past: str, prometheus: Prometheus, tmp_path: Path) -> None:
    options = replace(SINCE, slice=86_400, alerts=["GpuTemperatureHigh", "GpuXidCritical"])
    with Prometheus(history=past, arguments=["--query.max-samples=700"]) as small:
        with Client(address(Access(small.url), {})) as client, pytest.raises(QueryRefused, match="too many samples"):
            client.query_range("DCGM_FI_DEV_GPU_TEMP", 0, END, STEP)
        held_back = run(small.url, options, tmp_path / "state")
    whole = run(prometheus.url, replace(options, alerts=["GpuTemperatureHigh"]), tmp_path / "state")
    assert found(held_back) == found(whole)
    # Its window alone is too much, however short the slice: it is told, and spoils nothing else.
    assert "too many samples" in held_back.refused["GpuXidCritical"]


def test_a_server_that_goes_away_in_the_middle_and_the_run_after(prometheus: Prometheus, tmp_path: Path) -> None:
    state = tmp_path / "state"
    options = replace(SINCE, slice=600, alerts=SOME)
    with Relay(prometheus.url, answers=30) as relay:
        with pytest.raises(ServerError, match="read the history") as caught:
            run(relay.url, options, state)
        assert caught.value.exit_code == 3
        assert f"answers are kept in {state}; the same command continues" in caught.value.fix
        kept = json.loads(state.read_bytes())
        count = sum(map(len, kept["answers"].values()))
        assert 0 < count <= 30
        (tmp_path / ".state.gpuboards-tmp").write_bytes(b"{")  # of a run that was killed while it wrote
        relay.mend()
        report = run(relay.url, options, state)
        assert relay.slices == len(SOME) * 16 - count  # with the hour before: 15 slices and the last evaluation
    assert {**data(report), "server": ""} == {**data(run(prometheus.url, options, state)), "server": ""}
    assert list(tmp_path.iterdir()) == []


def test_a_range_up_to_now_is_continued_as_it_began(prometheus: Prometheus, tmp_path: Path) -> None:
    options = replace(SINCE, until=0.0, alerts=["GpuXidCritical"])
    about = {"server": prometheus.url, "since": options.since, "slice": options.slice, "step": STEP, "until": 0.0}
    State(tmp_path / "state", {**about, "start": END - options.since, "end": END}).save()
    assert run(prometheus.url, options, tmp_path / "state").period.end == END
    with pytest.raises(UsageError, match="there is no history of cards"):  # begun anew, it is up to now
        run(prometheus.url, options, tmp_path / "state")


def test_who_stops_it_can_go_on(prometheus: Prometheus, tmp_path: Path) -> None:
    stop = threading.Event()

    def enough(_doing: str, done: int, _total: int) -> None:
        if done == 3:
            stop.set()

    options = replace(SINCE, slice=600, alerts=SOME)
    with Client(address(Access(prometheus.url), {}), jobs=1, stop=stop) as client, pytest.raises(Interrupted):
        backtest(CONFIG, options, client, tmp_path / "state", enough)
    assert json.loads((tmp_path / "state").read_bytes())["answers"]
    assert run(prometheus.url, options, tmp_path / "state").fired


def test_a_changed_rule_is_asked_anew_and_another_range_is_refused(prometheus: Prometheus, tmp_path: Path) -> None:
    state = tmp_path / "state"
    options = replace(SINCE, slice=600, alerts=["GpuTemperatureHigh", "GpuXidCritical"])
    with Relay(prometheus.url, answers=22) as relay:
        with pytest.raises(ServerError):
            run(relay.url, options, state)
        before = state.read_bytes()
        relay.mend()
        with pytest.raises(UsageError, match=r"another since: 5400\.0, not 7200\.0"):
            run(relay.url, replace(options, since=7200.0), state)
        assert state.read_bytes() == before
        cooler = replace(CONFIG, alerts=replace(CONFIG.alerts, thresholds=Thresholds(temperature_warning=89)))
        report = run(relay.url, options, state, cooler)
    assert report.outcomes["GpuTemperatureHigh"].count == 1
    assert report.outcomes["GpuXidCritical"].count == 1


def _series(rule: AlertRule, labels: Mapping[str, str]) -> str:
    named = {**labels, **rule.labels, "severity": rule.severity.value, "alertname": rule.alert, "alertstate": "firing"}
    return "ALERTS{" + ",".join(f"{name}={json.dumps(value)}" for name, value in sorted(named.items()) if value) + "}"
