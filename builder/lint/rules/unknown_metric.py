"""unknown-metric: no exporter in use has a metric of this name."""

from __future__ import annotations

from collections.abc import Iterable

from builder.lint import recorded
from builder.lint.exporters import RENAMED
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.tree import selectors
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_SUFFIXES = ("_bucket", "_count", "_sum", "_total")


def _check(query: Query, _panel: Panel, _board: Board, world: World) -> Hits:
    names = dict.fromkeys(name for selector in selectors(query.parsed) for name in selector.names)
    for name in names:
        if name in world.facts:
            continue
        if ":" in name:  # the mark of a recorded series
            if meant := recorded.slip(name):
                yield Hit(f"no rule of ours records {name}", ("expr",), fix=f"did you mean {meant}?")
        elif name in RENAMED:
            yield Hit(f"{name} is no longer exported", ("expr",), fix=f"use {RENAMED[name]}", severity=Severity.BUG)
        elif name in world.elsewhere:
            yield _elsewhere(name, names, world)
        elif meant := slip(name, world.elsewhere):
            yield Hit(
                f"no exporter has a metric {name}", ("expr",), fix=f"did you mean {meant}?", severity=Severity.BUG
            )


def _elsewhere(name: str, names: Iterable[str], world: World) -> Hit:
    fact = world.elsewhere[name]
    used = ", ".join(profile.name for profile in world.config.profiles)
    alternatives = [
        f.name for f in world.facts.values() if f.signal and f.signal == fact.signal and f.name not in names
    ]
    fix = (
        f"use {alternatives[0]}"
        if alternatives
        else f"check with --profile {fact.profiles[0]} if you run that exporter"
    )
    return Hit(f"{name} is exported by {' and '.join(fact.profiles)}, not by {used}", ("expr",), fix=fix)


def slip(name: str, known: Iterable[str]) -> str:
    """The known name that this one is a slip of the pen away from, or nothing.

    One letter is the limit, or a word written out: names that differ by more are often both real.
    """
    if name.endswith(_SUFFIXES) and name.rsplit("_", 1)[0] in known:
        return ""
    folded = name.casefold().replace("_", "")
    alike = (
        c
        for c in known
        if c.casefold().replace("_", "") == folded or one_letter_apart(name, c) or _written_out(name, c)
    )
    return min(alike, default="")


def one_letter_apart(one: str, other: str) -> bool:
    """True where one letter is missing, added, wrong, or two neighbours are swapped; digits are never a slip."""
    short, long = sorted((one, other), key=len)
    if len(short) < 8 or len(long) - len(short) > 1 or one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[start:] == long[start + 1 :] and not long[start].isdigit()
    if short[start].isdigit() or long[start].isdigit():
        return False
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return swapped or short[start + 1 :] == long[start + 1 :]


def _written_out(one: str, other: str) -> bool:
    """True where one word is cut short in one of the names and written out in the other: TEMP, TEMPERATURE."""
    words = [name.casefold().split("_") for name in (one, other)]
    if len(words[0]) != len(words[1]):
        return False
    wrong = [sorted(pair, key=len) for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    return len(wrong) == 1 and len(wrong[0][0]) >= 4 and wrong[0][1].startswith(wrong[0][0]) and wrong[0][1].isalpha()


RULE = Rule(
    "unknown-metric",
    Severity.WARNING,
    why="A query for a metric that nobody exports returns nothing, and an empty panel looks like a quiet one. Names "
    "that no exporter is known for are left alone: they may be your own.",
    fix="use a metric that your exporter has",
    on_query=_check,
)
