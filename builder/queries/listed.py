"""The questions by name: for whoever looks one up, and to tell them from a user's own."""

from __future__ import annotations

import inspect
from functools import cache
from types import ModuleType

from builder import queries
from builder.queries.question import Question


@cache
def questions() -> dict[str, Question]:
    """Every question of this package as ``module.name``, by module, in the order in which they are written."""
    return {
        f"{module}.{name}": value
        for module in queries.__all__
        for name, value in vars(getattr(queries, module)).items()
        if isinstance(value, Question) and not _is_imported(value, getattr(queries, module))
    }


def makers() -> dict[str, str]:
    """What makes questions out of others or out of numbers, as ``module.name(parameters)``, and what they ask."""
    return {
        f"{module}.{name}({', '.join(inspect.signature(value).parameters)})": _first_line(value)
        for module in queries.__all__
        for name, value in vars(getattr(queries, module)).items()
        if inspect.isfunction(value)
        and (value.__module__, value.__annotations__.get("return")) == (f"builder.queries.{module}", "Question")
        and not name.startswith("_")
    }


def modules() -> dict[str, str]:
    """What each module of questions is about: the first line of its documentation."""
    return {name: _first_line(getattr(queries, name)) for name in queries.__all__}


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().partition("\n")[0]


def _is_imported(question: Question, module: ModuleType) -> bool:
    home = question.build.__module__
    # What `then` makes comes out of the module of Question itself, wherever it is written.
    return home not in (module.__name__, Question.__module__)
