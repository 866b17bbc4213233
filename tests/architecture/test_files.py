"""Small documented files that speak of the project alone."""

from __future__ import annotations

import ast
import codecs
import re
from pathlib import Path

import pytest

from tests.architecture.sources import BUILDER, committed, name_of, tree_of

LINES = 300

LONG: dict[str, str] = {}
"""Files longer than that, and why they are not cut."""

FORBIDDEN = (
    "/jbex/",
    "../funerq",
    "/gzc/oevrs",
    "naguebcvp",
    "pynhqr",
    "fhontrag",
    "gur sbhaqre",
    "gur oevrs",
    "guvf frffvba",
    "NV nffvfgnag",
    "ynathntr zbqry",
)
"""Words about how and where the project is made, in rot13, so that this file does not hold what it looks for."""

MAY_SAY: dict[str, str] = {
    ".ci/run": "finds the reference data where it lies beside the checkout",
}

UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


@pytest.mark.parametrize("path", BUILDER, ids=name_of)
def test_what_is_public_says_what_it_is(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree), "the module"
    defined = [n for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef) and not n.name.startswith("_")]
    assert [node.name for node in defined if not ast.get_docstring(node)] == []


def test_files_are_small() -> None:
    long = {name_of(p) for p in BUILDER if len(p.read_text(encoding="utf-8").splitlines()) > LINES}
    assert long == set(LONG), "cut the file, or give a reason; a reason that is no longer needed goes"
    sizes = sorted(len(p.read_text(encoding="utf-8").splitlines()) for p in BUILDER)
    assert sizes[len(sizes) // 2] <= 110


def _texts() -> list[tuple[str, str]]:
    texts = []
    for path in committed():
        try:
            texts.append((name_of(path), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # a picture
    return texts


def _whole(word: str) -> str:
    """The word on its own; a path may go on after its slash."""
    return rf"\b{re.escape(word)}\b" if word[0].isalpha() else re.escape(word) + ("" if word[-1] == "/" else r"\b")


def test_the_project_speaks_of_itself_alone() -> None:
    plain = (codecs.decode(word, "rot13") for word in FORBIDDEN)
    words = re.compile("|".join(map(_whole, plain)), re.IGNORECASE)
    found = {name: match[0] for name, text in _texts() if (match := words.search(text))}
    assert set(found) == set(MAY_SAY), found


def test_nothing_is_left_for_later() -> None:
    found = {name: match[0] for name, text in _texts() if (match := UNFINISHED.search(text))}
    assert found == {}


def test_every_test_module_is_found() -> None:
    """A module that pytest does not collect is a test that cannot fail."""
    holders = {
        name_of(path)
        for path in committed()
        if path.suffix == ".py" and name_of(path).startswith("tests/") and not path.name.startswith("test_")
        if any(isinstance(n, ast.FunctionDef) and n.name.startswith("test_") for n in tree_of(path).body)
    }
    assert holders == set()
