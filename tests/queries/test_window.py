"""What rules ask: no window of Grafana's is left, and nothing else is different."""

from __future__ import annotations

import pytest

from builder.catalog.profiles import GPU_PROFILES
from builder.errors import SignalMissing
from builder.promql.expr import RATE_INTERVAL
from builder.queries.raw import RawSource
from tests.queries.asking import questions, source


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_every_question_has_the_same_answer_but_for_the_window(profile: str) -> None:
    plain = source(profile, filters=())
    compared = 0
    for question in questions().values():
        try:
            expected, answer = question.ask(plain).text, question.ask(plain.with_window("10m")).text
        except SignalMissing:
            continue
        compared += 1
        assert answer == expected.replace(RATE_INTERVAL, "10m"), question
    assert compared > 40


def test_an_identity_is_remembered_where_a_rule_asks() -> None:
    exporter = GPU_PROFILES["nvidia-smi"]
    text = RawSource(exporter, remembers="5m").over_time("avg", "utilisation", "10m").text
    assert "last_over_time(nvidia_smi_gpu_info[5m])" in text
    assert "last_over_time" not in RawSource(exporter).over_time("avg", "utilisation", "10m").text
