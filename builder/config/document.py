"""A YAML text as a tree that remembers its lines, read without surprises.

PyYAML's own constructor takes duplicate keys in silence and forgets where a value stood, so the tree is
walked here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from builder.errors import ConfigError, nearest, short

_MAX_NODES = 20_000
_MAX_DEPTH = 20
_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_NUMBER_WITH_UNIT = re.compile(r"(-?\d+(?:\.\d+)?)\s*(\D*)")
_EXPONENT = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d{1,2}")
_PLAIN_NUMBER = re.compile(
    r"[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]\d+)?|[+-]?\.\d+(?:[eE][+-]\d+)?|[+-]?\.(?:inf|nan)", re.I
)
_SCALARS = ("null", "bool", "int", "float", "str")


@dataclass(frozen=True)
class Value:
    """One value and its place. ``content`` is a scalar, a list of values, or a mapping of keys to values."""

    content: Any
    where: str
    path: str
    key_places: dict[str, str] = field(default_factory=dict)

    def fail(self, what: str, fix: str = "") -> ConfigError:
        """An error about this value."""
        return ConfigError(f"{self.path}: {what}" if self.path else what, where=self.where, fix=fix)

    def mapping(self) -> dict[str, Value]:
        """The keys below; nothing written after the colon is an empty mapping."""
        if self.content is None:
            return {}
        if not isinstance(self.content, dict):
            raise self.fail(f"expected keys and values, found {self._found()}", "write them below, indented")
        return self.content

    def only(self, known: Iterable[str]) -> None:
        """Refuse a key that is not known."""
        names = list(known)
        for key in self.mapping():
            if key not in names:
                inside = f" in {self.path}" if self.path else ""
                what = f"unknown key {short(key)}{inside}"
                raise ConfigError(what, where=self.key_places[key], fix=nearest(key, names))

    def items(self) -> list[Value]:
        """The elements of a list; a single value is a list of one."""
        return self.content if isinstance(self.content, list) else [self]

    def scalar(self, kind: type) -> Any:
        """The value as text, a number or a flag. Raises ConfigError for any other type."""
        content = self.content
        if kind is float and isinstance(content, int | float) and not isinstance(content, bool):
            if not abs(content) <= sys.float_info.max:
                raise self.fail(f"expected a finite number, found {short(content)}")
            return float(content)
        if not isinstance(content, kind) or (isinstance(content, bool) and kind is not bool):
            raise self.fail(f"expected {_KINDS[kind]}, found {self._found()}", _conversion(content, kind))
        return content

    def _found(self) -> str:
        if self.content is None:
            return "nothing"
        if isinstance(self.content, list):
            return "a list"
        if isinstance(self.content, dict):
            return "keys and values"
        return f"{_KINDS.get(type(self.content), 'something else')} ({short(str(self.content)[:40])})"


def _conversion(content: Any, kind: type) -> str:
    """How to write the value so that it is of the kind; empty where that is anybody's guess."""
    if kind is str and isinstance(content, int | float):
        return "put it in quotes"
    if kind is float and isinstance(content, str) and _EXPONENT.fullmatch(content):
        return f"write {float(content):.1e}: YAML wants a point and a sign in it"
    number = _NUMBER_WITH_UNIT.fullmatch(content.strip()) if isinstance(content, str) else None
    if number is None or kind not in (int, float):
        return ""
    if number[2] == "%":
        return f"write {float(number[1]) / 100:g}, a ratio"
    return f"write {number[1]}, without the unit" if number[2] else f"write {number[1]}, without quotes"


def read(text: str, where: str) -> Value:
    """The document in a YAML text. Raises ConfigError where it is not one plain document."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _unreadable(error, where) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = ord(error.character) if isinstance(error.character, str) else error.character
        raise ConfigError(f"character {code:#x} is not allowed in YAML", where=f"{where}:{line}") from error
    except RecursionError as error:
        raise ConfigError("nested too deeply", where=where) from error
    if root is None:
        raise ConfigError(
            "the configuration is empty",
            where=where,
            fix="write at least `profile: dcgm`, or remove the file",
        )
    return _Reader(where).value(root, "", 0)


def _unreadable(error: yaml.MarkedYAMLError, where: str) -> ConfigError:
    mark = error.problem_mark or error.context_mark
    place = f"{where}:{mark.line + 1}" if mark else where
    problem = error.problem or error.context or "unreadable"
    fix = ""
    if "'\\t'" in problem:
        problem, fix = "a tab, which YAML does not allow for indentation", "use spaces"
    elif "end of stream" in problem or "<stream end>" in problem:
        start = f" that began in line {error.context_mark.line + 1}" if error.context_mark else ""
        problem, fix = f"the file ends in the middle of something{start}", "is it half-written?"
    elif "single document" in (error.context or ""):
        problem, fix = "more than one YAML document", "keep one; remove the --- in between"
    return ConfigError(f"not readable as YAML: {problem}", where=place, fix=fix)


class _Reader:
    """Walks composed nodes. Aliases share nodes, so their number is counted to stop anchor bombs."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.seen = 0
        self.scalars = yaml.constructor.SafeConstructor()

    def value(self, node: yaml.Node, path: str, depth: int) -> Value:
        place = f"{self.where}:{node.start_mark.line + 1}"
        self.seen += 1
        if depth > _MAX_DEPTH or self.seen > _MAX_NODES:
            raise ConfigError("too large or nested too deeply once its aliases are followed", where=place)
        if isinstance(node, yaml.MappingNode):
            entries: dict[str, Value] = {}
            places: dict[str, str] = {}
            for key, key_place, child in self._entries(node, path):
                entries[key] = self.value(child, f"{path}.{key}" if path else key, depth + 1)
                places[key] = key_place
            return Value(entries, place, path, places)
        if isinstance(node, yaml.SequenceNode):
            elements = [self.value(n, f"{path}[{i}]", depth + 1) for i, n in enumerate(node.value)]
            return Value(elements, place, path)
        return Value(self._scalar(node, place), place, path)

    def _entries(self, node: yaml.MappingNode, path: str) -> Iterator[tuple[str, str, yaml.Node]]:
        first: dict[str, str] = {}
        for key_node, child in node.value:
            place = f"{self.where}:{key_node.start_mark.line + 1}"
            if not isinstance(key_node, yaml.ScalarNode):
                raise ConfigError(f"{path or 'the file'} has a key that is not a word", where=place)
            key = key_node.value
            if key in first:
                raise ConfigError(
                    f"the key {short(key)} is here twice", where=place, fix=f"it is also at {first[key]}; keep one"
                )
            first[key] = place
            yield key, place, child

    def _scalar(self, node: yaml.Node, place: str) -> Any:
        kind = node.tag.rpartition(":")[2]
        if not node.tag.startswith("tag:yaml.org,2002:") or kind not in _SCALARS:
            if kind == "timestamp":
                return node.value
            raise ConfigError(f"the tag {node.tag} means nothing here", where=place)
        if kind in ("int", "float") and not _PLAIN_NUMBER.fullmatch(node.value):
            # To YAML 1.1 017 is 15, and 1:20 is 80: nobody who writes them means that.
            raise ConfigError(
                f"{short(node.value)} is a number of another kind than it looks",
                where=place,
                fix="write it with decimal digits only; put it in quotes where it is a text",
            )
        try:
            return self.scalars.construct_object(node)
        except (ValueError, yaml.YAMLError) as error:
            raise ConfigError(f"{short(node.value)} is not {kind}", where=place) from error
