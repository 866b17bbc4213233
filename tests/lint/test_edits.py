"""Edits change a text where they must and nowhere else; places are found in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.lint import Subject, lint
from builder.lint.edits import Edit, edited
from builder.lint.positions import Positions

TEXT = """{
  "title": "Ärger \\"hier\\"",   "panels": [
    {"id": 1, "targets": [ {"expr":"up" }, {} ]},
    {
      "id": 1
    }
  ]
}
"""


def test_a_value_is_replaced_and_blanks_stay() -> None:
    assert edited(TEXT, [Edit(("panels", 1, "id"), 7)]) == TEXT.replace('      "id": 1\n', '      "id": 7\n')


def test_a_key_is_added_like_the_one_that_was_first() -> None:
    text = edited('{\n  "a": {\n    "b": 1\n  },\n  "c": {}\n}', [Edit(("a", "x"), "y"), Edit(("c", "x"), 2)])
    assert text == '{\n  "a": {\n    "x": "y",\n    "b": 1\n  },\n  "c": {"x": 2}\n}'


def test_several_edits_of_one_text() -> None:
    text = edited(
        TEXT, [Edit(("panels", 0, "targets", 1, "refId"), "B"), Edit(("panels", 0, "targets", 0, "refId"), "A")]
    )
    assert text is not None
    assert [t["refId"] for t in json.loads(text)["panels"][0]["targets"]] == ["A", "B"]


@pytest.mark.parametrize("place", [("panels", 7, "id"), ("nowhere", "id"), ("title", "id"), ("panels", "id")])
def test_what_cannot_be_done_is_not_done(place: tuple[Any, ...]) -> None:
    assert edited(TEXT, [Edit(place, 1)]) is None


def test_of_a_doubled_key_the_last_is_found_as_json_reads_it() -> None:
    text = '{"a": 1, "a": 2}'
    assert edited(text, [Edit(("a",), 3)]) == '{"a": 1, "a": 3}'


def test_lines_and_columns_count_from_one() -> None:
    positions = Positions(TEXT)
    assert positions.line_and_column(()) == (1, 1)
    assert positions.line_and_column(("title",)) == (2, 3)
    assert positions.line_and_column(("panels", 0, "targets", 0, "expr")) == (3, 29)
    assert positions.line_and_column(("panels", 1, "id")) == (5, 7)
    assert positions.line_and_column(("panels", 1, "title")) == (4, 5)  # the nearest that exists


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


@given(_JSON, st.sampled_from([None, 0, 1, 4]), st.booleans())
def test_every_place_of_any_json_is_found(data: Any, indent: int | None, ascii_only: bool) -> None:
    source = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    positions = Positions(source)
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), data)]
    while waiting:
        place, value = waiting.pop()
        span = positions.span(place)
        assert span is not None
        assert json.loads(source[span.start : span.end]) == value
        children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        waiting += [((*place, key), child) for key, child in children]


def _mended(data: dict[str, Any]) -> Any:
    source = json.dumps(data, indent=2)
    text = edited(source, [edit for finding in lint([Subject("a.json", data, source)]) for edit in finding.edits])
    assert text is not None
    return json.loads(text)


def test_ids_are_mended_for_good() -> None:
    panels = [{"id": 3, "type": "stat"}, {"id": 3, "type": "stat"}, {"type": "stat"}, {"id": 9, "type": "row"}]
    mended = _mended({"title": "T", "panels": panels})
    assert [panel["id"] for panel in mended["panels"]] == [3, 10, 11, 9]
    assert "duplicate-id" not in {finding.rule for finding in lint([Subject("a.json", mended)])}


def test_refids_are_mended_with_letters_that_are_free() -> None:
    targets = [{"refId": "A"}, {"refId": "A"}, {}, {"refId": "C"}]
    mended = _mended({"title": "T", "panels": [{"id": 1, "type": "stat", "targets": targets}]})
    assert [target["refId"] for target in mended["panels"][0]["targets"]] == ["A", "B", "D", "C"]


@pytest.mark.parametrize(
    "more",
    [
        {"fieldConfig": {"overrides": [{"matcher": {"id": "byFrameRefID", "options": "A"}}]}},
        {"transformations": [{"id": "organize", "options": {"renameByName": {"x": "Value #A"}}}]},
        {"targets": [{"refId": "A"}, {"refId": "A"}, {"refId": "B", "expression": "$A * 2"}]},
    ],
)
def test_a_refid_that_something_means_is_left_to_its_author(more: dict[str, Any]) -> None:
    panel = {"id": 1, "title": "P", "type": "stat", "targets": [{"refId": "A"}, {"refId": "A"}], **more}
    found = [f for f in lint([Subject("a.json", {"title": "T", "panels": [panel]})]) if f.rule == "duplicate-refid"]
    assert len(found) == 1
    assert found[0].edits == ()


def test_an_id_that_a_link_means_is_left_to_its_author() -> None:
    panels = [{"id": 3, "type": "stat"}, {"id": 3, "type": "stat", "links": [{"url": "/d/x?viewPanel=3"}]}]
    found = [f for f in lint([Subject("a.json", {"title": "T", "panels": panels})]) if f.rule == "duplicate-id"]
    assert [f.edits for f in found] == [()]
