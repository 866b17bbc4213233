"""What a dashboard's panels ask, as Grafana would send it. Pure: nothing is asked here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from builder.errors import GpuboardsError, QueryError
from builder.lint.shape import items, mapping, text, whole
from builder.lint.sources import Sources
from builder.lint.variables import variable_of
from builder.opening.variables import VariableResult
from builder.opening.window import parse_duration, window
from builder.promql.substitute import Style, Value, Window, substitute, unresolved

_STYLES: Mapping[str, Style] = {"loki": "loki"}


@dataclass(frozen=True)
class PlannedQuery:
    """One query with everything put in. ``language`` is prometheus, loki or another plugin's id.

    ``unresolved`` names variables that nothing replaced: Grafana would send them as they are. ``error`` says why it
    cannot be sent at all; there is no window then.
    """

    ref_id: str
    language: str
    expr: str
    window: Window
    legend: str = ""
    instant: bool = False
    hidden: bool = False
    unresolved: tuple[str, ...] = ()
    error: str = ""

    @property
    def start(self) -> float:
        """The first moment that is asked for (Unix time); steps are counted from 1970, as in Grafana."""
        return self.window.start // self.window.interval * self.window.interval

    @property
    def end(self) -> float:
        """The last moment that is asked for."""
        return self.window.end if self.instant else self.window.end // self.window.interval * self.window.interval


@dataclass(frozen=True)
class PlannedPanel:
    """One panel, or one copy of a repeated one (``scope`` says for which values).

    ``heading`` is the title as it is shown, ``error`` says why the panel cannot be.
    """

    id: int
    title: str
    type: str
    row: str
    scope: Mapping[str, str]
    queries: tuple[PlannedQuery, ...]
    data: Mapping[str, Any]
    heading: str = ""
    error: str = ""


@dataclass(frozen=True)
class Opened:
    """A dashboard with its time range and its variables, ready to have its panels planned. Times in seconds.

    ``copies`` is how many of a repeated row or panel are planned; 0: as many as Grafana shows.
    """

    dashboard: Mapping[str, Any]
    at: float
    range_seconds: float
    scrape_interval: float
    max_data_points: int
    variables: Mapping[str, VariableResult]
    copies: int = 0

    def panels(self) -> Iterator[PlannedPanel]:
        """Every panel and what it asks, in reading order, repeated ones as often as Grafana shows them."""
        for row, children in rows(items(self.dashboard.get("panels"))):
            for row_scope in self._scopes(row):
                for panel in children:
                    for scope in self._scopes(panel):
                        yield self._panel(panel, row, {**row_scope, **scope})

    def annotations(self) -> Iterator[PlannedQuery]:
        """What marks the graphs, each under its name; Grafana asks at a step of the annotation's own."""
        for entry in items(mapping(self.dashboard.get("annotations")).get("list")):
            if isinstance(entry, Mapping) and "expr" in entry:
                asked = {"refId": entry.get("name"), "expr": entry["expr"], "interval": entry.get("step")}
                yield self._query({**asked, "legendFormat": entry.get("titleFormat")}, entry, self._inserted({}))

    def left_out(self) -> int:
        """How many panels there are beyond ``copies``."""
        found = rows(items(self.dashboard.get("panels")))
        pairs = [(len(self._values(row)), len(self._values(panel))) for row, children in found for panel in children]
        most = self.copies or max((n for pair in pairs for n in pair), default=0)
        return sum(r * p - min(r, most) * min(p, most) for r, p in pairs)

    @cached_property
    def _sources(self) -> Sources:
        models = items(mapping(self.dashboard.get("templating")).get("list"))
        known = [variable_of(model, ()) for model in models if isinstance(model, Mapping)]
        return Sources(known, items(self.dashboard.get("__inputs")))

    def _scopes(self, panel: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        repeat = text(panel.get("repeat"))
        for value in self._values(panel)[: self.copies or None]:
            yield {repeat: value} if repeat in self.variables else {}

    def _values(self, panel: Mapping[str, Any]) -> Sequence[str]:
        """The values that a row or panel is repeated for; one that is not repeated has one, of no meaning."""
        repeat = text(panel.get("repeat"))
        # Without any value, too, Grafana shows one panel.
        return (self.variables[repeat].value if repeat in self.variables else ()) or ("",)

    def _inserted(self, scope: Mapping[str, str]) -> dict[str, Value]:
        """What each variable turns into; a repeated panel's own value instead of all the chosen ones."""
        values = {name: result.inserted for name, result in self.variables.items()}
        for name, value in scope.items():
            values[name] = value if isinstance(values[name], str) else (value,)
        return values

    def _panel(self, panel: Mapping[str, Any], row: Mapping[str, Any], scope: Mapping[str, str]) -> PlannedPanel:
        values = self._inserted(scope)
        unknown = [name for each in (row, panel) if (name := text(each.get("repeat"))) and name not in self.variables]
        targets = [target for target in items(panel.get("targets")) if isinstance(target, Mapping)]
        return PlannedPanel(
            id=whole(panel.get("id")) or 0,
            title=text(panel.get("title")),
            type=text(panel.get("type")),
            row=text(row.get("title")),
            scope=scope,
            queries=tuple(self._query(target, panel, values) for target in targets),
            data=panel,
            heading=_shown(text(panel.get("title")), values),
            error=f"a panel repeats over {unknown[0]}, which is no variable of the dashboard" if unknown else "",
        )

    def _query(self, target: Mapping[str, Any], panel: Mapping[str, Any], values: Mapping[str, Value]) -> PlannedQuery:
        language = self._sources.language(target, panel)
        try:
            return self._put_in(target, panel, values, language)
        except GpuboardsError as problem:
            return PlannedQuery(
                ref_id=text(target.get("refId")),
                language=language,
                expr=text(target.get("expr")),
                window=Window(0, 0, 0),
                hidden=bool(target.get("hide")),
                error=str(problem),
            )

    def _put_in(
        self, target: Mapping[str, Any], panel: Mapping[str, Any], values: Mapping[str, Value], language: str
    ) -> PlannedQuery:
        ref_id, written, hidden = text(target.get("refId")), text(target.get("expr")), bool(target.get("hide"))
        shown = self._window(target, panel, values)
        if language != "prometheus":
            expr = substitute(written, values, style=_STYLES.get(language, "text"))
            return PlannedQuery(ref_id, language, expr, shown, hidden=hidden)
        expr = substitute(written, values, window=shown)
        return PlannedQuery(
            ref_id=ref_id,
            language=language,
            expr=expr,
            window=shown,
            legend=substitute(text(target.get("legendFormat")), values, window=shown, style="text"),
            instant=bool(target.get("instant")),
            hidden=hidden,
            unresolved=unresolved(expr),
        )

    def _window(self, target: Mapping[str, Any], panel: Mapping[str, Any], values: Mapping[str, Value]) -> Window:
        def seconds(written: Any) -> float:
            said = substitute(text(written), values, style="text")
            return parse_duration(said) if said and not said.startswith("$") else 0.0

        end = self.at - seconds(panel.get("timeShift"))
        return window(
            start=end - (seconds(panel.get("timeFrom")) or self.range_seconds),
            end=end,
            max_data_points=max(whole(panel.get("maxDataPoints")) or self.max_data_points, 1),
            scrape_interval=self.scrape_interval,
            panel_interval=seconds(panel.get("interval")),
            target_interval=seconds(target.get("interval")),
        )


def _shown(title: str, values: Mapping[str, Value]) -> str:
    try:
        return substitute(title, values, style="text")
    except QueryError:  # a format that is not supported here
        return title


def rows(panels: Sequence[Any]) -> Iterator[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]:
    """Rows with their panels; an expanded row owns what follows it, a collapsed one holds its own."""
    row: Mapping[str, Any] = {}
    children: list[Mapping[str, Any]] = []
    for panel in panels:
        if not isinstance(panel, Mapping):
            continue
        if panel.get("type") == "row":
            yield row, children
            row = panel
            children = [child for child in items(panel.get("panels")) if isinstance(child, Mapping)]
        else:
            children.append(panel)
    yield row, children
