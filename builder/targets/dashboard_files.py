"""Dashboard files of anybody: found, read and rewritten."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from math import isinf
from pathlib import Path
from typing import Any, NoReturn

from builder.errors import GpuboardsError, OutputError, UsageError, short
from builder.lint.model import Subject
from builder.lint.reading import unwrapped
from builder.targets.atomic import replace

MAX_BYTES = 16 * 1024 * 1024
"""A dashboard of a hundred panels has half a megabyte; what is larger than this is something else."""

MAX_DEPTH = 100

_BOM = b"\xef\xbb\xbf"


def find(paths: Sequence[str]) -> Iterator[tuple[Path, bool]]:
    """Every file named, and every ``*.json`` below the directories named; True for those that were named.

    Hidden files and directories below a named one are passed over, and so are pipes and devices, which might never
    end. Raises UsageError for what does not exist.
    """
    seen: set[Path] = set()
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise UsageError(f"there is no {name}", fix="name dashboard files, or directories that hold them")
        found = _below(path) if path.is_dir() else [path]
        for file in found:
            if file not in seen:
                seen.add(file)
                yield file, not path.is_dir()


def _below(directory: Path) -> Iterator[Path]:
    for here, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".json") and not name.startswith(".") and _ends(Path(here, name)):
                yield Path(here, name)


def _ends(path: Path) -> bool:
    """True for what is a file, or is not there, which is told when it is read."""
    return path.is_file() or not path.exists()


def load(path: Path) -> Subject | None:
    """The dashboard in a file; None where the file is JSON of another kind.

    Raises UsageError where it cannot be read or is not JSON at all.
    """
    if path.suffix == ".py":
        raise definitions(path)
    source = read(path)
    data = parse(source, str(path))
    if unwrapped(data) is None:
        return None
    return Subject(str(path), data, source, path.parent.as_posix())


def read(path: Path) -> str:
    """The text of a file, whatever is in it. Raises UsageError where there is none to be had."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)  # a device or a pipe has no size that one could ask for
            size = max(os.fstat(file.fileno()).st_size, len(content))
        if size > MAX_BYTES:
            mega = f"{size / 1e6:.0f} MB"
            raise UsageError(
                f"{mega} are more than a dashboard has", where=str(path), fix="name the file of one dashboard"
            )
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError("not UTF-8 text", where=f"{path}:{line}", fix="save the file as UTF-8") from error
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", where=str(path)) from error


_CUT_OFF = re.compile(r"|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][-+]?|\\?u[0-9a-fA-F]{0,3}")
"""What can be left of a word, a number or an escape where a file ends too early."""


def parse(source: str, where: str) -> Any:
    """The JSON in a text. Raises UsageError, with line and column, where it is none."""
    try:
        data = json.loads(source, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        ended = _CUT_OFF.fullmatch(source[error.pos : error.pos + 10].strip())
        fix = "the file ends in the middle of something: is it half-written?" if ended else ""
        raise UsageError(f"not JSON: {error.msg}", where=f"{where}:{error.lineno}:{error.colno}", fix=fix) from error
    except RecursionError as error:
        raise UsageError("not a dashboard: nested too deeply", where=where) from error
    except ValueError as error:
        raise UsageError(f"not JSON: {error}", where=where) from error
    if _is_deeper(data, MAX_DEPTH):
        raise UsageError(f"not a dashboard: nested deeper than {MAX_DEPTH}", where=where)
    return data


def _is_deeper(data: Any, limit: int) -> bool:
    level = [data]
    for _ in range(limit):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: Any) -> Iterable[Any]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


def _finite(number: str) -> float:
    found = float(number)
    if isinf(found):
        raise ValueError(f"{short(number)} is too large a number")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def rewrite(path: Path, text: str) -> None:
    """Put a text in place of a file's, whole or not at all; permissions, links to it and a BOM stay.

    Raises OutputError, with the file as it was, where that cannot be done.
    """
    target = path.resolve()
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        bom = _BOM if target.read_bytes().startswith(_BOM) else b""
        replace(target, bom + text.encode())
        target.chmod(mode)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", where=str(path)) from error


def load_all(paths: Sequence[str]) -> tuple[list[Subject], list[GpuboardsError], int]:
    """Every dashboard found, what could not be read, and how many files were JSON of another kind."""
    subjects: list[Subject] = []
    problems: list[GpuboardsError] = []
    others = 0
    for path, named in find(paths):
        try:
            subject = load(path)
        except UsageError as error:
            problems.append(error)
            continue
        if subject is not None:
            subjects.append(subject)
        elif named:
            problems.append(not_a_dashboard(path))
        else:
            others += 1
    return subjects, problems, others


def without_dashboards(paths: Sequence[str], files: Iterable[str]) -> Iterator[UsageError]:
    """What to say of each directory named that none of the files is in: nobody wants to hear that nothing is wrong.

    ``files`` are those of dashboards, readable or not.
    """
    found = [Path(file).resolve() for file in files]
    for path in paths:
        if Path(path).is_dir() and not any(file.is_relative_to(Path(path).resolve()) for file in found):
            yield no_dashboard(path)


def no_dashboard(path: str) -> UsageError:
    """What to say of a directory without a dashboard's JSON."""
    if any(Path(path).glob("*.py")):
        return definitions(path)
    return UsageError("there is no dashboard", where=path, fix="name dashboard files, or directories that hold them")


def definitions(where: Path | str) -> UsageError:
    """What to say of Python where the JSON of dashboards is asked for."""
    return UsageError(
        "Python, not the JSON of a dashboard", where=str(where), fix=f"name definitions with --dashboards {where}"
    )


def not_a_dashboard(where: Path | str) -> UsageError:
    """What to say of JSON of another kind where a dashboard is asked for."""
    return UsageError(
        "JSON, but not a classic dashboard",
        where=str(where),
        fix="export the dashboard as classic (v1) JSON; schema v2 resources are not read",
    )
