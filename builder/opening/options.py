"""The options of a variable: taken out of raw texts by its regex, made unique, sorted.

Rules: @grafana/scenes, variables/variants/query/utils.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}


@dataclass(frozen=True)
class Option:
    """What is shown and what is inserted."""

    text: str
    value: str


def extract(found: Sequence[Option], regex: str, *, on_text: bool = False) -> tuple[Option, ...]:
    """Options that match a variable's regex, by value each once.

    Named groups ``text`` and ``value`` set the two sides, else the first group sets both; without a group the
    whole text stays.
    With ``on_text`` the regex only filters, on what is shown (data sources).
    """
    kept: Iterable[Option] = found
    if regex:
        pattern, is_global = _compile(regex)
        if on_text:
            kept = [option for option in found if pattern.search(option.text)]
        else:
            kept = [o for option in found for o in _matches(option.value, pattern, is_global)]
    unique: dict[str, Option] = {}
    for option in kept:
        unique.setdefault(option.value, option)
    return tuple(unique.values())


def ordered(options: Sequence[Option], sort: int) -> tuple[Option, ...]:
    """Options in a variable's sort order (0: as found, odd: ascending, even: descending)."""
    if not 1 <= sort <= 8:
        return tuple(options)
    keys: tuple[Callable[[Option], Any], ...] = (
        lambda o: o.text,
        lambda o: _first_number(o.text),
        lambda o: o.text.casefold(),
        lambda o: _natural(o.text),
    )
    return tuple(sorted(options, key=keys[(sort - 1) // 2], reverse=sort % 2 == 0))


def _compile(regex: str) -> tuple[re.Pattern[str], bool]:
    written = re.fullmatch(r"/(.*)/([a-z]*)", regex, re.DOTALL)
    pattern, flags = (written[1], written[2]) if written else (f"^{regex}$", "")
    python = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern).replace("\\/", "/")
    combined = sum(_FLAGS.get(flag, re.RegexFlag(0)) for flag in flags)
    return re.compile(python, combined), "g" in flags


def _matches(text: str, pattern: re.Pattern[str], is_global: bool) -> Iterator[Option]:
    found = list(pattern.finditer(text))[: None if is_global else 1]
    shown, value = _named(found, "text"), _named(found, "value")
    if shown or value:
        yield Option(shown or value, value or shown)
    elif found and not pattern.groups:
        yield Option(text, text)
    else:
        yield from (Option(match[1], match[1]) for match in found if match[1] is not None)


def _named(found: Sequence[re.Match[str]], group: str) -> str:
    """What a named group caught first, or nothing."""
    return next((m[group] for m in found if m.groupdict().get(group)), "")


def _first_number(text: str) -> float:
    number = re.search(r"\d+", text)
    return float(number[0]) if number else -1.0


def _natural(text: str) -> list[tuple[float, str]]:
    parts = re.findall(r"\d+|\D+", text)
    # Not int(): a label may hold more digits than Python reads at once.
    return [(float(part), "") if part.isdecimal() else (0.0, part.casefold()) for part in parts]
