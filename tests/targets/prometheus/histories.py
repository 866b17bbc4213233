"""A simulated fleet's history with planted trouble, and the same as input of promtool's rule tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from builder.backtest import Candidate
from builder.rules.encode import rule_file
from builder.rules.model import Group
from builder.simulate import Fleet, history

FLEET = Fleet(
    nodes=2,
    cards=2,
    job_hours=8,
    start=0.0,  # when the time of promtool's rule tests begins
    faults=[
        "hot:node-0/gpu-1@65m+20m",
        "hot:node-0/gpu-1@88m+10m",  # while the first alert is kept
        "hot:node-0/gpu-1@130m+25m",  # beyond the end
        "hot=93:node-1/gpu-0@70m+15m",
        "xid:node-0/gpu-0@80m",
        "exporter-down:node-1@100m+25m",
    ],
)
END = 9000.0
STEP = 30

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")


def written() -> str:
    """The whole history."""
    return history(FLEET, begin=0, end=END, interval=STEP)


def promtool_files(text: str, candidates: tuple[Candidate, ...], firing: dict[float, list[str]]) -> dict[str, str]:
    """The rules, and a test that exactly these alerts fire at these times, on what the history holds."""
    rules = [rule for candidate in candidates for rule in candidate.rules]
    names = {name for rule in rules for name in _NAME.findall(rule.expr.text)}
    test = {
        "interval": f"{STEP}s",
        "input_series": list(_input(text, names)),
        "promql_expr_test": [
            {
                "expr": 'ALERTS{alertstate="firing"}',
                "eval_time": f"{at:.0f}s",
                "exp_samples": [{"labels": labels, "value": 1} for labels in alerts],
            }
            for at, alerts in firing.items()
        ],
    }
    content = {"rule_files": ["rules.yml"], "evaluation_interval": f"{STEP}s", "tests": [test]}
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    groups = [Group(f"group-{n}", (rule,)) for n, rule in enumerate(rules)]
    return {"rules.yml": rule_file(groups), "test.yml": yaml.dump(content, Dumper=dumper, width=10**9)}


def _input(text: str, names: set[str]) -> Iterator[dict[str, str]]:
    """Each series of these names, with ``_`` where a scrape has none of it."""
    series: dict[str, dict[int, str]] = {}
    for line in text.splitlines():
        if line.partition("{")[0] in names:
            name, value, at = line.rsplit(" ", 2)
            series.setdefault(name, {})[round(float(at) / STEP)] = value
    for name, values in series.items():
        yield {"series": name, "values": " ".join(values.get(n, "_") for n in range(max(values) + 1))}
