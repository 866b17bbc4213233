"""A comparison in sentences. What comes out of a dashboard is Quoted, so that whoever shows it can show it as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from builder.diff.layout import laid_out
from builder.diff.marked import Line, block
from builder.diff.model import ABSENT, BoardDiff, Change, Kind, Part, Path, Status
from builder.diff.naming import setting
from builder.diff.values import as_json, in_words, plain

_SHORT = 70


class Quoted(str):
    """Text that somebody wrote into a dashboard, or a value of it."""

    __slots__ = ()


@dataclass(frozen=True)
class Sentence:
    """Our words and Quoted ones in turn, and the lines that go with them."""

    words: tuple[str, ...]
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Paragraph:
    """What is said of one part, or of several at once."""

    status: Status
    heading: tuple[str, ...]
    sentences: tuple[Sentence, ...] = ()
    part: Part | None = None


def described(diff: BoardDiff) -> tuple[Paragraph, ...]:
    """Everything about one board; what several panels share, such as being pushed down by a new one, is said once."""
    if diff.status is not Status.CHANGED:  # the board as a whole: what is in it, without saying of each what it asks
        return tuple(Paragraph(part.status, _heading(part), (), part) for part in diff.parts)
    found = [_paragraph(part) for part in diff.parts if _own(part)]
    return (*found, *_shared(diff.parts))


def title_of(diff: BoardDiff) -> tuple[str, ...]:
    """What to call the board."""
    named = (Quoted(diff.title or diff.uid or "a board without a title"),)
    return (*named, " (", Quoted(diff.uid), ")") if diff.title and diff.uid else named


def counted(diff: BoardDiff) -> str:
    """How much differs, in a few words."""
    if diff.status is not Status.CHANGED:
        panels = sum(part.what == "panel" for part in diff.parts)
        return f"{diff.status.value}, {panels} panel{'' if panels == 1 else 's'}"
    counts: dict[str, int] = {}
    for part in diff.parts:
        if part.what == "board":
            counts["settings"] = 1
        elif _own(part):
            key = f"{part.what}s {part.status.value}"
            counts[key] = counts.get(key, 0) + 1
    told = [what if what == "settings" else f"{number} {_plural(what, number)}" for what, number in counts.items()]
    return ", ".join(told) or "panels moved"


def _plural(what: str, number: int) -> str:
    noun, _, status = what.partition(" ")
    return f"{noun if number > 1 else noun.removesuffix('s')} {status}"


# one part ----------------------------------------------------------------------------------------

_TOGETHER = (Kind.SHIFTED, Kind.ROW)


def _own(part: Part) -> bool:
    """False for a panel of which nothing is to be said but what it shares with others."""
    return not part.changes or any(change.kind not in _TOGETHER for change in part.changes)


def _heading(part: Part) -> tuple[str, ...]:
    return (part.what, " ", Quoted(part.name)) if part.what != "board" else ("settings",)


def _paragraph(part: Part) -> Paragraph:
    heading = (*_heading(part), ", ahead of ", Quoted(part.ahead_of)) if part.ahead_of else _heading(part)
    if part.status is Status.CHANGED:
        sentences = [sentence(part.what, change) for change in part.changes if change.kind not in _TOGETHER]
    else:
        sentences = list(_whole(part))
    return Paragraph(part.status, heading, tuple(sentences), part)


def _whole(part: Part) -> Iterator[Sentence]:
    """What a panel or variable that came or went asks for."""
    data: Any = part.after if part.after is not None else part.before
    sign = "+" if part.after is not None else "-"
    if part.what == "panel":
        yield Sentence(("visualisation: ", Quoted(plain(data.get("type", ABSENT)))))
        targets = data.get("targets")
        for target in targets if isinstance(targets, list) else []:
            if isinstance(target, dict) and isinstance(target.get("expr"), str):
                lines = tuple(Line(sign, text) for text in laid_out(target["expr"]))
                yield Sentence(("query ", Quoted(str(target.get("refId", "?")))), lines)
    elif part.what == "variable" and isinstance(data.get("query"), str) and data["query"]:
        yield Sentence(("query: ", Quoted(data["query"])))
    elif part.what == "link" and data.get("url"):
        yield Sentence(("to ", Quoted(plain(data["url"]))))


def sentence(what: str, change: Change) -> Sentence:
    """One change in words."""
    match change.kind:
        case Kind.RENAMED:
            return Sentence(("renamed: ", *_from_to(change.before, change.after)))
        case Kind.MOVED | Kind.SHIFTED:
            return Sentence(("moved: ", _where(change.before), " → ", _where(change.after)))
        case Kind.RESIZED:
            return Sentence(("resized: ", _size(change.before), " → ", _size(change.after)))
        case Kind.ORDER:
            lists = [Quoted(", ".join(names)) for names in (change.before, change.after)]
            return Sentence((f"order of {setting(what, change.path)}: ", lists[0], " → ", lists[1]))
        case Kind.ROW:
            return Sentence(("row: ", *_from_to(change.before, change.after)))
        case Kind.QUERY:
            return _query(what, change)
    return _value(what, change)


def _value(what: str, change: Change) -> Sentence:
    label = setting(what, change.path)
    words: tuple[str, ...] = (Quoted(label),) if _is_foreign(label, change.path) else (label,)
    if change.ahead_of:
        words = (*words, ", ahead of ", Quoted(change.ahead_of), ",")
    before, after = _texts(change)
    if all(text is None or (len(text) <= _SHORT and "\n" not in text) for text in (before, after)):
        if before is None:
            return Sentence((*words, " added: ", *_value_words(after)))
        if after is None:
            return Sentence((*words, " removed, was: ", *_value_words(before)))
        return Sentence((*words, ": ", *_from_to(before, after)))
    lines = block(*(_lines(value, _key(change)) for value in (change.before, change.after)))
    return Sentence((*words, " added" if before is None else " removed" if after is None else " changed"), lines)


def _texts(change: Change) -> tuple[str | None, str | None]:
    """Both values on one line, in the plainest way that tells them apart; None for what is not there."""
    sides = (change.before, change.after)
    writers: tuple[Callable[[Any], str | None], ...] = (partial(in_words, _key(change)), plain, as_json)
    for write in writers:
        texts = [None if value is ABSENT else write(value) for value in sides]
        missing = any(text is None and value is not ABSENT for text, value in zip(texts, sides, strict=True))
        if not missing and texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def _value_words(value: Any) -> tuple[str, ...]:
    return ("empty",) if value == "" else (Quoted(plain(value)),)


def _key(change: Change) -> str:
    """Which words may fit: an override's value is called after its property."""
    if change.path[-1:] == ("value",) and len(change.path) > 1:
        return change.path[-2]
    return change.path[-1] if change.path else ""


def _is_foreign(label: str, path: Path) -> bool:
    """True for a label with something of the dashboard's own in it."""
    return (any(step in label for step in path) and not label.islower()) or ":" in label or "." in label


def _query(what: str, change: Change) -> Sentence:
    label, sides = Quoted(setting(what, change.path)), (change.before, change.after)
    laid = [_lines(text, _key(change)) for text in sides]
    if laid[0] == laid[1]:
        return Sentence((label, " changed in its blanks only"), block(*(text.split("\n") for text in sides)))
    if change.path[-1] != "expr" and all(len(text) <= _SHORT and "\n" not in text for text in sides):
        return Sentence((label, ": ", *_from_to(*sides)))
    return Sentence((label, " changed"), block(*laid))


def _lines(value: Any, name: str) -> list[str]:
    """A value in lines: a query laid out, a text as it is, mappings in words, anything else as JSON."""
    if value is ABSENT:
        return []
    if isinstance(value, str):
        return laid_out(value) if name in ("expr", "query") and "(" in value else value.split("\n")
    if isinstance(value, dict) and isinstance(value.get("expr"), str):
        rest = {key: member for key, member in value.items() if key != "expr"}
        return [*laid_out(value["expr"]), as_json(rest)]
    told = in_words(name, value) if name == "mappings" else None
    return told.split("; ") if told else as_json(value, lines=True).split("\n")


def _from_to(before: Any, after: Any) -> tuple[str, ...]:
    return tuple(
        word if word == " → " else word if word in ("none", "empty") else Quoted(word)
        for word in (_shown(before), " → ", _shown(after))
    )


def _shown(value: Any) -> str:
    return "empty" if value == "" else plain(value)


def _where(grid: Any) -> str:
    return f"column {plain(grid.get('x', ABSENT))}, line {plain(grid.get('y', ABSENT))}"


def _size(grid: Any) -> str:
    return f"{plain(grid.get('w', ABSENT))} × {plain(grid.get('h', ABSENT))}"


# what several share ------------------------------------------------------------------------------


def _shared(parts: Sequence[Part]) -> Iterator[Paragraph]:
    """Panels that went down or up by as much, and those that went into another row together."""
    groups: dict[tuple[str, ...], list[Part]] = {}
    for part in parts:
        for change in part.changes:
            if change.kind is Kind.SHIFTED:
                by = change.after.get("y", 0) - change.before.get("y", 0)
                lines = plain(abs(by))
                key: tuple[str, ...] = (f"{'down' if by > 0 else 'up'} by {lines} line{'' if lines == '1' else 's'}",)
            elif change.kind is Kind.ROW:
                key = ("to row ", Quoted(change.after)) if change.after is not ABSENT else ("out of all rows",)
                key = (*key, ", from row ", Quoted(change.before)) if change.before is not ABSENT else key
            else:
                continue
            groups.setdefault(key, []).append(part)
    for key, moved in groups.items():
        names = [Quoted(part.name) for part in moved]
        listed = [word for name in names for word in (", ", name)][1:]
        count = f"{len(names)} panels moved " if len(names) > 1 else "1 panel moved "
        yield Paragraph(Status.CHANGED, (count, *key, ": ", *listed))
