"""What the parser (promql-parser 0.12, in Rust) must not be given: it would take the process down, or panic."""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.errors import QueryError

MAX_LENGTH = 100_000
MAX_DEPTH = 200  # the parser recurses: beyond some thousands of levels its stack overflows
MAX_OPERATORS = 1500

STRING = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`"""
"""The pattern of a quoted string; compile it with re.DOTALL."""
_STRINGS = re.compile(STRING, re.DOTALL)
_OPERATORS = re.compile(r"[-+*/%^<>!=]|\b(?:and|or|unless|atan2|offset)\b")
_ENDLESS = re.compile(
    r"(?:\[[^\]]*?|\boffset\s*[-+]?\s*)(?:\bnan\b|\binf\b|\d\.?e[-+]?\d|\d{11})", re.IGNORECASE
)  # lengths of time that make the parser panic
_HARMLESS = MAX_DEPTH  # so few characters nest no deeper


def refuse_monsters(text: str, operators: int = MAX_OPERATORS) -> None:
    """Raise QueryError for what is too long, too deep, or has a length of time that no clock has."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"an expression of {len(text)} characters", fix=f"{MAX_LENGTH} at most")
    timed = "[" in text or "offset" in text.lower()
    if not timed and len(text) <= _HARMLESS:
        return
    depth = deepest = found = 0
    for part in _outside_strings(text):
        if timed and _ENDLESS.search(part):
            raise QueryError("a length of time that no clock has", fix="write a duration such as 5m")
        if len(text) <= _HARMLESS:
            continue
        found += len(_OPERATORS.findall(part))
        for character in part:
            depth += (character in "([{") - (character in ")]}")
            deepest = max(deepest, depth)
    if deepest > MAX_DEPTH or found > operators:
        raise QueryError(
            f"an expression nested {deepest} deep with {found} operators",
            fix="record parts of it, so that a person can read it",
        )


def _outside_strings(text: str) -> Iterator[str]:
    """The parts of an expression between its quoted strings."""
    return (part for part in _STRINGS.split(text) if part)
