"""The boards on what exporters really wrote: recorded files that lie outside the repository, read in place.

``GPUBOARDS_REFERENCE`` names the directory whose ``data/scrapes`` holds them: ``/metrics`` of
nvidia_gpu_exporter as its own tests record it, and of dcgm-exporter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from builder.testing import Prometheus, service_monitor, static_target
from builder.testing.figures import figures
from tests.live.fleet import Fleet
from tests.live.known_answers import Board
from tests.live.known_answers.dcgm_labels import KNOWN as DCGM
from tests.live.known_answers.terms import DEGREES, MIB, bands
from tests.live.opened import BOARDS, boards_of, by_name, open_board, wrong

pytestmark = pytest.mark.live

_RECORDED = "nvidia_gpu_exporter__internal_integration_testdata_"
_NODE = "host-1"
_CARD = f"{_NODE} gpu 0"


def _one_card(
    busy: float | None, used: float, total: float, core: float, watts: float, limit: float, mhz: float
) -> Mapping[str, Board]:
    """What the boards show of a single card: bytes, degrees, watts and megahertz as the file has them."""
    share = used / total
    return {
        "gpu-fleet": {
            "Cards": {"": 1},
            "Utilisation": {} if busy is None else {"": busy},
            "Memory held": {"": share},
            "Power": {"": watts, "All cards": watts},
            "Hottest card": {"": core},
            "Slowed down": {"": 0},
            "At the power limit": {"": 0},
            "Cards with an XID": {},
        },
        "gpu-node": {
            "Cards | Core": {_CARD: core},
            "Cards | Memory": {_CARD: share},
            "Power against the limit": {_CARD: watts, f"limit {_CARD}": limit},
            "SM clock": {_CARD: mhz * 1e6},
        },
        "gpu-memory": {"Held": {"": used}, "Fullest now": {_CARD: share}},
        "gpu-thermal": {"Power against the limit": {_CARD: watts / limit}},
    }


RTX_2080, RTX_4080, H100 = 8_589_934_592, 17_171_480_576, 85_520_809_984

NVIDIA_SMI: Mapping[str, Mapping[str, Board]] = {
    # utilisation, bytes used, bytes in all, core temperature, power, its limit, SM clock
    "linux-x86_64__nvidia-geforce-rtx-2080-super__595.71.05__idle": _one_card(
        0, 224_395_264, RTX_2080, 40, 39.32, 250, 765
    ),
    "linux-x86_64__nvidia-geforce-rtx-2080-super__595.71.05__load": _one_card(
        0.08, 858_783_744, RTX_2080, 45, 111.5, 250, 2055
    ),
    "linux-x86_64__nvidia-geforce-rtx-4080-super__595.71.05__idle": _one_card(
        0, 624_951_296, RTX_4080, 43, 26.2, 320, 210
    ),
    "linux-x86_64__nvidia-geforce-rtx-4080-super__595.71.05__load": _one_card(
        0.07, 1_545_601_024, RTX_4080, 46, 84.24, 320, 2805
    ),
    "linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__idle": _one_card(0, 0, H100, 41, 69.85, 700, 345),
    "linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__load": _one_card(1, 20_780_679_168, H100, 59, 631.95, 700, 1980),
    # A MIG card has no utilisation here.
    "linux-x86_64__nvidia-h100-mig__590.48.01__idle": _one_card(None, 61_865_984, H100, 42, 71.15, 700, 345),
    "linux-x86_64__nvidia-h100-mig__590.48.01__load": _one_card(None, 11_665_408_000, H100, 53, 433.78, 700, 1980),
    # Two H200, card 0 in MIG mode, by the NVML backend; XID 79 twice on card 1.
    "demo__seeded": {
        "gpu-fleet": {
            "Cards": {"": 2},
            "Utilisation": {"": 1},
            "Memory held": {"": 33_934_016_512 / 150_754_820_096},  # both alike; MIG instances are not added
            "Power": {"": 2 * 627.4, "All cards": 2 * 627.4},
            "Hottest card": {"": 52},
            "Cards with an XID": {"": 1},
            "Uncorrectable ECC": {"": 0},
        },
        "gpu-detail?var-gpu_id=1": {
            "Headroom (1)": {f"{_NODE} gpu 1": 35},
            "GPU 1: power against its limit": {"Power": 627.4, "Limit": 700},
            "GPU 1: device memory against the framework's": {
                "Device: used": 33_934_016_512,
                "Device: total": 150_754_820_096,
            },
            "GPU 1: PCIe and NVLink": {"PCIe in": 2066140272.9099436, "PCIe out": 1891462784.3641977},
        },
        "gpu-memory": {"Held": {"": 2 * 33_934_016_512}},
        "gpu-thermal": {
            "Memory temperature of the hottest cards": {_CARD: 40, f"{_NODE} gpu 1": 40},
            "Cards by temperature": bands(DEGREES, {50: 2}),
        },
    },
}

_DCGM_NODE: Board = {
    **DCGM["dcgm-a"]["gpu-node"],
    "Cards | Memory": {"gpu-node-01 gpu 0": 70837 / 81559, "gpu-node-01 gpu 1": 1 / 81559},
}
DCGM_EXPORTER: Mapping[str, Mapping[str, Board]] = {
    "dcgm_A_le3.1.8_k8s_2gpu": DCGM["dcgm-a"],
    "dcgm_B_3.3.7-to-4.8.2_k8s_2gpu": {"gpu-node": _DCGM_NODE, "gpu-memory": {"Held": {"": (70837 + 1) * MIB}}},
    "dcgm_B_mig_1of2gpus": DCGM["dcgm-mig"],
    "dcgm_C_4.8.3-4.8.4_k8s_2gpu": {"gpu-node": _DCGM_NODE, "gpu-memory": {"Held": {"": (70837 + 1) * MIB}}},
}


@pytest.fixture(scope="session")
def scrapes() -> Path:
    """The recorded files, which are not part of the project; a test that needs them says so where they are not."""
    reference = os.environ.get("GPUBOARDS_REFERENCE")
    if not reference:
        pytest.skip("GPUBOARDS_REFERENCE is not set: it names the directory with the recorded files")
    return Path(reference) / "data" / "scrapes"


Started = Callable[[str], tuple[Fleet, str]]


@pytest.fixture(scope="session")
def recorded(scrapes: Path) -> Iterator[Started]:
    """A fleet that exposes a recorded file, and the address of the Prometheus that has scraped it for an hour."""
    running: dict[str, tuple[Fleet, str]] = {}
    with ExitStack() as stack:

        def start(name: str) -> tuple[Fleet, str]:
            if name not in running:
                fleet = _fleet(scrapes, name)
                running[name] = fleet, stack.enter_context(Prometheus(history=fleet.history())).url
            return running[name]

        yield start


def _fleet(scrapes: Path, name: str) -> Fleet:
    if name in DCGM_EXPORTER:
        text = (scrapes / f"{name}.prom").read_text()
        return Fleet("dcgm", (service_monitor(text, pod="dcgm-exporter-x7k1p", instance="10.0.3.1:9400"),))
    text = (scrapes / f"{_RECORDED}{name}.metrics").read_text()
    return Fleet("nvidia-smi", (static_target(text, job="nvidia_gpu_exporter", instance=f"{_NODE}:9835"),))


EXPECTED = {**NVIDIA_SMI, **DCGM_EXPORTER}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", EXPECTED)
def test_every_query_is_answered(name: str, board: str, recorded: Started) -> None:
    fleet, url = recorded(name)
    assert open_board(boards_of(fleet)[0], board, url).problems() == ()


@pytest.mark.parametrize(
    ("name", "address"), [(name, address) for name, boards in EXPECTED.items() for address in boards]
)
def test_known_answers(name: str, address: str, recorded: Started) -> None:
    fleet, url = recorded(name)
    boards = boards_of(fleet)[0]
    result = open_board(boards, address, url)
    assert wrong(by_name(figures(boards[result.uid], result)), EXPECTED[name][address]) == {}


def test_cards_of_two_hosts_are_told_apart_by_host(scrapes: Path) -> None:
    """The uuids in the recorded files are all zeros: of both hosts alike."""
    idle, load = (
        _fleet(scrapes, f"linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__{state}") for state in ("idle", "load")
    )
    targets = (
        *idle.targets,
        replace(load.targets[0], labels={"job": "nvidia_gpu_exporter", "instance": "host-2:9835"}),
    )
    fleet = replace(idle, targets=targets)
    boards = boards_of(fleet)[0]
    expected: Board = {
        "Cards": {"": 2},
        "Power": {"": 69.85 + 631.95, "All cards": 69.85 + 631.95},
        "Nodes | Hottest": {"host-1": 41, "host-2": 59},
    }
    with Prometheus(history=fleet.history()) as prometheus:
        result = open_board(boards, "gpu-fleet", prometheus.url)
    assert result.problems() == ()
    assert wrong(by_name(figures(boards["gpu-fleet"], result)), expected) == {}


def test_every_recorded_file_is_read(scrapes: Path) -> None:
    files = {path.name.removeprefix(_RECORDED).removesuffix(".metrics") for path in scrapes.glob("*.metrics")}
    assert files == set(NVIDIA_SMI)
    assert {path.stem for path in scrapes.glob("dcgm_*.prom")} == set(DCGM_EXPORTER)
