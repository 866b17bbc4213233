"""A Python exception of a definition file in words: what is wrong, and the nearest right name."""

from __future__ import annotations

import builtins
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, TracebackType

from builder.errors import cut, nearest, short

_KEYWORD = re.compile(r"([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'")
_NAME_FROM = re.compile(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")


def explain(error: BaseException, frame: TracebackType | None, directory: Path) -> tuple[str, str]:
    """What is wrong and how to mend it. ``frame`` is the user's line that the error came through."""
    if isinstance(error, SyntaxError):
        return f"not Python: {error.msg}", ""
    if isinstance(error, NameError) and error.name and frame:
        known = {**vars(builtins), **frame.tb_frame.f_globals, **frame.tb_frame.f_locals}
        return f"the name {short(error.name)} is not defined", _import_hint(error.name) or nearest(
            error.name, _public(known)
        )
    if isinstance(error, AttributeError) and error.name:
        return f"{_titled(error.obj)} has no {short(error.name)}", nearest(error.name, _public(_names(error.obj)))
    if isinstance(error, ImportError):
        return _import(error, directory)
    if isinstance(error, TypeError):
        return _type(error, frame)
    if isinstance(error, SystemExit):
        return "the file ends the program (sys.exit)", "a definition file only assigns boards"
    if isinstance(error, OSError) and frame is None:
        return f"cannot be read: {error.strerror}", ""
    return f"raised {type(error).__name__}: {_first_line(error)}", ""


def _import(error: ImportError, directory: Path) -> tuple[str, str]:
    named = _NAME_FROM.match(str(error))
    if named:
        name, module = named.groups()
        return f"{module} has no {short(name)} to import", nearest(name, _public(_names(sys.modules.get(module))))
    if isinstance(error, ModuleNotFoundError) and error.name:
        if error.name.partition(".")[0] == "gpuboards":
            return (
                f"there is no module {short(error.name)}",
                "the package is imported as builder: from builder import ...",
            )
        parent, _, name = error.name.rpartition(".")
        return f"there is no module {short(error.name)}", nearest(name, _modules(parent, directory))
    return f"an import failed: {_first_line(error)}", ""


def _modules(parent: str, directory: Path) -> Iterator[str]:
    if parent:
        paths = getattr(sys.modules.get(parent), "__path__", [])
        yield from (module.name for module in pkgutil.iter_modules(paths))
        return
    yield from ("builder", "dashboards", "grafanalib")
    yield from (module.name for module in pkgutil.iter_modules([str(directory)]))


def _type(error: TypeError, frame: TracebackType | None) -> tuple[str, str]:
    text = _first_line(error).replace(".__init__()", "()")
    if text == "'Question' object is not callable":
        fix = "leave out the parentheses: Query(busy_share); in a question of your own, busy_share.ask(source)"
        return "a question is not called", fix
    wrong = _KEYWORD.match(text)
    if not wrong or frame is None:
        return text, ""
    callee, keyword = wrong.groups()
    target = _find(callee, frame)
    if target is None:
        return text, ""
    try:
        known = inspect.signature(target).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return text, ""
    return f"{callee} has no parameter {short(keyword)}", nearest(keyword, known)


def _find(qualname: str, frame: TracebackType) -> object:
    """The callable of that name as the user's line can reach it, directly or through a module."""
    scope = {**frame.tb_frame.f_globals, **frame.tb_frame.f_locals}
    reachable = list(scope.values())
    for module in [value for value in reachable if isinstance(value, ModuleType)]:
        reachable += vars(module).values()
    matching = (o for o in reachable if callable(o) and getattr(o, "__qualname__", None) == qualname)
    return next(matching, None)


def _import_hint(name: str) -> str:
    """How to import a public name that was used without importing it."""
    homes = [
        module
        for module in sys.modules
        if module.split(".")[0] == "builder" and name in getattr(sys.modules[module], "__all__", ())
    ]
    return f"from {min(homes, key=len)} import {name}" if homes else ""


def _names(thing: object) -> Iterable[str]:
    submodules = (module.name for module in pkgutil.iter_modules(getattr(thing, "__path__", [])))
    return getattr(thing, "__all__", None) or {*dir(thing), *submodules}


def _public(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith("_")]


def _titled(thing: object) -> str:
    if isinstance(thing, ModuleType):
        return thing.__name__
    return getattr(thing, "__qualname__", None) or f"a {type(thing).__qualname__}"


def _first_line(error: BaseException) -> str:
    try:
        text = str(error).strip() or "no message"
    except Exception:  # the author's own class of error, which cannot say what it is
        text = "a message that cannot be shown"
    return cut(text.splitlines()[0])
