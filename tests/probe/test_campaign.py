"""The fault campaign: every call out of the probe made to raise, to hang and to return garbage, in turn.

Out means: into a framework, NVML, nvidia-smi, the CUDA driver, the file system, the network, another process.
Each time the training must give exactly what it gives without a probe, in time, and none of those calls may
have been made from the training's own thread.
"""

from __future__ import annotations

import http.client
import random
import socket
import socketserver
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from builder.probe import Probe, exposure, identity, launch
from builder.probe.cards import driver, visible
from tests.probe import scripted
from tests.probe.conftest import Start
from tests.probe.scripted import MIG, A, B

CERTIFICATES = Path(__file__).with_name("certificates")
STEPS = 40


def train(probe: Probe | None) -> list[float]:
    """A training whose result depends on every step: the losses of a random walk, by the plain API."""
    source = random.Random(7)
    batches: Any = [[source.random() for _ in range(8)] for _ in range(STEPS)]
    weight, losses = 0.5, []
    if probe is None:
        for batch in batches:
            weight += 0.1 * (sum(batch) / len(batch) - weight)
            losses.append(weight)
        return losses
    with probe.training():
        for number, batch in enumerate(probe.batches(batches)):
            weight += 0.1 * (sum(batch) / len(batch) - weight)
            losses.append(weight)
            time.sleep(0.002)
            probe.step(records=len(batch))
            if number % 10 == 0:
                with probe.checkpoint():
                    pass
    return losses


@dataclass(frozen=True)
class Site:
    """A call out: where its function is found once the scripted world is installed, and which world it needs."""

    name: str
    place: Callable[[dict[str, Any]], tuple[Any, str]]
    world: str = "nvml"


def _in(key: str, *path: str, world: str = "nvml") -> Site:
    def place(made: dict[str, Any]) -> tuple[Any, str]:
        owner = made[key]
        for name in path[:-1]:
            owner = getattr(owner, name)
        return owner, path[-1]

    return Site(f"{key}.{'.'.join(path)}", place, world)


SITES = [
    _in("tensorflow", "config", "list_logical_devices"),
    _in("tensorflow", "config", "get_visible_devices"),
    _in("tensorflow", "config", "get_logical_device_configuration"),
    _in("tensorflow", "config", "experimental", "get_memory_growth"),
    _in("tensorflow", "config", "experimental", "get_memory_info"),
    _in("device_lib", "list_local_devices"),
    _in("torch", "cuda", "is_initialized"),
    _in("torch", "cuda", "device_count"),
    _in("torch", "cuda", "memory_stats"),
    _in("torch", "cuda", "get_device_properties"),
    _in("torch", "cuda", "get_per_process_memory_fraction"),
    _in("bridge", "backends_are_initialized"),
    _in("jax", "local_devices"),
    _in("jax_device", "memory_stats"),
    _in("pynvml", "nvmlInit"),
    _in("pynvml", "nvmlShutdown"),
    _in("pynvml", "nvmlDeviceGetCount"),
    _in("pynvml", "nvmlDeviceGetHandleByIndex"),
    _in("pynvml", "nvmlDeviceGetUUID"),
    _in("pynvml", "nvmlDeviceGetPciInfo"),
    _in("pynvml", "nvmlDeviceGetHandleByUUID", world="mig"),
    _in("pynvml", "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", world="mig"),
    _in("pynvml", "nvmlDeviceGetGpuInstanceId", world="mig"),
    _in("driver", "loaded"),
    _in("library", "cuDeviceGet"),
    _in("library", "cuDeviceGetUuid"),
    _in("library", "cuDeviceGetUuid_v2"),
    _in("subprocess", "run", world="smi"),
    _in("visible._DRIVER", "iterdir"),
    _in("token", "read_text"),
    _in("password", "read_text"),
    _in("socket", "gethostname"),
    _in("socket.socket", "accept"),
    _in("TCPServer", "server_bind"),
    _in("tempfile", "mkstemp"),
    _in("Path", "chmod"),
    _in("Path", "replace"),
    _in("Path", "stat"),
    _in("SSLContext", "load_cert_chain"),
    _in("SSLContext", "wrap_socket"),
    _in("SSLContext", "load_verify_locations"),
    _in("subprocess", "Popen"),
    _in("urllib", "urlopen"),
]


class _File:
    """A small file by another name, so that its reading alone can fail."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, encoding: str = "") -> str:
        return self._text

    def iterdir(self) -> Iterator[str]:
        return iter(())


def _world(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """A machine with cards and three frameworks on it."""
    import sys
    import urllib.request

    tf = scripted.Tf().install(monkeypatch)
    torch = scripted.torch(monkeypatch, pci_domain_id=0, pci_bus_id=0x8D, pci_device_id=0)
    jax = scripted.jax(monkeypatch, {"bytes_in_use": 1})
    token, cards, library = _File("ml"), _File(""), scripted.Driver((A, MIG if kind == "mig" else A), (B, B))
    monkeypatch.setattr(identity, "_TOKEN_NAMESPACE", token)
    monkeypatch.setattr(visible, "_DRIVER", cards)
    monkeypatch.setattr(driver, "loaded", lambda: library)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    if kind == "smi":
        scripted.smi(monkeypatch, tmp_path, B, A)
    else:
        scripted.nvml(monkeypatch, A)
    if kind == "nvml":
        monkeypatch.setenv("NVIDIA_VISIBLE_DEVICES", "all")
    real_path, password = exposure.Path, _File("secret")
    monkeypatch.setattr(exposure, "Path", lambda text: password if text == "password" else real_path(text))
    return {
        "tensorflow": tf.module,
        "device_lib": tf.device_lib,
        "torch": torch,
        "jax": jax,
        "jax_device": jax.local_devices()[0],
        "bridge": sys.modules["jax._src.xla_bridge"],
        "pynvml": sys.modules["pynvml"],
        "driver": driver,
        "library": library,
        "subprocess": subprocess,
        "visible._DRIVER": cards,
        "token": token,
        "password": password,
        "socket": socket,
        "socket.socket": socket.socket,
        "TCPServer": socketserver.TCPServer,
        "tempfile": tempfile,
        "Path": Path,
        "SSLContext": ssl.SSLContext,
        "urllib": urllib.request,
    }


@pytest.fixture(scope="module")
def expected() -> list[float]:
    """The result without a probe."""
    return train(None)


@pytest.mark.parametrize("behaviour", ["raise", "hang", "garbage"])
@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_the_training_gives_what_it_gives_without_a_probe(
    begin: Start,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    expected: list[float],
    site: Site,
    behaviour: str,
) -> None:
    released, elsewhere, in_training = threading.Event(), [], []
    made = _world(site.world, monkeypatch, tmp_path)
    owner, name = site.place(made)
    real = getattr(owner, name)

    def faulty(*arguments: Any, **named: Any) -> Any:
        if threading.current_thread().name == "scraper":
            return real(*arguments, **named)
        if threading.current_thread() is threading.main_thread():
            in_training.append(name)
            return real(*arguments, **named)
        elsewhere.append(name)
        if behaviour == "raise":
            raise OSError("made to fail")
        if behaviour == "hang":
            released.wait(30)
            return None
        return object()

    before = set(threading.enumerate())  # servers of other tests in this process, which go on
    monkeypatch.setattr(launch, "_START_SECONDS", 0.2)
    monkeypatch.setattr(exposure, "CLOSE_SECONDS", 0.2)
    monkeypatch.setattr(owner, name, faulty)
    try:
        since = time.monotonic()
        probe = begin(
            timeout=0.1,
            file_sd=str(tmp_path),
            certificate=str(CERTIFICATES / "valid.pem"),
            key=str(CERTIFICATES / "key.pem"),
            username="prometheus",
            password_file="password",
            gateway="http://127.0.0.1:9",  # the discard port: refused at once
        )
        scraper = threading.Thread(target=_scrape, args=(probe,), name="scraper")
        scraper.start()
        losses = train(probe)
        while not elsewhere and scraper.is_alive():
            time.sleep(0.01)
        probe.stop()
        seconds = time.monotonic() - since
    finally:
        released.set()
        for thread in threading.enumerate():
            # What hung must not wake up in the real world and import the real frameworks.
            if thread not in before and thread.name.startswith(("gpuboards-probe", "scraper", "Thread-")):
                thread.join(10)
        monkeypatch.undo()
    assert losses == expected
    assert (probe.loop.steps, probe.loop.records, probe.loop.checkpoints) == (STEPS, STEPS * 8, STEPS // 10)
    assert seconds < 5
    assert elsewhere, "the call was never made: the campaign does not reach it"
    assert not in_training, "a call that may hang was made in the training's thread"


def _scrape(probe: Probe) -> None:
    """Three scrapes, however they go."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for _ in range(3):
        if not probe.url:
            return
        host = probe.url.removeprefix("https://").removesuffix("/metrics")
        connection = http.client.HTTPSConnection(host, timeout=1, context=context)
        try:
            connection.request("GET", "/metrics", headers={"Authorization": "Basic cHJvbWV0aGV1czpzZWNyZXQ="})
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
