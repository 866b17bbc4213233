"""What lies on the edge of a question: barely in, barely out, or answered by the wrong one of two."""

from __future__ import annotations

from collections.abc import Sequence

from builder.queries import events, inventory, memory, telemetry, thermal, training, workloads
from builder.queries.extremes import highest, lowest
from builder.queries.source import Filter
from tests.queries.idioms import MIB, Idiom, card, on_node

_JOB = 'namespace="ml",training_job="j"'


def _rank(number: int) -> str:
    return f'instance="t{number}",rank="{number}",namespace="ml",pod="j-{number}",training_job="j"'


def _renewed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """Cards of one node by their numbers, each a uuid, up to ten minutes and from then on; the empty one is missing."""
    values: dict[str, str] = {}
    for cards, what in ((before, "50x19 stale"), (after, "_x20 50x20")):
        for number, uuid in enumerate(cards):
            series = f'DCGM_FI_DEV_FB_USED{{instance="na:9400",gpu="{number}",UUID="{uuid}",Hostname="na"}}'
            if uuid:
                values[series] = "50x40" if series in values else what
    return values


IDIOMS: dict[str, Idiom] = {
    "idle for ten minutes on average, and busy now": Idiom(
        {
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)}}}": "0x38 0.9 0.9",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "75x40",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "25x40",
        },
        {workloads.idle_holders: {}, workloads.idle_holder_count: {"": 0}},
        at="20m",
    ),
    "idle for long, but its memory was taken a minute ago": Idiom(
        {
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)}}}": "0x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "1x37 75 75 75",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "99x37 25 25 25",
        },
        {workloads.idle_holders: {}, workloads.idle_holder_count: {"": 0}},
        at="20m",
    ),
    "a card that had no uuid before is not lost": Idiom(
        {
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="0",Hostname="na"}': "50x10 stale",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "_x10 50x30",
        },
        {inventory.lost_cards: {}, inventory.lost_card_count: {"": 0}, events.vanished_cards("3m"): {}},
        at="15m",
    ),
    "cards that had no uuid before, of which one is lost": Idiom(
        {
            **{f'DCGM_FI_DEV_FB_USED{{instance="na:9400",gpu="{n}",Hostname="na"}}': "50x10 stale" for n in range(3)},
            **{f"DCGM_FI_DEV_FB_USED{{{on_node(n)}}}": "_x10 50x30" for n in range(2)},
        },
        {inventory.lost_cards: {'gpu="2",node="na"': 1}, events.vanished_cards("3m"): {'gpu="2",node="na"': 1}},
        at="15m",
    ),
    "a card that another one replaced is not lost": Idiom(
        _renewed(before=("a", "b"), after=("a", "e")),
        {
            inventory.lost_cards: {},
            inventory.lost_card_count: {"": 0},
            inventory.node_lost_cards: {},
            events.vanished_cards("3m"): {},
        },
        at="15m",
    ),
    "two are lost, and one of them is replaced": Idiom(
        _renewed(before=("a", "b", "c", "d"), after=("a", "e", "", "d")),
        {
            inventory.lost_cards: {'gpu="2",node="na",uuid="c"': 1},
            inventory.lost_card_count: {"": 1},
            events.vanished_cards("3m"): {'gpu="2",node="na",uuid="c"': 1},
        },
        at="15m",
    ),
    "one is replaced, and they are numbered in another order": Idiom(
        _renewed(before=("a", "b", "c", "d"), after=("a", "c", "d", "e")),
        {inventory.lost_cards: {}, inventory.node_lost_cards: {}, events.vanished_cards("3m"): {}},
        at="15m",
    ),
    "one of those without uuids is lost, on a node where one has a uuid": Idiom(
        {
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="0",UUID="a",Hostname="na"}': "50x40",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="1",Hostname="na"}': "50x40",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="2",Hostname="na"}': "50x19 stale",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="3",Hostname="na"}': "50x19 stale",
        },
        {
            inventory.lost_cards: {'gpu="2",node="na"': 1, 'gpu="3",node="na"': 1},
            inventory.lost_card_count: {"": 2},
            events.vanished_cards("3m"): {'gpu="2",node="na"': 1, 'gpu="3",node="na"': 1},
        },
        at="15m",
    ),
    "an exporter that tells no uuids any more has lost no card": Idiom(
        {
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="0",UUID="a",Hostname="na"}': "50x19 stale",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="1",UUID="b",Hostname="na"}': "50x19 stale",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="0",Hostname="na"}': "_x20 50x20",
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="1",Hostname="na"}': "_x20 50x20",
        },
        {inventory.lost_cards: {}, inventory.lost_card_count: {"": 0}, events.vanished_cards("3m"): {}},
        at="15m",
    ),
    "one is lost, and only those that had its number are chosen": Idiom(
        _renewed(before=("a", "b", "c", "d"), after=("a", "c", "d", "")),
        {inventory.lost_cards: {'gpu="1",node="na",uuid="b"': 1}, inventory.lost_card_count: {"": 1}},
        filters=(Filter("gpu", "1", "=~"),),
        at="15m",
    ),
    "two exporters of different age describe one card": Idiom(
        {
            'nvidia_smi_temperature_gpu{job="x",instance="na:9835",uuid="a0"}': "61x10",
            'nvidia_smi_gpu_info{job="x",instance="na:9835",uuid="a0",index="0",name="H"}': "1x10",
            'nvidia_smi_gpu_info{job="y",instance="na:9836",uuid="a0",name="H"}': "1x10",
        },
        {thermal.fleet_temperature: {"": 61}, thermal.hot_cards: {"": 0}},
        profile="nvidia-smi",
    ),
    "a scrape through a service's endpoints has a namespace of its own and no pod": Idiom(
        {
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},pod="q",exported_namespace="ml",namespace="gpu"}}': "80x10",
        },
        {workloads.workloads: {card(0, more='namespace="ml",') + ',pod="q"': 80 * MIB}},
    ),
    "a pod is chosen by its own namespace, not by that of the service": Idiom(
        {
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},pod="p",exported_namespace="research",namespace="ml"}}': "70x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(1)},pod="q",exported_namespace="ml",namespace="gpu"}}': "80x10",
        },
        {workloads.workloads: {card(1, more='namespace="ml",') + ',pod="q"': 80 * MIB}},
        filters=(Filter("namespace", "ml", "="),),
    ),
    "a card that says that it has no memory has no share of it": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "0x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "0x10",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "30x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(1)}}}": "10x10",
        },
        {memory.memory_share: {card(1): 0.75}, memory.card_memory_share: {card(1): 0.75}},
    ),
    "what a site calls otherwise counts where it is exported": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "100x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "290x10",
            f"site_reserved_mib{{{on_node(0)}}}": "10x10",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "100x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(1)}}}": "300x10",
        },
        {
            memory.memory_share: {card(0): 100 / 400, card(1): 100 / 400},
            memory.fleet_memory_total: {"": 800 * MIB},
        },
        site={"memory_reserved": "site_reserved_mib"},
    ),
    "what is free is needed to know how much there is": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "30x10",
            f"DCGM_FI_DEV_FB_RESERVED{{{on_node(0)}}}": "10x10",
        },
        {memory.memory_share: {}, memory.fleet_memory_used: {"": 30 * MIB}, memory.fleet_memory_total: {}},
    ),
    "a process that knows no card is not on a card that knows no uuid": Idiom(
        {
            'DCGM_FI_DEV_FB_USED{instance="na:9400",gpu="0",Hostname="na"}': "100x10",
            'train_device_memory_in_use_bytes{instance="t1",rank="0",device="CPU:0"}': f"{30 * MIB}x10",
        },
        {memory.framework_in_use: {}, memory.memory_gap: {}},
        training="probe",
    ),
    "headroom is the card's own margin, or what is left to its limit": Idiom(
        {
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0)}}}": "70x10",
            f"DCGM_FI_DEV_SLOWDOWN_TEMP{{{on_node(0)}}}": "92x10",
            f"DCGM_FI_DEV_GPU_TEMP_LIMIT{{{on_node(0)}}}": "15x10",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(1)}}}": "70x10",
            f"DCGM_FI_DEV_SLOWDOWN_TEMP{{{on_node(1)}}}": "92x10",
        },
        {thermal.thermal_headroom: {card(0): 15, card(1): 92 - 70}},
    ),
    "a node is as old as the newest of its cards": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "50x26",  # two minutes ago
        },
        {telemetry.sample_age: {'node="na"': 0}, telemetry.oldest_sample: {"": 0}},
        at="15m",
    ),
    "a checkpoint that one rank wrote is the job's": Idiom(
        {
            f"train_in_progress{{{_rank(0)}}}": "1x20",
            f"train_in_progress{{{_rank(1)}}}": "1x20",
            f"train_last_checkpoint_timestamp_seconds{{{_rank(0)}}}": "240x20",
            f"train_last_checkpoint_timestamp_seconds{{{_rank(1)}}}": "60x20",
        },
        {training.checkpoint_age: {_JOB: 60}},
        training="probe",
    ),
    "several disks are read together, and the busiest counts": Idiom(
        {
            'node_disk_read_bytes_total{node="na",device="nvme0n1"}': "0+3000x20",
            'node_disk_read_bytes_total{node="na",device="nvme1n1"}': "0+6000x20",
            'node_disk_io_time_seconds_total{node="na",device="nvme0n1"}': "0+6x20",
            'node_disk_io_time_seconds_total{node="na",device="nvme1n1"}': "0+15x20",
        },
        {training.host_disk_read: {'node="na"': 300}, training.host_disk_busy: {'node="na"': 0.5}},
    ),
    "the extremes of the range, as they are now": Idiom(
        {  # $__range is ten minutes, of which every fifth is looked at
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0)}}}": "50x19 90 50x40",  # hottest eight minutes ago
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(1)}}}": "70x60",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(2)}}}": "40x60",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(3)}}}": "_x32 80x20",  # came up two minutes ago
        },
        {
            highest(thermal.temperature, 1): {card(0): 50},
            highest(thermal.temperature, 2): {card(0): 50, card(3): 80},
            lowest(thermal.temperature, 1): {card(2): 40},
            lowest(thermal.temperature, 2): {card(2): 40, card(0): 50},
        },
        at="18m",
    ),
}
