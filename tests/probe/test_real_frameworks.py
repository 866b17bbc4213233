"""Real TensorFlow, Keras, JAX and PyTorch on the CPU: nothing early, nothing changed, the right numbers."""

from __future__ import annotations

from typing import Any

import pytest

from builder.testing import Sample, parse_exposition
from tests.probe import frameworks
from tests.probe.conftest import errors, values

STEPS, RECORDS = 32, 1024  # 2 epochs of 512 records in batches of 32


@pytest.fixture(scope="module")
def keras() -> dict[str, Any]:
    """What the Keras script saw."""
    frameworks.require("tensorflow")
    return frameworks.run("keras_fit.py")


def told(document: dict[str, Any], key: str) -> tuple[Sample, ...]:
    """A scrape that the script made."""
    return parse_exposition(document[key])


def test_a_scrape_before_the_training_makes_no_context(keras: dict[str, Any]) -> None:
    """The script changes what cannot be changed afterwards, and would have failed."""
    assert {s.name for s in told(keras, "before_context")} == {"train_job_info"}


def test_keras_learns_the_same_with_the_callback(keras: dict[str, Any]) -> None:
    assert keras["watched"] == keras["plain"]
    assert keras["executions"] == keras["executions_plain"]


def test_kerass_steps_records_and_phases(keras: dict[str, Any]) -> None:
    samples = told(keras, "after_one_fit")
    assert values(samples, "train_steps_total", framework="tensorflow", rank="0") == [STEPS]
    assert values(samples, "train_records_total") == [RECORDS]
    assert values(samples, "tfr_records_processed_total") == [RECORDS]
    # The first step compiled.
    assert values(samples, "train_step_duration_seconds_count") == [STEPS - 1]
    (seconds,) = values(samples, "train_step_duration_seconds_sum")
    assert 0 < seconds < 60
    spent = {s.labels["phase"]: s.value for s in samples if s.name == "train_phase_seconds_total"}
    assert spent["checkpoint"] == 0
    assert min(spent[phase] for phase in ("train", "evaluate", "compile")) > 0
    assert spent["train"] >= seconds
    assert values(samples, "train_in_progress") == [0]
    assert not errors(samples)


def test_executions_of_several_steps_are_counted_in_steps(keras: dict[str, Any]) -> None:
    samples = told(keras, "after_two_fits")
    assert values(samples, "train_steps_total") == [2 * STEPS]
    assert values(samples, "train_records_total") == [2 * RECORDS]
    assert not errors(samples)


def test_the_memory_is_what_tensorflow_says(keras: dict[str, Any]) -> None:
    samples = told(keras, "after_two_fits")
    own = {"framework": "tensorflow", "device": "CPU:0", "rank": "0"}
    assert values(samples, "train_device_memory_in_use_bytes", **own) == [keras["info"]["current"]]
    assert values(samples, "train_device_memory_peak_bytes", **own) == [keras["info"]["peak"]]
    assert keras["info"]["current"] >= 4 << 20
    names = {s.name for s in samples}
    assert "train_device_memory_limit_bytes" not in names  # a CPU has none that means anything
    assert "train_device_info" not in names


def test_faults_of_tensorflow_change_nothing_and_are_counted(keras: dict[str, Any]) -> None:
    assert keras["faults"] == [keras["plain"]] * 4
    samples = told(keras, "after_faults")
    assert errors(samples) == {"tensorflow": 3}
    assert values(samples, "train_steps_total") == [5 * STEPS]
    assert values(samples, "train_device_memory_in_use_bytes") != []  # it answers again


def test_a_tensorflow_that_hangs_costs_its_memory_alone_and_answers_again(keras: dict[str, Any]) -> None:
    hanging, after = told(keras, "while_it_hangs"), told(keras, "after_the_hang")
    assert errors(hanging)["framework"] >= 2
    assert values(hanging, "train_steps_total") == [STEPS]
    assert values(hanging, "train_device_memory_in_use_bytes") == []
    assert values(after, "train_device_memory_in_use_bytes") != []


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_keras_on_other_backends(backend: str) -> None:
    frameworks.require("keras")
    frameworks.require(backend, in_ci=backend == "jax")
    seen = frameworks.run("keras_backend.py", KERAS_BACKEND=backend)
    assert seen["watched"] == seen["plain"]
    # A callback that is not known to be safe makes Keras wait for the device at every step.
    assert seen["asynchronous"] is True
    samples = told(seen, "after")
    name = {"jax": "jax", "torch": "pytorch"}[backend]
    assert values(samples, "train_steps_total", framework=name) == [STEPS]
    assert values(samples, "train_records_total") == [RECORDS]
    assert not errors(samples)


@pytest.mark.parametrize(
    ("script", "module", "name"), [("jax_loop.py", "jax", "jax"), ("torch_loop.py", "torch", "pytorch")]
)
def test_a_loop_by_hand_on_other_frameworks(script: str, module: str, name: str) -> None:
    frameworks.require(module, in_ci=module == "jax")
    seen = frameworks.run(script)
    assert seen["initialised"] is False  # no backend of JAX before the training, no CUDA at all for PyTorch's CPU
    assert {s.name for s in told(seen, "before")} == {"train_job_info"}
    assert seen["watched"] == seen["plain"]
    samples = told(seen, "after")
    assert values(samples, "train_steps_total", framework=name) == [10]
    assert values(samples, "train_records_total") == [40]
    (waited,) = values(samples, "train_input_wait_seconds_total")
    assert 0 <= waited < 60
    assert not [s for s in samples if s.name.startswith("train_device_")]  # neither tells of a CPU
    assert not errors(samples)
