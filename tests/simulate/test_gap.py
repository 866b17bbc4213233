"""The gap on a simulated fleet: what was planted on a card is what its parts say."""

from __future__ import annotations

from contextlib import closing

import pytest
from pytest import approx

from builder.build import context_of
from builder.config import Config
from builder.queries import gap, memory
from builder.queries.question import Question
from builder.simulate import Fleet, history, truth
from builder.simulate.model.hardware import MIB
from builder.simulate.model.memory import CONTEXT
from builder.testing import Client, Prometheus

pytestmark = pytest.mark.live

PARTS = (gap.pool_slack, gap.beside_pools, gap.other_processes, gap.gap_rest)
GIB = 2**30
FAULTS = ("slack:node-0/gpu-0", "foreign:node-0/gpu-1", "leak=2:node-0/gpu-2@10m", "foreign=3:node-1/gpu-0")
Answers = dict[Question, dict[tuple[str, str], float]]


def _answers(fleet: Fleet, at: float) -> Answers:
    source = context_of(Config(profile=fleet.profile, training="probe")).source(())
    with Prometheus(history=history(fleet, begin=at - 300, end=at)) as server, closing(Client(server.url)) as client:
        return {
            question: {
                (series.labels["node"], series.labels["gpu"]): series.last
                for series in client.instant(question.ask(source).text, at)
            }
            for question in (memory.memory_gap, *PARTS)
        }


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ({"profile": "nvidia-smi", "kubernetes": False}, "by process"),
        ({"profile": "nvidia-smi"}, "by number"),  # in pods, whose processes do not know their number on the host
        ({"profile": "nvidia-smi", "counters": "default"}, ""),
        ({"profile": "dcgm"}, ""),
        ({"profile": "dcgm", "faults": (*FAULTS, "duplicate-vgpu:*")}, "by pod"),
        ({"profile": "dcgm", "mig": ["node-1/gpu-1"], "kubernetes": False}, ""),
    ],
    ids=["processes", "processes-in-pods", "no-processes", "pods", "pods-that-share", "mig"],
)
def test_what_was_planted_is_what_the_parts_say(way: dict[str, object], told: str) -> None:
    fleet = Fleet(nodes=2, cards=4, steady=True, **{"faults": FAULTS, **way})  # type: ignore[arg-type]
    at = fleet.start + 3600
    answers = _answers(fleet, at)
    cards = [card for card in truth(fleet, at).cards if "framework_memory_in_use" in card.signals]
    assert len(cards) >= 5
    for card in cards:
        where, signals = (card.node, card.gpu), card.signals
        others = sum(GIB * {"foreign": 12, "duplicate-vgpu": 4}.get(kind, 0) for kind in card.faults)
        if where == ("node-1", "0"):
            others -= 9 * GIB  # its process of nobody's holds 3 GiB
        pool_told = "framework_memory_pool" in signals
        pool = signals["framework_memory_pool" if pool_told else "framework_memory_peak"]
        expected = {memory.memory_gap: signals["memory_used"] - signals["framework_memory_in_use"]}
        expected[gap.pool_slack] = pool - signals["framework_memory_in_use"]
        known = told and (told != "by number" or not others)
        if known:
            expected[gap.other_processes] = others
        if known and pool_told:
            expected[gap.beside_pools] = CONTEXT * MIB
        expected[gap.gap_rest] = expected[memory.memory_gap] - sum(expected.get(part, 0) for part in PARTS)
        found = {question: values[where] for question, values in answers.items() if where in values}
        assert found == approx(expected, abs=1), where
        assert min(found.values()) >= 0
    assert all(set(values) <= {(c.node, c.gpu) for c in cards} for values in answers.values())
    frameworks = {"framework_memory_pool" in card.signals for card in cards}
    assert frameworks == {True, False}, "both kinds of frameworks are looked at"
