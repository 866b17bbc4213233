"""What came back when a dashboard was run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.errors import UnknownName, UsageError
from builder.opening.server import Series
from builder.opening.variables import VariableResult


@dataclass(frozen=True)
class TargetResult:
    """One query: as it was sent, and its answer or the server's error.

    ``unresolved`` names variables that nothing replaced: Grafana would have sent them as they are.
    ``step`` is in seconds; ``end`` is the last moment that was asked for (Unix time).
    """

    ref_id: str
    expr: str
    instant: bool
    step: float
    hidden: bool
    series: tuple[Series, ...] = ()
    error: str = ""
    unresolved: tuple[str, ...] = ()
    end: float = 0.0

    @property
    def empty(self) -> bool:
        """True where no series came back."""
        return not self.series

    def value(self, **labels: str) -> float:
        """The last value of the one series with these labels. Raises UsageError where not one has."""
        return _one(self.series, labels, self.error or self.expr).last


@dataclass(frozen=True)
class NotRun:
    """A query to something other than Prometheus, with the variables put in."""

    ref_id: str
    type: str
    expr: str


@dataclass(frozen=True)
class PanelResult:
    """One panel, or one copy of a repeated panel (``scope`` says for which values)."""

    id: int
    title: str
    type: str
    row: str
    scope: Mapping[str, str]
    targets: tuple[TargetResult, ...]
    not_run: tuple[NotRun, ...] = ()

    @property
    def series(self) -> tuple[Series, ...]:
        """The series of all queries that are shown."""
        return tuple(s for target in self.targets if not target.hidden for s in target.series)

    @property
    def empty(self) -> bool:
        """True where a panel with Prometheus queries shows no series."""
        return bool(self.targets) and not self.series

    def target(self, ref_id: str) -> TargetResult:
        """The query with this refId."""
        for target in self.targets:
            if target.ref_id == ref_id:
                return target
        raise UnknownName("refId", ref_id, (t.ref_id for t in self.targets), where=self.title)

    def value(self, **labels: str) -> float:
        """The last value of the one shown series with these labels. Raises UsageError where not one has."""
        return _one(self.series, labels, self.title).last


@dataclass(frozen=True)
class DashboardResult:
    """All variables and panels of a dashboard that was run, and the queries of its annotations by their names."""

    title: str
    uid: str
    variables: Mapping[str, VariableResult]
    panels: tuple[PanelResult, ...]
    annotations: tuple[TargetResult, ...] = ()

    def panel(self, title: str, **scope: str) -> PanelResult:
        """The panel with this title (as written); ``scope`` picks a copy of a repeated one."""
        titled = [p for p in self.panels if p.title == title]
        if not titled:
            raise UnknownName("panel", title, (p.title for p in self.panels), where=self.uid or self.title)
        found = [p for p in titled if scope.items() <= p.scope.items()]
        if len(found) != 1:
            scopes = "; ".join(str(dict(p.scope)) for p in titled)
            raise UsageError(
                f"{len(found)} panels {title!r} for {scope}, not one", fix=f"there are copies for: {scopes}"
            )
        return found[0]

    def problems(self) -> tuple[str, ...]:
        """What is broken, whatever the data: refused queries, variables that are unknown or failed."""
        return tuple(self._problems())

    def _problems(self) -> Iterator[str]:
        for name, variable in self.variables.items():
            if variable.error:
                yield f"variable {name}: {variable.error}"
        for panel in self.panels:
            for target in panel.targets:
                yield from _wrong(target, f"panel {panel.title!r}, query {target.ref_id}")
        for annotation in self.annotations:
            yield from _wrong(annotation, f"annotation {annotation.ref_id!r}")


def _wrong(target: TargetResult, where: str) -> Iterator[str]:
    if target.unresolved:
        names = ", ".join(f"${name}" for name in target.unresolved)
        yield f"{where}: unknown variable {names} in {target.expr}"
    if target.error:
        yield f"{where}: {target.error} in {target.expr}"


def _one(series: Sequence[Series], labels: Mapping[str, str], where: str) -> Series:
    found = [s for s in series if labels.items() <= s.labels.items()]
    if len(found) != 1:
        shown = "; ".join(f"{dict(s.labels)} = {s.last}" for s in (found or series)[:8]) or "no series at all"
        raise UsageError(f"{len(found)} series with {dict(labels)}, not one", where=where, fix=f"there is: {shown}")
    return found[0]
