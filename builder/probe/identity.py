"""Which job this process belongs to, and which of its ranks it is, as the launcher tells in the environment.

Sources: torchrun https://docs.pytorch.org/docs/stable/elastic/run.html#environment-variables,
Slurm https://slurm.schedmd.com/srun.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES,
Open MPI https://docs.open-mpi.org/en/main/tuning-apps/environment-var.html, MPICH and Intel MPI (PMI_*, MPI_*),
TF_CONFIG https://www.tensorflow.org/guide/distributed_training#setting_up_the_tf_config_environment_variable,
Kubeflow's pod names <job>-<replica type>-<index>.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.probe.options import Settings

_RANK = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID")
_LOCAL_RANK = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
_WORLD_SIZE = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
_NAMESPACE = ("POD_NAMESPACE", "NAMESPACE", "K8S_NAMESPACE")
_TOKEN_NAMESPACE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
_PID_NAMESPACE = Path("/proc/self/ns/pid")
_KUBEFLOW_HOST = re.compile(r"(?P<job>.+)-(?:chief|master|worker|ps|launcher|evaluator)-\d+(?:\..*)?")

Note = Callable[[str, "BaseException | str"], None]


@dataclass(frozen=True)
class Identity:
    """Job and rank. Empty and None mean that nothing tells."""

    job: str = ""
    rank: int = 0
    local_rank: int = 0
    world_size: int | None = None
    namespace: str = ""
    pod: str = ""
    node: str = ""
    scheduler: str = ""
    model_version: str = ""
    host_pid: int | None = None


@dataclass(frozen=True)
class _Cluster:
    """What TF_CONFIG says."""

    rank: int | None = None
    world_size: int | None = None
    job: str = ""


def identify(settings: Settings, environ: Mapping[str, str], note: Note) -> Identity:
    """The identity of this process; what is malformed is noted and counts as absent."""

    def first(names: tuple[str, ...]) -> int | None:
        for name in names:
            text = environ.get(name, "")
            if re.fullmatch(r"[0-9]{1,9}", text):
                return int(text)
            if text:
                note("identity", f"{name}={text[:40]!r} is not a number")
        return None

    cluster = _Cluster()
    if environ.get("TF_CONFIG"):
        try:
            cluster = _tf_config(environ["TF_CONFIG"])
        except Exception as error:
            note("identity", f"TF_CONFIG is malformed ({error})")
    ray = _ray(note)
    rank = _chosen(settings.rank, first(_RANK), cluster.rank, ray.get("rank"))
    local_rank = _chosen(settings.local_rank, first(_LOCAL_RANK), ray.get("local_rank"))
    world_size = _chosen(first(_WORLD_SIZE), cluster.world_size, ray.get("world_size"))
    in_kubernetes = "KUBERNETES_SERVICE_HOST" in environ
    host = _host(note)
    return Identity(
        job=printable(settings.job or _job(environ, cluster, ray)),
        rank=rank or 0,
        local_rank=local_rank or 0,
        world_size=world_size,
        namespace=printable(_namespace(environ, note)) if in_kubernetes else "",
        pod=printable(environ.get("POD_NAME") or host) if in_kubernetes else "",
        node=printable(environ.get("NODE_NAME", "")) if in_kubernetes else host,
        scheduler=_scheduler(environ, ray),
        model_version=printable(settings.model_version or environ.get("MODEL_VERSION", "")),
        host_pid=_host_pid(),
    )


def printable(text: str) -> str:
    """Bytes of the environment that are no UTF-8 arrive as surrogates, which no exposition can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _host(note: Note) -> str:
    try:
        return printable(socket.gethostname())
    except (OSError, UnicodeError) as error:
        note("identity", error)
        return ""


def _host_pid() -> int | None:
    """The number of this process on the host; None in a process namespace of its own, where nothing tells it.

    The first namespace has a fixed inode: PROC_PID_INIT_INO in the kernel's include/linux/proc_ns.h.
    """
    try:
        return os.getpid() if str(_PID_NAMESPACE.readlink()) == f"pid:[{0xEFFFFFFC}]" else None
    except OSError:  # no /proc, as on systems other than Linux
        return None


def _chosen(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)


def _tf_config(text: str) -> _Cluster:
    """Ranks count the chief (or master) first, then the workers; others train nothing."""
    document = json.loads(text)
    hosts = document.get("cluster") or {}
    task = document.get("task") or {}
    if any(not isinstance(addresses, list | dict) for addresses in hosts.values()):
        raise ValueError("the addresses of a cluster's tasks are a list")
    tasks = [(role, n, host) for role in ("chief", "master", "worker") for n, host in _numbered(hosts.get(role, []))]
    trainers = [(role, n) for role, n, _ in tasks]
    here = (str(task.get("type")), int(task.get("index", 0)))
    names = [host for _, _, host in tasks]
    named = _KUBEFLOW_HOST.fullmatch(str(names[0]).split(":")[0]) if names else None
    return _Cluster(
        rank=trainers.index(here) if here in trainers else None,
        world_size=len(trainers) or None,
        job=named["job"] if named else "",
    )


def _numbered(hosts: list[str] | dict[str, str]) -> Iterable[tuple[int, str]]:
    """A ClusterSpec takes a list, or addresses by the number of the task."""
    return sorted((int(n), host) for n, host in hosts.items()) if isinstance(hosts, dict) else enumerate(hosts)


def _ray(note: Note) -> Mapping[str, Any]:
    """What Ray tells, where the script uses it; Ray Train knows the ranks only inside a worker."""
    ray = sys.modules.get("ray")
    told: dict[str, Any] = {}
    try:
        if ray is None or not ray.is_initialized():
            return told
        told["job"] = str(ray.get_runtime_context().get_job_id())
        train = sys.modules.get("ray.train")
        context = train.get_context() if train is not None else None
        if context is not None and context.get_world_rank() is not None:
            told["rank"] = int(context.get_world_rank())
            told["local_rank"] = int(context.get_local_rank())
            told["world_size"] = int(context.get_world_size())
    except Exception as error:
        note("identity", error)
    return told


def _job(environ: Mapping[str, str], cluster: _Cluster, ray: Mapping[str, Any]) -> str:
    master = _KUBEFLOW_HOST.fullmatch(environ.get("MASTER_ADDR", ""))
    return (
        environ.get("SLURM_JOB_ID", "")
        or cluster.job
        or (master["job"] if master else "")
        or environ.get("RAY_JOB_ID", "")
        or ray.get("job", "")
        or environ.get("TORCHELASTIC_RUN_ID", "").replace("none", "")
    )


def _namespace(environ: Mapping[str, str], note: Note) -> str:
    for name in _NAMESPACE:
        if environ.get(name):
            return environ[name]
    try:
        return _TOKEN_NAMESPACE.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        note("identity", error)
        return ""


def _scheduler(environ: Mapping[str, str], ray: Mapping[str, Any]) -> str:
    if "KUBERNETES_SERVICE_HOST" in environ:
        return "kubernetes"
    if "SLURM_JOB_ID" in environ:
        return "slurm"
    if ray or "RAY_JOB_ID" in environ:
        return "ray"
    if "OMPI_COMM_WORLD_RANK" in environ or "PMI_RANK" in environ:
        return "mpi"
    return "torchrun" if "TORCHELASTIC_RUN_ID" in environ else ""
