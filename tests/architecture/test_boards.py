"""Board files declare; what is hard lives in builder."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from promql_parser import AggregateExpr, Call, MatrixSelector, SubqueryExpr, walk

from builder.catalog.profiles import PROFILES
from builder.errors import QueryError
from builder.grafana.board import Board
from builder.load import load
from builder.promql.parse import label_matchers, parse
from tests.architecture.sources import BOARDS, ROOT, imports, name_of, tree_of

DECLARED = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
COMPUTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.Try)
PAGES = ROOT / "docs" / "boards"
METRICS = {m.name for p in PROFILES.values() for metrics in p.signals.values() for m in metrics if not m.sum_of}

each_file = pytest.mark.parametrize("path", BOARDS, ids=name_of)


@each_file
def test_it_imports_public_names_of_builder_only(path: Path) -> None:
    foreign = [n for n in imports(tree_of(path)) if n.split(".")[0] != "builder" and n != "dashboards._shared"]
    assert foreign == []
    assert [n for n in imports(tree_of(path)) if n.startswith("builder") and "._" in n] == []


@each_file
def test_it_declares_and_computes_nothing(path: Path) -> None:
    tree = tree_of(path)
    assert [ast.unparse(node)[:60] for node in tree.body if not isinstance(node, DECLARED)] == []
    assert [ast.unparse(node)[:60] for node in ast.walk(tree) if isinstance(node, COMPUTED)] == []


@each_file
def test_it_holds_no_promql(path: Path) -> None:
    texts = [n.value for n in ast.walk(tree_of(path)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    assert [text for text in texts if _is_promql(text)] == []


@each_file
def test_its_queries_are_questions(path: Path) -> None:
    asked = [
        (call.func.id, argument)
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("Query", "Column")
        for argument in call.args[(0 if call.func.id == "Query" else 1) :][:1]
    ]
    assert asked or path.name.startswith("_")
    assert [ast.unparse(what) for _, what in asked if isinstance(what, ast.Constant | ast.JoinedStr)] == []


def test_promql_would_be_noticed() -> None:
    assert _is_promql("sum(up)")
    assert _is_promql('up{node=~"$node"}')
    assert _is_promql("DCGM_FI_DEV_GPU_UTIL")
    assert _is_promql("sum(up) / count(up)")
    assert _is_promql("up[5m] offset 1h")
    assert not _is_promql("gpu")
    assert not _is_promql("gpu-detail")
    assert not _is_promql("{{node}} gpu {{gpu}}")
    assert not _is_promql("Utilisation, memory and temperature")


def _is_promql(text: str) -> bool:
    if any(word in METRICS for word in text.replace("(", " ").replace("{", " ").split()):
        return True
    try:
        tree = parse(text)
    except QueryError:
        return False
    nodes: list[object] = []
    walk(tree, nodes.append)
    calculated = any(isinstance(node, Call | AggregateExpr | MatrixSelector | SubqueryExpr) for node in nodes)
    return calculated or bool(label_matchers(text))


def test_every_board_has_a_page_and_every_page_a_board() -> None:
    boards = [d.board for d in load(ROOT / "dashboards")]
    assert {b.uid for b in boards if isinstance(b, Board)} == {page.stem for page in PAGES.glob("*.md")} - {"README"}


@pytest.mark.parametrize("definition", load(ROOT / "dashboards"), ids=lambda d: Path(d.file).stem)
def test_a_board_is_called_like_its_file_and_answers_one_question(definition: object) -> None:
    board, file = definition.board, Path(definition.file)  # type: ignore[attr-defined]
    assert board.uid == file.stem.replace("_", "-")
    assert "?" in board.question
    page = PAGES / f"{board.uid}.md"
    assert board.uid in page.read_text(encoding="utf-8")
