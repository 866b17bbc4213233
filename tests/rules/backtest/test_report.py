"""The report: as a table with plots, as data, and as a picture."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from builder.rules.backtest.data import data
from builder.rules.backtest.incidents import Incident
from builder.rules.backtest.outcome import Firing, Outcome, Tried
from builder.rules.backtest.period import Period
from builder.rules.backtest.report import Report, Varied
from builder.rules.backtest.svg import svg
from builder.rules.backtest.text import lines, span

WEEK = 7 * 86_400.0
START = 1767225600.0


def outcome(count: int) -> Outcome:
    firings = [
        Firing({"node": "a", "gpu": str(n % 2)}, Incident(START + n * 3600, START + n * 3600 + 5400))
        for n in range(count)
    ]
    return Outcome(tuple(firings), 2 * WEEK)


REPORT = Report(
    server="http://prometheus:9090",
    profile="dcgm",
    period=Period(START, START + 2 * WEEK, 30),
    known=(START, START + 2 * WEEK),
    outcomes={"GpuXidCritical": outcome(0), "GpuTemperatureHigh": outcome(7), "GpuLost": outcome(0)},
    severities={"GpuXidCritical": "critical", "GpuTemperatureHigh": "warning", "GpuLost": "critical"},
    varied=[
        Varied(
            "GpuTemperatureHigh",
            "temperature_warning",
            85,
            (Tried(83, outcome(20)), Tried(85, outcome(7)), Tried(87, outcome(4)), Tried(89, outcome(0))),
        )
    ],
    refused={"GpuLost": "execution: no"},
    wanted=2,
)

TEXT = """\
2026-01-01 00:00:00Z to 2026-01-15 00:00:00Z (14 d), dcgm, http://prometheus:9090

alert               severity  alerts  a week  places  firing       longest
GpuTemperatureHigh  warning   7       3.5     2       10 h 30 min  1 h 30 min

GpuTemperatureHigh:
  a/0  2026-01-01 00:00:00Z to 2026-01-01 01:30:00Z (1 h 30 min)
  a/1  2026-01-01 01:00:00Z to 2026-01-01 02:30:00Z (1 h 30 min)
  a/0  2026-01-01 02:00:00Z to 2026-01-01 03:30:00Z (1 h 30 min)
  a/1  2026-01-01 03:00:00Z to 2026-01-01 04:30:00Z (1 h 30 min)
  a/0  2026-01-01 04:00:00Z to 2026-01-01 05:30:00Z (1 h 30 min)
  and 2 more

would not have fired: GpuXidCritical

GpuLost cannot be evaluated: execution: no

GpuTemperatureHigh: temperature_warning against the number of alerts
  83 °C |######################################## 20 on 2, 1 d 6 h
> 85 °C |############## 7 on 2, 10 h 30 min
  87 °C |######## 4 on 2, 6 h
  89 °C | 0
  for at most 2 a week set alerts.temperature_warning: 87 (it gives 2)
"""


def test_the_text() -> None:
    assert "\n".join(lines(REPORT)) + "\n" == TEXT


def test_what_began_before_and_what_goes_on_is_said() -> None:
    begun = Firing({"node": "a"}, Incident(START, START + 60, before=True, open=True))
    report = replace(REPORT, outcomes={"GpuLost": Outcome((begun,), WEEK)}, refused={}, varied=())
    assert "  a  before the period to still firing (1 min)" in list(lines(report))


def test_many_silent_alerts_fit_a_terminal() -> None:
    silent = {f"GpuAlertNumber{n}": outcome(0) for n in range(40)}
    text = list(lines(replace(REPORT, outcomes=silent, refused={}, varied=())))[3:]
    assert max(map(len, text)) <= 80
    assert " ".join(" ".join(text).split()).endswith(", ".join(silent))


def test_where_nothing_fits_the_least_is_named() -> None:
    varied = replace(REPORT.varied[0], tried=REPORT.varied[0].tried[:3])
    text = "\n".join(lines(replace(REPORT, varied=[varied], wanted=1)))
    assert "no value that was tried gives 1 a week or fewer; the least is 2 with alerts.temperature_warning: 87" in text


def test_the_data_is_json_and_has_every_firing() -> None:
    found = json.loads(json.dumps(data(REPORT)))
    alerts = {alert["alert"]: alert for alert in found["alerts"]}
    assert "GpuLost" not in alerts
    assert len(alerts["GpuTemperatureHigh"]["firings"]) == 7
    assert alerts["GpuTemperatureHigh"]["firings"][1] == {
        "place": "a/1",
        "labels": {"node": "a", "gpu": "1"},
        "fired": START + 3600,
        "ended": START + 9000,
        "before": False,
        "open": False,
    }
    (threshold,) = found["thresholds"]
    assert (threshold["present"], threshold["suggested"]) == (85, 87)
    assert [each["count"] for each in threshold["values"]] == [20, 7, 4, 0]


def test_the_picture_has_a_bar_for_each_value() -> None:
    root = ElementTree.fromstring(svg(REPORT))
    bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("x")]
    widths = [float(bar.get("width", "")) for bar in bars]
    assert widths == pytest.approx([570, 199.5, 114, 0])
    assert len({bar.get("fill") for bar in bars}) == 2
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "GpuTemperatureHigh: temperature_warning against the number of alerts" in texts
    assert "85 °C" in texts


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (90, "1 min 30 s"), (7260, "2 h 1 min"), (1_000_000, "11 d 13 h")]
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert span(seconds) == text
