"""Counters, phases and times of the loop, as a scrape sees them."""

from __future__ import annotations

import sys
import time

import pytest

from builder.probe import Probe
from builder.probe.loop import Loop
from tests.probe.conftest import Start, errors, samples_of, text_of, values


def test_before_training_begins_only_the_job_is_told(begin: Start) -> None:
    names = {s.name for s in samples_of(begin())}
    assert names == {"train_job_info"}


def test_a_loop_by_hand_counts_what_it_did(begin: Start) -> None:
    probe = begin(buckets=[0.1, 1.0], framework="pytorch", rank=3, job="resnet", model_version="v7")
    before = time.time()
    with probe.training():
        running = samples_of(probe)
        probe.step(records=32, seconds=0.05)
        probe.step(records=32, seconds=0.5)
        probe.step(records=16, seconds=2.0)
    told = samples_of(probe)
    own = {"framework": "pytorch", "rank": "3", "training_job": "resnet", "model_version": "v7"}

    def one(name: str, **labels: str) -> float:
        (value,) = values(told, name, **own, **labels)
        return value

    assert values(running, "train_in_progress") == [1]
    assert one("train_in_progress") == 0
    assert one("train_steps_total") == 3
    assert one("train_records_total") == 80
    assert one("train_step_duration_seconds_bucket", le="0.1") == 1
    assert one("train_step_duration_seconds_bucket", le="1.0") == 2
    assert one("train_step_duration_seconds_bucket", le="+Inf") == 3
    assert one("train_step_duration_seconds_count") == 3
    assert one("train_step_duration_seconds_sum") == pytest.approx(2.55)
    stamps = [one(f"train_{what}_timestamp_seconds") for what in ("start", "last_step", "end")]
    assert before <= stamps[0] <= stamps[1] <= stamps[2] <= time.time()
    assert not errors(told)


def test_what_was_never_told_is_absent_and_not_zero(begin: Start) -> None:
    probe = begin()
    probe.begin()
    probe.step()
    names = {s.name for s in samples_of(probe)}
    absent = {"train_records_total", "train_input_wait_seconds_total", "train_checkpoints_total", "train_global_step"}
    assert not names & (absent | {"train_end_timestamp_seconds", "train_device_memory_in_use_bytes"})


def test_the_first_step_without_a_beginning_is_counted_and_not_timed() -> None:
    probe = Probe(_settings())
    probe.step()
    assert (probe.loop.steps, sum(probe.loop.in_bucket)) == (1, 0)
    probe.step()
    assert (probe.loop.steps, sum(probe.loop.in_bucket)) == (2, 1)
    assert probe.loop.active


def test_waiting_for_input_is_measured_and_the_batches_are_the_same(begin: Start) -> None:
    probe = begin()

    def slow() -> list[int]:
        time.sleep(0.02)
        return [1, 2]

    class Loader:
        batch_size = 7

        def __len__(self) -> int:
            return 2

        def __iter__(self):
            yield slow()
            yield slow()

    batches = probe.batches(Loader())
    assert (len(batches), batches.batch_size, list(batches), list(batches)) == (2, 7, [[1, 2]] * 2, [[1, 2]] * 2)
    with probe.input_wait():
        time.sleep(0.02)
    probe.begin()
    (waited,) = values(samples_of(probe), "train_input_wait_seconds_total")
    assert 0.1 <= waited < 2


def test_an_error_of_the_input_goes_through_and_its_wait_is_over(begin: Start) -> None:
    def broken():
        yield 1
        raise OSError("the disk is gone")

    probe, seen = begin(), []
    with pytest.raises(OSError, match="the disk is gone"), probe.training():
        for batch in probe.batches(broken()):
            seen.append(batch)
    assert seen == [1]
    assert values(samples_of(probe), "train_in_progress") == [0]


def test_time_in_other_phases_is_no_part_of_a_step() -> None:
    probe = Probe(_settings())
    probe.begin()
    with probe.phase("evaluate"):
        time.sleep(0.05)
    with probe.checkpoint():
        time.sleep(0.05)
    probe.step()
    assert probe.loop.step_seconds < 0.04
    seconds = probe.loop.phase_seconds()
    assert seconds["evaluate"] >= 0.05
    assert seconds["checkpoint"] >= 0.05
    assert seconds["train"] < 0.04
    assert (probe.loop.checkpoints, probe.loop.phase) == (1, "train")


def test_a_checkpoint_that_fails_is_none() -> None:
    probe = Probe(_settings())
    probe.begin()
    with pytest.raises(OSError), probe.checkpoint():
        raise OSError("no space left")
    assert (probe.loop.checkpoints, probe.loop.phase) == (0, "train")


def test_the_step_that_compiled_is_no_measure_of_a_step() -> None:
    probe = Probe(_settings())
    probe.begin()
    with probe.phase("compile"):
        probe.step()
    probe.step()
    assert (probe.loop.steps, sum(probe.loop.in_bucket)) == (2, 0)
    probe.step()
    assert sum(probe.loop.in_bucket) == 1


def test_the_phase_is_one_of_four_or_none_while_no_training_runs(begin: Start) -> None:
    probe = begin()

    def phases() -> list[str]:
        return [s.labels["phase"] for s in samples_of(probe) if s.name == "train_phase" and s.value == 1]

    with probe.training():
        assert phases() == ["train"]
        with probe.phase("evaluate"):
            assert phases() == ["evaluate"]
    assert phases() == []


def test_time_in_a_phase_never_goes_back_between_scrapes() -> None:
    loop = Loop()
    loop.begin()
    last = 0.0
    for _ in range(2000):
        loop.leave("evaluate", loop.enter("evaluate"), 0.0)
        now = loop.phase_seconds()["train"]
        assert now >= last
        last = now


def test_a_resumed_job_counts_its_own_steps_and_tells_the_global_one(begin: Start) -> None:
    probe = begin(initial_step=36_000)
    probe.begin()
    probe.step()
    told = samples_of(probe)
    assert values(told, "train_steps_total") == [1]  # starts anew, as rate() expects of a counter
    assert values(told, "train_global_step") == [36_001]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda probe: probe.step(records="many"),
        lambda probe: probe.step(records=-1),
        lambda probe: probe.step(records=1.5),
        lambda probe: probe.step(seconds=float("nan")),
        lambda probe: probe.step(seconds=-1),
        lambda probe: probe.phase("lunch").__enter__(),
    ],
)
def test_a_wrong_call_is_counted_and_raises_nothing(begin: Start, wrong, caplog: pytest.LogCaptureFixture) -> None:
    probe = begin()
    probe.begin()
    wrong(probe)
    wrong(probe)
    told = samples_of(probe)
    assert errors(told) == {"loop": 2}
    assert values(told, "train_steps_total") == [0]
    assert len(caplog.records) == 1  # logged once


def test_the_body_of_an_unknown_phase_still_runs() -> None:
    probe, ran = Probe(_settings()), []
    with probe.phase("lunch"):
        ran.append(1)
    assert ran == [1]


def test_the_snippets_names_are_exported_for_tensorflow_alone(begin: Start) -> None:
    probe = begin(framework="tensorflow")
    probe.begin()
    probe.step(records=8)
    time.sleep(1.05)
    told = samples_of(probe)
    assert values(told, "tfr_records_processed_total") == [8]
    (rate,) = values(told, "tfr_steps_per_second")
    assert 0.1 < rate < 1
    probe.stop()
    other = begin(framework="jax")
    other.begin()
    other.step(records=8)
    assert "tfr_" not in text_of(other)


@pytest.mark.parametrize("accept", ["text/plain;version=0.0.4", "application/openmetrics-text;version=1.0.0"])
def test_both_formats_are_spoken(begin: Start, accept: str) -> None:
    probe = begin()
    probe.begin()
    probe.step(records=1)
    text = text_of(probe, Accept=accept)
    assert 'train_steps_total{rank="0"} 1.0' in text
    assert text.endswith("# EOF\n") == ("openmetrics" in accept)


def test_a_callback_without_keras_is_counted_and_does_nothing(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keras", None)
    probe = begin()
    probe.keras_callback(batch_size=8).on_train_batch_end(3, logs={})
    assert errors(samples_of(probe)) == {"keras": 1}


def _settings():
    from builder.probe.options import Settings

    return Settings()
