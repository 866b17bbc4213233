"""nvidia_gpu_exporter in its several ages, and the names of the tutorials."""

from collections.abc import Mapping

from tests.live.known_answers.dcgm import NO_REASON
from tests.live.known_answers.terms import DEGREES, GIB, MHZ, MIB, TENTHS, Board, Fleets, bands

N11, N12 = "gpu-node-11", "gpu-node-12"
# Both nodes number their cards from 0: the hot card is 0 on gpu-node-12 and the busy one 0 on gpu-node-11.
BUSY, FREE, HOT, IDLE = f"{N11} gpu 0", f"{N11} gpu 1", f"{N12} gpu 0", f"{N12} gpu 1"
TOTAL = 70837 + 10240 + 482  # MiB, of each of the four
WATTS = 631.95 + 71.5 + 698.25 + 120.5

# The training's process (number 4001) has a pool of 64 GiB on a card with a second process.
_SMI_GAP: Mapping[str, Board] = {
    "gpu-memory": {
        "Gap": {"": 70837 * MIB - 40 * GIB},
        "What the gap is made of": {
            "Pool slack": 24 * GIB,
            "Contexts and libraries": 73014444032 - 64 * GIB,
            "Other processes": 70837 * MIB - 73014444032,
            "Not told apart": 0,
        },
        "The gap, card by card | Pool slack": {BUSY: 24 * GIB},
        "The gap, card by card | Contexts and libraries": {BUSY: 73014444032 - 64 * GIB},
        "The gap, card by card | Other processes": {BUSY: 70837 * MIB - 73014444032},
        "The gap, card by card | Not told apart": {BUSY: 0},
    },
}
# In a pod it does not know its number on the host, and either of the two on the card may be the training's.
_SMI_GAP_IN_PODS: Mapping[str, Board] = {
    "gpu-memory": {
        "What the gap is made of": {"Pool slack": 24 * GIB, "Not told apart": 70837 * MIB - 64 * GIB},
        "The gap, card by card | Contexts and libraries": {},
        "The gap, card by card | Other processes": {},
        "The gap, card by card | Not told apart": {BUSY: 70837 * MIB - 64 * GIB},
    },
}

_SMI: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 4},
        "Nodes": {"": 2},
        "Utilisation": {"": (0.97 + 0 + 0.5 + 0) / 4},
        "Memory held": {"": (70837 + 1 + 20480 + 61440) / (4 * TOTAL)},
        "Power": {"": WATTS, "All cards": WATTS},
        "Hottest card": {"": 88},
        "Idle but held": {"": 1},
        "Lost cards": {"": 0},
        "Slowed down": {"": 1},
        "At the power limit": {"": 1},  # 698.25 of 700 W; 631.95 W is 90 %
        "Over the warning temperature": {"": 1},
        "Cards with an XID": {},  # nvidia-smi knows of none, so there is no calm zero
        "Uncorrectable ECC": {"": 1},
        "Busy cards": {"": 2 / 4},
        "Nodes | Cards": {N11: 2, N12: 2},
        "Nodes | Utilisation": {N11: 0.97 / 2, N12: 0.5 / 2},
        "Nodes | Memory": {N11: (70837 + 1) / (2 * TOTAL), N12: (20480 + 61440) / (2 * TOTAL)},
        "Nodes | Hottest": {N11: 59, N12: 88},
        "Nodes | Power": {N11: 631.95 + 71.5, N12: 698.25 + 120.5},
        "Nodes | Slowed down": {N11: 0, N12: 1},
        "Nodes | ECC": {N11: 0, N12: 1},
        "Nodes | XID": {},
        "Idle but held | Share held": {IDLE: 61440 / TOTAL},
        "Who holds them | Memory held": None,
        "Pods on nodes in trouble | Memory held": None,
        "Namespaces | Cards held": None,
        "Cards by utilisation": bands(TENTHS, {0: 2, 50: 1, 90: 1}),
    },
    "gpu-node": {
        "Cards | Core": {BUSY: 59, FREE: 33},
        "Cards | Memory": {BUSY: 70837 / TOTAL, FREE: 1 / TOTAL},
        "Cards | Slowed down": {BUSY: 0, FREE: 0},
        "Cards | Last XID": None,
        "Pods on this node | Memory held": None,
        "Power against the limit": {BUSY: 631.95, FREE: 71.5, f"limit {BUSY}": 700, f"limit {FREE}": 700},
        "SM clock": {BUSY: 1980 * MHZ, FREE: 345 * MHZ},
        "Power share now": {BUSY: 631.95 / 700, FREE: 71.5 / 700},
        "PCIe and NVLink traffic": {},  # needs the exporter's NVML backend
    },
    "gpu-detail?var-node=gpu-node-12": {
        "GPU 0: utilisation, memory and temperature": {
            "Utilisation": 0.5,
            "Memory held": 20480 / TOTAL,
            "Core temperature": 88,
            "Memory temperature": 97,
        },
        "GPU 1: utilisation, memory and temperature": {
            "Utilisation": 0,
            "Memory held": 61440 / TOTAL,
            "Core temperature": 41,
            "Memory temperature": 44,
        },
        "Headroom (0)": {HOT: 4},
        "ECC corrected (0)": {HOT: 40},
        "ECC corrected (1)": {IDLE: 3},
        "ECC uncorrected (0)": {HOT: 2},
        "Row remap (0)": {"pending": 1, "failed": 1},
        "Last XID (0)": None,
        "GPU 0: what reduces the clocks": {
            **NO_REASON,
            "power cap": 1,
            "hardware slowdown": 1,
            "heat (driver)": 1,
            "heat (hardware)": 1,
        },
        "GPU 1: what reduces the clocks": {**NO_REASON, "idle": 1},
        "GPU 0: share of time slowed down": {"by heat": 0.4, "by the power limit": 0.03},  # seconds a second
        "GPU 0: clocks": {"SM": 1200 * MHZ, "Memory": 2619 * MHZ},
        "Pods on these cards | Memory held": None,
    },
    "gpu-detail?var-node=gpu-node-12&var-gpu_id=1": {"Core temperature now (1)": {IDLE: 41}},
    "gpu-memory": {
        "Held": {"": (70837 + 1 + 20480 + 61440) * MIB},
        "Fullest now": {BUSY: 70837 / TOTAL, FREE: 1 / TOTAL, HOT: 20480 / TOTAL, IDLE: 61440 / TOTAL},
        "Gap": None,
        "What the gap is made of": None,
        "Who holds it | Memory held": None,
    },
    "gpu-thermal": {
        "Slowed down": {"": 1},
        "Held by the power cap": {"": 1},
        "Power": {"": WATTS},
        "Energy in this time range": {},
        "Cards by temperature | Core": {BUSY: 59, FREE: 33, HOT: 88, IDLE: 41},
        "Cards by temperature | Headroom": {BUSY: 26, FREE: 52, HOT: 4, IDLE: 51},
        "Slowed down by heat or power supply": {HOT: 1},
        "Hottest card of each node": {N11: 59, N12: 88},
        # By the driver's counter; the hardware's says 0.25.
        "Share of time slowed down by heat": {BUSY: 0, FREE: 0, HOT: 0.4, IDLE: 0},
    },
    "gpu-health": {
        "Uncorrectable ECC": {"": 1},
        "Cards with an XID": {},
        "Row remap": {"pending": 1, "failed": 1},
        "Silent nodes": {"": 0},
        "Oldest sample": {"": 0},
        "Last XID by card | Last XID": None,
        "XIDs since the exporter started | Times": {},
        "Memory errors and repairs | Uncorrected": {BUSY: 0, FREE: 0, HOT: 2, IDLE: 0},
        "Memory errors and repairs | Corrected": {BUSY: 0, FREE: 0, HOT: 40, IDLE: 3},
        "Memory errors and repairs | Remap pending": {BUSY: 0, FREE: 0, HOT: 1, IDLE: 0},
        "Corrected memory errors": {BUSY: 0, FREE: 0, HOT: 0, IDLE: 0},
        "PCIe replays": None,
        "NVLink errors": None,
        "Nodes with fewer cards than they offer | Missing": None,  # nobody asks Kubernetes here
        "Host clock offset": None,
        "Age of the newest sample by node": {N11: 0, N12: 0},
    },
    "gpu-training": {"Running jobs": None, "Jobs | Cards": None, "Fleet utilisation": {"All cards": 1.47 / 4}},
    "gpu-thermal?var-node=gpu-node-11&var-gpu_id=0": {
        "Hottest card": {"": 59},
        "Power": {"": 631.95},
        "Cards by temperature | Core": {BUSY: 59},
    },
}

# Before 1.5 the exporter did not tell the index, and the reasons had another name.
_OLD = "gpu-node-13"
_O0, _O1 = (f"{_OLD} gpu 13131313-0000-4000-8000-00000000000{i}" for i in (0, 1))
_SMI_OLD: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Slowed down": {"": 0},
        "At the power limit": {"": 1},  # 249.5 of 250 W
        "Memory held": {"": (6192 + 0) / (8192 + 8192)},  # 6192 + 1775 + 225
        "Nodes | Power": {_OLD: 249.5 + 15.5},
        "Cards with an XID": {},
        "Uncorrectable ECC": {},  # GeForce
    },
    "gpu-node": {
        "Cards | Core": {_O0: 78, _O1: 36},
        "Cards | Utilisation": {_O0: 0.99, _O1: 0},
        "Core temperature": {_O0: 78, _O1: 36},
        "Power share now": {_O0: 249.5 / 250, _O1: 15.5 / 250},
    },
    "gpu-detail?var-gpu_id=13131313-0000-4000-8000-000000000000": {
        "GPU 13131313-0000-4000-8000-000000000000: what reduces the clocks": {**NO_REASON, "power cap": 1},
        "GPU 13131313-0000-4000-8000-000000000000: power against its limit": {"Power": 249.5, "Limit": 250},
    },
    "gpu-thermal": {"Held by the power cap": {"": 1}, "Hottest cards over time": {_O0: 78, _O1: 36}},
}

_M0 = "gpu-node-14 gpu 0"
_SMI_MIG: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 1},
        "Utilisation": {},  # nvidia-smi tells none on a MIG card
        "Idle but held": {},  # so nobody knows whether it is idle
        "Memory held": {"": 10240 / TOTAL},
        "Power": {"": 310.25, "All cards": 310.25},
    },
    "gpu-node": {"Cards | Reports": {_M0: 1}, "Cards | Utilisation": {}, "Cards | Memory": {_M0: 10240 / TOTAL}},
}

# The NVML backend: card 0 is a MIG card with two instances, card 1 whole.
_Q0, _Q1 = "gpu-node-15 gpu 0", "gpu-node-15 gpu 1"
_USED = (10240 * MIB + 64 * MIB, 102400 * MIB)
_ALL = (85331017728, 150829268992)
_SMI_NVML: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Utilisation": {"": 1},  # of the card that says
        "Cards with an XID": {"": 1},
        "Memory held": {"": sum(_USED) / sum(_ALL)},
        "Power": {"": 310.25 + 627.5, "All cards": 310.25 + 627.5},
    },
    "gpu-detail": {
        "GPU 0: how well it is used": {"SMs active": (0.8 + 0) / 2, "Tensor pipe": (0.4 + 0) / 2},
        "GPU 0: device memory against the framework's": {"Device: used": _USED[0], "Device: total": _ALL[0]},
        "GPU 1: PCIe and NVLink": {"PCIe in": 2.5e8, "PCIe out": 5e8},
    },
    "gpu-memory": {"Held": {"": sum(_USED)}, "Fullest now": {_Q0: _USED[0] / _ALL[0], _Q1: _USED[1] / _ALL[1]}},
    "gpu-thermal": {"Energy in this time range": {"": 310.25 + 627.5}},
    "gpu-health": {
        "Cards with an XID": {"": 1},
        "Last XID by card | Last XID": None,
        "XIDs since the exporter started | Times": {f"{_Q1}: XID 79": 2},
    },
}

# The driver did nothing; the hardware was slowed down for a quarter of the time.
_HARDWARE_HEAT: Mapping[str, Board] = {
    "gpu-thermal": {"Share of time slowed down by heat": {HOT: 0.25, IDLE: 0}},
    "gpu-detail?var-node=gpu-node-12&var-gpu_id=0": {
        "GPU 0: share of time slowed down": {"by heat": 0.25, "by the power limit": 0.03},
    },
}

# gpu-node-12 fell silent 55 minutes ago, and took the series with it that say which cards it has.
_SILENT: Mapping[str, Board] = {
    "gpu-fleet": {"Cards": {"": 2}, "Lost cards": {"": 0}, "Hottest card": {"": 59}, "Slowed down": {"": 0}},
    "gpu-health": {
        "Silent nodes": {"": 1},
        "Silent nodes by name | Silent": {N12: 1},
        "Lost cards by name | Lost": {},
        "Age of the newest sample by node": {N11: 0},
    },
}

_LOST: Mapping[str, Board] = {
    "gpu-fleet": {"Cards": {"": 1}, "Lost cards": {"": 1}, "Nodes | Lost": {N11: 1}},
    "gpu-node": {"Lost cards": {"": 1}, "Lost cards by name | Lost": {FREE: 1}, "Cards | Reports": {BUSY: 1}},
    "gpu-health": {"Lost cards": {"": 1}, "Lost cards by name | Lost": {FREE: 1}, "Silent nodes": {"": 0}},
}

_T0, _T1 = "gpu-node-16 gpu 0", "gpu-node-16 gpu 1"
_NV_GPU: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Utilisation": {"": (0.68 + 0.02) / 2},
        "Hottest card": {"": 71},
        "Nodes | Utilisation": {"gpu-node-16": (0.68 + 0.02) / 2},
        "Memory held": None,  # nobody says how much there is
        "Power": None,
    },
    "gpu-node": {
        "Cards | Utilisation": {_T0: 0.68, _T1: 0.02},
        "Cards | Core": {_T0: 71, _T1: 34},
        "Cards | Memory": None,
    },
    "gpu-memory": {
        "Held": {"": 32 * GIB + 512 * MIB},
        # The snippet's process numbers its own cards: GPU:0 is taken for card 0 of its node, right or wrong.
        "In use by frameworks (approximate)": {"": 40 * GIB},
        "Cards by gap (approximate) | Gap": {_T0: (32 - 40) * GIB, _T1: 512 * MIB},
        "Cards by gap (approximate) | Used": {_T0: 32 * GIB, _T1: 512 * MIB},
        "Cards by gap (approximate) | In use": {_T0: 40 * GIB, _T1: 0},
        "Cards by gap (approximate) | Peak": None,
        "Gap, share (approximate)": {"": ((32 - 40) * GIB + 512 * MIB) / (32 * GIB + 512 * MIB)},
        "Tightest framework": None,
        "What the gap is made of (approximate)": None,
        "Free memory by card": None,
        "Who holds it | Memory held": {},
    },
    "gpu-health": {
        "Uncorrectable ECC": None,
        "Cards with an XID": None,
        "Lost cards": {"": 0},
        "Silent nodes": {"": 0},
        "Oldest sample": {"": 0},
        "What the cards export | Cards": {
            "nv_gpu_utilization_ratio": 2,
            "nvml_gpu_memory_used_bytes": 2,
            "nv_gpu_temperature_celsius": 2,
        },
    },
    "gpu-training": {
        "Running jobs": None,
        "Records per second (approximate)": {"": 640},
        "Jobs (approximate) | Records/s": {"": 640},  # the snippet does not know its job
        "Jobs | Cards": None,
        "Stragglers": None,
    },
}

# Card 0 is held by a pod, and too hot.
_T0_POD = f"ml/bert-0 on {_T0}"
_NV_GPU_PODS: Mapping[str, Board] = {
    "gpu-fleet": {
        "Pods on nodes in trouble | Memory held": {_T0_POD: 32 * GIB},
        "Pods on nodes in trouble | Utilisation": {_T0_POD: 0.68},
        "Namespaces | Cards held": {"ml": 1},
        "Namespaces | Mean utilisation": {"ml": 0.68},
    },
    "gpu-node": {
        "Pods on this node | Memory held": {_T0_POD: 32 * GIB},
        "Pods on this node | Utilisation": {_T0_POD: 0.68},
    },
    "gpu-detail": {
        "Pods on these cards | Memory held": {_T0_POD: 32 * GIB},
        "Pods on these cards | Utilisation": {_T0_POD: 0.68},
    },
    "gpu-memory": {
        "Who holds it | Memory held": {_T0_POD: 32 * GIB},
        "Who holds it | Utilisation": {_T0_POD: 0.68},
    },
}

_R = "gpu-node-17"
_R0, _R1 = f"{_R} gpu 0", f"{_R} gpu 1"
_NVIDIA_GPU: Mapping[str, Board] = {
    "gpu-fleet": {
        "Cards": {"": 2},
        "Utilisation": {"": (0.68 + 0.02) / 2},  # 68 and 2 %
        "Memory held": {"": (32 * GIB + 512 * MIB) / (80 * GIB)},
        "Power": {"": 312.5 + 48.25, "All cards": 312.5 + 48.25},
        "Busy cards": {"": 1 / 2},
        "Idle but held": {"": 0},
        "Slowed down": None,
        "Namespaces | Cards held": None,
    },
    "gpu-node": {
        "Cards | Utilisation": {_R0: 0.68, _R1: 0.02},
        "Cards | Memory": {_R0: 0.8, _R1: 0.0125},  # 32 GiB and 512 MiB of 40 GiB
        "SM clock": {_R0: 1410 * MHZ, _R1: 210 * MHZ},
        "Power against the limit": {_R0: 312.5, _R1: 48.25},
        "Power share now": None,
        "Pods on this node | Memory held": None,
    },
    "gpu-detail?var-gpu_id=0": {"GPU 0: clocks": {"SM": 1410 * MHZ, "Memory": 1215 * MHZ}},
    "gpu-memory": {"Fullest now": {_R0: 0.8, _R1: 0.0125}, "Gap": None},
    "gpu-thermal": {"Cards by temperature": bands(DEGREES, {30: 1, 70: 1}), "Energy in this time range": None},
    "gpu-health": {"Row remap": None, "Lost cards": {"": 0}, "Silent nodes by name | Silent": {}},
    "gpu-training": {"Jobs | Cards": None, "Fleet utilisation": {"All cards": 0.35}},
}

KNOWN: Fleets = {
    "nvidia-smi": _SMI,
    "nvidia-smi-training": _SMI_GAP,
    "nvidia-smi-training-in-pods": _SMI_GAP_IN_PODS,
    "nvidia-smi-old": _SMI_OLD,
    "nvidia-smi-mig": _SMI_MIG,
    "nvidia-smi-nvml": _SMI_NVML,
    "nvidia-smi-lost-card": _LOST,
    "nvidia-smi-hardware-heat": _HARDWARE_HEAT,
    "nvidia-smi-silent": _SILENT,
    "nv-gpu": _NV_GPU,
    "nv-gpu-pods": _NV_GPU_PODS,
    "nvidia-gpu": _NVIDIA_GPU,
}
