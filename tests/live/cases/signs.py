"""Which panels show each fault, and as what: worked out by hand from what is planted (docs/simulate.md).

``SIGNS[cluster][board: panel][series] = value``; ``GONE`` where the series must not be there. What is not listed
of these panels must be as in the healthy cluster, save what is named after the place that is struck. Where an
exporter does not say what a panel needs, the panel is checked to be off the board or empty instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from tests.live.known_answers.terms import GIB, MHZ, MIB

GONE = nan
TOLERANCE = 0.03
"""Relative: a step is whole, and half a minute to two minutes of steps are some hundred."""

# Card 1 of node-0 is one of the four of the job GANG; card 0 of node-2 is the only one of the job LONE.
CARD, CARD_POD = "node-0 gpu 1", "ml/bert-f453c-worker-0"
MATE = "node-0 gpu 0"
GANG, GANG_LINE = "ml/bert-f453c", "ml bert-f453c"
RANK, RANK_LINE = f"{CARD_POD} rank 1", "bert-f453c rank 1 bert-f453c-worker-0"
CARD_OF_GANG = "bert-f453c GPU-73819b68-35a9-4a90-845f-a4fa953939e2"
ALONE, ALONE_POD = "node-2 gpu 0", "research/unet-d8792-0"
LONE, LONE_LINE = "research/unet-d8792", "research unet-d8792"

# As simulated: the load of each job, memory in MiB, watts, seconds a step, records a second.
GANG_LOAD, LONE_LOAD = 0.97, 0.94
GANG_USED, GANG_LIVE, LONE_USED = 59127, 51932, 51543
TOTAL, RESERVED, CONTEXT = 81559, 482, 620
LIMIT = TOTAL - RESERVED - 1800
GANG_WATTS, LONE_WATTS, IDLE_WATTS = 564.695, 574.171, 72
GANG_STEP = 0.74
GANG_RECORDS = 4 * 128 / GANG_STEP

Signs = Mapping[str, Mapping[str, float]]

_FOREIGN = GANG_USED + 12 * 1024
_LEAKED = GANG_LIVE + 8 * 1024 * 18 / 60  # 8 GiB an hour for 18 minutes
_POOL = LIMIT * 0.95
_SLACK = GANG_USED - CONTEXT - GANG_LIVE

_STOPPED: Signs = {
    "gpu-node: Utilisation": {CARD: 0},
    "gpu-node: Cards | Utilisation": {CARD: 0},
    "gpu-node: Pods on this node | Utilisation": {f"{CARD_POD} on {CARD}": 0},
    "gpu-detail: GPU 1: utilisation, memory and temperature": {"Utilisation": 0},
    "gpu-fleet: Idle but held": {"": 1},
    "gpu-fleet: Idle but held | Share held": {CARD: GANG_USED / TOTAL},
    "gpu-fleet: Who holds them | Memory held": {f"{CARD_POD} on {CARD}": GANG_USED * MIB},
}

SIGNS: Mapping[str, Signs] = {
    "idle": {
        "gpu-fleet: Idle but held": {"": 1},
        "gpu-fleet: Idle but held | Share held": {ALONE: LONE_USED / TOTAL},
        "gpu-fleet: Who holds them | Memory held": {f"{ALONE_POD} on {ALONE}": LONE_USED * MIB},
        "gpu-fleet: Utilisation": {"": 4 * GANG_LOAD / 6},
        "gpu-fleet: Busy cards": {"": 4 / 6},
        "gpu-fleet: Namespaces | Mean utilisation": {"research": 0},
        "gpu-fleet: Nodes | Utilisation": {"node-2": 0},
        "gpu-fleet: Nodes | Power": {"node-2": 2 * IDLE_WATTS},
        "gpu-fleet: Cards by utilisation": {"0": 2, "90": 4},
        "gpu-fleet: Least used nodes": {"node-2": 0},
        "gpu-fleet: Utilisation and memory held": {"Utilisation": 4 * GANG_LOAD / 6, "Busy cards": 4 / 6},
        "gpu-node: Cards | Utilisation": {ALONE: 0},
        "gpu-node: Cards | Power": {ALONE: IDLE_WATTS},
        "gpu-detail: GPU 0: how well it is used": {
            "Any work": 0,
            "SMs active": 0,
            "Tensor pipe": 0,
            "Memory bandwidth": 0,
        },
        "gpu-detail: GPU 0: what reduces the clocks": {"idle": 1},
        "gpu-memory: Who holds it | Utilisation": {f"{ALONE_POD} on {ALONE}": 0},
        "gpu-thermal: Power and SM clock": {f"power {ALONE}": IDLE_WATTS, f"clock {ALONE}": 345 * MHZ},
        "gpu-training: Running jobs": {"": 1},
        "gpu-training: Jobs | Records/s": {LONE: 0},
        "gpu-training: Jobs | Utilisation": {LONE: 0},
        "gpu-training: Utilisation of the jobs' cards": {LONE_LINE: 0},
        "gpu-training: Jobs | Since last step": {LONE: GONE},  # it does not run
        "gpu-training: Share of time by phase": {"train": 4 / 5},
    },
    "hung": {
        **_STOPPED,
        "gpu-training: Jobs | Since last step": {GANG: 1080},
        "gpu-training: Longest without a step": {"": 1080},
        "gpu-training: Stragglers | Slower than the median by": {RANK: GONE},
    },
    "hang": {
        "gpu-node: Cards | Utilisation": {CARD: 1},
        "gpu-node: Cards | Power": {CARD: IDLE_WATTS + (700 - IDLE_WATTS) * 0.14},
        "gpu-node: Power share now": {CARD: 160 / 700},
        "gpu-node: PCIe and NVLink traffic": {f"PCIe in {CARD}": 0, f"PCIe out {CARD}": 0, f"NVLink {CARD}": 0},
        "gpu-detail: GPU 1: how well it is used": {"Any work": 1, "SMs active": 0.12, "Tensor pipe": 0},
        "gpu-detail: GPU 1: power against its limit": {"Power": 160},
        "gpu-detail: GPU 1: PCIe and NVLink": {"PCIe in": 0, "PCIe out": 0, "NVLink": 0},
        "gpu-training: Jobs | Since last step": {GANG: 1080},
        "gpu-training: Jobs | Records/s": {GANG: GANG_RECORDS * 3 / 4},
        "gpu-training: Longest without a step": {"": 1080},
    },
    "hot": {
        "gpu-fleet: Hottest card": {"": 88},
        "gpu-fleet: Over the warning temperature": {"": 1},
        "gpu-fleet: Nodes | Hottest": {"node-0": 88},
        "gpu-fleet: Pods on nodes in trouble | Memory held": {
            f"{CARD_POD} on {MATE}": GANG_USED * MIB,
            f"{CARD_POD} on {CARD}": GANG_USED * MIB,
        },
        "gpu-fleet: Pods on nodes in trouble | Utilisation": {
            f"{CARD_POD} on {MATE}": GANG_LOAD,
            f"{CARD_POD} on {CARD}": GANG_LOAD,
        },
        "gpu-node: Hottest card": {"": 88},
        "gpu-node: Cards | Core": {CARD: 88},
        "gpu-node: Core temperature": {CARD: 88},
        "gpu-detail: Core temperature now (1)": {CARD: 88},
        "gpu-detail: Headroom (1)": {CARD: 92 - 88},
        "gpu-detail: GPU 1: utilisation, memory and temperature": {"Core temperature": 88, "Memory temperature": 93},
        "gpu-thermal: Hottest card": {"": 88},
        "gpu-thermal: Over the warning temperature": {"": 1},
        "gpu-thermal: Cards by temperature": {"85": 1},
        "gpu-thermal: Cards by temperature | Core": {CARD: 88},
        "gpu-thermal: Cards by temperature | Memory": {CARD: 93},
        "gpu-thermal: Cards by temperature | Headroom": {CARD: 92 - 88},
        "gpu-thermal: Hottest cards over time": {CARD: 88},
        "gpu-thermal: Core temperature of the hottest cards": {CARD: 88},
        "gpu-thermal: Hottest card of each node": {"node-0": 88},
        "gpu-thermal: Headroom": {CARD: 92 - 88},
        "gpu-thermal: Memory temperature of the hottest cards": {CARD: 93},
    },
    "throttle": {
        "gpu-fleet: Slowed down": {"": 1},
        "gpu-fleet: Nodes | Slowed down": {"node-0": 1},
        "gpu-fleet: Hottest card": {"": 92},
        "gpu-node: Cards | Slowed down": {CARD: 1},
        "gpu-node: Slowed down by heat or power supply": {CARD: 1},
        "gpu-node: SM clock": {CARD: 1185 * MHZ},  # 60 % of 1980, in steps of 15
        "gpu-detail: GPU 1: clocks": {"SM": 1185 * MHZ},
        "gpu-detail: GPU 1: what reduces the clocks": {
            "heat (driver)": 1,
            "heat (hardware)": 1,
            "hardware slowdown": 1,
        },
        "gpu-detail: GPU 1: share of time slowed down": {"by heat": 1},
        "gpu-detail: Headroom (1)": {CARD: 0},
        "gpu-thermal: Slowed down": {"": 1},
        "gpu-thermal: Cards by temperature | Slowed down": {CARD: 1},
        "gpu-thermal: Slowed down by heat or power supply": {CARD: 1},
        "gpu-thermal: Share of time slowed down by heat": {CARD: 1},
        "gpu-thermal: Power and SM clock": {f"clock {CARD}": 1185 * MHZ, f"power {CARD}": GANG_WATTS * 0.75},
        "gpu-training: SM clock against the job's median": {CARD_OF_GANG: 0.6},
        "gpu-training: Stragglers | Slower than the median by": {RANK: 1 / 0.6 - 1},
        "gpu-training: Slower than the job's median": {RANK_LINE: 1 / 0.6 - 1},
    },
    "power-cap": {
        "gpu-fleet: At the power limit": {"": 1},
        "gpu-node: Power against the limit": {CARD: 490 * 0.995, f"limit {CARD}": 490},
        "gpu-node: Power share now": {CARD: 0.995},
        "gpu-detail: GPU 1: power against its limit": {"Power": 490 * 0.995, "Limit": 490},
        "gpu-detail: GPU 1: what reduces the clocks": {"power cap": 1},
        "gpu-detail: GPU 1: share of time slowed down": {"by the power limit": 1},
        "gpu-thermal: Held by the power cap": {"": 1},
        "gpu-thermal: Power": {"": 3 * GANG_WATTS + LONE_WATTS + IDLE_WATTS + 490 * 0.995},
        "gpu-thermal: Cards by temperature | Power": {CARD: 490 * 0.995},
        "gpu-thermal: Cards by temperature | Of limit": {CARD: 0.995},
        "gpu-thermal: Power against the limit": {CARD: 0.995},
        "gpu-thermal: Share of time slowed down by the power limit": {CARD: 1},
        "gpu-thermal: Power by node": {"node-0": GANG_WATTS + 490 * 0.995},
        "gpu-thermal: Energy in this time range": {
            "": (3 * GANG_WATTS + LONE_WATTS + IDLE_WATTS + 490 * 0.995) * 600 / 3600
        },
    },
    "leak": {
        "gpu-detail: GPU 1: device memory against the framework's": {"Framework: in use": _LEAKED * MIB},
        "gpu-memory: In use and peak": {f"in use {CARD}": _LEAKED * MIB, f"peak {CARD}": _LEAKED * MIB},
        "gpu-memory: Cards by gap | In use": {CARD: _LEAKED * MIB},
        "gpu-memory: Cards by gap | Peak": {CARD: _LEAKED * MIB},
        "gpu-memory: Cards by gap | Gap": {CARD: (GANG_USED - _LEAKED) * MIB},
        "gpu-memory: The gap, card by card | Pool slack": {CARD: (GANG_USED - CONTEXT - _LEAKED) * MIB},
        "gpu-memory: What the gap is made of": {"Pool slack": (4 * _SLACK - _LEAKED + GANG_LIVE) * MIB},
        "gpu-memory: In use against the limit": {CARD: _LEAKED / LIMIT},
        "gpu-memory: Tightest framework": {"": _LEAKED / LIMIT},
    },
    "foreign": {
        "gpu-fleet: Nodes | Memory": {"node-0": (GANG_USED + _FOREIGN) / (2 * TOTAL)},
        "gpu-node: Memory held": {CARD: _FOREIGN / TOTAL},
        "gpu-node: Cards | Memory": {CARD: _FOREIGN / TOTAL},
        "gpu-detail: GPU 1: device memory against the framework's": {"Device: used": _FOREIGN * MIB},
        "gpu-memory: Held": {"": (3 * GANG_USED + _FOREIGN + LONE_USED + 1) * MIB},
        "gpu-memory: Held, share": {"": (3 * GANG_USED + _FOREIGN + LONE_USED + 1) / (6 * TOTAL)},
        "gpu-memory: Gap by card": {CARD: (_FOREIGN - GANG_LIVE) * MIB},
        "gpu-memory: The gap, card by card | Not told apart": {CARD: (CONTEXT + 12 * 1024) * MIB},  # pods' processes
        "gpu-memory: Cards by gap | Gap": {CARD: (_FOREIGN - GANG_LIVE) * MIB},
        "gpu-memory: Cards by gap | Gap, share": {CARD: 1 - GANG_LIVE / _FOREIGN},
        "gpu-memory: Cards by gap | Used": {CARD: _FOREIGN * MIB},
        "gpu-memory: Memory held by card": {CARD: _FOREIGN * MIB},
        "gpu-memory: Share of memory held": {CARD: _FOREIGN / TOTAL},
        "gpu-memory: Fullest now": {CARD: _FOREIGN / TOTAL},
        "gpu-memory: Cards by share of memory held": {"80 %": 1, "70 %": 3},
        "gpu-memory: Free memory by card": {CARD: (TOTAL - RESERVED - _FOREIGN) * MIB},
        "gpu-memory: Who holds it | Memory held": {f"{CARD_POD} on {CARD}": _FOREIGN * MIB},
    },
    "foreign, among processes with numbers": {
        "gpu-memory: What the gap is made of": {"Other processes": 12 * GIB},
        "gpu-memory: The gap, card by card | Other processes": {CARD: 12 * GIB},
    },
    "slack": {
        "gpu-detail: GPU 0: device memory against the framework's": {
            "Device: used": (_POOL + CONTEXT) * MIB,
            "Framework: in use": _POOL / 4 * MIB,
        },
        "gpu-memory: Cards by gap | Gap": {ALONE: (_POOL * 3 / 4 + CONTEXT) * MIB},
        "gpu-memory: Cards by gap | Gap, share": {ALONE: 0.75},
        "gpu-memory: Cards by gap | In use": {ALONE: _POOL / 4 * MIB},
        "gpu-memory: Gap by card": {ALONE: (_POOL * 3 / 4 + CONTEXT) * MIB},
        "gpu-memory: Gap": {"": (_POOL * 3 / 4 + CONTEXT + 4 * (GANG_USED - GANG_LIVE)) * MIB},
        "gpu-memory: Gap, share": {
            "": (_POOL * 3 / 4 + CONTEXT + 4 * (GANG_USED - GANG_LIVE)) / (_POOL + CONTEXT + 4 * GANG_USED)
        },
        "gpu-memory: In use by frameworks": {"": (_POOL / 4 + 4 * GANG_LIVE) * MIB},
        "gpu-memory: Device's view against the framework's": {
            "Device: used": (_POOL + CONTEXT + 4 * GANG_USED) * MIB,
            "Framework: in use": (_POOL / 4 + 4 * GANG_LIVE) * MIB,
        },
    },
    "slack, of a pool that is told": {
        "gpu-memory: What the gap is made of": {"Pool slack": (_POOL * 3 / 4 + 3 * _SLACK) * MIB},
        "gpu-memory: The gap, card by card | Pool slack": {CARD: _POOL * 3 / 4 * MIB},
        "gpu-memory: Cards by gap | Gap": {CARD: (_POOL * 3 / 4 + CONTEXT) * MIB},
        "gpu-memory: Cards by gap | Pool": {CARD: _POOL * MIB},
    },
    "input-stall": {
        "gpu-fleet: Cards by utilisation": {"30": 1},
        "gpu-training: Waiting for input": {"": (3 * 0.03 + 0.6) / 4},
        "gpu-training: Jobs | Waiting for input": {GANG: (3 * 0.03 + 0.6) / 4},
        "gpu-training: Share of step time waiting for input": {GANG_LINE: (3 * 0.03 + 0.6) / 4},
        "gpu-training: Host CPU waiting for disks": {"node-0": 0.35},
        "gpu-training: Busiest disk": {"node-0": 0.95},
        "gpu-training: Read from disks": {"node-0": 2.6e9},
        "gpu-training: Jobs | Records/s": {GANG: GANG_RECORDS * (3 + 0.4) / 4},
        "gpu-training: Jobs | Step time": {GANG: GANG_STEP * 4 / 3.4},
        "gpu-training: Step time": {GANG_LINE: GANG_STEP * 4 / 3.4},
        "gpu-training: Stragglers | Slower than the median by": {RANK: 1 / 0.4 - 1},
    },
    "input-stall, nearly all": {
        "gpu-fleet: Least used nodes": {"node-2": LONE_LOAD * 0.2 / 2},
        "gpu-node: Utilisation": {ALONE: LONE_LOAD * 0.2},
        "gpu-training: Jobs that advance on idle cards | Utilisation": {LONE: LONE_LOAD * 0.2},
        "gpu-training: Jobs | Utilisation": {LONE: LONE_LOAD * 0.2},
        "gpu-training: Waiting for input": {"": 0.8},
    },
    "straggler": {
        "gpu-node: SM clock": {CARD: 1380 * MHZ},
        "gpu-training: Stragglers | Slower than the median by": {RANK: 1 / 0.7 - 1},
        "gpu-training: Slower than the job's median": {RANK_LINE: 1 / 0.7 - 1},
        "gpu-training: SM clock against the job's median": {CARD_OF_GANG: 0.7},
        "gpu-training: Records per second": {GANG_LINE: GANG_RECORDS * 3.7 / 4},
    },
    "xid": {
        "gpu-fleet: Cards with an XID": {"": 1},
        "gpu-fleet: Nodes | XID": {"node-0": 1},
        "gpu-node: Cards | Last XID": {CARD: 79},
        "gpu-detail: Last XID (1)": {CARD: 79},
        "gpu-health: Cards with an XID": {"": 1},
        "gpu-health: Last XID by card | Last XID": {CARD: 79},
        "gpu-health: Last XID by card | What to do": {CARD: 79},
    },
    "xid, counted": {
        "gpu-health: XIDs since the exporter started | Times": {f"{CARD}: XID 48": 1},
    },
    "ecc-corrected": {
        "gpu-detail: ECC corrected (1)": {CARD: 2 * 1080},
        "gpu-health: Corrected memory errors": {CARD: 2 * 3600},
        "gpu-health: Memory errors and repairs | Corrected": {CARD: 2 * 1080},
    },
    "ecc-uncorrected": {
        "gpu-fleet: Uncorrectable ECC": {"": 1},
        "gpu-fleet: Nodes | ECC": {"node-0": 1},
        "gpu-fleet: Pods on nodes in trouble | Memory held": {f"{CARD_POD} on {CARD}": GANG_USED * MIB},
        "gpu-node: Cards | ECC uncorrected": {CARD: 2},
        "gpu-detail: ECC uncorrected (1)": {CARD: 2},
        "gpu-health: Uncorrectable ECC": {"": 1},
        "gpu-health: Memory errors and repairs | Uncorrected": {CARD: 2},
    },
    "remap-pending": {
        "gpu-node: Cards | Remap pending": {CARD: 1},
        "gpu-detail: Row remap (1)": {"pending": 1},
        "gpu-health: Row remap": {"pending": 1},
        "gpu-health: Memory errors and repairs | Remap pending": {CARD: 1},
        "gpu-health: Memory errors and repairs | Rows remapped, uncorrected": {CARD: 1},
    },
    "remap-pending, before Ampere": {"gpu-health: Memory errors and repairs | Pages pending": {CARD: 1}},
    "remap-failed": {
        "gpu-detail: Row remap (1)": {"failed": 1},
        "gpu-health: Row remap": {"failed": 1},
        "gpu-health: Memory errors and repairs | Remap failed": {CARD: 1},
    },
    "nvlink-errors": {"gpu-health: NVLink errors": {CARD: 0.5 * 60}},
    "pcie-replays": {"gpu-health: PCIe replays": {CARD: 0.5 * 60}},
    "lost": {
        "gpu-fleet: Cards": {"": 5},
        "gpu-fleet: Lost cards": {"": 1},
        "gpu-fleet: Nodes | Cards": {"node-0": 1},
        "gpu-fleet: Nodes | Lost": {"node-0": 1},
        "gpu-fleet: Namespaces | Cards held": {"ml": 3},
        "gpu-node: Cards": {"": 1},
        "gpu-node: Cards | Reports": {CARD: GONE},
        "gpu-node: Lost cards": {"": 1},
        "gpu-node: Lost cards by name | Lost": {CARD: 1},
        "gpu-node: Pods on this node | Memory held": {f"{CARD_POD} on {CARD}": GONE},
        "gpu-memory: Cards by gap | Gap": {CARD: GONE},
        "gpu-thermal: Hottest cards over time": {CARD: GONE},
        "gpu-health: Lost cards": {"": 1},
        "gpu-health: Lost cards by name | Lost": {CARD: 1},
        "gpu-health: Nodes with fewer cards than they offer | Missing": {"node-0": 1},
        "gpu-training: Jobs | Cards": {GANG: 3},
    },
    "exporter-down": {
        "gpu-fleet: Nodes": {"": 2},
        "gpu-fleet: Cards": {"": 4},
        "gpu-fleet: Nodes | Cards": {"node-1": GONE},
        "gpu-node: Cards": {"": GONE},
        "gpu-health: Silent nodes": {"": 1},
        "gpu-health: Silent nodes by name | Silent": {"node-1": 1},
        "gpu-health: Nodes with fewer cards than they offer | Missing": {"node-1": 2},
        "gpu-health: Age of the newest sample by node": {"node-1": GONE},
        "gpu-thermal: Power": {"": 2 * GANG_WATTS + LONE_WATTS + IDLE_WATTS},
    },
    "exporter-down, three minutes ago": {
        "gpu-health: Oldest sample": {"": 210},
        "gpu-health: Age of the newest sample by node": {"node-1": 210},
    },
    "node-down": {
        "gpu-fleet: Nodes": {"": 2},
        "gpu-health: Silent nodes": {"": 1},
        "gpu-health: Silent nodes by name | Silent": {"node-1": 1},
        "gpu-health: Host clock offset": {"node-1": GONE},
        "gpu-training: Host CPU waiting for disks": {"node-1": GONE},
        "gpu-training: Jobs | Cards": {GANG: 2},
        "gpu-training: Jobs | Records/s": {GANG: GANG_RECORDS / 2},
    },
    "duplicate-hpc": {},
    "duplicate-vgpu": {
        "gpu-memory: Who holds it | Memory held": {f"{CARD_POD}-1 on {CARD}": 4 * GIB},
        "gpu-memory: Held": {"": (4 * GANG_USED + LONE_USED + 1) * MIB + 4 * GIB},
        "gpu-memory: What the gap is made of": {"Other processes": 4 * GIB, "Contexts and libraries": CONTEXT * MIB},
        "gpu-memory: The gap, card by card | Contexts and libraries": {CARD: CONTEXT * MIB},
        "gpu-memory: The gap, card by card | Other processes": {CARD: 4 * GIB},
        "gpu-memory: The gap, card by card | Not told apart": {CARD: 0},
        "gpu-node: Pods on this node | Utilisation": {f"{CARD_POD}-1 on {CARD}": GANG_LOAD},
    },
    "clock-skew": {"gpu-health: Host clock offset": {"node-1": 1.5}},
    "label-change": {},
}
"""A fault with no signs must change nothing at all: no card counts twice, and none is missed."""
