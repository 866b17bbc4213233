"""From a card's temperature to a person: exporter, Prometheus, Alertmanager, receiver, all of them real."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from builder.promql.expr import aggregate, selector
from builder.rules.alertmanager import unguaranteed
from builder.rules.model import AlertRule, Group, Severity
from builder.rules.stages import Stage, marked
from builder.testing import Alertmanager, Notification, Prometheus, WebhookReceiver, static_target
from tests.rules.alertmanager.settings import settings, written

pytestmark = pytest.mark.live

CARD = ("node", "gpu", "uuid")
LABELS = {"scope": "card"}
TEMPERATURE = aggregate("max", selector("temperature"), by=CARD)
GROUP = Group(
    "heat",
    (
        AlertRule("Hot", TEMPERATURE.above(85), Severity.WARNING, labels=LABELS),
        AlertRule(
            "Burning",
            TEMPERATURE.above(90),
            Severity.CRITICAL,
            labels=LABELS,
            annotations={"summary": "GPU {{ $labels.gpu }} is at {{ $value }} C"},
        ),
        AlertRule("GpuLost", aggregate("max", selector("lost"), by=CARD), Severity.CRITICAL, labels=LABELS),
    ),
    interval=1,
)


def series(name: str, gpu: int, value: int) -> str:
    return f'{name}{{node="n1",gpu="{gpu}",uuid="GPU-{gpu}"}} {value}\n'


EXPOSED = "".join(
    (
        *(series("temperature", gpu, 60) for gpu in range(2)),
        *(series("temperature", gpu, 88) for gpu in range(2, 4)),
        *(series("temperature", gpu, 95) for gpu in range(4, 8)),
        series("lost", 7, 1),
    )
)


def rule_file(stage: Stage) -> str:
    (group,) = groups = marked((GROUP,), stage)
    assert unguaranteed(groups) == []
    rules = [
        {
            "alert": rule.alert,
            "expr": rule.expr.text,
            "labels": {"severity": rule.severity.value, **rule.labels},
            "annotations": dict(rule.annotations),
        }
        for rule in group.rules
        if isinstance(rule, AlertRule)
    ]
    return json.dumps({"groups": [{"name": group.name, "interval": f"{group.interval}s", "rules": rules}]})


EXPECTED: dict[Stage, dict[tuple[str, str], list[str]]] = {
    Stage.OBSERVE: {},
    Stage.FULL: {
        ("/pager", "critical"): ["Burning", "Burning", "Burning", "GpuLost"],
        ("/chat", "warning"): ["Hot", "Hot"],
    },
}
"""Who is told of which alerts in one message, by path and severity."""


def _groups(told: Sequence[Notification]) -> dict[tuple[str, str], list[str]]:
    return {(n.path, n.group["severity"]): n.names() for n in told if n.path != "/desk"}


def _await(happened: Callable[[], bool], timeout: float = 60) -> None:
    deadline = time.monotonic() + timeout
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("stage", EXPECTED)
def test_the_stage_says_who_is_told_of_what(stage: Stage, tmp_path: Path) -> None:
    with WebhookReceiver() as people:
        chosen = settings(
            f"""
            alertmanager:
              pager: on-call
              chat: team
              other: desk
              group_wait: 3s
              receivers:
                on-call: {{webhook: {{url: "{people.url}/pager"}}}}
                team: {{webhook: {{url: "{people.url}/chat"}}}}
                desk: {{webhook: {{url: "{people.url}/desk"}}}}
            """
        )
        target = static_target(EXPOSED, job="gpu", instance="n1:9400")
        with (
            Alertmanager(written(chosen, tmp_path)) as alertmanager,
            Prometheus([target], rules=rule_file(stage), alertmanager=alertmanager.url) as prometheus,
        ):
            _await(lambda: len(alertmanager.alerts()) == 11)  # 6 hot, of which 4 burn, and one lost
            recorded = prometheus.client.instant('count by (alertname) (ALERTS{alertstate="firing"})', time.time())
            # Another's alert, later than ours: when it has arrived, what we are told of has, too.
            people.wait(lambda seen: _groups(seen).keys() >= EXPECTED[stage].keys())
            alertmanager.fire([{"alertname": "Fence"}])
            told = people.wait(lambda seen: any(n.path == "/desk" for n in seen))
            inhibited = alertmanager.inhibited()
    assert {s.labels["alertname"]: s.last for s in recorded} == {"Hot": 6, "Burning": 4, "GpuLost": 1}
    # Cards 4 to 6 burn, which says more than hot; card 7 is lost, which says more than either.
    assert inhibited == ["Burning", "Hot", "Hot", "Hot", "Hot"]
    assert _groups(told) == EXPECTED[stage]
    assert len(told) == len(EXPECTED[stage]) + 1
