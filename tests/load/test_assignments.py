"""The names that a module assigns, as its compiled code has them, are those that its syntax tree has."""

from __future__ import annotations

import ast

import pytest

from builder.load.assignments import assignments, line_of

SOURCE = """\
from somewhere import (
    imported,
    other as renamed,
)
import module
from elsewhere import *

board = Board(
    1,
    2,
)
first = second = [
    board,
]
for item in (1, 2):
    annotated: int = 3
with open("f") as file: pass
if (walrus := 3): pass
a, (b, *c) = 1, (2, 3)
board = (
    None
)
from late import board_of_another
"""


def of(source: str) -> dict[str, int]:
    code = compile(source, "x.py", "exec")
    return {name: line_of(code, index) for name, index in assignments(code).items()}


def by_tree(source: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            lines[node.id] = max(node.lineno, lines.get(node.id, 0))
    return lines


def test_names_and_lines_are_those_of_the_syntax_tree() -> None:
    found = of(SOURCE)
    assert found.pop("module") == 5  # a module is no board, so that it does not matter that it counts
    assert found == by_tree(SOURCE)
    assert not {"imported", "renamed", "board_of_another"} & found.keys()


@pytest.mark.parametrize("many", [1, 256, 257, 66_000])
def test_more_names_than_a_byte_can_number(many: int) -> None:
    code = compile("".join(f"n{number} = 1\n" for number in range(many)), "x.py", "exec")
    found = assignments(code)
    assert list(found) == [f"n{number}" for number in range(many)]
    assert line_of(code, found[f"n{many - 1}"]) == many


def test_an_import_with_a_high_number_is_an_import() -> None:
    source = "".join(f"n{number} = 1\n" for number in range(300)) + "from somewhere import imported\nmine = 1\n"
    found = of(source)
    assert "imported" not in found
    assert found["mine"] == 302
