"""What the gap is made of: for each card, parts that were worked out by hand and add up to it."""

from __future__ import annotations

from collections.abc import Mapping

from builder.queries import gap, memory
from builder.queries.question import Question
from tests.queries.idioms import MIB, Idiom

_NODE = 'instance="na:9400",Hostname="na"'
_CARD = 'gpu="0",node="na",uuid="GPU-a0"'


def _device(more: str = "") -> str:
    return f'DCGM_FI_DEV_FB_USED{{{_NODE},gpu="0",UUID="GPU-a0"{more}}}'


def _process(kind: str, rank: int = 0, more: str = "", device: str = "GPU:0", uuid: str = "GPU-a0") -> str:
    labels = f'instance="t{rank}",rank="{rank}",framework="tensorflow",device="{device}",uuid="{uuid}"{more}'
    return f"train_device_{kind}{{{labels}}}"


def _training(
    rank: int = 0, more: str = "", device: str = "GPU:0", pid: str = "", **mib: float | str
) -> dict[str, str]:
    """A process that reports amounts in MiB by kind."""
    info = {_process("info", rank, f'{more},mapping="cuda"{pid}', device): "1x20"}
    amounts = {
        _process(f"memory_{kind}_bytes", rank, more, device): f"{value * MIB}x20" if isinstance(value, int) else value
        for kind, value in mib.items()
    }
    return {**info, **amounts}


def _parts(
    whole: float, slack: float, beside: float | None, others: float | None, rest: float, card: str = _CARD
) -> Mapping[Question, Mapping[str, float]]:
    """In MiB; None is a part that cannot be told. They add up."""
    assert whole == slack + (beside or 0) + (others or 0) + rest
    told = {gap.pool_slack: slack, gap.beside_pools: beside, gap.other_processes: others, gap.gap_rest: rest}
    answers = {
        question: {} if value is None else {card: value if card == _SMI_CARD else value * MIB}
        for question, value in told.items()
    }
    return {memory.memory_gap: {card: whole if card == _SMI_CARD else whole * MIB}, **answers}


_SMI_CARD = 'gpu="0",node="nb",uuid="GPU-a0"'
_SMI = {
    'nvidia_smi_gpu_info{instance="nb:9835",uuid="a0",index="0",name="H"}': "1x20",
    'nvidia_smi_memory_used_bytes{instance="nb:9835",uuid="a0"}': "1000x20",
}


def _listed(**bytes_of: int) -> dict[str, str]:
    """What nvidia_gpu_exporter lists: p4001=700 is the process 4001 with 700 bytes."""
    name = "nvidia_smi_compute_app_used_memory_bytes"
    return {
        f'{name}{{instance="nb:9835",uuid="a0",pid="{pid[1:]}",process_name="python3"}}': f"{value}x20"
        for pid, value in bytes_of.items()
    }


def _smi(rank: int = 0, pid: str = "", **amounts: str) -> dict[str, str]:
    return _training(rank, pid=f',pid="{pid}"' if pid else "", **amounts)


def _told_by_process(series: Mapping[str, str], answers: Mapping[Question, Mapping[str, float]]) -> Idiom:
    return Idiom({**_SMI, **series}, answers, profile="nvidia-smi", training="probe")


def _told_by_pod(series: Mapping[str, str], answers: Mapping[Question, Mapping[str, float]], at: str = "5m") -> Idiom:
    return Idiom(series, answers, training="probe", at=at)


_ML = ',namespace="ml",pod="p0"'
_OF_P0 = ',exported_namespace="ml",exported_pod="p0"'
_OF_P1 = ',exported_namespace="serve",exported_pod="p1"'

IDIOMS: dict[str, Idiom] = {
    "a process is told by its number on the host, and what is not its own is other processes'": _told_by_process(
        {
            **_listed(p4001=700, p9=200),  # 100 bytes are listed for nobody
            **_smi(pid="4001", in_use="300x20", peak="500x20", pool="600x20"),
        },
        _parts(700, slack=300, beside=100, others=300, rest=0, card=_SMI_CARD),
    ),
    "as many listed as report: it needs no number to know that they are the same": _told_by_process(
        {
            **_listed(p4001=400, p4002=500),
            **_smi(0, in_use="300x20", pool="350x20"),
            **_smi(1, in_use="100x20", pool="450x20"),
        },
        _parts(600, slack=400, beside=100, others=100, rest=0, card=_SMI_CARD),
    ),
    "more listed than report, without numbers: anybody may be the other": _told_by_process(
        {**_listed(p4001=700, p9=200), **_smi(in_use="300x20", pool="600x20")},
        _parts(700, slack=300, beside=None, others=None, rest=400, card=_SMI_CARD),
    ),
    "one of two processes has no number: neither is told": _told_by_process(
        {
            **_listed(p4001=400, p4002=400, p9=100),
            **_smi(0, "4001", in_use="300x20", pool="350x20"),
            **_smi(1, in_use="100x20", pool="350x20"),
        },
        _parts(600, slack=300, beside=None, others=None, rest=300, card=_SMI_CARD),
    ),
    "a number that is not listed is a number of another namespace": _told_by_process(
        {**_listed(p4001=700, p9=200), **_smi(pid="7", in_use="300x20", pool="600x20")},
        _parts(700, slack=300, beside=None, others=None, rest=400, card=_SMI_CARD),
    ),
    "a pool that is not told is at least the peak, and what lies above it nobody knows": _told_by_process(
        {**_listed(p4001=700, p9=200), **_smi(pid="4001", in_use="300x20", peak="500x20")},
        _parts(700, slack=200, beside=None, others=300, rest=200, card=_SMI_CARD),
    ),
    "the peak of a pool that was emptied is no pool": _told_by_process(
        {**_listed(p4001=700), **_smi(pid="4001", in_use="300x20", peak="900x20", pool="400x20")},
        _parts(700, slack=100, beside=300, others=300, rest=0, card=_SMI_CARD),
    ),
    "two processes on a card, of which one does not tell its pool": _told_by_process(
        {
            **_listed(p4001=400, p4002=500),
            **_smi(0, "4001", in_use="200x20", pool="300x20"),
            **_smi(1, "4002", in_use="100x20", peak="250x20"),
        },
        _parts(700, slack=250, beside=None, others=100, rest=350, card=_SMI_CARD),
    ),
    "a framework that is ahead of the driver takes no more than there is": _told_by_process(
        {**_listed(p4001=700), **_smi(pid="4001", in_use="300x20", pool="1200x20")},
        _parts(700, slack=700, beside=0, others=0, rest=0, card=_SMI_CARD),
    ),
    "a pool above what the driver lists is not counted against the others as well": _told_by_process(
        {**_listed(p4001=500, p9=400), **_smi(pid="4001", in_use="300x20", pool="600x20")},
        _parts(700, slack=300, beside=0, others=400, rest=0, card=_SMI_CARD),
    ),
    "a list that says more than the card": _told_by_process(
        {**_listed(p4001=1300), **_smi(pid="4001", in_use="300x20", pool="600x20")},
        _parts(700, slack=300, beside=400, others=0, rest=0, card=_SMI_CARD),
    ),
    "a framework that says more than the driver has no gap to divide": _told_by_process(
        {**_listed(p4001=700), **_smi(pid="4001", in_use="1300x20", pool="1400x20")},
        {
            memory.memory_gap: {_SMI_CARD: -300},
            **{part: {_SMI_CARD: 0} for part in (gap.pool_slack, gap.beside_pools, gap.other_processes, gap.gap_rest)},
        },
    ),
    "a card that is split into devices of one process": _told_by_process(
        {
            **_listed(p4001=700),
            **_training(0, pid=',pid="4001"', in_use="100x20", pool="300x20"),
            **_training(0, pid=',pid="4001"', device="GPU:1", in_use="200x20", pool="250x20"),
        },
        {
            memory.framework_in_use: {_SMI_CARD: 300},
            **_parts(700, slack=250, beside=150, others=300, rest=0, card=_SMI_CARD),
        },
    ),
    "where no process is listed the rest is not divided": _told_by_process(
        _smi(pid="4001", in_use="300x20", pool="600x20"),
        _parts(700, slack=300, beside=None, others=None, rest=400, card=_SMI_CARD),
    ),
    "a pod that has the card to itself has the card's value, whoever else is on it": _told_by_pod(
        {_device(_OF_P0): "1000x20", **_training(more=_ML, in_use=300, pool=600)},
        _parts(700, slack=300, beside=None, others=None, rest=400),
    ),
    "pods that share a card have a value each, beside the card's": _told_by_pod(
        {
            _device(): "1000x20",
            _device(f'{_OF_P0},vgpu="0"'): "650x20",
            _device(f'{_OF_P1},vgpu="1"'): "300x20",
            **_training(more=_ML, in_use=300, pool=600),
        },
        _parts(700, slack=300, beside=50, others=350, rest=0),
    ),
    "before 4.8.2 each pod has a copy of the card's value": _told_by_pod(
        {
            _device(f'{_OF_P0},vgpu="0"'): "1000x20",
            _device(f'{_OF_P1},vgpu="1"'): "1000x20",
            **_training(more=_ML, in_use=300, pool=600),
        },
        _parts(700, slack=300, beside=None, others=None, rest=400),
    ),
    "a process that is in no pod is in no pod's value": _told_by_pod(
        {
            _device(): "1000x20",
            _device(f'{_OF_P0},vgpu="0"'): "500x20",
            **_training(0, more=_ML, in_use=200, pool=400),
            **_training(1, in_use=100, pool=200),
        },
        _parts(700, slack=300, beside=None, others=None, rest=400),
    ),
    "two ranks in one pod share its value": _told_by_pod(
        {
            _device(): "1000x20",
            _device(f'{_OF_P0},vgpu="0"'): "700x20",
            **_training(0, more=_ML, in_use=200, pool=400),
            **_training(1, more=_ML, in_use=100, pool=200),
        },
        _parts(700, slack=300, beside=100, others=300, rest=0),
    ),
    "a pod that has gone takes nothing with it": _told_by_pod(
        {
            _device(): "1000x20",
            _device(f'{_OF_P0},vgpu="0"'): "650x3 stale",
            _device(f'{_OF_P1},vgpu="1"'): "_x3 300x20",
            _process("memory_in_use_bytes", 0, _ML): f"{300 * MIB}x3 stale",
            _process("memory_pool_bytes", 0, _ML): f"{600 * MIB}x3 stale",
            _process("memory_in_use_bytes", 1, ',namespace="serve",pod="p1"'): f"_x3 {100 * MIB}x20",
            _process("memory_pool_bytes", 1, ',namespace="serve",pod="p1"'): f"_x3 {250 * MIB}x20",
        },
        _parts(900, slack=150, beside=50, others=700, rest=0),
        at="3m",
    ),
    "the MIG instances without a process that reports are others'": _told_by_pod(
        {
            _device(f',GPU_I_ID="1"{_OF_P0}'): "600x20",
            _device(f',GPU_I_ID="2"{_OF_P1}'): "300x20",
            **_training(more=f'{_ML},mig="1"', in_use=300, pool=500),
        },
        _parts(600, slack=200, beside=None, others=300, rest=100),
    ),
    "two instances that report, and a third": _told_by_pod(
        {
            **{_device(f',GPU_I_ID="{number}"'): f"{300 * number}x20" for number in (1, 2, 3)},
            **_training(0, more=',mig="1"', in_use=100, pool=200),
            **_training(1, more=',mig="2"', in_use=300, peak=400),
        },
        _parts(1400, slack=200, beside=None, others=900, rest=300),
    ),
    "a process that does not know its instance may be on any": _told_by_pod(
        {
            _device(f',GPU_I_ID="1"{_OF_P0}'): "600x20",
            _device(f',GPU_I_ID="2"{_OF_P1}'): "300x20",
            **_training(more=_ML, in_use=300, pool=500),
        },
        _parts(600, slack=200, beside=None, others=None, rest=400),
    ),
}
