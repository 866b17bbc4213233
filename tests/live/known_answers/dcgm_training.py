"""Training jobs.

``dcgm``: one job of two processes, in step with each other. ``dcgm-training``: ``bert``, five processes, of which
that of rank 3 takes 0.9 s for its part of a step where the others take 0.5 s; ``tune``, which advances on an idle
card; ``hung``, whose last step was 25 minutes ago; ``done``, which has ended.
"""

from tests.live.known_answers.dcgm import N1
from tests.live.known_answers.terms import Board, Fleets

_CARDS = {
    "busy": "GPU-8b2281de-6d3c-22ed-0ec8-d3b864870b8b",
    "free": "GPU-15338f3e-5fd9-962d-921a-979b820520f0",
    "idle": "GPU-02020202-0000-4000-8000-000000000000",
    "hot": "GPU-02020202-0000-4000-8000-000000000001",
    "first": "GPU-04040404-0000-4000-8000-000000000000",  # of gpu-node-04
    "second": "GPU-04040404-0000-4000-8000-000000000001",
}

# I/O wait of 0.3 and 0.1 of two processors; what md0 reads is what nvme0n1 reads.
HOST: Board = {
    "Host CPU waiting for disks": {N1: 0.2},
    "Busiest disk": {N1: 0.8},
    "Read from disks": {N1: 1e9},
}

_RECORDS = 2 * 512  # two steps a second of 256 records, of each process
_WAIT = (0.25 + 0.6) / (1 + 1)  # of the second that each spends in two steps
_UTILISATION = (0.968342 + 0.5) / 2
_MEDIAN = (1980 + 1200) / 2

TWO_PROCESSES: Board = {
    "Running jobs": {"": 1},
    "Records per second": {"": _RECORDS, "ml resnet50": _RECORDS},
    "Waiting for input": {"": _WAIT},
    "Longest without a step": {"": 4},  # rank 0; rank 1 made one two seconds ago
    "Jobs | Cards": {"ml/resnet50": 2},
    "Jobs | Records/s": {"ml/resnet50": _RECORDS},
    "Jobs | Step time": {"ml/resnet50": 0.5},
    "Jobs | Waiting for input": {"ml/resnet50": _WAIT},
    "Jobs | Utilisation": {"ml/resnet50": _UTILISATION},
    "Jobs | Since last step": {"ml/resnet50": 4},
    "Jobs | Since checkpoint": {"ml/resnet50": 590},  # of the later of the two
    "Jobs that advance on idle cards | Utilisation": {},
    "Stragglers | Slower than the median by": {},  # two processes have no median worth the name
    "Utilisation of the jobs' cards": {"ml resnet50": _UTILISATION},
    "Step time": {"ml resnet50": 0.5},
    "Share of step time waiting for input": {"ml resnet50": _WAIT},
    "Fleet utilisation": {"All cards": (0.968342 + 0.5) / 4},
    "Slower than the job's median": {},
    "Share of time by phase": {"train": 0.875, "evaluate": 0, "checkpoint": 0.125, "compile": 0},
    # One of the two could not ask NVML, once; both know their card.
    "Failures inside the probe | Times": {"ml/resnet50-worker-1 rank 1": 1},
    "Processes that do not know their card | Devices": {},
    "SM clock against the job's median": {
        f"resnet50 {_CARDS['busy']}": 1980 / _MEDIAN,
        f"resnet50 {_CARDS['hot']}": 1200 / _MEDIAN,
    },
}

_BERT_RECORDS, _TUNE_RECORDS = 5 * 256, 0.5 * 100
_BERT_WAIT = (4 * 0.1 + 0.5) / (4 * 0.5 + 0.9)
_TUNE_WAIT = 0.3 / 1.5
_BERT_STEP = (4 * 0.5 + 0.9) / 5
_BERT_USE = (0.968342 + 0 + 0.5 + 0.75 + 0) / 5
_LAG = 0.9 / 0.5 - 1

JOBS: Board = {
    **HOST,
    "Running jobs": {"": 3},  # not the one that has ended
    "Records per second": {
        "": _BERT_RECORDS + _TUNE_RECORDS,
        "ml bert": _BERT_RECORDS,
        "research tune": _TUNE_RECORDS,
        "ml hung": 0,
        "ml done": 0,
    },
    "Waiting for input": {"": _BERT_WAIT},
    "Longest without a step": {"": 1500},
    # Processes that do not know their card are on none, rather than all on one.
    "Jobs | Cards": {"ml/bert": 5, "research/tune": 1},
    "Jobs | Records/s": {"ml/bert": _BERT_RECORDS, "research/tune": _TUNE_RECORDS, "ml/hung": 0, "ml/done": 0},
    # What stands still takes no time for a step, and no share of it.
    "Jobs | Step time": {"ml/bert": _BERT_STEP, "research/tune": 1.5},
    "Jobs | Waiting for input": {"ml/bert": _BERT_WAIT, "research/tune": _TUNE_WAIT},
    "Jobs | Utilisation": {"ml/bert": _BERT_USE, "research/tune": 0},
    "Jobs | Since last step": {"ml/bert": 12, "research/tune": 40, "ml/hung": 1500},
    "Jobs | Since checkpoint": {"ml/bert": 600, "research/tune": 600, "ml/hung": 600},
    "Jobs that advance on idle cards | Utilisation": {"research/tune": 0},  # and not the one that stands still
    "Stragglers | Slower than the median by": {
        **{f"ml/bert-worker-{rank} rank {rank}": 0 for rank in (0, 1, 2, 4)},
        "ml/bert-worker-3 rank 3": _LAG,
    },
    "Utilisation of the jobs' cards": {"ml bert": _BERT_USE, "research tune": 0},
    "Step time": {"ml bert": _BERT_STEP, "research tune": 1.5},
    "Share of step time waiting for input": {"ml bert": _BERT_WAIT, "research tune": _TUNE_WAIT},
    "Fleet utilisation": {"All cards": (0.968342 + 0 + 0 + 0.5 + 0.75 + 0) / 6},
    "Slower than the job's median": {
        **{f"bert rank {rank} bert-worker-{rank}": 0 for rank in (0, 1, 2, 4)},
        "bert rank 3 bert-worker-3": _LAG,
    },
    # Two of the eight processes are in none.
    "Share of time by phase": {"train": 6 / 8 * 0.875, "evaluate": 0, "checkpoint": 6 / 8 * 0.125, "compile": 0},
    "Failures inside the probe | Times": {},
    "Processes that do not know their card | Devices": {"ml/hung-worker-0 rank 0": 1, "ml/done-worker-0 rank 0": 1},
    "SM clock against the job's median": {  # of 1980, 345, 1200, 1410 and 210 MHz
        f"bert {_CARDS['busy']}": 1980 / 1200,
        f"bert {_CARDS['free']}": 345 / 1200,
        f"bert {_CARDS['hot']}": 1,
        f"bert {_CARDS['first']}": 1410 / 1200,
        f"bert {_CARDS['second']}": 210 / 1200,
        f"tune {_CARDS['idle']}": 1,
    },
}

# The node narrows cards and hosts; a process does not say for sure on which node it is.
_OF_NODE_1: Board = {
    "Running jobs": {"": 3},
    "Jobs | Utilisation": {"ml/bert": (0.968342 + 0) / 2},
    "Fleet utilisation": {"All cards": (0.968342 + 0) / 2},
}

KNOWN: Fleets = {
    "dcgm-training": {"gpu-training": JOBS, "gpu-training?var-node=gpu-node-01": _OF_NODE_1},
}
