"""The rules of each level: what they read, which labels they promise, and that promtool takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.build import feeds_of
from builder.catalog.model import Scope
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, parse
from builder.errors import ConfigError
from builder.promql.expr import OPEN
from builder.queries.records import device_record, pod_record, process_record, signals_of
from builder.queries.source import Filter
from builder.rule_files import build_rules, rule_groups
from builder.rules.model import RecordingRule
from builder.rules.recording import STORE, for_rules, recorded
from builder.targets.promtool import check_rules

ROOT = Path(__file__).parents[3]
_NAME = re.compile(r"(?<![\w:])(?:gpu|pod|process|node|namespace|job|cluster)(?::[a-z]\w*)+")


def rules(config: Config) -> Iterator[tuple[str, RecordingRule]]:
    for level, groups in rule_groups(config).items():
        for group in groups:
            yield from ((level, rule) for rule in group.rules if isinstance(rule, RecordingRule))


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_a_level_reads_levels_before_it_only(profile: str) -> None:
    known: set[str] = set()
    for _, rule in rules(Config(profile=profile)):
        assert set(_NAME.findall(rule.expr.text)) <= known, rule.record
        known.add(rule.record)


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_only_the_device_level_reads_an_exporter_of_cards(profile: str) -> None:
    feeds = feeds_of(Config(profile=profile))
    exported = {m.name for p in (feeds.raw.gpu, feeds.training) if p for ms in p.signals.values() for m in ms}
    for level, rule in rules(Config(profile=profile)):
        reads = bool(exported & set(re.findall(r"\w+", rule.expr.text)))
        assert reads == (level == "device" and not rule.record.startswith("node:")), rule.record


def test_no_rule_knows_a_variable() -> None:
    assert [rule.record for _, rule in rules(Config()) if "$__" in rule.expr.text] == []


def test_every_kept_answer_has_the_labels_that_it_promises() -> None:
    source = for_rules(feeds_of(Config()))
    for kept in STORE.kept.values():
        labels = kept.ask(source.of_devices()).labels
        assert labels == OPEN or labels == set(kept.labels) or {*labels, "mig"} == set(kept.labels), kept.name


def test_every_answer_reads_series_that_have_what_narrows_it() -> None:
    feeds = feeds_of(Config())
    for question, answer in STORE.answers.items():
        filters = tuple(Filter(label, f"${label}") for label in answer.narrow)
        text = question.ask(recorded(feeds, filters)).text
        assert set(_NAME.findall(text)) <= STORE.kept.keys(), question
        for selected in re.findall(r"\{[^}]*\}", text.replace("$", "")):
            of_cluster = '__name__=~"cluster:' in selected
            narrowed = [label for label in answer.narrow if f'{label}=~"{label}"' in selected]
            assert narrowed == (["cluster"] if of_cluster else list(answer.narrow)), (question, selected)


def test_names_are_unique() -> None:
    devices = [record for s in signals_of(Scope.BOARD, Scope.INSTANCE) for record in (device_record(s), pod_record(s))]
    names = [record.name for record in devices if record] + list(STORE.kept)
    assert len(names) == len(set(names))
    assert process_record(signals_of(Scope.NODE)[0], feeds_of(Config()).training) is None  # type: ignore[arg-type]


@pytest.mark.live
@pytest.mark.parametrize(
    "text", [f"profile: {name}" for name in GPU_PROFILES] + ["recording: {also: [nvidia-smi, nv-gpu]}"]
)
def test_promtool_takes_them(text: str) -> None:
    config = parse(text, "test")
    assert check_rules({artifact.path: artifact.content for artifact in build_rules(config)}) == ()


def test_what_is_committed_is_what_is_built() -> None:
    folder = ROOT / "provisioning/prometheus/rules"
    for artifact in build_rules(Config()):
        assert (folder / artifact.path).read_bytes() == artifact.content, "run scripts/golden and review the diff"


def test_values_that_come_too_rarely_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"profiles.dcgm.interval is 120 s"):
        rule_groups(parse("profiles: {dcgm: {interval: 120}}", "test"))
