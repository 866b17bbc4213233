"""Job and rank from what launchers leave in the environment."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from builder.probe import identity
from builder.probe.identity import Identity, identify
from builder.probe.options import Settings
from tests.probe.conftest import Start, errors, samples_of, values

HOST = socket.gethostname()

_CLUSTER = {
    "chief": ["mnist-chief-0.ml.svc:2222"],
    "worker": ["mnist-worker-0.ml.svc:2222", "mnist-worker-1.ml.svc:2222"],
    "ps": ["mnist-ps-0.ml.svc:2222"],
}


def _tf_config(role: str, index: int) -> dict[str, str]:
    return {"TF_CONFIG": json.dumps({"cluster": _CLUSTER, "task": {"type": role, "index": index}})}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Identity(node=HOST)),
        (
            {"RANK": "9", "LOCAL_RANK": "1", "WORLD_SIZE": "16", "TORCHELASTIC_RUN_ID": "bert"},
            Identity("bert", 9, 1, 16, node=HOST, scheduler="torchrun"),
        ),
        ({"RANK": "0", "TORCHELASTIC_RUN_ID": "none"}, Identity(node=HOST, scheduler="torchrun")),
        (
            {"SLURM_JOB_ID": "4711", "SLURM_PROCID": "3", "SLURM_LOCALID": "1", "SLURM_NTASKS": "4"},
            Identity("4711", 3, 1, 4, node=HOST, scheduler="slurm"),
        ),
        (  # mpirun inside a Slurm allocation: MPI knows the ranks, Slurm the job
            {
                "SLURM_JOB_ID": "4711",
                "SLURM_PROCID": "0",
                "OMPI_COMM_WORLD_RANK": "5",
                "OMPI_COMM_WORLD_LOCAL_RANK": "1",
                "OMPI_COMM_WORLD_SIZE": "8",
            },
            Identity("4711", 5, 1, 8, node=HOST, scheduler="slurm"),
        ),
        ({"PMI_RANK": "2", "PMI_SIZE": "4"}, Identity("", 2, 0, 4, node=HOST, scheduler="mpi")),
        (_tf_config("chief", 0), Identity("mnist", 0, 0, 3, node=HOST)),
        (_tf_config("worker", 1), Identity("mnist", 2, 0, 3, node=HOST)),
        (_tf_config("ps", 0), Identity("mnist", 0, 0, 3, node=HOST)),
        ({"RAY_JOB_ID": "0a000000"}, Identity("0a000000", node=HOST, scheduler="ray")),
        (
            {
                "KUBERNETES_SERVICE_HOST": "10.0.0.1",
                "POD_NAME": "bert-worker-1",
                "POD_NAMESPACE": "ml",
                "NODE_NAME": "gpu-node-01",
                "MASTER_ADDR": "bert-master-0",
                "RANK": "2",
                "WORLD_SIZE": "3",
                "MODEL_VERSION": "v7",
            },
            Identity("bert", 2, 0, 3, "ml", "bert-worker-1", "gpu-node-01", "kubernetes", "v7"),
        ),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, Identity(pod=HOST, scheduler="kubernetes")),
    ],
)
def test_what_launchers_tell(environ: dict[str, str], expected: Identity) -> None:
    noted: list[object] = []
    assert identify(Settings(), environ, lambda op, error: noted.append(error)) == expected
    assert not noted


def test_options_beat_the_environment() -> None:
    told = Settings(job="mine", rank=7, local_rank=2, model_version="v8")
    environ = {"RANK": "1", "LOCAL_RANK": "1", "SLURM_JOB_ID": "4711", "MODEL_VERSION": "v7"}
    found = identify(told, environ, lambda op, error: None)
    assert (found.job, found.rank, found.local_rank, found.model_version) == ("mine", 7, 2, "v8")


@pytest.mark.parametrize(
    "text", ["{", "[]", "null", '{"cluster": 3}', '{"task": {"index": "x"}}', '{"cluster": {"worker": 3}}']
)
def test_a_malformed_tf_config_is_one_warning(
    begin: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    monkeypatch.setenv("TF_CONFIG", text)
    probe = begin()
    probe.step()
    told = samples_of(probe)
    assert errors(told) == {"identity": 1}
    assert values(told, "train_steps_total", rank="0") == [1]
    (record,) = caplog.records
    assert "TF_CONFIG is malformed" in record.message


def test_a_rank_that_is_no_number_is_noted_and_the_next_source_asked() -> None:
    noted: list[object] = []
    found = identify(Settings(), {"RANK": "first", "SLURM_PROCID": "3"}, lambda op, error: noted.append(error))
    assert (found.rank, noted) == (3, ["RANK='first' is not a number"])


def test_the_namespace_of_a_pod_is_in_its_token_volume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "namespace"
    file.write_text("ml\n")
    monkeypatch.setattr(identity, "_TOKEN_NAMESPACE", file)
    found = identify(Settings(), {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, lambda op, error: None)
    assert found.namespace == "ml"


def test_ray_is_asked_where_the_script_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    context = SimpleNamespace(get_world_rank=lambda: 3, get_local_rank=lambda: 1, get_world_size=lambda: 4)
    ray, train = ModuleType("ray"), ModuleType("ray.train")
    ray.is_initialized = lambda: True  # type: ignore[attr-defined]
    ray.get_runtime_context = lambda: SimpleNamespace(get_job_id=lambda: "0a000000")  # type: ignore[attr-defined]
    train.get_context = lambda: context  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "ray.train", train)
    found = identify(Settings(), {}, lambda op, error: None)
    assert found == Identity("0a000000", 3, 1, 4, node=HOST, scheduler="ray")


def test_the_job_is_told_in_full_on_one_series(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SLURM_JOB_ID": "4711", "SLURM_PROCID": "3", "SLURM_LOCALID": "1", "SLURM_NTASKS": "4"}.items():
        monkeypatch.setenv(name, value)
    (info,) = (s for s in samples_of(begin()) if s.name == "train_job_info")
    assert info.labels == {
        "training_job": "4711",
        "rank": "3",
        "local_rank": "1",
        "world_size": "4",
        "node": HOST,
        "scheduler": "slurm",
    }
