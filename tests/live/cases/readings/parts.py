"""What several boards show, and the bands of distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor
from statistics import mean

from builder.simulate import CardTruth
from tests.live.cases.moment import Moment, Shown, named
from tests.live.known_answers.terms import TENTHS

# The defaults of docs/configuration.md.
IDLE, HELD, NEAR_LIMIT, HOT, INEFFICIENT = 0.1, 0.5, 0.97, 80, 0.2


def one(values: Sequence[float], together: Callable[[Sequence[float]], float] = sum) -> Shown:
    """One number made of many; nothing where there are none."""
    return {"": together(values)} if values else {}


def cards(m: Moment) -> Shown:
    return one([1.0 for _ in m.cards])


def utilisation(m: Moment) -> Shown:
    return one(list(m.busy().values()), mean)


def busy(m: Moment) -> Shown:
    return one([float(value > IDLE) for value in m.busy().values()], mean)


def memory_held(m: Moment) -> Shown:
    everything = m.per_card("memory_total", sum)
    return {"": sum(m.held().values()) / sum(everything.values())} if everything else {}


def hottest(m: Moment) -> Shown:
    return one(m.values("temperature"), max)


def power(m: Moment) -> Shown:
    return one(m.values("power"))


def lost_cards(m: Moment) -> Shown:
    return {"": len(m.lost)} if m.whole.cards else {}


def lost_by_name(m: Moment) -> Shown:
    return {named(card): 1 for card in m.lost}


def slowed_down(m: Moment) -> Shown:
    return one(m.values("throttled"))


def over_warning(m: Moment) -> Shown:
    return one([float(value >= HOT) for value in m.values("temperature")])


def with_ecc(m: Moment) -> Shown:
    return one([float(value > 0) for value in m.values("ecc_uncorrected")])


def with_xid(m: Moment) -> Shown:
    """Cards that had one: by the last code, or by NVML's counts, which begin with the first one."""
    if m.exports("xid"):
        return one([float(code > 0) for code in m.values("xid")])
    struck = {r.labels["uuid"] for r in m.readings() if r.signal == "xid_errors" and r.value}
    return {"": len(struck)} if m.values("energy") else {}


def last_xid(m: Moment) -> Shown:
    return {name: code for name, code in m.each("xid").items() if code}


def power_share(m: Moment) -> Shown:
    limits = m.each("power_limit")
    return {name: watts / limits[name] for name, watts in m.each("power").items() if name in limits}


def headroom(m: Moment) -> Shown:
    return m.each("temperature_margin")


def idle_holders(m: Moment) -> list[tuple[CardTruth, float]]:
    """The devices that do nothing while much of their memory is held, and the share held."""
    found = []
    for device in m.devices:
        total = device.signals["memory_total"] if m.exports("memory_total") else 0
        if total and device.signals["utilisation"] < IDLE and device.signals["memory_used"] > HELD * total:
            found.append((device, device.signals["memory_used"] / total))
    return found


def pods_holding(m: Moment, devices: Iterable[CardTruth]) -> Shown:
    """Bytes held, by the pods on these devices."""
    return {
        f"{namespace}/{pod} on {named(device)}": held
        for device in devices
        for namespace, pod, held in m.holders(device)
    }


def pods_using(m: Moment, devices: Iterable[CardTruth]) -> Shown:
    """Utilisation of these devices, by their pods: that of the device, whoever shares it."""
    return {
        f"{namespace}/{pod} on {named(device)}": device.signals["utilisation"]
        for device in devices
        for namespace, pod, _ in m.holders(device)
    }


def bands(values: Iterable[float], edges: range = TENTHS, unit: str = "") -> Shown:
    """How many values are in each band."""
    width = edges.step
    counts = {f"{edge}{unit}": 0 for edge in edges}
    for value in values:
        edge = min(floor(value / width) * width, edges[-1])
        counts[f"{edge}{unit}"] = counts.get(f"{edge}{unit}", 0) + 1
    return counts


def prefixed(prefix: str, shown: Shown) -> Shown:
    """The same under names that begin with a word."""
    return {f"{prefix} {name}": value for name, value in shown.items()}


def called(name: str, shown: Shown) -> Shown:
    """The one number under a name of its own."""
    return {name: next(iter(shown.values()))} if shown else {}
