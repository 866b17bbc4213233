"""Everything gpuboards can say went wrong.

    GpuboardsError                 what happened, where, and what to do; carries the exit code
    ├── UsageError            (2)  a wrong option or argument
    ├── ConfigError           (2)  gpuboards.yaml is unreadable or says something impossible
    ├── DefinitionError       (2)  a board definition is wrong
    │   ├── UnknownName       (2)  a name that does not exist, with the nearest that does
    │   ├── QueryError        (2)  an expression that would give a wrong answer
    │   ├── LayoutError       (2)  panels that do not fit the grid
    │   └── NothingLeft       (2)  a board of which the profile can fill no panel
    ├── OutputError           (2)  a file or directory cannot be written
    └── ServerError           (3)  a server refused or is out of reach

    SignalMissing                  not an error of the user: the profile does not export a signal

A traceback is for a bug in gpuboards (exit code 70), never for a mistake of its user.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import CodeType
from typing import Any


class GpuboardsError(Exception):
    """A problem that a person can mend: what, where, and what to do about it."""

    exit_code = 2
    made_at: tuple[CodeType, int] | None = None
    """The instruction that made what is wrong, where it is known: what knows the user's files makes a line of it."""

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def at(self, where: str) -> GpuboardsError:
        """The same error with a place put in front of the place it already has."""
        self.where = f"{where}: {self.where}" if self.where else where
        return self

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}\n  fix: {self.fix}" if self.fix else text


class UsageError(GpuboardsError):
    """A wrong option or argument on the command line."""


class ConfigError(GpuboardsError):
    """The configuration file is unreadable or says something impossible."""


class DefinitionError(GpuboardsError):
    """A board definition is wrong."""


class UnknownName(DefinitionError):
    """A name that does not exist; the fix names the nearest that does."""

    def __init__(self, kind: str, name: object, known: Iterable[str], *, where: str = "") -> None:
        super().__init__(
            f"unknown {kind} {short(name)}",
            where=where,
            fix=nearest(name[:200] if isinstance(name, str) else "", known),
        )


class QueryError(DefinitionError):
    """An expression that would give a wrong answer, or none."""


class LayoutError(DefinitionError):
    """Panels that do not fit the 24-column grid."""


class NothingLeft(DefinitionError):
    """A board of which the profile can fill no panel; ``notes`` say what each lacks."""

    def __init__(self, what: str, notes: Iterable[Any], *, fix: str = "") -> None:
        super().__init__(what, fix=fix)
        self.notes = tuple(notes)


class OutputError(GpuboardsError):
    """A file or directory cannot be written; nothing was left half-done."""


class ServerError(GpuboardsError):
    """A server refused or is out of reach."""

    exit_code = 3


class SignalMissing(Exception):
    """The chosen profile does not export a signal, so what needs it drops out.

    ``fix`` says what to switch on, where something can be switched on.
    """

    def __init__(self, signal: str, profile: str, fix: str = "") -> None:
        super().__init__(f"profile {profile} does not export {signal}")
        self.signal = signal
        self.profile = profile
        self.fix = fix


def short(value: object, at_most: int = 80) -> str:
    """A value as messages show it: its repr, cut where it is long; never fails, whatever the value is."""
    kind = type(value).__name__
    try:
        # Cut before it is written: a text of a megabyte need not be escaped first.
        text = repr(value[: at_most + 1] if isinstance(value, str | bytes) else value)
    except Exception:  # the author's own __repr__, a number of 5,000 digits, a list that nests too deeply
        return f"<{kind}>"
    return cut(text, at_most)


def cut(text: str, at_most: int = 200) -> str:
    """A text as messages show it: its beginning, where it is long."""
    return text if len(text) <= at_most else f"{text[:at_most]}..."


def printable(text: str) -> str:
    """A text of somebody else's as it may be shown: what moves the cursor or ends the line is a blank."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def titled(kind: str, title: object) -> str:
    """What messages call a thing that has a title: ``Stat "Power"``."""
    text = " ".join(title.split()) if isinstance(title, str) else short(title)
    return f'{kind} "{cut(text, 80)}"' if text else kind


def nearest(name: str, known: Iterable[str]) -> str:
    """A sentence that names the known names with this word, or the closest ones, or all when none is close."""
    import difflib  # only where something went wrong: the command line starts without it

    names = sorted(set(known))
    folded_name = name.strip().casefold()
    worded = [n for n in names if f" {folded_name} " in f" {n.casefold().replace('-', ' ')} "] if folded_name else []
    if len(worded) > 3:
        return f"did you mean one of {_first(worded)}?"
    close = worded or difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if not close:
        folded = {n.casefold(): n for n in names}
        close = [folded[c] for c in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
    if not close and len(folded_name) > 1:
        close = [n for n in names if folded_name in n.casefold()][:3]
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"known: {_first(names)}" if names else "there is none to choose from"


def _first(names: Sequence[str]) -> str:
    return f"{', '.join(names[:20])}{', ...' if len(names) > 20 else ''}"
