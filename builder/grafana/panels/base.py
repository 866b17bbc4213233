"""What all panels share."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import FrameType
from typing import Any, ClassVar, Self

from grafanalib import core

from builder.errors import DefinitionError, short, titled
from builder.grafana.mappings import Mapping as ValueMapping
from builder.grafana.mappings import mappings_json
from builder.grafana.members import (
    check_extra,
    check_link,
    check_mapping,
    check_override,
    check_relative_time,
    check_target,
    check_time_shift,
    check_transformation,
)
from builder.grafana.names import check_colour_or_mode, check_unit, colour_json, variable_named
from builder.grafana.overrides import Override
from builder.grafana.parameters import (
    Checked,
    check_datasource,
    choice,
    duration,
    each,
    flag,
    hidden,
    number,
    parameter,
    parameters,
    text,
    whole,
)
from builder.grafana.plain import merge, to_plain
from builder.grafana.thresholds import Thresholds

PLUGIN_VERSION = "10.4.0"
"""The oldest Grafana a board must load in. Without one Grafana takes a panel for one of version 6.1."""

GRID_COLUMNS = 24

PanelOptions = Mapping[str, Any]
"""Options that several panels take: ``TimeSeries("Heat", [...], **ranked)``. Each panel checks them."""


def _unit(unit: object) -> None:
    if unit != "":
        check_unit(unit)


def _colour(colour: object) -> None:
    if colour != "":
        check_colour_or_mode(colour)


def _thresholds(value: object) -> None:
    if value is not None and not isinstance(value, Thresholds):
        raise DefinitionError(f"{short(value)} is not thresholds", fix='thresholds("green", (0.9, "red"))')


@parameters
class ModernPanel(Checked, core.Panel):
    """A panel of one of today's types.

    ``width`` (grid columns of 24) and ``height`` (units of 30 pixels) are the kind's own where left out.
    ``x`` and ``y`` place the panel by hand, counted from the left and from the top of its row. ``targets``
    are queries. ``color`` is a colour or a colour mode. ``repeat`` names a variable. ``extra`` is merged into the
    finished JSON last: dicts member by member, lists replaced.
    """

    kind: ClassVar[str] = ""
    """Grafana's panel type."""
    size: ClassVar[tuple[int, int]] = (12, 8)
    """Width and height where the author gives none."""
    own_colour: ClassVar[str] = ""
    """The colour mode that Grafana itself gives this kind, where all of 10.4 to 13 agree."""

    title: str = text(default="", kw_only=False)
    description: str = text(default="")
    targets: Sequence[Any] = each(check_target, default=(), kw_only=False)
    datasource: Any = parameter(default=None, check=check_datasource)
    width: int | None = whole(default=None, at_least=1)
    height: int | None = whole(default=None)
    x: int | None = whole(default=None, at_least=0)
    y: int | None = whole(default=None, at_least=0)
    repeat: str = text(default="")
    repeat_direction: str = choice("h", "v", default="h")
    max_per_row: int | None = whole(default=None, at_least=1, at_most=GRID_COLUMNS)
    links: Sequence[Any] = each(check_link, default=())
    data_links: Sequence[Any] = each(check_link, default=())
    unit: str = parameter(default="", check=_unit)
    decimals: int | None = whole(default=None, at_least=0)
    min: float | None = number(default=None)
    max: float | None = number(default=None)
    no_value: str = text(default="")
    display_name: str = text(default="")
    thresholds: Thresholds | None = parameter(default=None, check=_thresholds)
    mappings: Sequence[ValueMapping] = each(check_mapping, default=())
    color: str = parameter(default="", check=_colour)
    overrides: Sequence[Override | Mapping[str, Any]] = each(check_override, default=())
    transformations: Sequence[Mapping[str, Any]] = each(check_transformation, default=())
    transparent: bool = flag(default=False)
    interval: str = duration(default="")
    max_data_points: int | None = whole(default=None, at_least=1)
    time_from: str = parameter(default="", check=check_relative_time)
    time_shift: str = parameter(default="", check=check_time_shift)
    id: int | None = whole(default=None, at_least=1, at_most=2**31 - 1)
    extra: Mapping[str, Any] | None = parameter(default=None, check=check_extra)

    made_at: Any = hidden(shown=False)

    gridPos: Any = hidden()  # noqa: N815 (the names are grafanalib's)
    dataSource: Any = hidden()  # noqa: N815
    cacheTimeout: Any = hidden()  # noqa: N815
    editable: Any = hidden()
    error: Any = hidden()
    hideTimeOverride: Any = hidden()  # noqa: N815
    maxDataPoints: Any = hidden()  # noqa: N815
    minSpan: Any = hidden()  # noqa: N815
    span: Any = hidden()
    thresholdType: Any = hidden()  # noqa: N815
    timeFrom: Any = hidden()  # noqa: N815
    timeShift: Any = hidden()  # noqa: N815
    extraJson: Any = hidden()  # noqa: N815

    def __attrs_post_init__(self) -> None:
        """Remember who made it; refuse half a position."""
        frame = sys._getframe(3)  # past the constructor's own three steps
        if frame.f_globals.get("__name__", "").startswith("builder."):
            frame = _outside(frame)
        self.made_at = (frame.f_code, frame.f_lasti)  # its line is worked out where it is asked for
        self.repeat = variable_named(self.repeat)
        if (self.x is None) != (self.y is None):
            raise DefinitionError("x without y" if self.y is None else "y without x", where=self.where)

    @property
    def where(self) -> str:
        """Class and title, for messages."""
        return titled(type(self).__name__, self.title)

    def with_(self, **changes: Any) -> Self:
        """A copy with some attributes set, without the checks of ``attr.evolve``."""
        changed: Self = copied(self, **changes)
        return changed

    def to_json_data(self) -> dict[str, Any]:
        """The panel as Grafana saves it, without what Grafana fills in by itself."""
        data: dict[str, Any] = {
            "type": self.kind,
            "title": self.title,
            "fieldConfig": {
                "defaults": self._defaults(),
                "overrides": [to_plain(override) for override in self._all_overrides()],
            },
            "pluginVersion": PLUGIN_VERSION,
        }
        options = self._options()
        if options:
            data["options"] = options
        if self.description:
            data["description"] = self.description
        if self.datasource is not None:
            data["datasource"] = dict(self.datasource)
        if self.targets:
            data["targets"] = with_ref_ids([self._target_json(target) for target in self.targets])
        if self.id is not None:
            data["id"] = self.id
        if self.gridPos is not None:
            data["gridPos"] = to_plain(self.gridPos)
        if self.repeat:
            data["repeat"] = self.repeat
            data["repeatDirection"] = self.repeat_direction
            if self.max_per_row is not None:
                data["maxPerRow"] = self.max_per_row
        if self.links:
            data["links"] = to_plain(self.links)
        if self.transformations:
            data["transformations"] = to_plain(self.transformations)
        if self.transparent:
            data["transparent"] = True
        if self.interval:
            data["interval"] = self.interval
        if self.max_data_points is not None:
            data["maxDataPoints"] = self.max_data_points
        if self.time_from:
            data["timeFrom"] = self.time_from
        if self.time_shift:
            data["timeShift"] = self.time_shift
        if self.extra:
            merge(data, self.extra)
        return data

    def _defaults(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        custom = self._custom()
        if custom:
            data["custom"] = custom
        colour = self._field_colour()
        if colour and colour != self.own_colour:
            data["color"] = colour_json(colour)
        if self.unit:
            data["unit"] = self.unit
        if self.thresholds is not None:
            data["thresholds"] = self.thresholds.to_json_data()
        elif colour == "thresholds":
            # Left out, Grafana would paint everything from 80 upward red, whatever it is.
            data["thresholds"] = _NO_THRESHOLDS.to_json_data()
        if self.decimals is not None:
            data["decimals"] = self.decimals
        if self.min is not None:
            data["min"] = self.min
        if self.max is not None:
            data["max"] = self.max
        if self.no_value:
            data["noValue"] = self.no_value
        if self.display_name:
            data["displayName"] = self.display_name
        if self.mappings:
            data["mappings"] = mappings_json(self.mappings)
        if self.data_links:
            data["links"] = to_plain(self.data_links)
        return data

    def _field_colour(self) -> str:
        """The colour or mode of the fields; empty where the kind has no say in it."""
        return self.color

    def _all_overrides(self) -> Sequence[Any]:
        return self.overrides

    def _custom(self) -> dict[str, Any]:
        return {}

    def _options(self) -> dict[str, Any]:
        return {}

    def _target_json(self, target: Any) -> dict[str, Any]:
        data = to_plain(target)
        if not isinstance(data, dict):
            fix = "only a Board answers queries: use it in place of grafanalib's Dashboard"
            raise DefinitionError(f"{short(target)} is not answered", where=self.where, fix=fix)
        return data


_NO_THRESHOLDS = Thresholds("blue")


def _outside(frame: FrameType) -> FrameType:
    """The nearest caller that is no part of this package."""
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("builder."):
        frame = frame.f_back
    return frame


def copied(panel: Any, **changes: Any) -> Any:
    """A copy of any panel, grafanalib's too, with some attributes set: in a fifth of the time of ``copy.copy``."""
    if hasattr(panel, "__slots__"):
        made = copy.copy(panel)
        for name, value in changes.items():
            setattr(made, name, value)
        return made
    made = object.__new__(panel.__class__)
    made.__dict__.update(panel.__dict__, **changes)
    return made


def with_ref_ids(targets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Queries with a refId each: those that have none get the first free letters."""
    without = [target for target in targets if not target.get("refId")]
    if without:
        taken = {target.get("refId") for target in targets}
        free = (name for name in _ref_ids() if name not in taken)
        for target, name in zip(without, free, strict=False):
            target["refId"] = name
    return targets


def changed(panel: Any, settings: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Of (attribute, JSON key, Grafana's default) those that differ from Grafana's default."""
    values = panel.__dict__
    return {key: value for name, key, default in settings if (value := values[name]) != default}


def _ref_ids() -> Iterator[str]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from letters
    for number_ in count():
        yield f"Q{number_}"
