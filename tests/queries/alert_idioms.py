"""What alerts ask: an edge of each condition, where the answer without it would be another."""

from __future__ import annotations

from builder.queries import events, growth, stalls
from tests.queries.idioms import Idiom, card, on_node


def _rank(number: int, gpu: int = 0) -> str:
    return f'instance="t{number}",rank="{number}",uuid="GPU-na{gpu}"'


def _xid(code: int) -> str:
    return f'instance="na:9835",uuid="a0",xid="{code}"'


def _counted(code: int) -> str:
    return f'gpu="0",node="na",uuid="GPU-a0",xid="{code}"'


IDIOMS: dict[str, Idiom] = {
    "slowed down by heat for a part of the window": Idiom(
        {f"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS{{{on_node(0)}}}": "0x5 32x5"},
        {events.share_of_time(("throttle_sw_thermal", "throttle_hw_thermal"), "5m"): {card(0): 5 / 11}},
    ),
    "a card without its temperature, and one that is gone": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "1x60",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(0)}}}": "60x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "1x20 stale",
            f"DCGM_FI_DEV_GPU_TEMP{{{on_node(1)}}}": "60x20 stale",
        },
        {events.blind_nodes("3m"): {'node="na"': 1}},
        at="30m",
    ),
    "a card that vanished, and a node that did": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "1x60",
            f"DCGM_FI_DEV_FB_USED{{{on_node(1)}}}": "1x20 stale",
            f"DCGM_FI_DEV_FB_USED{{{on_node(0, node='nb')}}}": "1x20 stale",
        },
        {events.vanished_cards("3m"): {card(1): 1}},
        at="30m",
    ),
    "an XID that stays, one that comes, and one of a card that had none to tell": Idiom(
        {
            f"DCGM_FI_DEV_XID_ERRORS{{{on_node(0)}}}": "79x60",
            f"DCGM_FI_DEV_XID_ERRORS{{{on_node(1)}}}": "0x40 31x20",
            f"DCGM_FI_DEV_XID_ERRORS{{{on_node(2)}}}": "_x45 48x15",
        },
        {events.new_xids("10m", "3m"): {card(1) + ',xid="31"': 1, card(2) + ',xid="48"': 1}},
        at="30m",
    ),
    "XIDs that are counted: again, for the first time, not since, and from the start by an exporter": Idiom(
        {
            'nvidia_smi_gpu_info{instance="na:9835",uuid="a0",index="0",name="H"}': "1x60",
            f"nvidia_smi_xid_errors_total{{{_xid(31)}}}": "1x45 2x15",
            f"nvidia_smi_xid_errors_total{{{_xid(79)}}}": "_x45 1x15",
            f"nvidia_smi_xid_errors_total{{{_xid(48)}}}": "1x60",
            f"nvidia_smi_xid_errors_total{{{_xid(74)}}}": "5x45 2x15",
        },
        {events.new_xids("10m", "3m"): {_counted(31): 1, _counted(79): 1}},
        profile="nvidia-smi",
        at="30m",
    ),
    "two trainings on one card, begun one after the other": Idiom(
        {
            f"train_device_info{{{_rank(0)}}}": "1x10",
            f"train_device_info{{{_rank(1)}}}": "1x10",
            'train_start_timestamp_seconds{instance="t0",rank="0"}': "60x10",
            'train_start_timestamp_seconds{instance="t1",rank="1"}': "120x10",
        },
        {stalls.card_job_age: {'uuid="GPU-na0"': 180}},
        training="probe",
    ),
    "tensors that grow, but by next to nothing": Idiom(
        {
            f"DCGM_FI_DEV_FB_USED{{{on_node(0)}}}": "900x480",
            f"train_device_info{{{_rank(0)}}}": "1x480",
            f"train_device_memory_in_use_bytes{{{_rank(0)}}}": "400+0.1x480",
            f"train_device_memory_limit_bytes{{{_rank(0)}}}": "1000x480",
            'train_steps_total{instance="t0",rank="0"}': "0+10x480",
        },
        {
            growth.hours_until_full(3600, 0.05, "3m"): {},
            # The least of the last half hour is 442, of that an hour before 430.
            growth.hours_until_full(3600, 0.005, "3m"): {card(0): (1000 - 442) / 12},
        },
        training="probe",
        at="4h",
    ),
}
