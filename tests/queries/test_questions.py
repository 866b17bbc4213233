"""Every question, for every profile and training side: it parses, and it is what it says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from promql_parser import VectorSelector, walk

from builder.catalog.model import Profile
from builder.catalog.profiles import GPU_PROFILES, PROFILES, TRAINING_PROFILES
from builder.catalog.signals import SIGNALS
from builder.errors import SignalMissing
from builder.promql.expr import Expr
from builder.promql.parse import parse
from builder.queries.source import Source
from tests.promql.tree import labels_of
from tests.queries.asking import MADE, PARTS, makers, questions, source
from tests.queries.promises import PROMISES

OF_NODES = (
    "telemetry.missing_cards",
    "telemetry.oldest_sample",
    "telemetry.sample_age",
    "telemetry.silent_node_count",
    "telemetry.silent_nodes",
)
"""Questions about whole nodes, whichever cards are chosen."""

OF_EVERY_CARD = (
    *OF_NODES,
    "events.vanished_cards(3m)",
    "extremes.highest(sample_age, 20)",
    "inventory.lost_card_count",
    "inventory.lost_cards",
    "inventory.node_lost_cards",
)
"""Those, and the questions that look for chosen cards among all that are there."""

SOURCES = [pytest.param(p, t, id=f"{p}-{t}") for p, t in product(GPU_PROFILES, ("none", *TRAINING_PROFILES))]
each_source = pytest.mark.parametrize(("profile", "training"), SOURCES)


@cache
def _answers(profile: str, training: str) -> dict[str, Expr | SignalMissing]:
    asked = source(profile, training)
    answers: dict[str, Expr | SignalMissing] = {}
    for name, question in questions().items():
        try:
            answers[name] = question.ask(asked)
        except SignalMissing as missing:
            answers[name] = missing
    return answers


def _answered(profile: str, training: str) -> dict[str, Expr]:
    return {name: answer for name, answer in _answers(profile, training).items() if isinstance(answer, Expr)}


@cache
def _tree(text: str) -> Any:
    return parse(text)


@cache
def _selectors(text: str) -> list[tuple[set[str], dict[str, str]]]:
    """Of each selector in an expression: the metrics it reads, and what its matchers ask for."""
    return list(_read_selectors(_tree(text)))


def _read_selectors(tree: Any) -> Iterator[tuple[set[str], dict[str, str]]]:
    nodes: list[Any] = []
    walk(tree, nodes.append)
    for node in nodes:
        if isinstance(node, VectorSelector):
            # A label may be asked for twice: what it is, and that it is there.
            wanted: dict[str, str] = {}
            for matcher in node.matchers.matchers:
                wanted[matcher.name] = f"{wanted.get(matcher.name, '')} {matcher.value}".strip()
            yield {node.name} if node.name else set(wanted.pop("__name__").split("|")), wanted


def _exported(profile: Profile) -> set[str]:
    metrics = [metric for spelled in profile.signals.values() for metric in spelled]
    identity = {profile.identity.metric} if profile.identity else set()
    return identity | {name for metric in metrics for name in metric.sum_of or (metric.name,)}


def test_every_maker_of_questions_is_tried() -> None:
    assert makers() == {*MADE, *PARTS}
    assert all(question.help.endswith(".") for question in questions().values())


def test_every_question_promises_labels() -> None:
    assert sorted(questions()) == sorted(PROMISES)


@each_source
def test_it_parses_and_carries_the_labels_it_promises(profile: str, training: str) -> None:
    asked = source(profile, training)
    for name, answer in _answered(profile, training).items():
        promised = PROMISES[name](asked)
        assert answer.labels == promised, name
        assert labels_of(_tree(answer.text)) == promised, name


@each_source
def test_it_can_be_shown(profile: str, training: str) -> None:
    shown = {name: answer for name, answer in _answered(profile, training).items() if answer.window}
    assert shown == {}


@each_source
def test_every_selector_of_a_card_is_narrowed(profile: str, training: str) -> None:
    cards = GPU_PROFILES[profile]
    for name, answer in _answered(profile, training).items():
        for metrics, wanted in _selectors(answer.text):
            if not metrics <= _exported(cards):
                continue
            values = " ".join(wanted.values())
            assert "$cluster" in values, name
            assert "$node" in values, name
            carries_index = cards.identity is None or metrics == {cards.identity.metric}
            assert ("$gpu_id" in values) <= carries_index, name
            assert ("$gpu_id" in values) or not carries_index or name in OF_EVERY_CARD, name


def test_what_is_asked_of_every_card_is_not_narrowed_to_some() -> None:
    """A choice of cards says neither that a node is silent nor that it has fewer cards."""
    asked = _answered("dcgm", "none")
    assert [name for name in OF_NODES if "$gpu_id" in asked[name].text] == []
    assert set(OF_EVERY_CARD) <= set(questions())


@each_source
def test_training_is_narrowed_by_its_card_alone(profile: str, training: str) -> None:
    """A training process calls its node and its card by names of its own."""
    side = PROFILES.get(training)
    for name, answer in _answered(profile, training).items():
        for metrics, wanted in _selectors(answer.text):
            if side and metrics <= _exported(side):
                assert "$cluster" in wanted.values(), name
                assert not {value for value in wanted.values() if "$node" in value or "$gpu" in value}, name


@each_source
def test_it_reads_no_other_exporters_metrics(profile: str, training: str) -> None:
    own = _exported(GPU_PROFILES[profile]) | _exported(PROFILES["node-exporter"])
    if training in PROFILES:
        own |= _exported(PROFILES[training])
    for name, answer in _answered(profile, training).items():
        assert {metric for metrics, _ in _selectors(answer.text) for metric in metrics} <= own, name


@each_source
def test_only_what_is_not_exported_is_missing(profile: str, training: str) -> None:
    asked = source(profile, training)
    for name, answer in _answers(profile, training).items():
        if isinstance(answer, SignalMissing):
            assert _is_missing(answer.signal, asked), f"{name}: {answer}"


def _is_missing(what: str, asked: Source) -> bool:
    if what == "pod labels":
        return not asked.has_label("pod")
    if what == "training_device_info by card":
        return "uuid" not in asked.card or not asked.has("training_device_info")
    if what.endswith(" by card"):
        return not set(asked.framework_key) <= set(asked.card)
    assert what in SIGNALS
    return not asked.has(what)


def test_a_device_exporter_alone_answers_what_only_needs_its_signals() -> None:
    """What the sides of a fleet have to do with each other: a training side adds answers and takes none away."""
    for profile in GPU_PROFILES:
        alone = set(_answered(profile, "none"))
        for training in TRAINING_PROFILES:
            assert alone <= set(_answered(profile, training))


@pytest.mark.parametrize(("profile", "training"), [("dcgm", "probe"), ("dcgm-4.9", "probe"), ("nvidia-smi", "probe"),
                                                   ("nv-gpu", "tf-snippet"), ("nvidia-gpu", "tf-snippet")])  # fmt: skip
def test_training_joins_cards_by_itself(profile: str, training: str) -> None:
    gap = questions()["memory.memory_gap"]
    assert gap.ask(source(profile, "auto")) == gap.ask(source(profile, training))
