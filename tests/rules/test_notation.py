"""Scenarios in promtool's notation, and signals in an exporter's spelling."""

from __future__ import annotations

import pytest

from builder.catalog.profiles import GPU_PROFILES, PROFILES
from builder.rules.scenarios.promtool import notation
from builder.rules.scenarios.spelling import written
from builder.rules.scenarios.world import World

CARD = next(e for e in World().entities() if e.kind == "card").labels
PROCESS = next(e for e in World().entities() if e.kind == "process").labels


@pytest.mark.parametrize(
    ("samples", "text"),
    [
        ([1.0, 1.0, 1.0], "1x2"),
        ([1.0, 3.0, 5.0, 4.0], "1+2x2 4"),
        ([5.0, 3.0, 1.0], "5-2x2"),
        ([None, None, 1.0], "_x2 1"),
        ([1.0, None, 1.0], "1 stale 1"),
        ([1.0, None, None, None, 2.0, 2.0], "1 stale _x2 2x1"),
        ([0.5], "0.5"),
    ],
)
def test_samples_are_written_as_runs(samples: list[float | None], text: str) -> None:
    assert " ".join(notation(samples)) == text


def test_a_signal_is_written_in_the_exporters_unit_and_labels() -> None:
    way = written(GPU_PROFILES["dcgm"], "memory_used", CARD)
    assert way is not None
    assert (way.name, way.value(1024**3)) == ("DCGM_FI_DEV_FB_USED", 1024)
    assert dict(way.labels) == {
        "cluster": "east",
        "Hostname": "gpu-node-1",
        "gpu": "0",
        "UUID": CARD["uuid"],
        "modelName": CARD["model"],
        "exported_namespace": "research",
        "exported_pod": "train-0",
        "exported_container": "main",
    }


def test_the_other_spelling_is_that_of_an_upgraded_exporter() -> None:
    way = written(GPU_PROFILES["dcgm"], "temperature", CARD, other=True)
    assert way is not None
    assert {"hostname", "uuid", "pod", "namespace", "container"} <= {name for name, _ in way.labels}


def test_what_an_info_series_carries_is_on_no_other() -> None:
    smi = GPU_PROFILES["nvidia-smi"]
    value, info = written(smi, "temperature", CARD), written(smi, "device_info", CARD)
    assert value is not None and info is not None
    assert {name for name, _ in value.labels} == {"cluster", "instance", "uuid"}
    assert {"index", "name"} <= {name for name, _ in info.labels}
    assert dict(value.labels)["instance"] == "gpu-node-1:9835"


def test_a_state_is_a_bit_of_the_mask() -> None:
    way = written(GPU_PROFILES["dcgm"], "throttle_sw_thermal", CARD)
    assert way is not None and (way.value(1), way.value(0)) == (32, 0)


def test_a_process_names_its_card_where_its_memory_is_told_and_not_elsewhere() -> None:
    memory = written(PROFILES["probe"], "framework_memory_in_use", PROCESS)
    steps = written(PROFILES["probe"], "steps", PROCESS)
    assert memory is not None and "uuid" in dict(memory.labels)
    assert steps is not None and "uuid" not in dict(steps.labels)
