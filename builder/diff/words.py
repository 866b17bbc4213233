"""How one dashboard differs from another, in words: short lines that name the panel and the setting.

Panels are matched by id, else by title and type; queries by refId; variables by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from builder.diff.canonical import comparable

_LENGTH = 60
_BEFORE = 20
"""Characters shown before those that differ."""


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """What changes from ``before`` to ``after``, one line a change; empty for equal dashboards, and only for those."""
    old, new = comparable(before), comparable(after)
    if _same(old, new):
        return ()
    lines = list(_panels(_flat(old.pop("panels", [])), _flat(new.pop("panels", []))))
    lines += _named("variable", _taken(old, "templating"), _taken(new, "templating"), "name")
    return (*_values("", old, new), *lines) or ("the order of panels, queries or variables",)


def _taken(dashboard: dict[str, Any], key: str) -> list[Any]:
    holder = dashboard.pop(key, None)
    found = holder.get("list") if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


# panels ----------------------------------------------------------------------------------------


def _flat(panels: Any) -> list[dict[str, Any]]:
    """Panels in reading order, those inside collapsed rows after their row."""
    found: list[dict[str, Any]] = []
    for panel in panels if isinstance(panels, list) else []:
        if isinstance(panel, dict):
            inner = panel.get("panels")
            found += [{key: value for key, value in panel.items() if key != "panels"}, *_flat(inner)]
    return found


def _panels(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[str]:
    pairs, removed, added = _matched(old, new)
    yield from (f"panel {_title(panel)} removed" for panel in removed)
    yield from (f"panel {_title(panel)} added" for panel in added)
    for before, after in pairs:
        name = f"panel {_title(before)}"
        if not _same(before.get("gridPos"), after.get("gridPos")):
            yield f"{name} {_moved(before.get('gridPos'), after.get('gridPos'))}"
        yield from _named(f"{name}: query", _list(before, "targets"), _list(after, "targets"), "refId")
        yield from _values(f"{name}: ", _settings(before), _settings(after))


def _list(panel: Mapping[str, Any], key: str) -> list[Any]:
    found = panel.get(key)
    return found if isinstance(found, list) else []


def _settings(panel: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in panel.items() if key not in ("gridPos", "targets")}


Panels = list[dict[str, Any]]


def _matched(old: Panels, new: Panels) -> tuple[list[tuple[dict[str, Any], dict[str, Any]]], Panels, Panels]:
    partners: dict[int, dict[str, Any]] = {}
    free = list(new)
    for name in ("id", "title"):
        index: dict[str, Panels] = {}
        for panel in free:
            index.setdefault(f"{panel.get(name)} {panel.get('type')}", []).append(panel)
        for number, panel in enumerate(old):
            same = index.get(f"{panel.get(name)} {panel.get('type')}")
            if number not in partners and panel.get(name) and same:
                partners[number] = same.pop(0)
        taken = {id(panel) for panel in partners.values()}
        free = [panel for panel in free if id(panel) not in taken]
    pairs = [(old[number], partner) for number, partner in sorted(partners.items())]
    return pairs, [panel for number, panel in enumerate(old) if number not in partners], free


def _title(panel: Mapping[str, Any]) -> str:
    return f"{panel['title']!r}" if panel.get("title") else f"{panel.get('id', '?')} ({panel.get('type', '?')})"


def _moved(before: Any, after: Any) -> str:
    sizes = [(p.get("w"), p.get("h")) if isinstance(p, dict) else None for p in (before, after)]
    return "moved" if sizes[0] == sizes[1] else f"resized: {_short(sizes[0])} to {_short(sizes[1])}"


# everything else -------------------------------------------------------------------------------


def _named(what: str, old: Sequence[Any], new: Sequence[Any], key: str) -> Iterator[str]:
    """Elements of two lists, matched by one of their members."""
    before, after = _by_key(old, key), _by_key(new, key)
    yield from (f"{what} {name} removed" for name in before if name not in after)
    yield from (f"{what} {name} added" for name in after if name not in before)
    for name in before:
        if name in after:
            yield from _values(f"{what} {name}: ", before[name], after[name])


def _by_key(elements: Sequence[Any], key: str) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for number, element in enumerate(elements):
        name = str(element.get(key, number)) if isinstance(element, dict) else str(number)
        named[name if name not in named else f"{name} ({number})"] = element
    return named


def _values(prefix: str, old: Any, new: Any, path: str = "") -> Iterator[str]:
    if _same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            inner = f"{path}.{key}" if path else key
            if key not in new:
                yield f"{prefix}{inner} removed"
            elif key not in old:
                yield f"{prefix}{inner} added: {_short(new[key])}"
            else:
                yield from _values(prefix, old[key], new[key], inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _values(prefix, before, after, f"{path}[{number}]")
    else:
        yield f"{prefix}{path}: {_change(old, new)}"


def _same(old: Any, new: Any) -> bool:
    """Equal as JSON, where false is not 0."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _change(old: Any, new: Any) -> str:
    """Both values; of long ones the part in which they begin to differ."""
    texts = [_line(value) for value in (old, new)]
    if texts[0] == texts[1]:  # they differ in blanks, or in type
        texts = [_text(value) for value in (old, new)]
    same = next((n for n, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    start = max(0, same - _BEFORE) if max(map(len, texts)) > _LENGTH else 0
    return " to ".join(_cut(text, value, start) for text, value in zip(texts, (old, new), strict=True))


def _short(value: Any) -> str:
    return _cut(_line(value), value)


def _cut(text: str, value: Any, start: int = 0) -> str:
    part = f"…{text[start:]}" if start else text
    part = part if len(part) <= _LENGTH else f"{part[: _LENGTH - 1]}…"
    return repr(part) if isinstance(value, str) else part


def _line(value: Any) -> str:
    return " ".join(_text(value).split())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
