"""Two Kubernetes nodes with two cards each, and two training processes with a probe.

gpu-node-01: card 0 trains (uuid as the probe of rank 0 says), card 1 is idle and nobody's; used + free +
reserved. gpu-node-02: card 0 is held by a notebook that does nothing, card 1 trains and is hot. Its counters
file is the Helm chart's (no reserved) in fleet ``dcgm`` and a long one in ``dcgm-extended``.
"""

from tests.live.known_answers.terms import DEGREES, GIB, MB, MHZ, MIB, TENTHS, Board, Fleets, bands

N1, N2 = "gpu-node-01", "gpu-node-02"
BUSY, FREE, IDLE, HOT = f"{N1} gpu 0", f"{N1} gpu 1", f"{N2} gpu 0", f"{N2} gpu 1"
BUSY_POD, IDLE_POD, HOT_POD = (
    f"ml/resnet50-worker-0 on {BUSY}",
    f"research/notebook-0 on {IDLE}",
    f"ml/resnet50-worker-1 on {HOT}",
)

# Memory of a card in MiB. On gpu-node-02 of fleet dcgm nobody says what is reserved.
TOTAL_1 = 70837 + 10240 + 482  # = 1 + 81076 + 482 = 81559
TOTAL_2 = 61440 + 20000  # = 20480 + 60960 = 81440
USED = 70837 + 1 + 61440 + 20480
SHARES = {
    BUSY: 70837 / TOTAL_1,  # 0.8685
    FREE: 1 / TOTAL_1,
    IDLE: 61440 / TOTAL_2,  # 0.7544
    HOT: 20480 / TOTAL_2,
}
WATTS = 642.713 + 72.164 + 120.5 + 698.25

# Bytes in live tensors: rank 0 on the busy card, rank 1 on the hot one, whatever it calls it.
GAPS = {BUSY: 70837 * MIB - 40 * GIB, HOT: 20480 * MIB - 16 * GIB}

FLEET: Board = {
    "Cards": {"": 4},
    "Nodes": {"": 2},
    "Utilisation": {"": (0.968342 + 0 + 0 + 0.5) / 4},
    "Memory held": {"": USED / (2 * TOTAL_1 + 2 * TOTAL_2)},
    "Power": {"": WATTS, "All cards": WATTS},
    "Hottest card": {"": 88},
    "Idle but held": {"": 1},
    "Lost cards": {"": 0},
    "Slowed down": {},  # no throttle reason is exported
    "At the power limit": {},  # no power limit is exported
    "Over the warning temperature": {"": 1},
    "Cards with an XID": {"": 2},  # 43 on the free card, 79 on the hot one
    "Uncorrectable ECC": {},  # no ECC counter is exported
    "Busy cards": {"": 2 / 4},
    "Nodes | Cards": {N1: 2, N2: 2},
    "Nodes | Utilisation": {N1: (0.968342 + 0) / 2, N2: (0 + 0.5) / 2},
    "Nodes | Memory": {N1: (70837 + 1) / (2 * TOTAL_1), N2: (61440 + 20480) / (2 * TOTAL_2)},
    "Nodes | Hottest": {N1: 58, N2: 88},
    "Nodes | Power": {N1: 642.713 + 72.164, N2: 120.5 + 698.25},
    "Nodes | Slowed down": {},
    "Nodes | Lost": {},
    "Nodes | ECC": {},
    "Nodes | XID": {N1: 1, N2: 1},
    # gpu-node-02 is in trouble: its card 1 is at 88 degrees. The pod on gpu-node-01 is not listed.
    "Pods on nodes in trouble | Memory held": {IDLE_POD: 61440 * MIB, HOT_POD: 20480 * MIB},
    "Pods on nodes in trouble | Utilisation": {IDLE_POD: 0, HOT_POD: 0.5},
    "Idle but held | Share held": {IDLE: 61440 / TOTAL_2},
    "Who holds them | Memory held": {IDLE_POD: 61440 * MIB},
    "Namespaces | Cards held": {"ml": 2, "research": 1},  # and not the exporter's own namespace
    "Namespaces | Mean utilisation": {"ml": (0.968342 + 0.5) / 2, "research": 0},
    "Utilisation and memory held": {
        "Utilisation": (0.968342 + 0.5) / 4,
        "Memory held": USED / (2 * TOTAL_1 + 2 * TOTAL_2),
        "Busy cards": 0.5,
    },
    "Cards by utilisation": bands(TENTHS, {0: 2, 50: 1, 90: 1}),  # 0, 0, 50 and 96.8 %
    "Least used nodes": {N1: (0.968342 + 0) / 2, N2: (0 + 0.5) / 2},
}

NODE_1: Board = {
    "Cards": {"": 2},
    "Utilisation": {"": (0.968342 + 0) / 2, BUSY: 0.968342, FREE: 0},
    "Memory held": {"": (70837 + 1) / (2 * TOTAL_1), BUSY: 70837 / TOTAL_1, FREE: 1 / TOTAL_1},
    "Hottest card": {"": 58},
    "Power": {"": 642.713 + 72.164},
    "Lost cards": {"": 0},
    "Cards | Reports": {BUSY: 1, FREE: 1},
    "Cards | Utilisation": {BUSY: 0.968342, FREE: 0},
    "Cards | Memory": {BUSY: 70837 / TOTAL_1, FREE: 1 / TOTAL_1},
    "Cards | Core": {BUSY: 58, FREE: 33},
    "Cards | Power": {BUSY: 642.713, FREE: 72.164},
    "Cards | Last XID": {FREE: 43},
    "Lost cards by name | Lost": {},
    "Pods on this node | Memory held": {BUSY_POD: 70837 * MIB},  # nobody holds card 1
    "Pods on this node | Utilisation": {BUSY_POD: 0.968342},
    "Core temperature": {BUSY: 58, FREE: 33},
    "Power against the limit": {BUSY: 642.713, FREE: 72.164},
    "SM clock": {BUSY: 1980 * MHZ, FREE: 345 * MHZ},
    "PCIe and NVLink traffic": {
        f"PCIe in {BUSY}": 3120458812,
        f"PCIe in {FREE}": 118233,
        f"PCIe out {BUSY}": 1284412930,
        f"PCIe out {FREE}": 421894,
        f"NVLink {BUSY}": 203864 * MB,
        f"NVLink {FREE}": 0,
    },
}

DETAIL_1: Board = {
    "GPU 0: utilisation, memory and temperature": {
        "Utilisation": 0.968342,
        "Memory held": 70837 / TOTAL_1,
        "Core temperature": 58,
        "Memory temperature": 61,
    },
    "GPU 1: utilisation, memory and temperature": {
        "Utilisation": 0,
        "Memory held": 1 / TOTAL_1,
        "Core temperature": 33,
        "Memory temperature": 39,
    },
    "Core temperature now (0)": {BUSY: 58},
    "Core temperature now (1)": {FREE: 33},
    "Last XID (0)": {},
    "Last XID (1)": {FREE: 43},
    "Row remap (0)": {"failed": 0},
    "GPU 0: device memory against the framework's": {
        "Device: used": 70837 * MIB,
        "Framework: in use": 40 * GIB,
        "Framework: pool": 64 * GIB,
        "Framework: limit": 78 * GIB,
        "Device: total": TOTAL_1 * MIB,
    },
    "GPU 1: device memory against the framework's": {"Device: used": 1 * MIB, "Device: total": TOTAL_1 * MIB},
    "GPU 0: power against its limit": {"Power": 642.713},
    "GPU 0: clocks": {"SM": 1980 * MHZ, "Memory": 2619 * MHZ},
    "GPU 1: clocks": {"SM": 345 * MHZ, "Memory": 2619 * MHZ},
    "GPU 0: how well it is used": {"Any work": 0.968342, "Tensor pipe": 0.412233, "Memory bandwidth": 0.387120},
    "GPU 0: PCIe and NVLink": {"PCIe in": 3120458812, "PCIe out": 1284412930, "NVLink": 203864 * MB},
    "Pods on these cards | Memory held": {BUSY_POD: 70837 * MIB},
    "Pods on these cards | Utilisation": {BUSY_POD: 0.968342},
}

MEMORY: Board = {
    "Held": {"": USED * MIB},
    "Held, share": {"": USED / (2 * TOTAL_1 + 2 * TOTAL_2)},
    "In use by frameworks": {"": (40 + 16) * GIB},
    "Gap": {"": sum(GAPS.values())},
    "Gap, share": {"": sum(GAPS.values()) / ((70837 + 20480) * MIB)},  # against the two cards that report
    "Tightest framework": {"": 40 / 78},
    "Device's view against the framework's": {
        "Device: used": (70837 + 20480) * MIB,  # the idle card's memory is not compared with nothing
        "Framework: in use": (40 + 16) * GIB,
    },
    "Gap by card": GAPS,
    # The pools are 64 and 19 GiB; each pod has a card to itself, so that its value is the card's.
    "What the gap is made of": {"Pool slack": (24 + 3) * GIB, "Not told apart": (70837 + 20480) * MIB - 83 * GIB},
    "The gap, card by card | Pool slack": {BUSY: 24 * GIB, HOT: 3 * GIB},
    "The gap, card by card | Contexts and libraries": {},
    "The gap, card by card | Other processes": {},
    "The gap, card by card | Not told apart": {BUSY: 70837 * MIB - 64 * GIB, HOT: 20480 * MIB - 19 * GIB},
    "Cards by gap | Gap": GAPS,
    "Cards by gap | Gap, share": {BUSY: (70837 - 40 * 1024) / 70837, HOT: (20480 - 16 * 1024) / 20480},
    "Cards by gap | Used": {BUSY: 70837 * MIB, HOT: 20480 * MIB},
    "Cards by gap | In use": {BUSY: 40 * GIB, HOT: 16 * GIB},
    "Cards by gap | Peak": {BUSY: 48 * GIB, HOT: 18 * GIB},
    "Cards by gap | Pool": {BUSY: 64 * GIB, HOT: 19 * GIB},
    "Cards by gap | Limit": {BUSY: 78 * GIB, HOT: 78 * GIB},
    "Fullest now": SHARES,
    # 86.85, 0, 75.44 and 25.15 %
    "Cards by share of memory held": bands(TENTHS, {80: 1, 0: 1, 70: 1, 20: 1}, " %"),
    "Who holds it | Memory held": {BUSY_POD: 70837 * MIB, IDLE_POD: 61440 * MIB, HOT_POD: 20480 * MIB},
    "Who holds it | Utilisation": {BUSY_POD: 0.968342, IDLE_POD: 0, HOT_POD: 0.5},
    "In use against the limit": {BUSY: 40 / 78, HOT: 16 / 78},
    "In use and peak": {
        f"in use {BUSY}": 40 * GIB,
        f"in use {HOT}": 16 * GIB,
        f"peak {BUSY}": 48 * GIB,
        f"peak {HOT}": 18 * GIB,
    },
}

CORE = {BUSY: 58, FREE: 33, IDLE: 41, HOT: 88}
STACKS = {BUSY: 61, FREE: 39, IDLE: 44, HOT: 97}

THERMAL: Board = {
    "Hottest card": {"": 88},
    "Over the warning temperature": {"": 1},
    "Slowed down": {},
    "Held by the power cap": {},
    "Power": {"": WATTS},
    "Energy in this time range": {"": WATTS},  # of one hour, in Wh; the counters rise by the power drawn, in mJ
    "Cards by temperature": bands(DEGREES, {30: 1, 40: 1, 55: 1, 85: 1}),
    "Hottest cards over time": CORE,
    "Core temperature of the hottest cards": CORE,
    "Hottest card of each node": {N1: 58, N2: 88},
    "Memory temperature of the hottest cards": STACKS,
    "Cards by temperature | Core": CORE,
    "Cards by temperature | Memory": STACKS,
    "Cards by temperature | Power": {BUSY: 642.713, FREE: 72.164, IDLE: 120.5, HOT: 698.25},
    "Cards by temperature | Slowed down": {},
    "Power by node": {N1: 642.713 + 72.164, N2: 120.5 + 698.25},
}

# With the long counters file gpu-node-02 says its 480 MiB reserved, limits, reasons and errors.
TOTAL_2X = 61440 + 20000 + 480  # = 20480 + 60960 + 480 = 81920

EXTENDED_FLEET: Board = {
    **FLEET,
    "Memory held": {"": USED / (2 * TOTAL_1 + 2 * TOTAL_2X)},
    "Slowed down": {"": 1},
    "At the power limit": {"": 1},  # 698.25 of 700 W
    "Uncorrectable ECC": {"": 1},
    "Nodes | Memory": {N1: (70837 + 1) / (2 * TOTAL_1), N2: (61440 + 20480) / (2 * TOTAL_2X)},
    "Nodes | Slowed down": {N2: 1},
    "Nodes | ECC": {N2: 1},
    "Idle but held | Share held": {IDLE: 61440 / TOTAL_2X},
    "Utilisation and memory held": {
        "Utilisation": (0.968342 + 0.5) / 4,
        "Memory held": USED / (2 * TOTAL_1 + 2 * TOTAL_2X),
        "Busy cards": 0.5,
    },
}

EXTENDED_NODE: Board = {
    "Cards | Slowed down": {IDLE: 0, HOT: 1},
    "Cards | Last XID": {HOT: 79},
    "Cards | ECC uncorrected": {IDLE: 0, HOT: 2},
    "Cards | Remap pending": {IDLE: 0, HOT: 1},
    "Pods on this node | Memory held": {IDLE_POD: 61440 * MIB, HOT_POD: 20480 * MIB},
    "Power against the limit": {IDLE: 120.5, HOT: 698.25, f"limit {IDLE}": 700, f"limit {HOT}": 700},
    "Slowed down by heat or power supply": {IDLE: 0, HOT: 1},
    "Power share now": {IDLE: 120.5 / 700, HOT: 698.25 / 700},
}

NO_REASON = dict.fromkeys(
    (
        "power cap",
        "heat (driver)",
        "heat (hardware)",
        "power brake",
        "hardware slowdown",
        "sync boost",
        "application clocks",
        "idle",
    ),
    0,
)
# 108 = 4 (power cap) + 8 (hardware slowdown) + 32 (heat, driver) + 64 (heat, hardware)
HOT_REASONS = {**NO_REASON, "power cap": 1, "hardware slowdown": 1, "heat (driver)": 1, "heat (hardware)": 1}

EXTENDED_DETAIL: Board = {
    "Headroom (0)": {IDLE: 51},
    "Headroom (1)": {HOT: 4},
    "ECC uncorrected (1)": {HOT: 2},
    "ECC corrected (0)": {IDLE: 3},
    "ECC corrected (1)": {HOT: 40},
    "Last XID (1)": {HOT: 79},
    "Row remap (0)": {"pending": 0, "failed": 0},
    "Row remap (1)": {"pending": 1, "failed": 1},
    "GPU 1: device memory against the framework's": {
        "Device: used": 20480 * MIB,
        "Framework: in use": 16 * GIB,
        "Framework: pool": 19 * GIB,
        "Framework: limit": 78 * GIB,
        "Device: total": TOTAL_2X * MIB,
    },
    "GPU 1: power against its limit": {"Power": 698.25, "Limit": 700},
    "GPU 1: how well it is used": {
        "Any work": 0.5,
        "SMs active": 0.4375,
        "Tensor pipe": 0.25,
        "Memory bandwidth": 0.125,
    },
    "GPU 0: what reduces the clocks": {**NO_REASON, "idle": 1},
    "GPU 1: what reduces the clocks": HOT_REASONS,
    # 0.4e9 and 0.1e9 ns of every second
    "GPU 1: share of time slowed down": {"by heat": 0.4, "by the power limit": 0.1},
    "GPU 0: share of time slowed down": {"by heat": 0, "by the power limit": 0},
}

_SHARES_2X = {**SHARES, IDLE: 61440 / TOTAL_2X, HOT: 20480 / TOTAL_2X}
EXTENDED_MEMORY: Board = {
    **MEMORY,
    "Held, share": {"": USED / (2 * TOTAL_1 + 2 * TOTAL_2X)},
    "Fullest now": _SHARES_2X,
}

EXTENDED_THERMAL: Board = {
    **THERMAL,
    "Slowed down": {"": 1},
    "Held by the power cap": {"": 1},
    "Headroom": {IDLE: 51, HOT: 4},
    "Cards by temperature | Headroom": {IDLE: 51, HOT: 4},
    "Cards by temperature | Of limit": {IDLE: 120.5 / 700, HOT: 698.25 / 700},
    "Cards by temperature | Slowed down": {IDLE: 0, HOT: 1},
    "Slowed down by heat or power supply": {HOT: 1},  # only cards that were slowed down at all
    "Power against the limit": {IDLE: 120.5 / 700, HOT: 698.25 / 700},
}

KNOWN: Fleets = {
    "dcgm": {
        "gpu-fleet": FLEET,
        "gpu-fleet?var-node=gpu-node-01": {
            "Cards": {"": 2},
            "Nodes": {"": 1},
            "Power": {"": 642.713 + 72.164, "All cards": 642.713 + 72.164},
            "Nodes | Cards": {N1: 2},
            "Idle but held | Share held": {},
            "Who holds them | Memory held": {},
            "Nodes | XID": {N1: 1},
            "Pods on nodes in trouble | Memory held": {},
            "Namespaces | Cards held": {"ml": 1},
        },
        "gpu-node": NODE_1,
        "gpu-node?var-node=gpu-node-02&var-gpu_id=1": {
            "Cards": {"": 1},
            "Utilisation": {"": 0.5, HOT: 0.5},
            "Power": {"": 698.25},
            "Cards | Core": {HOT: 88},
            "Pods on this node | Memory held": {HOT_POD: 20480 * MIB},
        },
        "gpu-detail": DETAIL_1,
        "gpu-memory": MEMORY,
        "gpu-memory?var-node=gpu-node-02": {
            "Held": {"": (61440 + 20480) * MIB},
            "Gap": {"": GAPS[HOT]},
            "Cards by gap | Gap": {HOT: GAPS[HOT]},
        },
        "gpu-memory?var-gpu_id=0": {"Gap by card": {BUSY: GAPS[BUSY]}, "Held": {"": (70837 + 61440) * MIB}},
        "gpu-thermal": THERMAL,
        "gpu-thermal?var-node=gpu-node-01&var-gpu_id=1": {
            "Hottest card": {"": 33},
            "Hottest cards over time": {FREE: 33},
            "Energy in this time range": {"": 72.164},
        },
    },
    "dcgm-extended": {
        "gpu-fleet": EXTENDED_FLEET,
        "gpu-node?var-node=gpu-node-02": EXTENDED_NODE,
        "gpu-detail?var-node=gpu-node-02": EXTENDED_DETAIL,
        "gpu-memory": EXTENDED_MEMORY,
        "gpu-thermal": EXTENDED_THERMAL,
    },
}
