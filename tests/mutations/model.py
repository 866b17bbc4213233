"""One mutation, and how it is made."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

QUERIES = "builder/queries"


@dataclass(frozen=True)
class Mutation:
    """In ``place`` (``module.name`` or ``module.Class.name``, of builder/queries) ``old`` becomes ``new``.

    The place is a function, a method or a constant, and holds ``old`` exactly once.
    """

    place: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.place}: {' '.join(self.old.split())} -> {' '.join(self.new.split()) or 'nothing'}"

    def path(self, root: Path) -> Path:
        """The file in a copy of the project."""
        return root / QUERIES / f"{self.place.partition('.')[0]}.py"

    def mutated(self, root: Path) -> str:
        """The file's text with the mutation. Raises ValueError where the text is not there exactly once."""
        text = self.path(root).read_text(encoding="utf-8")
        begin, end = _span(text, self.place.split(".")[1:])
        piece = text[begin:end]
        if piece.count(self.old) != 1:
            raise ValueError(f"{self.place} has this {piece.count(self.old)} times: {self.old}")
        return text[:begin] + piece.replace(self.old, self.new) + text[end:]


def _span(text: str, names: list[str]) -> tuple[int, int]:
    """Where the code of a function, method or constant begins and ends, decorators and comments included."""
    nodes: list[ast.stmt] = ast.parse(text).body
    for name in names:
        node = next((n for n in nodes if _named(n) == name), None)
        if node is None:
            raise ValueError(f"no {'.'.join(names)}")
        nodes = getattr(node, "body", [])
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    assert node is not None and node.end_lineno
    return starts[node.lineno - 1], starts[node.end_lineno]


def _named(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""
