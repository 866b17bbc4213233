"""What each framework tells, in one vocabulary; what it cannot tell is absent."""

from __future__ import annotations

import sys

import pytest

from builder.probe.frameworks import Jax, PyTorch, TensorFlow
from tests.probe import scripted
from tests.probe.conftest import Start, errors, samples_of, values
from tests.probe.scripted import GIB

KINDS = ("in_use", "peak", "pool", "limit")


def nothing(op: str, error: object) -> None:
    """No failure is expected."""
    raise AssertionError(error)


def memory(begin: Start) -> dict[str, dict[str, float]]:
    """Bytes by device and kind, in GiB."""
    told = samples_of(begin())
    assert not errors(told)
    found: dict[str, dict[str, float]] = {}
    for sample in told:
        if sample.name.startswith("train_device_memory_"):
            kind = sample.name.removeprefix("train_device_memory_").removesuffix("_bytes")
            found.setdefault(sample.labels["device"], {})[kind] = sample.value / GIB
    return found


def test_tensorflow_without_growth_holds_its_limit_in_one_region(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf().install(monkeypatch)
    assert memory(begin) == {"GPU:0": {"in_use": 40, "peak": 48, "pool": 78, "limit": 78}}


@pytest.mark.parametrize("how", ["growth", "TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR", "unused"])
def test_where_tensorflows_pool_does_not_follow_it_is_absent(
    begin: Start, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    tf = scripted.Tf(growth=how == "growth").install(monkeypatch)
    if how == "unused":
        tf.info = {"current": 0, "peak": 0}
    elif how != "growth":
        monkeypatch.setenv(how, "true" if "GROWTH" in how else "cuda_malloc_async")
    assert memory(begin)["GPU:0"].keys() == {"in_use", "peak", "limit"}


def test_tensorflows_split_cards_are_numbered_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two logical devices on the card that CUDA numbers 1, one on its card 0; the order is that of visibility."""
    tf = scripted.Tf(
        names=tuple(f"/device:GPU:{n}" for n in range(3)), physical=(1, 0), parts={0: [1024, 2048]}
    ).install(monkeypatch)
    tf.device_lib.list_local_devices = None  # must not be asked: it knows nothing of split cards
    reader = TensorFlow(nothing)
    assert [(d.name, d.ordinal) for d in reader.devices()] == [("GPU:0", 1), ("GPU:1", 1), ("GPU:2", 0)]
    limits = [reader.memory(device).limit for device in reader.devices()]
    assert limits == [1 * GIB, 2 * GIB, None]


def test_tensorflows_cluster_lists_other_tasks_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple(f"/job:worker/replica:0/task:{task}/device:GPU:0" for task in (0, 1))
    tf = scripted.Tf(names=names).install(monkeypatch)
    with pytest.raises(LookupError, match="devices of 2 tasks"):
        TensorFlow(nothing).devices()
    monkeypatch.setenv("TF_CONFIG", '{"task": {"type": "worker", "index": 1}}')
    reader = TensorFlow(nothing)
    (device,) = reader.devices()
    reader.memory(device)
    assert (device.name, tf.asked) == ("GPU:0", [names[1]])


def test_nothing_is_asked_of_tensorflow_before_it_has_a_context(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    tf = scripted.Tf(initialised=False).install(monkeypatch)
    probe = begin()
    probe.step()
    told = samples_of(probe)
    assert not values(told, "train_device_memory_in_use_bytes")
    assert not tf.asked


def test_the_snippets_memory_is_exported_for_tensorflows_cards(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf().install(monkeypatch)
    assert values(samples_of(begin()), "tf_gpu_memory_current_bytes", device="GPU:0") == [40 * GIB]


def test_pytorch_tells_the_cards_that_the_process_uses(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.torch(monkeypatch, used=(2, 5))
    assert memory(begin) == {
        "GPU:2": {"in_use": 3, "peak": 4, "pool": 5, "limit": 40},
        "GPU:5": {"in_use": 6, "peak": 7, "pool": 8, "limit": 40},
    }


def refused(*arguments: object) -> None:
    """A call that the framework refuses."""
    raise RuntimeError("not today")


def test_tensorflows_memory_is_told_without_its_device_list(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf().install(monkeypatch).device_lib.list_local_devices = refused
    told = samples_of(begin())
    assert values(told, "train_device_memory_in_use_bytes") == [40 * GIB]
    assert not values(told, "train_device_memory_limit_bytes")
    assert errors(told) == {"tensorflow": 1}


def test_pytorchs_memory_is_told_without_the_cards_properties(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.torch(monkeypatch).cuda.get_device_properties = refused
    told = samples_of(begin())
    assert values(told, "train_device_memory_in_use_bytes") == [GIB]
    assert not values(told, "train_device_memory_limit_bytes")
    assert errors(told) == {"pytorch": 2}


def test_pytorchs_bus_id_is_made_of_its_three_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.torch(monkeypatch, pci_domain_id=0, pci_bus_id=0x8D, pci_device_id=0)
    (device,) = PyTorch(nothing).devices()
    assert (device.ordinal, device.pci) == (0, "00000000:8d:00.0")


def test_pytorch_is_not_asked_before_cuda_is_set_up_or_while_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    module = scripted.torch(monkeypatch)
    module.cuda.is_initialized = lambda: False
    assert not PyTorch(nothing).initialised(started=True)
    del module.cuda
    assert not PyTorch(nothing).initialised(started=True)


def test_jax_tells_what_its_allocator_knows(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    stats = {"bytes_in_use": 3 * GIB, "peak_bytes_in_use": 4 * GIB, "bytes_limit": 60 * GIB, "num_allocs": 9}
    scripted.jax(monkeypatch, stats)
    assert memory(begin) == {"GPU:1": {"in_use": 3, "peak": 4, "limit": 60}}


@pytest.mark.parametrize(("platform", "stats"), [("cpu", None), ("gpu", None), ("tpu", {"bytes_in_use": GIB})])
def test_jax_tells_nothing_where_there_is_nothing_to_tell(
    begin: Start, monkeypatch: pytest.MonkeyPatch, platform: str, stats: object
) -> None:
    scripted.jax(monkeypatch, stats, platform=platform)
    assert memory(begin) == ({"TPU:5": {"in_use": 1}} if platform == "tpu" else {})


def test_jax_is_not_asked_before_it_has_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.jax(monkeypatch, None)
    reader = Jax(nothing)
    assert reader.initialised(started=False)
    sys.modules["jax._src.xla_bridge"].backends_are_initialized = lambda: False
    assert not reader.initialised(started=True)


@pytest.mark.parametrize("garbage", ["many", float("nan"), -1, True, [], float("inf")])
def test_garbage_is_absent_and_counted(begin: Start, monkeypatch: pytest.MonkeyPatch, garbage: object) -> None:
    scripted.Tf(info={"current": garbage, "peak": 48 * GIB}).install(monkeypatch)
    told = samples_of(begin())
    assert not values(told, "train_device_memory_in_use_bytes")
    assert values(told, "train_device_memory_peak_bytes") == [48 * GIB]
    assert errors(told) == {"tensorflow": 1}
