"""What alerts ask of work that stands still, each with what nearly does and is something else."""

from __future__ import annotations

from collections.abc import Mapping

from builder.queries import interconnect, stalls, training
from builder.queries.question import Question
from tests.queries.idioms import Idiom, card, on_node


def _of(job: str) -> str:
    return f'instance="{job}",rank="0",training_job="{job}"'


def _on_card(job: str, gpu: int) -> Mapping[str, str]:
    return {f'train_device_info{{{_of(job)},uuid="GPU-na{gpu}"}}': "1x60"}


def _phase(job: str, phase: str) -> Mapping[str, str]:
    return {f'train_phase{{{_of(job)},phase="{phase}"}}': "1x60"}


def _last_steps(**jobs: str) -> Mapping[str, str]:
    running = {f"train_in_progress{{{_of(job)}}}": "1x60" for job in jobs}
    return {**running, **{f"train_last_step_timestamp_seconds{{{_of(job)}}}": values for job, values in jobs.items()}}


def _held_card(gpu: int, utilisation: str, memory: str = "80x60") -> Mapping[str, str]:
    return {
        f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{on_node(gpu)}}}": utilisation,
        f"DCGM_FI_DEV_FB_USED{{{on_node(gpu)}}}": memory,
    }


_FELL = "0.9x31 0.1x28"  # from the sixteenth minute on
_OVER_TEN_MINUTES = Question("pcie_replays over 10m", "", lambda s: interconnect.pcie_replays.ask(s.with_window("10m")))

IDIOMS: dict[str, Idiom] = {
    "jobs without a step, by clocks that are right and wrong": Idiom(
        {
            **_last_steps(
                hung="0+30x20 600x40",
                fast="5400+30x20 6000x40",  # an hour and a half ahead
                slow="-7200+30x60",  # two hours behind, and it makes steps
                late="0+30x50 1500x10",
                evaluates="0x60",
                saves="0x60",
                compiles="0x60",
                ended="0x60",
            ),
            **_phase("evaluates", "evaluate"),
            **_phase("saves", "checkpoint"),
            **_phase("compiles", "compile"),
            f"train_in_progress{{{_of('ended')}}}": "0x60",
        },
        {stalls.seconds_without_step("10m", "3m"): {'training_job="hung"': 1200, 'training_job="fast"': 600}},
        training="probe",
        at="30m",
    ),
    "a drop, and what is none": Idiom(
        {
            **_held_card(0, _FELL),
            **_held_card(1, "0.25x31 0.1x28"),
            **_held_card(2, _FELL, memory="80x31 10x28"),
            **_held_card(3, _FELL),
            **_held_card(4, _FELL),
            **_on_card("goes-on", 0),
            f"train_in_progress{{{_of('goes-on')}}}": "1x60",
            **_on_card("ended", 3),
            f"train_in_progress{{{_of('ended')}}}": "1x31 0x28",
            **_on_card("saves", 4),
            **_phase("saves", "checkpoint"),
        },
        {stalls.dropped("10m", 0.4, 0.3, "3m"): {card(0): 0.1}},
        training="probe",
        at="20m",
    ),
    "idle and held, also while a scrape fails": Idiom(
        {
            **_held_card(0, "0.05x40 stale", memory="80x40 stale"),
            f"DCGM_FI_DEV_FB_FREE{{{on_node(0)}}}": "20x40 stale",
        },
        {stalls.idle_allocated("10m", 0.1, 0.5, "3m"): {card(0): 0.8}},
        at="20m30s",
    ),
    "a job on idle cards, and what is none": Idiom(
        {
            **_held_card(0, "0.1x60"),
            **_held_card(1, "0.1x60"),
            **_held_card(2, "0.9x60"),
            **_held_card(3, "0.1x60"),
            **{
                name: values
                for gpu, job in enumerate(("low", "stands", "busy", "young"))
                for name, values in {
                    **_on_card(job, gpu),
                    f"train_steps_total{{{_of(job)}}}": "7x60" if job == "stands" else "0+10x60",
                    f"train_start_timestamp_seconds{{{_of(job)}}}": "1500x60" if job == "young" else "0x60",
                }.items()
            },
        },
        {stalls.job_utilisation_over("10m", 0.2): {'training_job="low"': 0.1}},
        training="probe",
        at="30m",
    ),
    "a device that is no card that anybody knows": Idiom(
        {
            f'train_device_info{{{_of("j")},device="0",mapping="unresolved"}}': "1x60",
            f'train_device_info{{{_of("j")},device="1",mapping="uuid",uuid="GPU-na0"}}': "1x60",
        },
        {training.cardless_devices: {_of("j"): 1}},
        training="probe",
    ),
    "a rate over a window that rules say, where boards have that of Grafana": Idiom(
        {f"DCGM_FI_DEV_PCIE_REPLAY_COUNTER{{{on_node(0)}}}": "0x20 1+1x9"},  # the last five minutes of fifteen
        {interconnect.pcie_replays: {card(0): 2}, _OVER_TEN_MINUTES: {card(0): 1}},
        at="15m",
    ),
}
