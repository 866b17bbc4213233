"""What start() is told, and what it says of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.probe.options import Settings, settle
from tests.probe.conftest import Start, samples_of, values


def test_arguments_beat_the_environment_and_the_environment_beats_the_defaults() -> None:
    environ = {"GPUBOARDS_PROBE_PORT": "9500", "GPUBOARDS_PROBE_HOST": "0.0.0.0", "GPUBOARDS_PROBE_JOB": ""}
    settings, mistakes = settle({"port": 9600}, environ)
    assert (settings.port, settings.host, settings.job, mistakes) == (9600, "0.0.0.0", "", [])


def test_every_option_but_the_registry_can_come_from_the_environment() -> None:
    environ = {
        "PORT": "none",
        "HOST": "::",
        "ADVERTISE": "gpu-node-01",
        "JOB": "resnet",
        "MODEL_VERSION": "v7",
        "FRAMEWORK": "jax",
        "RANK": "3",
        "LOCAL_RANK": "1",
        "INITIAL_STEP": "10",
        "CARDS": "GPU:0=GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b",
        "BUCKETS": "0.5,1",
        "CERTIFICATE": "c.pem",
        "KEY": "k.pem",
        "USERNAME": "u",
        "PASSWORD": "p",
        "PASSWORD_FILE": "f",
        "FILE_SD": "/sd",
        "GATEWAY": "http://gateway:9091/",
        "GATEWAY_INTERVAL": "30",
        "TIMEOUT": "1.5",
    }
    settings, mistakes = settle({}, {f"GPUBOARDS_PROBE_{name}": value for name, value in environ.items()})
    assert mistakes == []
    expected = Settings(
        port=None,
        host="::",
        advertise="gpu-node-01",
        job="resnet",
        model_version="v7",
        framework="jax",
        rank=3,
        local_rank=1,
        initial_step=10,
        cards={"GPU:0": "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b"},
        buckets=(0.5, 1.0),
        certificate="c.pem",
        key="k.pem",
        username="u",
        password="p",
        password_file="f",
        file_sd="/sd",
        gateway="http://gateway:9091",
        gateway_interval=30.0,
        timeout=1.5,
    )
    assert settings == expected
    assert set(environ) == {name.upper() for name in Settings.__dataclass_fields__} - {"REGISTRY", "SEALED"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"prot": 9410}, "unknown option 'prot' (did you mean port?)"),
        ({"port": -1}, "port -1: must be from 0 to 65535"),
        ({"port": "http"}, "port 'http': "),
        ({"port": True}, "port True: is not a whole number"),
        ({"rank": "first"}, "rank 'first': "),
        ({"host": 1}, "host 1: is not a string"),
        ({"framework": "theano"}, "framework 'theano': must be tensorflow, pytorch or jax"),
        ({"buckets": [1, 0.5]}, "buckets [1, 0.5]: must rise"),
        ({"cards": "GPU:0"}, "cards 'GPU:0': must map device names to uuids"),
        ({"gateway": "pushgateway:9091"}, "gateway 'pushgateway:9091': must be an address like http://"),
        ({"timeout": 0}, "timeout 0: must be greater than 0"),
        ({"gateway_interval": float("nan")}, "gateway_interval nan: must be greater than 0"),
    ],
)
def test_a_wrong_option_is_a_sentence_and_the_default_holds(given: dict[str, object], sentence: str) -> None:
    settings, (mistake,) = settle(given, {})
    assert mistake.startswith(sentence)
    assert settings == Settings()


@pytest.mark.parametrize(
    "given",
    [
        {"certificate": "c.pem"},
        {"key": "k.pem"},
        {"username": "u"},
        {"password": "secret"},
        {"password": 5},
        {"certificate": 5, "key": "k.pem"},
    ],
)
def test_a_mistake_in_what_protects_the_endpoint_leaves_none(begin: Start, given: dict[str, object]) -> None:
    settings, mistakes = settle(given, {})
    assert settings.sealed
    assert "secret" not in str(mistakes)
    probe = begin(**given)
    assert probe.url == ""
    probe.step()
    assert probe.loop.steps == 1


def test_all_mistakes_make_one_warning_and_the_training_is_unharmed(
    begin: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("GPUBOARDS_PROBE_TIMEOUT", "soon")
    probe = begin(port=-1, colour="red", local_rank=10_000)
    try:
        assert probe.url.endswith(":19410/metrics")
    finally:
        probe.stop()
    (record,) = caplog.records
    for part in ("port -1", "unknown option 'colour'", "timeout 'soon'"):
        assert part in record.message


def test_a_directory_that_cannot_be_written_costs_the_file_and_nothing_else(
    begin: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    probe = begin(file_sd=str(tmp_path / "missing"))
    probe.step()
    told = samples_of(probe)
    assert values(told, "train_probe_errors_total", op="file_sd") == [1]
    assert values(told, "train_steps_total") == [1]
    (record,) = caplog.records
    assert "file_sd" in record.message
    assert "missing" in record.message
