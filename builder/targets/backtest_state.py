"""What a backtest has been told so far, in a file, so that a run that was interrupted continues."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from builder.backtest import Piece
from builder.errors import OutputError, UsageError
from builder.targets.atomic import replace, sweep

_VERSION = 1
_RARELY = 20
_OTHER = "remove the file, or name another one with --state"


class State:
    """Answers by expression and slice. ``about`` says of which server and range they are.

    An answer depends on nothing else, so that after a change of rules those of unchanged expressions still hold.
    """

    def __init__(self, path: Path, about: Mapping[str, Any], answers: dict[str, dict[str, Any]] | None = None) -> None:
        self.path = path
        self.about = dict(about)
        self._answers = answers or {}
        self._saved_at = self._save_took = 0.0

    @classmethod
    def read(cls, path: Path) -> State | None:
        """What a run left; None where there is none. Raises UsageError for a file that is something else."""
        try:
            content = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"cannot be read: {error.strerror}", where=str(path), fix=_OTHER) from error
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict) or content.get("gpuboards_backtest") != _VERSION:
            raise UsageError("not the state of a backtest", where=str(path), fix=_OTHER)
        try:
            about, answers = content["about"], content["answers"]
            for bound in ("start", "end"):
                float(about[bound])
            for slices in answers.values():
                for number in slices:
                    int(number)
                    _pieces(slices[number])
        except (LookupError, TypeError, ValueError, AttributeError):
            raise UsageError("the state of a backtest, but damaged", where=str(path), fix=_OTHER) from None
        return cls(path, about, answers)

    def holds(self, expr: str, first: int) -> bool:
        """True where the slice that begins at this evaluation has been answered."""
        return str(first) in self._answers.get(_key(expr), ())

    def add(self, expr: str, first: int, pieces: Sequence[Piece]) -> None:
        """Keep the answer of a slice."""
        self._answers.setdefault(_key(expr), {})[str(first)] = [[dict(labels), runs] for labels, runs in pieces]

    def pieces(self, expr: str) -> tuple[Piece, ...]:
        """All that is known of an expression, in the order of time."""
        slices = self._answers.get(_key(expr), {})
        return tuple(piece for number in sorted(slices, key=int) for piece in _pieces(slices[number]))

    @property
    def count(self) -> int:
        """How many slices are answered."""
        return sum(map(len, self._answers.values()))

    def save_now_and_then(self) -> None:
        """Save, unless saving would take a notable part of the time: what is known grows, and is written whole."""
        if time.monotonic() - self._saved_at >= _RARELY * self._save_took:
            self.save()

    def save(self) -> None:
        """Put the file in place, whole. Raises OutputError."""
        content = {"gpuboards_backtest": _VERSION, "about": self.about, "answers": self._answers}
        begin = time.monotonic()
        try:
            if not self._saved_at:
                sweep(self.path.parent)  # what a run that was killed left there
            replace(self.path, json.dumps(content, separators=(",", ":")).encode())
        except OSError as error:
            what = f"the state cannot be written: {error.strerror}"
            raise OutputError(what, where=str(self.path), fix="name another file with --state") from error
        self._saved_at = time.monotonic()
        self._save_took = self._saved_at - begin

    def remove(self) -> None:
        """Remove the file: all is known, and told."""
        self.path.unlink(missing_ok=True)


def _pieces(written: Any) -> tuple[Piece, ...]:
    return tuple(
        (tuple(sorted(labels.items())), tuple((int(first), int(last)) for first, last in runs))
        for labels, runs in written
    )


def _key(expr: str) -> str:
    return hashlib.sha256(expr.encode()).hexdigest()
