"""Links from a panel, a series or a board to another board.

Inside link URLs Grafana's default encoding leaves ``& + # ? = /`` alone, so every placeholder here names
one that does not. URLs start with ``/``: Grafana puts its sub-path in front.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from grafanalib import core

from builder.errors import DefinitionError, UnknownName, short
from builder.grafana.declared import check_fields, checked
from builder.grafana.names import check_variable_name

Where = Literal["labels", "fields", "variables"]
"""Where a link finds its values: the labels of a series, the columns of a table row, board variables."""

CARRIED = ("datasource", "loki", "cluster")
"""The variables that every link hands on, as far as the board has them."""

_UID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_PLAIN = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Link:
    """A panel link or data link: a title and a URL, which may hold Grafana's placeholders."""

    title: str
    url: str
    new_tab: bool = False

    def __post_init__(self) -> None:
        check_fields(self)

    def to_json_data(self) -> dict[str, Any]:
        """Grafana's form."""
        data: dict[str, Any] = {"title": self.title, "url": self.url}
        if self.new_tab:
            data["targetBlank"] = True
        return data


@checked
def drill(
    uid: str,
    title: str,
    variables: Mapping[str, str] | None = None,
    *,
    carry: Sequence[str] = CARRIED,
    where: Where = "labels",
    new_tab: bool = False,
) -> Link:
    """A data link one level down: same time range, ``carry`` handed on, ``variables`` set.

    ``variables`` maps a variable of the other board to the label (or column, or variable here) that fills it.
    """
    parts = ["${__url_time_range}", *_carried(carry)]
    for variable, source in (variables or {}).items():
        check_variable_name(variable)
        parts.append(f"var-{variable}={placeholder(source, where)}")
    return Link(title, f"{_board_url(uid)}?{'&'.join(parts)}", new_tab)


@checked
def panel_link(
    uid: str,
    title: str,
    *,
    carry: Sequence[str] = CARRIED,
    fixed: Mapping[str, str] | None = None,
    new_tab: bool = False,
) -> Link:
    """A link in a panel's header to another board: same time range, ``carry`` handed on, ``fixed`` set."""
    parts = ["${__url_time_range}", *_carried(carry)]
    for variable, value in (fixed or {}).items():
        check_variable_name(variable)
        parts.append(f"var-{variable}={quote(value, safe='')}")
    return Link(title, f"{_board_url(uid)}?{'&'.join(parts)}", new_tab)


@checked
def board_link(
    title: str,
    *,
    tags: Sequence[str] = (),
    uid: str = "",
    keep_time: bool = True,
    include_vars: bool = True,
    dropdown: bool = True,
    tooltip: str = "",
    new_tab: bool = False,
) -> dict[str, Any]:
    """A link in a board's header: a list of all boards with the tags, or one board by its uid."""
    if bool(tags) == bool(uid):
        raise DefinitionError("a board link needs tags or a uid, not both", where=f"link {short(title)}")
    link: dict[str, Any] = core.DashboardLink(
        title=title,
        type="dashboards" if tags else "link",
        tags=list(tags),
        uri=_board_url(uid) if uid else "",
        icon="external link" if tags else "dashboard",
        asDropdown=dropdown and bool(tags),
        keepTime=keep_time,
        includeVars=include_vars,
        tooltip=tooltip,
        targetBlank=new_tab,
    ).to_json_data()
    return link


def placeholder(name: str, where: Where, format: str = "percentencode") -> str:
    """What Grafana replaces by the value of a label, column or variable, encoded for a URL."""
    if where == "labels":
        path = f"__field.labels.{name}" if _PLAIN.fullmatch(name) else f'__field.labels["{_inside(name)}"]'
    elif where == "fields":
        path = f'__data.fields["{_inside(name)}"]'
    elif where == "variables":
        check_variable_name(name)
        path = name
    else:
        raise UnknownName("place of link values", where, ("labels", "fields", "variables"))
    return f"${{{path}:{format}}}"


def _carried(carry: Sequence[str]) -> list[str]:
    for name in carry:
        check_variable_name(name)
    return [f"${{{name}:queryparam}}" for name in carry]


def _board_url(uid: str) -> str:
    if not _UID.fullmatch(uid):
        raise DefinitionError(f"{short(uid)} is not a board uid", fix="at most 40 letters, digits, - and _")
    return f"/d/{uid}"


def _inside(name: str) -> str:
    # The placeholder ends at the first } and its format starts at the first : (Grafana's variable syntax).
    if not name or set(name) & set('"\\:^{}'):
        raise DefinitionError(f"a link cannot read the column {short(name)}", fix='rename it; no " \\ : ^ { or } in it')
    return name
