"""Two dashboards in, what differs out. Pure, and complete: whatever is not known is compared as it stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from builder.diff import meaning
from builder.diff.model import ABSENT, BoardDiff, Change, Kind, Part, Path, Status
from builder.diff.panel_meaning import panel_spec
from builder.diff.panels import Placed, matched, oddities, panels_of, standing
from builder.diff.tree import Spec, ahead_of, called, changes, order, same

Dashboard = Mapping[str, Any]


def compare(before: Dashboard | None, after: Dashboard | None, *, folders: tuple[str, str] = ("", "")) -> BoardDiff:
    """How one dashboard became the other; None stands for a board that does not exist.

    ``folders`` are the titles or uids of the folders that the two lie in, empty where they are not known.
    """
    shown = after if after is not None else before or {}
    uid, title = (str(shown.get(key) or "") for key in ("uid", "title"))
    if before is None or after is None:
        status = Status.ADDED if before is None else Status.REMOVED
        return BoardDiff(uid, title, status, tuple(_parts(before or {}, after or {})), before, after)
    found = [*_board(before, after, folders), *_parts(before, after)]
    return BoardDiff(uid, title, Status.CHANGED, tuple(found), before, after)


def _parts(before: Dashboard, after: Dashboard) -> Iterator[Part]:
    yield from _panels(panels_of(before), panels_of(after))
    yield from _listed("variable", _list(before, "templating"), _list(after, "templating"), meaning.named)
    yield from _listed("annotation", _list(before, "annotations"), _list(after, "annotations"), meaning.named)
    yield from _listed("link", _objects(before, "links"), _objects(after, "links"), meaning.titled)


# the board itself --------------------------------------------------------------------------------


def _board(before: Dashboard, after: Dashboard, folders: tuple[str, str]) -> Iterator[Part]:
    found = [_worded(change) for change in changes(_frame(before), _frame(after), meaning.BOARD)]
    if folders[0] != folders[1]:
        found.append(Change(Kind.SET, ("folder",), folders[0] or ABSENT, folders[1] or ABSENT))
    odd = oddities(before), oddities(after)
    if not same(*odd):
        found.append(Change(Kind.SET, ("panels",), *odd))
    if found:
        yield Part("board", "", Status.CHANGED, tuple(found), before, after)


def _frame(dashboard: Dashboard) -> dict[str, Any]:
    """The board without the lists that are compared by themselves."""
    frame = dict(dashboard)
    for key in ("templating", "annotations"):
        if isinstance(frame.get(key), dict):
            frame[key] = {name: value for name, value in frame[key].items() if name != "list"}
            odd = [each for each in _elements(dashboard[key].get("list")) if not isinstance(each, dict)]
            if odd or not isinstance(dashboard[key].get("list", []), list | None):
                frame[key]["list"] = odd or dashboard[key]["list"]
    if isinstance(frame.get("links"), list):
        frame["links"] = [each for each in frame["links"] if not isinstance(each, dict)] or None
    return frame


def _elements(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def _objects(holder: Any, key: str) -> list[dict[str, Any]]:
    found = holder.get(key) if isinstance(holder, dict) else None
    return [each for each in _elements(found) if isinstance(each, dict)]


def _list(dashboard: Dashboard, key: str) -> list[dict[str, Any]]:
    found = _objects(dashboard.get(key), "list")
    return [each for each in found if not (key == "annotations" and meaning.is_built_in(each))]


# variables, links, annotations -------------------------------------------------------------------


def _listed(what: str, before: Sequence[Any], after: Sequence[Any], name: Callable[[Any], str]) -> Iterator[Part]:
    old, new = called(before, name), called(after, name)
    for key in dict.fromkeys((*old, *new)):
        if key not in new:
            yield Part(what, key, Status.REMOVED, (), old[key], None)
        elif key not in old:
            yield Part(what, key, Status.ADDED, (), None, new[key], ahead_of(key, old, new))
        elif found := tuple(_in_element(what, old[key], new[key])):
            yield Part(what, key, Status.CHANGED, found, old[key], new[key])
    if moved := tuple(order(old, new, (f"{what}s",))):
        yield Part("board", "", Status.CHANGED, moved)


def _in_element(what: str, before: Any, after: Any) -> Iterator[Change]:
    known: Spec = meaning.LINK if what == "link" else meaning.ANNOTATION
    if what == "variable":
        kind = before.get("type") if before.get("type") == after.get("type") else ""
        known = meaning.VARIABLES.get(kind if isinstance(kind, str) else "", meaning.VARIABLES[""])
        before, after = meaning.tidy_variable(before), meaning.tidy_variable(after)
    yield from map(_worded, changes(before, after, known))


# panels ------------------------------------------------------------------------------------------


def _panels(before: Sequence[Placed], after: Sequence[Placed]) -> Iterator[Part]:
    pairs = matched(before, after)
    for number, panel in enumerate(before):
        if number not in pairs:
            yield Part(_what(panel), name_of(panel.data), Status.REMOVED, (), panel.data, None)
    back = {new: old for old, new in pairs.items()}
    jumped = _jumped(pairs, before, after)
    for number, panel in enumerate(after):
        if number not in back:
            yield Part(_what(panel), name_of(panel.data), Status.ADDED, (), None, panel.data)
            continue
        old = before[back[number]]
        found = tuple(_in_panel(old, panel)) + tuple(_place(old, panel, pairs, before, after, number in jumped))
        if found:
            yield Part(_what(panel), name_of(panel.data), Status.CHANGED, found, old.data, panel.data)


def _what(panel: Placed) -> str:
    return "row" if panel.is_row else "panel"


def name_of(panel: Dashboard) -> str:
    """What to call a panel: its title, else its id and type."""
    title = panel.get("title")
    if isinstance(title, str) and title.strip():
        return title
    return f"{panel.get('id', '?')} ({panel.get('type', '?')})"


def _in_panel(before: Placed, after: Placed) -> Iterator[Change]:
    if json.dumps(before.data) == json.dumps(after.data):
        return
    yield from map(_worded, changes(before.data, after.data, panel_spec(before.data, after.data)))


def _worded(change: Change) -> Change:
    """A change whose place says more than that a value is another one."""
    if change.path == ("title",):
        return Change(Kind.RENAMED, change.path, change.before, change.after)
    is_text = isinstance(change.before, str) and isinstance(change.after, str)
    if is_text and change.path and change.path[-1] in ("expr", "query", "definition", "rawSql"):
        return Change(Kind.QUERY, change.path, change.before, change.after)
    return change


_GRID: Path = ("gridPos",)


def _place(
    old: Placed, new: Placed, pairs: Mapping[int, int], before: Sequence[Placed], after: Sequence[Placed], jumped: bool
) -> Iterator[Change]:
    known = ("h", "w", "x", "y")
    if old.data.get("gridPos") is not None and new.data.get("gridPos") is not None and old.grid and new.grid:
        one, two = old.grid, new.grid
        if not all(same(one.get(key), two.get(key)) for key in ("w", "h")):
            yield Change(Kind.RESIZED, _GRID, dict(one), dict(two))
        if not all(same(one.get(key), two.get(key)) for key in ("x", "y")):
            kind = Kind.MOVED if jumped or not same(one.get("x"), two.get("x")) else Kind.SHIFTED
            kind = kind if _is_number(one.get("y")) and _is_number(two.get("y")) else Kind.MOVED
            yield Change(kind, _GRID, dict(one), dict(two))
        rest = [{key: value for key, value in grid.items() if key not in known} for grid in (one, two)]
        yield from changes(rest[0], rest[1], path=_GRID)
    elif not same(old.data.get("gridPos"), new.data.get("gridPos")):
        was, now = (ABSENT if p.data.get("gridPos") is None else p.data["gridPos"] for p in (old, new))
        yield Change(Kind.SET, _GRID, was, now)
    if (pairs.get(old.row) if old.row is not None else None) != new.row:
        from_row, to_row = (
            ABSENT if panel.row is None else name_of(of[panel.row].data) for panel, of in ((old, before), (new, after))
        )
        yield Change(Kind.ROW, ("row",), from_row, to_row)
    elif old.nested != new.nested and not _toggled(old, new, before, after):
        yield Change(Kind.SET, ("nested",), old.nested, new.nested)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _toggled(old: Placed, new: Placed, before: Sequence[Placed], after: Sequence[Placed]) -> bool:
    """True where the row was folded or unfolded, which takes its panels in or out."""
    if old.row is None or new.row is None:
        return False
    one, two = before[old.row].data.get("collapsed"), after[new.row].data.get("collapsed")
    return bool(one) != bool(two)


def _jumped(pairs: Mapping[int, int], before: Sequence[Placed], after: Sequence[Placed]) -> set[int]:
    """Those of the new dashboard that went past others: all but the longest run that kept its order."""
    line = [old for old, _ in standing(pairs)]
    kept = _longest_rising(line)
    return {pairs[old] for old in line if old not in kept}


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The longest subsequence that rises, by patience sorting."""
    from bisect import bisect_left

    tops: list[int] = []
    piles: list[int] = []
    below: dict[int, int | None] = {}
    for number in numbers:
        pile = bisect_left(tops, number)
        below[number] = piles[pile - 1] if pile else None
        if pile == len(tops):
            tops.append(number)
            piles.append(number)
        else:
            tops[pile] = piles[pile] = number
    found: set[int] = set()
    at = piles[-1] if piles else None
    while at is not None:
        found.add(at)
        at = below[at]
    return found
