"""Card models: what the data sheets and ``nvidia-smi -q`` say of them."""

from __future__ import annotations

from dataclasses import dataclass

from builder.errors import UnknownName

MIB = 1024 * 1024


@dataclass(frozen=True, eq=False)
class Model:
    """A kind of card. Memory in MiB (``memory`` is all of it), power in watts, clocks in MHz, heat in celsius.

    ``rise`` is by how much full power warms the core above the air that cools it. ``mig`` is the profile of
    each of two MIG instances, empty where the card cannot be split.
    """

    name: str
    memory: int
    reserved: int
    idle_power: float
    power_limit: float
    idle_clock: int
    clock: int
    memory_clock: int
    slowdown: int
    rise: float
    nvlink: float  # bytes per second, both directions, all links
    mig: str = ""
    data_centre: bool = True  # profiling fields, ECC and memory temperature; the others have a fan
    remaps_rows: bool = True  # since Ampere; before it, pages are retired


MODELS: dict[str, Model] = {
    "h100": Model(
        "NVIDIA H100 80GB HBM3", 81559, 482, 72, 700, 345, 1980, 2619, 92, rise=42, nvlink=900e9, mig="3g.40gb"
    ),
    "a100": Model(
        "NVIDIA A100-SXM4-40GB", 40960, 442, 52, 400, 210, 1410, 1215, 92, rise=40, nvlink=600e9, mig="3g.20gb"
    ),
    "v100": Model(
        "Tesla V100-SXM2-32GB", 32768, 0, 42, 300, 135, 1530, 877, 87, rise=36, nvlink=300e9, remaps_rows=False
    ),
    "rtx-4090": Model(
        "NVIDIA GeForce RTX 4090", 24564, 410, 20, 450, 210, 2520, 10501, 90, rise=44, nvlink=0, data_centre=False
    ),
}


def model(name: str) -> Model:
    """The model of this name; UnknownName with the nearest one otherwise."""
    try:
        return MODELS[name]
    except KeyError:
        raise UnknownName("card model", name, MODELS, where="--model") from None
