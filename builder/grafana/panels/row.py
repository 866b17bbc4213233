"""The row: a heading that folds the panels below it away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from builder.grafana.panels.base import ModernPanel
from builder.grafana.parameters import flag, parameters
from builder.grafana.parameters import parameter as parameter_
from builder.grafana.plain import merge, to_plain


@parameters
class RowPanel(ModernPanel):
    """A row as it stands in the JSON; ``panels`` only where it is collapsed. Boards use ``layout.Row``."""

    kind: ClassVar[str] = "row"
    size: ClassVar[tuple[int, int]] = (24, 1)

    collapsed: bool = flag(default=False)
    panels: Sequence[Any] = parameter_(default=())

    def _iter_panels(self) -> Iterator[Any]:
        return iter(self.panels)

    def _map_panels(self, f: Callable[[Any], Any]) -> Any:
        # grafanalib's Dashboard asks this of everything that holds panels.
        row = f(self)
        return row.with_(panels=[f(panel) for panel in row.panels])

    def to_json_data(self) -> dict[str, Any]:
        """The row as Grafana saves it: no field of an ordinary panel."""
        data: dict[str, Any] = {
            "type": self.kind,
            "title": self.title,
            "collapsed": self.collapsed,
            "panels": [to_plain(panel) for panel in self.panels],
        }
        if self.id is not None:
            data["id"] = self.id
        if self.gridPos is not None:
            data["gridPos"] = to_plain(self.gridPos)
        if self.repeat:
            data["repeat"] = self.repeat
        if self.extra:
            merge(data, self.extra)
        return data
