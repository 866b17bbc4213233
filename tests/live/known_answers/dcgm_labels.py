"""The same answers whatever dcgm-exporter calls its labels, and however often it repeats a card.

Label schemes A0, A, A', B and C differ in the host label, in what an idle card's pod labels are, and in
who wins where Prometheus has labels of the same name (honor_labels).
"""

from collections.abc import Mapping

from tests.live.known_answers import dcgm
from tests.live.known_answers.terms import DEGREES, GIB, MHZ, MIB, TENTHS, Board, Fleets, bands

# Two cards of one node that are asked in the same words: busy and held, idle and nobody's.


def _two_cards(
    node: str,
    pod: str,
    utilisation: float,
    used: tuple[float, float],
    total: float,
    core: tuple[float, float],
    watts: tuple[float, float],
) -> Mapping[str, Board]:
    first, second = f"{node} gpu 0", f"{node} gpu 1"
    held = {f"{pod} on {first}": used[0] * MIB} if pod else {}
    busy = {f"{pod} on {first}": utilisation} if pod else {}
    return {
        "gpu-fleet": {
            "Cards": {"": 2},
            "Nodes": {"": 1},
            "Utilisation": {"": utilisation / 2},
            "Memory held": {"": sum(used) / (2 * total)},
            "Hottest card": {"": max(core)},
            "Nodes | Cards": {node: 2},
            "Nodes | Memory": {node: sum(used) / (2 * total)},
            "Nodes | Power": {node: sum(watts)},
            "Pods on nodes in trouble | Memory held": {},
            "Namespaces | Cards held": {pod.split("/")[0]: 1} if pod else {},
        },
        "gpu-node": {
            "Cards": {"": 2},
            "Cards | Reports": {first: 1, second: 1},
            "Cards | Utilisation": {first: utilisation, second: 0},
            "Cards | Memory": {first: used[0] / total, second: used[1] / total},
            "Cards | Core": {first: core[0], second: core[1]},
            "Pods on this node | Memory held": held,
            "Pods on this node | Utilisation": busy,
        },
        "gpu-detail?var-gpu_id=1": {
            "Core temperature now (1)": {second: core[1]},
            "GPU 1: power against its limit": {"Power": watts[1]},
            "Pods on these cards | Memory held": {},
        },
        "gpu-memory": {
            "Held": {"": sum(used) * MIB},
            "Fullest now": {first: used[0] / total, second: used[1] / total},
            "Who holds it | Memory held": held,
        },
        "gpu-thermal": {
            "Power": {"": sum(watts)},
            "Hottest cards over time": {first: core[0], second: core[1]},
        },
    }


_NODE_1 = _two_cards(
    dcgm.N1,
    "ml/resnet50-worker-0",
    0.968342,
    (70837, 1),
    70837 + 10240,  # what is reserved was not exported then
    (58, 33),
    (642.713, 72.164),
)

# Of two nodes, one with the host label of each time: nothing is lost and nothing is found twice.
_BOTH_HOST_LABELS: Mapping[str, Board] = {
    "gpu-fleet": dcgm.FLEET,
    "gpu-node": dcgm.NODE_1,
    "gpu-node?var-node=gpu-node-02": {
        "Cards": {"": 2},
        "Pods on this node | Memory held": {dcgm.IDLE_POD: 61440 * MIB, dcgm.HOT_POD: 20480 * MIB},
        # The link's own series, which names the card in labels of its own, is none of the card's.
        "PCIe and NVLink traffic": {
            f"PCIe in {dcgm.IDLE}": 2000,
            f"PCIe in {dcgm.HOT}": 250000000,
            f"PCIe out {dcgm.IDLE}": 1000,
            f"PCIe out {dcgm.HOT}": 500000000,
            f"NVLink {dcgm.IDLE}": 0,
            f"NVLink {dcgm.HOT}": 150000 * 1e6,
        },
    },
    "gpu-thermal": dcgm.THERMAL,
}

# A MIG card is exported by its instances alone, and what belongs to the board stands on each of them.
_A, _B = f"{dcgm.BUSY} mig-1", f"{dcgm.BUSY} mig-2"
_TOTAL_A, _TOTAL_B, _WHOLE = 10182 + 30210, 22 + 40370, 1 + 81076  # MiB; 40392, 40392, 81077
_MIG: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        # The card's utilisation is the mean of its instances, the node's the mean of its cards.
        "Utilisation": {"": ((0.812001 + 0) / 2 + 0) / 2},
        "Memory held": {"": (10182 + 22 + 1) / (_TOTAL_A + _TOTAL_B + _WHOLE)},
        "Power": {"": 642.713 + 72.164, "All cards": 642.713 + 72.164},  # the board's power once
        "Nodes | Power": {dcgm.N1: 642.713 + 72.164},
        "Namespaces | Cards held": {"ml": 1},  # two pods on one card
        "Cards with an XID": {"": 0},  # no card had one, and then the exporter leaves the series out
        "Nodes | XID": {},
    },
    "gpu-node": {
        "Cards | Utilisation": {dcgm.BUSY: 0.812001 / 2, dcgm.FREE: 0},
        "Cards | Memory": {dcgm.BUSY: (10182 + 22) / (_TOTAL_A + _TOTAL_B), dcgm.FREE: 1 / _WHOLE},
        "Cards | Power": {dcgm.BUSY: 642.713, dcgm.FREE: 72.164},
        "Pods on this node | Memory held": {f"ml/infer-a on {_A}": 10182 * MIB, f"ml/infer-b on {_B}": 22 * MIB},
        "Pods on this node | Utilisation": {f"ml/infer-a on {_A}": 0.812001, f"ml/infer-b on {_B}": 0},
        "Core temperature": {dcgm.BUSY: 58, dcgm.FREE: 33},
        "Utilisation": {"": 0.812001 / 4, _A: 0.812001, _B: 0, dcgm.FREE: 0},
    },
    "gpu-detail": {
        "GPU 0: utilisation, memory and temperature": {
            "Utilisation": 0.812001 / 2,
            "Memory held": (10182 + 22) / (_TOTAL_A + _TOTAL_B),
            "Core temperature": 58,
        },
        "GPU 0: device memory against the framework's": {
            "Device: used": (10182 + 22) * MIB,
            "Device: total": (_TOTAL_A + _TOTAL_B) * MIB,
        },
    },
    "gpu-memory": {
        "Held": {"": (10182 + 22 + 1) * MIB},
        "Fullest now": {_A: 10182 / _TOTAL_A, _B: 22 / _TOTAL_B, dcgm.FREE: 1 / _WHOLE},
        "Cards by share of memory held": bands(TENTHS, {10: 1, 0: 1}, " %"),  # 12.6 % of the card in all
    },
    "gpu-thermal": {"Power": {"": 642.713 + 72.164}, "Cards by temperature": bands(DEGREES, {30: 1, 55: 1})},
}

_H0, _H1 = "gpu-node-06 gpu 0", "gpu-node-06 gpu 1"
_HPC: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},  # not three: two jobs share card 0
        "Utilisation": {"": (0.7 + 0.3) / 2},
        "Memory held": {"": (20480 + 10240) / (40960 + 40960)},
        "Power": {"": 300 + 200, "All cards": 300 + 200},
        "Cards by utilisation": bands(TENTHS, {30: 1, 70: 1}),
    },
    "gpu-memory": {"Held": {"": (20480 + 10240) * MIB}, "Fullest now": {_H0: 0.5, _H1: 0.25}},
    "gpu-thermal": {"Power": {"": 500}, "Cards by temperature": bands(DEGREES, {45: 1, 60: 1})},
}

_V0, _V1 = "gpu-node-07 gpu 0", "gpu-node-07 gpu 1"
_VGPU: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Utilisation": {"": (0.8 + 0.25) / 2},
        "Memory held": {"": (40000 + 10000) / (40960 + 40960)},  # the card's 40000, not + 24000 + 15000
        "Power": {"": 320 + 220, "All cards": 320 + 220},
        "Namespaces | Cards held": {"serve": 1, "ml": 1},
    },
    "gpu-memory": {
        "Held": {"": (40000 + 10000) * MIB},
        "Fullest now": {_V0: 40000 / (40000 + 960), _V1: 10000 / (10000 + 30960)},
        "Who holds it | Memory held": {
            f"serve/infer-a on {_V0}": 24000 * MIB,
            f"serve/infer-b on {_V0}": 15000 * MIB,
            f"ml/gpt-1 on {_V1}": 10000 * MIB,
        },
        # The profiling ratio is the card's, on each of its pods.
        "Who holds it | Utilisation": {
            f"serve/infer-a on {_V0}": 0.8,
            f"serve/infer-b on {_V0}": 0.8,
            f"ml/gpt-1 on {_V1}": 0.25,
        },
    },
}

# The training's pod holds 24000 MiB: a pool of 20 GiB, 16 of it in use, and the rest beside it.
_VGPU_TRAINING: Mapping[str, Board] = {
    "gpu-memory": {
        "Gap": {"": 40000 * MIB - 16 * GIB},
        "What the gap is made of": {
            "Pool slack": 4 * GIB,
            "Contexts and libraries": 24000 * MIB - 20 * GIB,
            "Other processes": (40000 - 24000) * MIB,
            "Not told apart": 0,
        },
        "The gap, card by card | Other processes": {_V0: (40000 - 24000) * MIB},
        "The gap, card by card | Not told apart": {_V0: 0},
    },
}
# The other instance is others'; what lies between the pool and the instance's 10182 MiB may be anybody's.
_MIG_TRAINING: Mapping[str, Board] = {
    "gpu-memory": {
        "Gap": {"": (10182 + 22) * MIB - 4 * GIB},
        "What the gap is made of": {
            "Pool slack": 4 * GIB,
            "Other processes": 22 * MIB,
            "Not told apart": 10182 * MIB - 8 * GIB,
        },
    },
}

_G0, _G1 = "gpu-node-08 gpu 0", "gpu-node-08 gpu 1"
_GEFORCE: Mapping[str, Board] = {
    "gpu-fleet": {
        "Utilisation": {"": (0.99 + 0.01) / 2},  # the percentage, for want of the profiling ratio
        "Busy cards": {"": 1 / 2},
        "Memory held": {"": (20480 + 312) / (24576 + 24576)},
        "Namespaces | Cards held": {},
    },
    "gpu-node": {
        "Cards | Utilisation": {_G0: 0.99, _G1: 0.01},
        "Cards | Last XID": {},
        "SM clock": {_G0: 2520 * MHZ, _G1: 210 * MHZ},
        "PCIe and NVLink traffic": {},
    },
    "gpu-thermal": {"Hottest card": {"": 72}, "Memory temperature of the hottest cards": {}},
}

KNOWN: Fleets = {
    # The workload overwrites the labels of the target; an idle card keeps those, which name the exporter itself.
    "dcgm-honor-labels": {"gpu-fleet": dcgm.FLEET, "gpu-node": dcgm.NODE_1, "gpu-thermal": dcgm.THERMAL},
    # Here the host label is the name of the exporter's pod: wrong, but nothing better is exported.
    "dcgm-a0": _two_cards("dcgm-exporter-x7k2p", "ml/bert-0", 0.91, (30720, 0), 30720 + 2048, (66, 38), (280.5, 42.25)),
    "dcgm-a": _NODE_1,
    "dcgm-aprime": _two_cards("gpu-node-03", "ml/bert-0", 0.91, (30720, 0), 30720 + 2048, (66, 38), (280.5, 42.25)),
    "dcgm-c": {
        "gpu-fleet": dcgm.FLEET,
        "gpu-node": dcgm.NODE_1,
        "gpu-thermal": dcgm.THERMAL,
    },
    "dcgm-b-and-c": _BOTH_HOST_LABELS,
    "dcgm-baremetal": _two_cards("gpu-node-04", "", 0.75, (32768, 0), 32768 + 8192, (64, 31), (390, 52)),
    "dcgm-old-namespace": _two_cards("gpu-node-05", "ml/gpt-0", 0.875, (30720, 0), 30720 + 10240, (60, 30), (380, 50)),
    "dcgm-mig": _MIG,
    "dcgm-hpc": _HPC,
    "dcgm-vgpu": _VGPU,
    "dcgm-vgpu-training": _VGPU_TRAINING,
    "dcgm-mig-training": _MIG_TRAINING,
    "dcgm-geforce": _GEFORCE,
    # Base units in the names: nothing is multiplied any more.
    "dcgm-4.9": {
        **_two_cards(
            "gpu-node-09",
            "ml/resnet50-worker-0",
            0.9683,
            (70837, 1),
            85520809984 / MIB,
            (58, 33),
            (642.75, 72.25),
        ),
        "gpu-detail": {
            "GPU 0: clocks": {"SM": 1980000000, "Memory": 2619000000},
            "GPU 0: how well it is used": {
                "Any work": 0.9683,
                "SMs active": 0.875,
                "Tensor pipe": 0.4122,
                "Memory bandwidth": 0.3871,
            },
            "GPU 0: device memory against the framework's": {
                "Device: used": 74277978112,
                "Device: total": 85520809984,
            },
            "GPU 0: PCIe and NVLink": {"PCIe in": 3120458812, "PCIe out": 1284412930, "NVLink": 203864000000},
            "Last XID (1)": {"gpu-node-09 gpu 1": 43},
        },
    },
}
