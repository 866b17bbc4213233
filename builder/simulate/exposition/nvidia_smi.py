"""nvidia_gpu_exporter's text: every family named after an nvidia-smi field, series known by ``uuid`` alone.

Source: docs/METRICS.md and internal/exporter of github.com/utkuozdemir/nvidia_gpu_exporter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from builder.simulate.exposition.columns import Column, columns, spelled
from builder.simulate.exposition.page import NO_LABELS, Family, Labels, Page, go_number
from builder.simulate.exposition.schemes import Smi
from builder.simulate.model.device import Device
from builder.simulate.model.layout import Card

_NVML = "nvml"
_REASON_PREFIX = {"event": "nvidia_smi_clocks_event_reasons_", "throttle": "nvidia_smi_clocks_throttle_reasons_"}


def page(profile: str, scheme: Smi, counters: str, devices: Sequence[Device], at: float) -> Page:
    """What the exporter of a node answers at a Unix time."""
    families = [
        *(_family(profile, column, devices) for column in _chosen(profile, scheme)),
        *_identity(profile, scheme, devices),
        *_state(profile, devices),
        *_health(scheme, at),
    ]
    if scheme.nvml:
        families += _instances(profile, devices)
    if counters == "extended":
        families += _processes(profile, devices)
    return sorted(families, key=attrgetter("name"))


@lru_cache
def _chosen(profile: str, scheme: Smi) -> tuple[Column, ...]:
    """The families that this exporter, driver and backend have, of those with one series a card."""
    return tuple(c for c in columns(profile).values() if _written(scheme, c))


def _written(scheme: Smi, column: Column) -> bool:
    name = column.name
    if "_mig_" in name or column.signal.name in ("process_memory",):
        return False
    if name.startswith("nvidia_smi_clocks_") and "_reasons_" in name:
        return name.startswith(_REASON_PREFIX[scheme.reasons])
    return column.metric.default or scheme.nvml


def _family(profile: str, column: Column, devices: Sequence[Device]) -> Family:
    family = Family(column.name, column.declared_type, column.help)
    for device in devices:
        if column.signal.name == "xid_errors":
            for code, count in device.xids.items():
                family.add(_labels(profile, device.card, xid=str(code)), str(count))
            continue
        value = _value(column, device)
        if value is not None:
            family.add(_labels(profile, device.card), go_number(value))
    return family


def _value(column: Column, device: Device) -> float | None:
    if column.name == "nvidia_smi_power_default_limit_watts":
        return device.card.model.power_limit
    if device.instances and (column.signal.name == "utilisation" or "pcie_throughput" in column.name):
        return None  # not known of a card in MIG mode
    return column.value(device.signals)


@lru_cache(maxsize=65536)
def _labels_of(profile: str, card: Card, more: tuple[tuple[str, str], ...]) -> Labels:
    uuid = spelled(profile, "uuid", "uuid", card.uuid)
    return Labels(sorted([("uuid", uuid), *more]))


def _labels(profile: str, card: Card, /, **more: str) -> Labels:
    return _labels_of(profile, card, tuple(more.items()))


def _identity(profile: str, scheme: Smi, devices: Sequence[Device]) -> Iterator[Family]:
    info = Family("nvidia_smi_gpu_info", "gauge", "A metric with a constant '1' value labeled by gpu identity.")
    index = Family("nvidia_smi_index", "gauge", "index")
    for device in devices:
        card = device.card
        labels = {
            "driver_model_current": "[N/A]",
            "driver_model_pending": "[N/A]",
            "driver_version": "590.48.01" if scheme.identified else "525.125.06",
            "name": spelled(profile, "model", "name", card.model.name),
            "vbios_version": "96.00.A5.00.03",
        }
        if scheme.identified:
            labels |= {
                "compute_cap": "9.0",
                "cuda_version": "13.1",
                "index": spelled(profile, "gpu", "index", str(card.index)),
                "pci_bus_id": card.pci,
                "pci_sub_device_id": "0x18BE10DE",
                "serial": f"16{card.index:011d}",
            }
        info.add(_labels(profile, card, **labels), "1")
        index.add(_labels(profile, card), str(card.index))
    return iter((info, index))


def _state(profile: str, devices: Sequence[Device]) -> Iterator[Family]:
    def family(name: str, help: str, read: Callable[[Device], float | None]) -> Family:
        made = Family(f"nvidia_smi_{name}", "gauge", help)
        for device in devices:
            value = read(device)
            if value is not None:
                made.add(_labels(profile, device.card), go_number(value))
        return made

    def busy_memory(device: Device) -> float | None:
        return None if device.instances else round(0.6 * device.signals.get("dram_activity", 0.0), 2)

    yield family("clocks_current_graphics_clock_hz", "clocks.current.graphics [MHz]", lambda d: d.signals["sm_clock"])
    yield family("utilization_memory_ratio", "utilization.memory [%]", busy_memory)
    yield family("pstate", "pstate", lambda d: 8 * d.signals["throttle_idle"])
    yield family("mig_mode_current", "mig.mode.current", lambda d: float(bool(d.instances)))


def _health(scheme: Smi, at: float) -> Iterator[Family]:
    def family(name: str, help: str, value: float, kind: str = "gauge") -> Family:
        made = Family(f"nvidia_smi_{name}", kind, help)
        made.add(NO_LABELS, go_number(value))
        return made

    code = ("nvml_return_code", "NVML return code") if scheme.nvml else ("command_exit_code", "Exit code of nvidia-smi")
    yield family(*code, 0)
    yield family("failed_scrapes_total", "Number of failed collections", 0, "counter")
    if scheme.identified:
        yield family("last_collect_success", "Whether the most recent collection succeeded (1) or not (0)", 1)
        yield family("last_collect_success_timestamp_seconds", "When the most recent successful collection ended", at)
        yield family("last_collect_duration_seconds", "How long the most recent collection took", 0.125)


def _instances(profile: str, devices: Sequence[Device]) -> Iterator[Family]:
    split = [(device, number, signals) for device in devices for number, signals in device.instances.items()]
    info = Family("nvidia_smi_mig_info", "gauge", "A metric with a constant '1' value labeled by MIG identity.")
    for device, number, _ in split:
        label = spelled(profile, "mig", "gpu_instance_id", f"mig-{number}")
        mig = f"{device.card.uuid.removeprefix('GPU-')[:-1]}{number}"
        more = {"compute_instance_id": "0", "gpu_instance_id": label, "mig_uuid": mig, "profile": device.card.model.mig}
        info.add(_labels(profile, device.card, **more), "1")
    yield info
    for column in columns(profile).values():
        if "_mig_" in column.name:
            family = Family(column.name, column.declared_type, column.help)
            for device, number, signals in split:
                value = column.value(signals)
                if value is not None:
                    label = spelled(profile, "mig", "gpu_instance_id", f"mig-{number}")
                    family.add(_labels(profile, device.card, gpu_instance_id=label), go_number(value))
            yield family
    for kind in ("used", "free", "reserved", "total"):
        family = Family(f"nvidia_smi_mig_memory_{kind}_bytes", "gauge", f"Memory of the GPU instance ({kind}).")
        for device, number, signals in split:
            label = spelled(profile, "mig", "gpu_instance_id", f"mig-{number}")
            family.add(_labels(profile, device.card, gpu_instance_id=label), go_number(signals[f"memory_{kind}"]))
        yield family


def _processes(profile: str, devices: Sequence[Device]) -> Iterable[Family]:
    column = next(c for c in columns(profile).values() if c.signal.name == "process_memory")
    used = Family(column.name, "gauge", column.help)
    count = Family("nvidia_smi_compute_apps", "gauge", "Number of processes with a compute context on the GPU.")
    for device in devices:
        count.add(_labels(profile, device.card), str(len(device.processes)))
        for process in device.processes:
            labels = {"pid": str(process.pid), "process_name": process.name}
            used.add(_labels(profile, device.card, **labels), go_number(process.memory))
    return (used, count)
