"""What is hard about GPU series, each as input series and the answers that are right, computed by hand.

Values follow promtool's notation: ``1x20`` is 1 and twenty repeats, ``0+5x20`` rises by 5 at every step of 30 s,
``_`` is no sample, ``stale`` ends a series.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.queries import (
    health,
    interconnect,
    inventory,
    memory,
    power,
    telemetry,
    thermal,
    traffic,
    utilisation,
    workloads,
)
from builder.queries.question import Question
from builder.queries.source import Filter

MIB = 2**20

Answer = Mapping[str, float]
"""Labels as promtool writes them, without braces, and the value."""


@dataclass(frozen=True)
class Idiom:
    """Series of exporters, and what questions must answer at the time ``at``.

    ``filters`` are those of a board, ``site`` what a site calls signals of the profile.
    """

    series: Mapping[str, str]
    answers: Mapping[Question, Answer]
    profile: str = "dcgm"
    training: str = "none"
    at: str = "5m"
    interval: float = 30
    filters: tuple[Filter, ...] = ()
    site: Mapping[str, str] = field(default_factory=dict)


def _numbered(gpu: int, uuid: str, node: str = "na") -> str:
    return f'instance="{node}:9400",gpu="{gpu}",UUID="{uuid}",Hostname="{node}"'


def on_node(gpu: int, host: str = "Hostname", node: str = "na") -> str:
    return f'instance="{node}:9400",gpu="{gpu}",UUID="GPU-{node}{gpu}",{host}="{node}"'


def card(gpu: int, node: str = "na", more: str = "") -> str:
    return f'gpu="{gpu}",{more}node="{node}",uuid="GPU-{node}{gpu}"'


IDIOMS: dict[str, Idiom] = {
    "a new pod on a card does not make a second card": Idiom(
        {
            f'DCGM_FI_DEV_GPU_UTIL{{{on_node(0)},exported_pod="p1"}}': "90 90 stale",
            f'DCGM_FI_DEV_GPU_UTIL{{{on_node(0)},exported_pod="p2"}}': "_ 80 80 80",
            f"DCGM_FI_DEV_GPU_UTIL{{{on_node(1)}}}": "10x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},exported_pod="p1"}}': "100 100 stale",
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},exported_pod="p2"}}': "_ 100 100 100",
        },
        {
            utilisation.card_utilisation: {card(0): 0.9, card(1): 0.1},
            utilisation.fleet_utilisation: {"": (0.9 + 0.1) / 2},
            inventory.card_count: {"": 1},
            memory.fleet_memory_used: {"": 100 * MIB},
        },
        at="30s",
    ),
    "the host is Hostname before 4.8.3 and hostname after": Idiom(
        {
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0)}}}": "60x10",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0, 'hostname', 'nb')}}}": "70x10",
        },
        {
            thermal.temperature: {card(0): 60, card(0, "nb"): 70},
            thermal.node_temperature: {'node="na"': 60, 'node="nb"': 70},
        },
    ),
    "nodes of one name in two clusters are two nodes": Idiom(
        {
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},cluster="east"}}': "1x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},cluster="west"}}': "1x10",
        },
        {
            inventory.node_count: {"": 2},
            inventory.node_cards: {'cluster="east",node="na"': 1, 'cluster="west",node="na"': 1},
        },
    ),
    "index and model come from the info series, even where two jobs scrape it": Idiom(
        {
            'nvidia_smi_temperature_gpu{job="x",instance="na:9835",uuid="a0"}': "61x10",
            'nvidia_smi_temperature_gpu{job="y",instance="na:9835",uuid="a0"}': "61x10",
            'nvidia_smi_gpu_info{job="x",instance="na:9835",uuid="a0",index="0",name="H"}': "1x10",
            'nvidia_smi_gpu_info{job="y",instance="na:9835",uuid="a0",index="0",name="H"}': "1x10",
        },
        {
            thermal.temperature: {'gpu="0",node="na",uuid="GPU-a0"': 61},
            inventory.cards: {'gpu="0",model="H",node="na",uuid="GPU-a0"': 1},
        },
        profile="nvidia-smi",
    ),
    "a board's power repeats on each of its MIG instances": Idiom(
        {
            f'DCGM_FI_DEV_POWER_USAGE{{{on_node(0)},GPU_I_ID="3",GPU_I_PROFILE="1g.10gb"}}': "300x10",
            f'DCGM_FI_DEV_POWER_USAGE{{{on_node(0)},GPU_I_ID="4",GPU_I_PROFILE="1g.10gb"}}': "300x10",
        },
        {power.fleet_power: {"": 300}, power.node_power: {'node="na"': 300}, power.power: {card(0): 300}},
    ),
    "MIG instances have memory and utilisation of their own": Idiom(
        {
            f'DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)},GPU_I_ID="1"}}': "0.25x10",
            f'DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)},GPU_I_ID="2"}}': "0.75x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},GPU_I_ID="1"}}': "10x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},GPU_I_ID="2"}}': "30x10",
        },
        {
            utilisation.utilisation: {card(0, more='mig="mig-1",'): 0.25, card(0, more='mig="mig-2",'): 0.75},
            utilisation.card_utilisation: {card(0): (0.25 + 0.75) / 2},
            memory.card_memory_used: {card(0): (10 + 30) * MIB},
            inventory.card_count: {"": 1},
        },
    ),
    "jobs that share a card repeat its values": Idiom(
        {
            f'DCGM_FI_DEV_POWER_USAGE{{{on_node(0)},hpc_job="1"}}': "300x10",
            f'DCGM_FI_DEV_POWER_USAGE{{{on_node(0)},hpc_job="2"}}': "300x10",
            f'DCGM_FI_DEV_POWER_USAGE{{{on_node(1)},hpc_job="0"}}': "200x10",
        },
        {power.node_power: {'node="na"': 500}},
    ),
    "the profiling ratio first, the percentage where there is none": Idiom(
        {
            f"DCGM_FI_DEV_GPU_UTIL{{{on_node(0)}}}": "95x10",
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)}}}": "0.5x10",
            f"DCGM_FI_DEV_GPU_UTIL{{{on_node(0, 'hostname', 'nb')}}}": "40x10",
        },
        {utilisation.utilisation: {card(0): 0.5, card(0, "nb"): 0.4}},
    ),
    "impossible samples are dropped and overshoot is cut": Idiom(
        {
            f"DCGM_FI_DEV_GPU_UTIL{{{on_node(0)}}}": "9223372036854775794x10",
            f"DCGM_FI_DEV_GPU_UTIL{{{on_node(1)}}}": "101x10",
            f"DCGM_FI_DEV_MEMORY_TEMP{{{on_node(0)}}}": "0x10",
            f"DCGM_FI_DEV_MEMORY_TEMP{{{on_node(1)}}}": "61x10",
        },
        {utilisation.utilisation: {card(1): 1}, thermal.memory_temperature: {card(1): 61}},
    ),
    "reserved memory counts where it is exported": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "100x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "290x10",
            f"DCGM_FI_DEV_FB_RESERVED{{{on_node(0)}}}": "10x10",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0, node='nb')}}}": "100x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0, node='nb')}}}": "300x10",
        },
        {
            memory.memory_share: {card(0): 100 / (100 + 290 + 10), card(0, "nb"): 100 / (100 + 300)},
            memory.fleet_memory_total: {"": 800 * MIB},
            memory.fleet_memory_share: {"": 200 / 800},
        },
    ),
    "an exported total is taken as it is": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "100x10",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "300x10",
            f"DCGM_FI_DEV_FB_TOTAL{{{on_node(0)}}}": "500x10",
        },
        {memory.memory_share: {card(0): 100 / 500}},
    ),
    "reasons are bits of a mask": Idiom(
        {  # 36 = 4 (power cap) + 32 (software thermal); 1 = idle; 64 + 8 = hardware thermal, hardware slowdown
            f"DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{on_node(0)}}}": "36x10",
            f"DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{on_node(1)}}}": "1x10",
            f"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS{{{on_node(2)}}}": "72x10",
        },
        {
            thermal.throttled("throttle_sw_power"): {card(0): 1, card(1): 0, card(2): 0},
            thermal.throttled("throttle_sw_thermal"): {card(0): 1, card(1): 0, card(2): 0},
            thermal.throttled("throttle_hw_slowdown"): {card(0): 0, card(1): 0, card(2): 1},
            thermal.throttled("throttle_hw_thermal"): {card(0): 0, card(1): 0, card(2): 1},
            thermal.throttled("throttle_idle"): {card(0): 0, card(1): 1, card(2): 0},
            thermal.throttle_now: {card(0): 1, card(1): 0, card(2): 1},
            thermal.throttled_cards: {"": 2},
            thermal.power_capped_cards: {"": 1},
        },
    ),
    "reasons are counts of a window": Idiom(
        {
            f'DCGM_EXP_CLOCK_EVENTS_COUNT{{{on_node(0)},clock_event="power_cap"}}': "7x10",
            f'DCGM_EXP_CLOCK_EVENTS_COUNT{{{on_node(0)},clock_event="hw_slowdown"}}': "0x10",
        },
        {
            thermal.throttled("throttle_sw_power"): {card(0): 1},
            thermal.throttled("throttle_hw_slowdown"): {card(0): 0},
        },
    ),
    "time throttled is counted in nanoseconds": Idiom(
        {f"DCGM_FI_DEV_THERMAL_VIOLATION{{{on_node(0)}}}": "0+15000000000x20"},  # 15 s in every 30 s
        {thermal.thermal_throttled_share: {card(0): 0.5}},
    ),
    "NVLink throughput is a gauge in MB/s, whatever its type says": Idiom(
        {f"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL{{{on_node(0)}}}": "200x10"},
        {traffic.nvlink_throughput: {card(0): 200e6}},
    ),
    "energy goes on when a new pod takes the card": Idiom(
        {  # 100 W: 3000 J, that is 3,000,000 mJ, in every 30 s
            f'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{{on_node(0)},exported_pod="p1"}}': "0+3000000x20 stale",
            f'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{{on_node(0)},exported_pod="p2"}}': "_x21 63000000+3000000x20",
        },
        # $__range is 10 m, five before the change and five after it: a sixth of an hour
        {power.energy_used: {"": 100 / 6}},
        at="15m",
    ),
    "the gap between device and framework, joined by uuid": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "100x10",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "80x10",
            f"DCGM_FI_DEV_FB_USED{{{on_node(2)}}}": "60x10",
            # two processes on card 0; one on card 1 that calls it GPU:0; card 2 has none
            'train_device_memory_in_use_bytes{instance="t1",rank="0",device="GPU:0",uuid="GPU-na0"}': f"{30 * MIB}x10",
            'train_device_memory_in_use_bytes{instance="t2",rank="1",device="GPU:0",uuid="GPU-na0"}': f"{20 * MIB}x10",
            'train_device_memory_in_use_bytes{instance="t3",rank="2",device="GPU:0",uuid="GPU-na1"}': f"{60 * MIB}x10",
        },
        {
            memory.framework_in_use: {card(0): 50 * MIB, card(1): 60 * MIB},
            memory.memory_gap: {card(0): 50 * MIB, card(1): 20 * MIB},
            memory.memory_gap_share: {card(0): 0.5, card(1): 0.25},
            memory.total_gap_share: {"": 70 / 180},
        },
        training="probe",
    ),
    "the probe's uuid finds nvidia-smi's, which lacks the prefix": Idiom(
        {
            'nvidia_smi_memory_used_bytes{instance="na:9835",uuid="a0"}': "400x10",
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a0",index="0",name="H"}': "1x10",
            'train_device_memory_in_use_bytes{instance="t1",rank="0",uuid="GPU-a0"}': "100x10",
        },
        {memory.memory_gap: {'gpu="0",node="na",uuid="GPU-a0"': 300}},
        profile="nvidia-smi",
        training="probe",
    ),
    "the snippet without uuid is joined by node and index": Idiom(
        {
            'nvml_gpu_memory_used_bytes{instance="na:9400",gpu="0",UUID="GPU-a0"}': "400x10",
            'nvml_gpu_memory_used_bytes{instance="na:9400",gpu="1",UUID="GPU-a1"}': "500x10",
            'nvml_gpu_memory_used_bytes{instance="nb:9400",gpu="1",UUID="GPU-b1"}': "600x10",
            'tf_gpu_memory_current_bytes{instance="na:8000",device="GPU:1"}': "100x10",
        },
        {memory.memory_gap: {'gpu="1",node="na"': 400}},
        profile="nv-gpu",
        training="tf-snippet",
    ),
    "a card that fell off the bus": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "50x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0, node='nb')}}}": "50x20 stale",  # the whole node is silent
        },
        {
            inventory.lost_cards: {card(1): 1},
            inventory.node_lost_cards: {'node="na"': 1},
            inventory.lost_card_count: {"": 1},
        },
        at="15m",
    ),
    "a card that fell off the bus took its info series with it": Idiom(
        {
            'nvidia_smi_memory_used_bytes{instance="na:9835",uuid="a0"}': "50x40",
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a0",index="0",name="H"}': "1x40",
            'nvidia_smi_memory_used_bytes{instance="na:9835",uuid="a1"}': "50x20 stale",
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a1",index="1",name="H"}': "1x20 stale",
        },
        {inventory.lost_cards: {'gpu="1",node="na",uuid="GPU-a1"': 1}, inventory.lost_card_count: {"": 1}},
        profile="nvidia-smi",
        at="15m",
    ),
    "one of four is lost and the others are numbered anew": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{_numbered(0, 'a')}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(1, 'b')}}}": "50x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(2, 'c')}}}": "50x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(3, 'd')}}}": "50x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(1, 'c')}}}": "_x20 50x20",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(2, 'd')}}}": "_x20 50x20",
        },
        {
            inventory.lost_card_count: {"": 1},
            inventory.lost_cards: {'gpu="1",node="na",uuid="b"': 1},
            inventory.node_lost_cards: {'node="na"': 1},
            inventory.card_count: {"": 3},
        },
        at="15m",
    ),
    "a card that had two numbers is lost once": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{_numbered(0, 'a')}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(2, 'c')}}}": "50x10 stale",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(1, 'c')}}}": "_x10 50x10 stale",
        },
        {inventory.lost_card_count: {"": 1}, inventory.node_lost_cards: {'node="na"': 1}},
        at="15m",
    ),
    "a card came back on another node": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{_numbered(0, 'a')}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(1, 'b')}}}": "50x10 stale",
            f"DCGM_FI_DEV_FB_USED{{{_numbered(1, 'b', 'nb')}}}": "_x20 50x20",
        },
        {inventory.lost_cards: {'gpu="1",node="na",uuid="b"': 1}, telemetry.silent_nodes: {}},
        at="15m",
    ),
    "no trouble is zero, and no exporter is no answer": Idiom(
        {f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "50x40"},
        {inventory.lost_card_count: {"": 0}, inventory.lost_cards: {}, health.xid_cards: {"": 0}},
        at="15m",
    ),
    "where an XID begins the counter, another one tells that the exporter would have counted": Idiom(
        {
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a0",index="0",name="H"}': "1x40",
            'nvidia_smi_energy_joules_total{instance="na:9835",uuid="a0"}': "0+3000x40",
        },
        {health.xid_cards: {"": 0}, health.node_xid_cards: {}},
        profile="nvidia-smi",
    ),
    "XIDs by code": Idiom(
        {
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a0",index="0",name="H"}': "1x40",
            'nvidia_smi_xid_errors_total{instance="na:9835",uuid="a0",xid="79"}': "1x40",
            'nvidia_smi_xid_errors_total{instance="na:9835",uuid="a0",xid="31"}': "3x40",
        },
        {
            health.xid_cards: {"": 1},
            health.xid_count: {
                'gpu="0",node="na",uuid="GPU-a0",xid="79"': 1,
                'gpu="0",node="na",uuid="GPU-a0",xid="31"': 3,
            },
        },
        profile="nvidia-smi",
    ),
    "an XID is a code and stays": Idiom(
        {
            f'DCGM_FI_DEV_XID_ERRORS{{{on_node(0)},err_code="79"}}': "79x10",
            f"DCGM_FI_DEV_XID_ERRORS{{{on_node(1)}}}": "0x10",
        },
        {health.last_xid: {card(0): 79}, health.xid_cards: {"": 1}},
    ),
    "held and idle for ten minutes, by the device's own numbers": Idiom(
        {
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)}}}": "0x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "75x40",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "25x40",
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(1)}}}": "0.9x30 0x10",  # idle for the last five minutes only
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "75x40",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(1)}}}": "25x40",
        },
        {workloads.idle_holders: {card(0): 0.75}, workloads.idle_holder_count: {"": 1}},
        at="20m",
    ),
    "idle and held since it came up, which was five minutes ago": Idiom(
        {
            f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(0)}}}": "_x30 0x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "_x30 75x40",
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "_x30 25x40",
        },
        {workloads.idle_holders: {}, workloads.idle_holder_count: {"": 0}, workloads.idle_workloads: {}},
        at="20m",
    ),
    "at the warning temperature it is too hot, a degree below it is not": Idiom(
        {  # 80 by default
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0)}}}": "80x10",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(1)}}}": "79x10",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0, node='nb')}}}": "79x10",
        },
        {thermal.hot_cards: {"": 1}, workloads.troubled_nodes: {'node="na"': 1}},
    ),
    "slowed down between two steps of a graph": Idiom(
        {  # heat for a minute, six minutes ago; the step is ten
            f"DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{on_node(0)}}}": "0x27 32 32 0x20",
            f"DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{on_node(1)}}}": "0x50",
        },
        {
            thermal.throttle_now: {card(0): 0, card(1): 0},
            thermal.throttled_within: {card(0): 1, card(1): 0},
        },
        at="20m",
        interval=600,
    ),
    "only the hardware says that heat reduced the clocks": Idiom(
        {f"DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS{{{on_node(0)}}}": "0+7500000000x20"},
        {thermal.thermal_throttled_share: {card(0): 0.25}},
    ),
    "who is silent, how old what came is, and what Kubernetes misses": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "50x40",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0, node='nb')}}}": "50x26",  # two minutes ago
            f"DCGM_FI_DEV_FB_USED{{{on_node(0, node='nc')}}}": "50x10",  # ten minutes ago
            'kube_node_status_capacity{node="na",resource="nvidia_com_gpu"}': "2x40",
            'kube_node_status_capacity{node="nb",resource="nvidia_com_gpu"}': "4x40",
            'kube_node_status_capacity{node="nd",resource="nvidia_com_gpu"}': "8x40",  # never came up
            'kube_node_status_capacity{node="ne",resource="cpu"}': "64x40",
        },
        {
            telemetry.silent_nodes: {'node="nc"': 1},
            telemetry.silent_node_count: {"": 1},
            telemetry.sample_age: {'node="na"': 0, 'node="nb"': 120},
            telemetry.oldest_sample: {"": 120},
            telemetry.missing_cards: {'node="nb"': 3, 'node="nd"': 8},
            telemetry.coverage: {'metric="DCGM_FI_DEV_FB_USED"': 3},
            inventory.lost_cards: {},
        },
        at="15m",
    ),
    "a host is itself once, whichever label names it": Idiom(
        {
            'node_timex_offset_seconds{job="node",instance="na:9100"}': "0.1x20",
            'node_timex_offset_seconds{job="node",instance="10.0.0.2:9100",nodename="nb"}': "0.2x20",
            'node_timex_offset_seconds{job="node",instance="10.0.0.3:9100",node="nc"}': "0.3x20",
        },
        {telemetry.clock_offset: {'node="na"': 0.1, 'node="nb"': 0.2, 'node="nc"': 0.3}},
    ),
    "errors on the way": Idiom(
        {
            f"DCGM_FI_DEV_PCIE_REPLAY_COUNTER{{{on_node(0)}}}": "0+5x20",
            f"DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL{{{on_node(0)}}}": "0+3x20",
            f"DCGM_FI_DEV_ECC_SBE_VOL_TOTAL{{{on_node(0)}}}": "0+1x20",
        },
        {
            interconnect.pcie_replays: {card(0): 10},
            interconnect.nvlink_errors: {card(0): 6},
            health.ecc_corrected_rate: {card(0): 120},
        },
    ),
    "the exporter's own pod is nobody's workload": Idiom(
        {
            # honor_labels: false, the card is idle: only the target's own pod label is there
            f'DCGM_FI_DEV_FB_USED{{{on_node(0)},pod="dcgm-exporter-x7k1p",namespace="gpu"}}': "1x10",
            f'DCGM_FI_DEV_FB_USED{{{on_node(1)},pod="dcgm-exporter-x7k1p",namespace="gpu",exported_pod="p",'
            'exported_namespace="ml",exported_container="c"}': "70x10",
            # honor_labels: true
            f'DCGM_FI_DEV_FB_USED{{{on_node(2)},pod="q",namespace="ml",container="c"}}': "80x10",
        },
        {
            workloads.workloads: {
                'container="c",' + card(1, more='namespace="ml",') + ',pod="p"': 70 * MIB,
                'container="c",' + card(2, more='namespace="ml",') + ',pod="q"': 80 * MIB,
            },
            workloads.namespace_cards: {'namespace="ml"': 2},
        },
    ),
}
