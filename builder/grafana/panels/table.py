"""Tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from builder.errors import DefinitionError, short
from builder.grafana.cells import Cell
from builder.grafana.names import check_reducer
from builder.grafana.overrides import by_name
from builder.grafana.panels.base import ModernPanel
from builder.grafana.parameters import choice, each, flag, parameter, parameters, text, whole


def _cell(value: object) -> None:
    if value is not None and not isinstance(value, Cell):
        raise DefinitionError(f"{short(value)} is not a cell type", fix="one of builder.grafana.cells")


def _widths(value: object) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping) or not all(isinstance(width, int) for width in value.values()):
        raise DefinitionError(f"{short(value)} is not a dict of column widths in pixels")


@parameters
class Table(ModernPanel):
    """Rows and columns. Queries are best ``instant`` and of the format table, then merge and organize.

    ``sort_by`` is a column as shown; ``footer`` names the reducers of a last row. Both ``footer`` and
    ``pagination`` are written in the form of Grafana 10.4, which later ones migrate by themselves.
    """

    kind: ClassVar[str] = "table"
    size: ClassVar[tuple[int, int]] = (24, 9)
    own_colour: ClassVar[str] = "thresholds"

    sort_by: str = text(default="")
    sort_desc: bool = flag(default=True)
    cell: Cell | None = parameter(default=None, check=_cell)
    cell_height: str = choice("sm", "md", "lg", default="sm")
    align: str = choice("auto", "left", "center", "right", default="auto")
    filterable: bool = flag(default=False)
    inspect: bool = flag(default=False)
    show_header: bool = flag(default=True)
    column_widths: Mapping[str, int] | None = parameter(default=None, check=_widths)
    min_column_width: int | None = whole(default=None, at_least=1)
    footer: Sequence[str] = each(check_reducer, default=())
    pagination: bool = flag(default=False)

    def _all_overrides(self) -> Sequence[Any]:
        widths = [by_name(name, width=width) for name, width in (self.column_widths or {}).items()]
        return [*widths, *self.overrides] if widths else self.overrides

    def _field_colour(self) -> str:
        return self.color or "thresholds"

    def _custom(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.cell is not None:
            data["cellOptions"] = self.cell.to_json_data()
        if self.align != "auto":
            data["align"] = self.align
        if self.filterable:
            data["filterable"] = True
        if self.inspect:
            data["inspect"] = True
        if self.min_column_width is not None:
            data["minWidth"] = self.min_column_width
        return data

    def _options(self) -> dict[str, Any]:
        data: dict[str, Any] = {"showHeader": self.show_header}
        if self.cell_height != "sm":
            data["cellHeight"] = self.cell_height
        if self.sort_by:
            data["sortBy"] = [{"desc": self.sort_desc, "displayName": self.sort_by}]
        if self.footer or self.pagination:
            data["footer"] = {
                "countRows": False,
                "enablePagination": self.pagination,
                "fields": "",
                "reducer": list(self.footer),
                "show": bool(self.footer),
            }
        return data
