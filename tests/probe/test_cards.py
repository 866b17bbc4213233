"""Which card a device is, by each way of knowing, and never by a guess."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from builder.probe.cards import UNRESOLVED, Card, Cards, Match, driver, visible
from builder.probe.cards.model import as_pci, as_uuid
from builder.probe.frameworks import Device
from tests.probe import scripted
from tests.probe.conftest import Start, errors, samples_of
from tests.probe.scripted import MIG, PCI, A, B

FIRST, SECOND = Device("GPU:0", 0), Device("GPU:1", 1)


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No NVML, no nvidia-smi and no driver but the scripted ones."""
    monkeypatch.setitem(sys.modules, "pynvml", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(driver, "loaded", lambda: None)
    monkeypatch.setattr(visible, "_DRIVER", tmp_path / "missing")


def found(environ: dict[str, str], *devices: Device, told: dict[str, str] | None = None) -> list[Match]:
    """The cards of the devices; no failure may have been noted."""
    noted: list[tuple[str, object]] = []
    cards = Cards(told or {}, environ, lambda op, error: noted.append((op, error)))
    cards.search(devices)
    assert not noted
    return [cards.known(device) for device in devices]


def test_the_environments_uuids_are_taken_by_position() -> None:
    environ = {"CUDA_VISIBLE_DEVICES": f"{B},{A}"}
    assert found(environ, FIRST, SECOND) == [
        Match(Card(B), "cuda_visible_devices"),
        Match(Card(A), "cuda_visible_devices"),
    ]


def test_two_frameworks_may_call_different_cards_by_one_name() -> None:
    environ = {"CUDA_VISIBLE_DEVICES": f"{B},{A}"}
    one, other = found(environ, Device("GPU:0", 1), Device("GPU:0", 0))
    assert [match.card for match in (one, other)] == [Card(A), Card(B)]


@pytest.mark.parametrize("old", [False, True])
def test_the_uuids_beginning_is_completed_by_nvml(monkeypatch: pytest.MonkeyPatch, old: bool) -> None:
    scripted.nvml(monkeypatch, B, A, old=old)
    (match,) = found({"CUDA_VISIBLE_DEVICES": "GPU-8b22"}, FIRST)
    assert match == Match(Card(A, 1, PCI[A]), "cuda_visible_devices")


def test_an_ambiguous_beginning_is_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.nvml(monkeypatch, B, A)
    assert found({"CUDA_VISIBLE_DEVICES": "GPU-"}, FIRST) == [UNRESOLVED]


def test_numbers_alone_are_no_card_where_cudas_order_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.nvml(monkeypatch, B, A)
    assert found({"CUDA_VISIBLE_DEVICES": "1"}, FIRST) == [UNRESOLVED]
    assert found({}, FIRST, SECOND) == [UNRESOLVED, UNRESOLVED]


def test_numbers_are_the_drivers_in_pci_order(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.nvml(monkeypatch, B, A)
    environ = {"CUDA_VISIBLE_DEVICES": "1", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    assert found(environ, FIRST) == [Match(Card(A, 1, PCI[A]), "nvml")]
    assert found({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, SECOND) == [Match(Card(A, 1, PCI[A]), "nvml")]
    assert found({**environ, "CUDA_VISIBLE_DEVICES": "7"}, FIRST) == [UNRESOLVED]


def test_an_only_card_is_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.nvml(monkeypatch, A)
    assert found({}, FIRST) == [Match(Card(A, 0, PCI[A]), "nvml")]
    assert found({"CUDA_VISIBLE_DEVICES": "0"}, FIRST) == [Match(Card(A, 0, PCI[A]), "nvml")]
    assert found({}, SECOND) == [UNRESOLVED]


def test_entries_after_one_that_cuda_does_not_take_count_for_nothing() -> None:
    assert visible.entries({"CUDA_VISIBLE_DEVICES": "1,-1,0"}) == ("1",)
    assert visible.entries({"CUDA_VISIBLE_DEVICES": "NoDevFiles"}) == ()
    assert visible.entries({"CUDA_VISIBLE_DEVICES": ""}) == ()
    assert visible.entries({}) is None
    assert found({"CUDA_VISIBLE_DEVICES": f"-1,{A}"}, SECOND) == [UNRESOLVED]


def test_the_bus_id_of_the_framework_finds_the_card_by_nvml(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.nvml(monkeypatch, B, A)
    device = Device("GPU:0", 0, "0000:8d:00.0")  # TensorFlow's spelling
    assert found({"CUDA_VISIBLE_DEVICES": "0"}, device) == [Match(Card(A, 1, PCI[A]), "nvml")]


def test_nvidia_smi_answers_where_nvml_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scripted.smi(monkeypatch, tmp_path, B, A)
    device = Device("GPU:0", 0, "0000:8d:00.0")
    assert found({}, device) == [Match(Card(A, 1, PCI[A]), "nvidia_smi")]


def test_the_containers_only_card_is_the_card() -> None:
    assert found({"NVIDIA_VISIBLE_DEVICES": A}, FIRST) == [Match(Card(A), "nvidia_visible_devices")]
    assert found({"NVIDIA_VISIBLE_DEVICES": f"{A},{B}"}, FIRST) == [UNRESOLVED]


@pytest.mark.parametrize("make", [scripted.Driver, scripted.OldDriver])
def test_the_cuda_driver_is_believed_before_all(
    monkeypatch: pytest.MonkeyPatch, make: type[scripted.OldDriver]
) -> None:
    """Its number is the framework's own, whatever the order and whatever the environment says by now."""
    scripted.nvml(monkeypatch, B, A)
    library = make((A, A), (B, B))
    monkeypatch.setattr(driver, "loaded", lambda: library)
    assert found({"CUDA_VISIBLE_DEVICES": B}, FIRST, SECOND) == [
        Match(Card(A, 1, PCI[A]), "cuda"),
        Match(Card(B, 0, PCI[B]), "cuda"),
    ]


def test_a_driver_that_is_not_initialised_is_noted_and_others_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    library, noted = scripted.Driver((A, A), error=3), []
    monkeypatch.setattr(driver, "loaded", lambda: library)
    cards = Cards({}, {"CUDA_VISIBLE_DEVICES": A}, lambda op, error: noted.append((op, str(error))))
    cards.search((FIRST,))
    assert cards.known(FIRST) == Match(Card(A), "cuda_visible_devices")
    assert noted == [("cuda", "cuDeviceGet gave error 3")]


def test_a_driver_library_is_not_loaded_by_asking_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert driver.loaded() is None


@pytest.mark.parametrize("source", ["environment", "driver"])
def test_a_mig_instance_is_its_card_and_the_instance_id(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    scripted.nvml(monkeypatch, A)
    environ, mapping = {"CUDA_VISIBLE_DEVICES": MIG}, "cuda_visible_devices"
    if source == "driver":
        library, environ, mapping = scripted.Driver((A, MIG)), {}, "cuda"
        monkeypatch.setattr(driver, "loaded", lambda: library)
    assert found(environ, FIRST) == [Match(Card(A, 0, PCI[A], "4"), mapping)]


def test_the_older_form_of_a_mig_id_needs_nobody() -> None:
    environ = {"CUDA_VISIBLE_DEVICES": f"MIG-{A}/9/0"}
    assert found(environ, FIRST) == [Match(Card(A, mig="9"), "cuda_visible_devices")]


def test_nvidia_smi_knows_the_card_of_a_mig_instance_and_not_its_id(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripted.smi(monkeypatch, tmp_path, B, A)
    assert found({"CUDA_VISIBLE_DEVICES": MIG}, FIRST) == [Match(Card(A, 1, PCI[A]), "cuda_visible_devices")]


def test_a_mig_instance_that_nobody_knows_is_unresolved() -> None:
    assert found({"CUDA_VISIBLE_DEVICES": MIG}, FIRST) == [UNRESOLVED]


def test_what_the_operator_says_is_taken() -> None:
    assert found({}, Device("CPU:0"), told={"CPU:0": A}) == [Match(Card(A), "configured")]


@pytest.mark.parametrize(
    ("environ", "index"),
    [
        ({"NVIDIA_VISIBLE_DEVICES": "all"}, 0),
        ({"NVIDIA_VISIBLE_DEVICES": A}, None),
        ({"NVIDIA_VISIBLE_DEVICES": "3"}, None),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, None),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "NVIDIA_VISIBLE_DEVICES": "all"}, 0),
    ],
)
def test_a_containers_own_numbering_is_not_told(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], index: int | None
) -> None:
    scripted.nvml(monkeypatch, A)
    (match,) = found({**environ, "CUDA_VISIBLE_DEVICES": A}, FIRST)
    assert match.card == Card(A, index, PCI[A])


def test_a_job_that_sees_fewer_cards_than_the_node_has_numbers_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for pci in PCI.values():
        (tmp_path / "gpus" / pci).mkdir(parents=True)
    monkeypatch.setattr(visible, "_DRIVER", tmp_path / "gpus")
    scripted.nvml(monkeypatch, A)
    (match,) = found({"CUDA_VISIBLE_DEVICES": A}, FIRST)
    assert match.card == Card(A, None, PCI[A])


@pytest.mark.parametrize("text", ["0000:8d:00.0", "00000000:8D:00.0", b"00000000:8D:00.0\0", "0:8d:00.0"])
def test_bus_ids_are_written_as_dcgm_writes_them(text: object) -> None:
    assert as_pci(text) == "00000000:8D:00.0"


@pytest.mark.parametrize("text", ["", "8d:00.0", None, 7, "GPU-1", "0000:8d:00.0; rm"])
def test_garbage_is_neither_a_bus_id_nor_a_uuid(text: object) -> None:
    for read in (as_pci, as_uuid):
        with pytest.raises(ValueError, match="is no "):
            read(text)


def test_an_unresolved_card_is_visible(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf().install(monkeypatch)
    told = samples_of(begin())
    (info,) = (s for s in told if s.name == "train_device_info")
    assert info.labels == {"device": "GPU:0", "framework": "tensorflow", "rank": "0", "mapping": "unresolved"}
    (memory,) = (s for s in told if s.name == "train_device_memory_in_use_bytes")
    assert memory.labels == {"device": "GPU:0", "framework": "tensorflow", "rank": "0"}
    assert not errors(told)


def test_a_resolved_card_is_on_every_series_of_its_device(begin: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.Tf(pci={"/device:GPU:0": "0000:8d:00.0"}).install(monkeypatch)
    scripted.nvml(monkeypatch, B, A)
    told = samples_of(begin())
    own = {"device": "GPU:0", "framework": "tensorflow", "rank": "0", "uuid": A, "gpu": "1"}
    (info,) = (s for s in told if s.name == "train_device_info")
    assert info.labels == {**own, "mapping": "nvml", "pci_bus_id": PCI[A]}
    assert [s.labels for s in told if s.name.startswith("train_device_memory_")] == [own] * 4


def test_a_card_is_searched_once_and_what_is_missing_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = Cards({}, {"CUDA_VISIBLE_DEVICES": A}, lambda op, error: None)
    assert cards.missing((FIRST, SECOND, Device("CPU:0"))) == (FIRST, SECOND)
    cards.search((FIRST, SECOND))
    assert cards.missing((FIRST, SECOND)) == ()
    monkeypatch.setattr("builder.probe.cards.resolve._AGAIN", 0.0)
    assert cards.missing((FIRST, SECOND)) == (SECOND,)
