"""Random edits of dashboards, each with the changes that a comparison has to name for it."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from builder.diff import ABSENT, Kind, Status
from builder.diff.compare import name_of
from builder.diff.meaning import is_built_in
from builder.diff.panel_meaning import THRESHOLDS

Board = dict[str, Any]
Told = tuple[str, str, str, tuple[str, ...], Any, Any]
"""What and which part, the kind of change (or what became of the part), where in it, before and after."""


@dataclass
class Hand:
    """Edits one copy of a dashboard; no two edits touch the same panel or the same list."""

    board: Board
    random: random.Random
    told: list[Told] = field(default_factory=list)
    identity_changed: bool = False
    _used: set[str] = field(default_factory=set)

    def panel(self, fits: Callable[[Board], bool] = lambda panel: True) -> Board | None:
        """A panel that is no row and that nothing has been done to."""
        found = [p for p in panels(self.board) if p.get("type") != "row" and fits(p) and self.is_free(p)]
        return self.use(self.random.choice(found)) if found else None

    def is_free(self, panel: Board) -> bool:
        return f"panel {id(panel)}" not in self._used

    def use(self, panel: Board) -> Board:
        self._used.add(f"panel {id(panel)}")
        return panel

    def once(self, what: str) -> bool:
        """True the first time that this is asked."""
        first = what not in self._used
        self._used.add(what)
        return first

    def tell(self, what: str, name: str, kind: Kind | Status, path: tuple[str, ...] = (), *values: Any) -> None:
        before, after = values or (None, None)
        self.told.append((what, name, kind.value, path, before, after))

    def new(self, word: str) -> str:
        return f"{word} {self.random.randrange(10**9)}"


def panels(board: Board) -> Iterator[Board]:
    """All panels and rows, those in collapsed rows and in rows of old too."""
    for panel in [*board.get("panels", []), *board.get("rows", [])]:
        yield panel
        yield from panel.get("panels") or []


def in_panel(
    *path: str, make: Callable[[Hand], Any], of: Callable[[Board], bool] = lambda p: True, absent: Any = ABSENT
) -> Any:
    """An edit that sets one value of a panel; ``absent`` is what it means where there is none."""

    def edit(hand: Hand) -> None:
        panel = hand.panel(of)
        if panel is None:
            return
        holder = panel
        for key in path[:-1]:
            holder = holder.setdefault(key, {})
        before, after = holder.get(path[-1], absent), make(hand)
        holder[path[-1]] = after
        hand.tell("panel", name_of(panel), Kind.SET, path, before, after)

    return edit


def in_board(*path: str, make: Callable[[Hand], Any], kind: Kind = Kind.SET) -> Any:
    """An edit that sets one value of the board."""

    def edit(hand: Hand) -> None:
        holder = hand.board
        for key in path[:-1]:
            holder = holder.setdefault(key, {})
        if hand.once(f"board {path}"):
            before, after = holder.get(path[-1], ABSENT), make(hand)
            holder[path[-1]] = after
            hand.tell("board", "", kind, path, before, after)

    return edit


# panels ------------------------------------------------------------------------------------------


def has_queries(panel: Board) -> bool:
    targets = panel.get("targets") or []
    return bool(targets) and all(t.get("refId") and isinstance(t.get("expr"), str) for t in targets)


def has_place(panel: Board) -> bool:
    return isinstance(panel.get("gridPos"), dict)


def rename(hand: Hand) -> None:
    # By its id and its queries it is known again; a panel without either would be another panel.
    if panel := hand.panel(lambda p: has_queries(p) and bool(p.get("id")) and bool(p.get("title"))):
        before, panel["title"] = panel["title"], hand.new("Renamed")
        hand.identity_changed = True
        hand.tell("panel", panel["title"], Kind.RENAMED, ("title",), before, panel["title"])


def query_changed(hand: Hand) -> None:
    if panel := hand.panel(has_queries):
        target = hand.random.choice(panel["targets"])
        before, target["expr"] = target["expr"], f"{target['expr']} * {hand.random.randrange(2, 10**6)}"
        hand.tell("panel", name_of(panel), Kind.QUERY, ("targets", target["refId"], "expr"), before, target["expr"])


def legend_changed(hand: Hand) -> None:
    if panel := hand.panel(has_queries):
        target = panel["targets"][0]
        before, target["legendFormat"] = target.get("legendFormat", ABSENT), hand.new("{{node}}")
        path = ("targets", target["refId"], "legendFormat")
        hand.tell("panel", name_of(panel), Kind.SET, path, before, target["legendFormat"])


def query_added(hand: Hand) -> None:
    if panel := hand.panel(has_queries):
        target = {"refId": "NEW", "expr": hand.new("up ==")}
        panel["targets"].append(target)
        hand.tell("panel", name_of(panel), Kind.SET, ("targets", "NEW"), ABSENT, target)


def query_removed(hand: Hand) -> None:
    if panel := hand.panel(lambda p: has_queries(p) and len(p["targets"]) > 1):
        target = panel["targets"].pop(hand.random.randrange(len(panel["targets"])))
        hand.tell("panel", name_of(panel), Kind.SET, ("targets", target["refId"]), target, ABSENT)


def queries_swapped(hand: Hand) -> None:
    if panel := hand.panel(lambda p: has_queries(p) and len({t["refId"] for t in p["targets"]}) > 1):
        before = [t["refId"] for t in panel["targets"]]
        panel["targets"].reverse()
        hand.tell("panel", name_of(panel), Kind.ORDER, ("targets",), before, before[::-1])


def override_added(hand: Hand) -> None:
    if panel := hand.panel(lambda p: "fieldConfig" in p):
        override = {"matcher": {"id": "byName", "options": hand.new("x")}, "properties": [{"id": "unit", "value": "s"}]}
        panel["fieldConfig"].setdefault("overrides", []).append(override)
        path = ("fieldConfig", "overrides", f"byName {override['matcher']['options']}")  # type: ignore[index]
        hand.tell("panel", name_of(panel), Kind.SET, path, ABSENT, override)


def override_changed(hand: Hand) -> None:
    def fits(panel: Board) -> bool:
        overrides = panel.get("fieldConfig", {}).get("overrides", [])
        names = [str(o.get("matcher")) for o in overrides]
        return len(names) == len(set(names)) and any(
            o["properties"] and o["matcher"]["id"] == "byName" for o in overrides
        )

    if panel := hand.panel(fits):
        override = next(o for o in panel["fieldConfig"]["overrides"] if o["matcher"]["id"] == "byName")
        if not override["properties"]:
            return
        setting = override["properties"][0]
        before, setting["value"] = setting.get("value", ABSENT), {"new": hand.random.randrange(10**6)}
        path = ("fieldConfig", "overrides", f"byName {override['matcher']['options']}", "properties", setting["id"])
        hand.tell("panel", name_of(panel), Kind.SET, (*path, "value"), before, setting["value"])


def resized(hand: Hand) -> None:
    if panel := hand.panel(lambda p: has_place(p) and p["gridPos"].get("w", 0) > 2):
        before = dict(panel["gridPos"])
        panel["gridPos"]["w"] -= 1
        hand.tell("panel", name_of(panel), Kind.RESIZED, ("gridPos",), before, dict(panel["gridPos"]))


def moved_aside(hand: Hand) -> None:
    if panel := hand.panel(has_place):
        before = dict(panel["gridPos"])
        panel["gridPos"]["x"] = before["x"] + 0.25  # stays where it is in the order of reading
        hand.tell("panel", name_of(panel), Kind.MOVED, ("gridPos",), before, dict(panel["gridPos"]))


def panel_added(hand: Hand) -> None:
    if all(has_place(panel) for panel in panels(hand.board)) and hand.once("bottom"):
        row = next((p for p in reversed(hand.board["panels"]) if p.get("type") == "row"), None)
        holder = hand.board["panels"]
        if row is not None and row.get("collapsed"):
            return  # what stands below a collapsed row is in no row of the new dashboard, or in this one
        panel = {
            "id": 10**6 + hand.random.randrange(10**6),
            "type": "stat",
            "title": hand.new("Added"),
            "gridPos": {"x": 0, "y": 10**4, "w": 6, "h": 4},
            "targets": [{"refId": "A", "expr": hand.new("up +")}],
        }
        holder.append(hand.use(panel))
        hand.tell("panel", panel["title"], Status.ADDED)  # type: ignore[arg-type]


def panel_removed(hand: Hand) -> None:
    # Not one that has a namesake, of which the other could be taken for it.
    titles = [(p.get("title"), p.get("type")) for p in panels(hand.board)]
    ids = [p.get("id") for p in panels(hand.board)]
    panel = hand.panel(
        lambda p: (
            titles.count((p.get("title"), p.get("type"))) == 1 and ids.count(p.get("id")) == 1 and bool(p["title"])
        )
    )
    if panel is None:
        return
    for holder in (hand.board, *panels(hand.board)):
        holder_panels = holder.get("panels") or []
        if any(each is panel for each in holder_panels):
            holder["panels"] = [each for each in holder_panels if each is not panel]
    hand.identity_changed = True
    hand.tell("panel", name_of(panel), Status.REMOVED)


# lists of the board ------------------------------------------------------------------------------


def variables(board: Board) -> list[Board]:
    found: list[Board] = board.setdefault("templating", {}).setdefault("list", [])
    return found


def variable_added(hand: Hand) -> None:
    name = hand.new("new").replace(" ", "")
    variables(hand.board).append({"name": name, "type": "query", "query": "label_values(up, job)"})
    hand.tell("variable", name, Status.ADDED)


def _variable(hand: Hand) -> Board | None:
    found = [v for v in variables(hand.board) if hand.is_free(v) and not v["name"].startswith("new")]
    return hand.use(hand.random.choice(found)) if found else None


def variable_removed(hand: Hand) -> None:
    if variable := _variable(hand):
        hand.board["templating"]["list"] = [v for v in variables(hand.board) if v is not variable]
        hand.tell("variable", variable["name"], Status.REMOVED)


def variable_query(hand: Hand) -> None:
    if variable := _variable(hand):
        query = variable.get("query", "")
        before = query["query"] if isinstance(query, dict) else query
        after = hand.new("label_values(up, x) #")
        variable["query"] = {**query, "query": after} if isinstance(query, dict) else after
        if variable.get("definition"):
            variable["definition"] = after
        hand.tell("variable", variable["name"], Kind.QUERY, ("query",), before, after)


def variable_default(hand: Hand) -> None:
    if variable := _variable(hand):
        before = variable.get("current", {}).get("value", ABSENT)
        after = hand.new("host")
        variable["current"] = {"text": after, "value": after, "selected": True}
        before = "$__all" if before == ["$__all"] else ABSENT if before == "" else before
        hand.tell("variable", variable["name"], Kind.SET, ("current", "value"), before, after)


def variable_label(hand: Hand) -> None:
    if variable := _variable(hand):
        before, variable["label"] = variable.get("label") or "", hand.new("Label")
        hand.tell("variable", variable["name"], Kind.SET, ("label",), before, variable["label"])


def link_added(hand: Hand) -> None:
    link = {"title": hand.new("Link"), "type": "link", "url": "https://example.org"}
    hand.board.setdefault("links", []).append(link)
    hand.tell("link", link["title"], Status.ADDED)


def link_removed(hand: Hand) -> None:
    found = [link for link in hand.board.get("links", []) if "Link " not in link["title"]]
    if found and hand.once("links"):
        hand.board["links"] = [link for link in hand.board["links"] if link is not found[0]]
        hand.tell("link", found[0]["title"], Status.REMOVED)


def annotation_added(hand: Hand) -> None:
    annotation = {"name": hand.new("Deployments"), "expr": "changes(up[5m])", "enable": True}
    hand.board.setdefault("annotations", {}).setdefault("list", []).append(annotation)
    hand.tell("annotation", annotation["name"], Status.ADDED)  # type: ignore[arg-type]


def annotation_changed(hand: Hand) -> None:
    found = [a for a in hand.board.get("annotations", {}).get("list", []) if not is_built_in(a) and hand.is_free(a)]
    found = [a for a in found if not a["name"].startswith("Deployments ")]
    if found:
        annotation = hand.use(found[0])
        before, annotation["expr"] = annotation.get("expr", ABSENT), hand.new("up >")
        kind = Kind.SET if before is ABSENT else Kind.QUERY
        hand.tell("annotation", annotation["name"], kind, ("expr",), before, annotation["expr"])


def has_field_config(panel: Board) -> bool:
    return "fieldConfig" in panel


def _steps(hand: Hand) -> Any:
    return {"mode": "absolute", "steps": [{"color": "blue"}, {"color": "red", "value": hand.random.randrange(10**6)}]}


def _mapping(hand: Hand) -> Any:
    return [{"type": "value", "options": {"0": {"text": hand.new("off")}}}]


EDITS: dict[str, Callable[[Hand], None]] = {
    "unit": in_panel("fieldConfig", "defaults", "unit", make=lambda h: h.new("suffix:"), of=has_field_config),
    "thresholds": in_panel(
        "fieldConfig", "defaults", "thresholds", make=_steps, of=has_field_config, absent=THRESHOLDS
    ),
    "colour": in_panel(
        "fieldConfig",
        "defaults",
        "color",
        make=lambda h: {"mode": "fixed", "fixedColor": h.new("#")},
        of=has_field_config,
    ),
    "mappings": in_panel("fieldConfig", "defaults", "mappings", make=_mapping, of=has_field_config, absent=[]),
    "minimum": in_panel(
        "fieldConfig", "defaults", "min", make=lambda h: -h.random.randrange(1, 10**6), of=has_field_config
    ),
    "custom": in_panel(
        "fieldConfig", "defaults", "custom", "neverHeardOf", make=lambda h: h.random.random(), of=has_field_config
    ),
    "legend": in_panel(
        "options", "legend", "placement", make=lambda h: "nowhere", of=lambda p: "legend" in p.get("options", {})
    ),
    "unknown option": in_panel("options", "neverHeardOf", make=lambda h: {"a": [1, h.random.random()]}),
    "unknown member": in_panel("neverHeardOf", make=lambda h: [True, h.new("x")]),
    "description": in_panel("description", make=lambda h: h.new("What to see\nand do"), absent=""),
    "data source": in_panel("datasource", make=lambda h: {"type": "prometheus", "uid": h.new("p")}),
    "minimum interval": in_panel("interval", make=lambda h: f"{h.random.randrange(100, 10**6)}s", absent=""),
    "transparent": in_panel("transparent", make=lambda h: "very", absent=False),
    "rename": rename,
    "query changed": query_changed,
    "legend changed": legend_changed,
    "query added": query_added,
    "query removed": query_removed,
    "queries swapped": queries_swapped,
    "override added": override_added,
    "override changed": override_changed,
    "resized": resized,
    "moved": moved_aside,
    "panel added": panel_added,
    "panel removed": panel_removed,
    "variable added": variable_added,
    "variable removed": variable_removed,
    "variable query": variable_query,
    "variable default": variable_default,
    "variable label": variable_label,
    "link added": link_added,
    "link removed": link_removed,
    "annotation added": annotation_added,
    "annotation changed": annotation_changed,
    "title": in_board("title", make=lambda h: h.new("Board"), kind=Kind.RENAMED),
    "uid": in_board("uid", make=lambda h: h.new("uid")),
    "refresh": in_board("refresh", make=lambda h: f"{h.random.randrange(10**6)}s"),
    "time range": in_board("time", "from", make=lambda h: f"now-{h.random.randrange(100, 10**6)}h"),
    "time zone": in_board("timezone", make=lambda h: h.new("Mars/")),
    "unknown of the board": in_board("neverHeardOf", make=lambda h: {"a": h.random.random()}),
}


# noise -------------------------------------------------------------------------------------------

_SPELLED_OUT: tuple[tuple[str, Any], ...] = (
    ("transparent", False),
    ("links", []),
    ("description", ""),
    ("repeatDirection", "h"),
    ("hideTimeOverride", False),
    ("timeFrom", None),
    ("neverSet", None),
)


def with_noise(board: Board, draw: random.Random, *, renumber: bool) -> Board:
    """The same dashboard as a server, another version or another tool would write it."""
    noisy: Board = _shuffled(copy.deepcopy(board), draw)
    noisy |= {"id": draw.randrange(10**6), "version": draw.randrange(10**6), "iteration": 5, "gnetId": None}
    noisy["__requires"] = [{"type": "grafana", "version": "99"}]
    for number, panel in enumerate(panels(noisy)):
        panel["pluginVersion"] = "99.1.0"
        if renumber:
            panel["id"] = number + 1
        for key, value in draw.sample(_SPELLED_OUT, 3):
            panel.setdefault(key, copy.deepcopy(value))
        for target in panel.get("targets") or []:
            if target.get("refId") == "NEW":
                continue  # it is told whole, with whatever is in it
            target.setdefault("hide", False)
            target.setdefault("neverSet", None)
        if panel.get("type") == "timeseries":
            custom = panel.setdefault("fieldConfig", {}).setdefault("defaults", {}).setdefault("custom", {})
            custom.setdefault("lineWidth", 1)
            custom.setdefault("hideFrom", {"legend": False, "tooltip": False, "viz": False})
    for variable in variables(noisy):
        variable.setdefault("skipUrlSync", False)
        if variable.get("type") == "query":
            variable["options"] = [{"text": "a", "value": "a", "selected": False}]
    return noisy


def _shuffled(value: Any, draw: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        draw.shuffle(keys)
        return {key: _shuffled(value[key], draw) for key in keys}
    return [_shuffled(each, draw) for each in value] if isinstance(value, list) else value
