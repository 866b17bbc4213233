"""Tables come out of their transformations as Grafana's do."""

from __future__ import annotations

from typing import Any

from builder.preview.frames import Column, Frame, frame_of, frame_of_series, sorted_by, transformed
from tests.preview.made import END, series, target


def frames() -> list[Frame]:
    held = target(*(series("", [(END, float(n))], node=f"n{n}", gpu="0") for n in range(3)), ref_id="A", instant=True)
    used = target(*(series("", [(END, n / 10)], node=f"n{n}", gpu="0") for n in range(2)), ref_id="B", instant=True)
    return [frame_of(held, False), frame_of(used, False)]


def cells(frame: Frame) -> list[list[Any]]:
    return [[row.get(column.name) for column in frame.columns] for row in frame.rows]


def test_an_answer_is_time_labels_and_value() -> None:
    alone = frame_of(target(series("", [(END, 7.0)], node="n0", gpu="1"), instant=True), True)
    assert [column.name for column in alone.columns] == ["Time", "gpu", "node", "Value"]
    assert cells(alone) == [[END, "1", "n0", 7.0]]
    assert frames()[1].columns[-1] == Column("Value #B", "number", "B")


def test_merge_puts_the_values_of_one_thing_into_one_row() -> None:
    (merged,), _ = transformed(frames(), [{"id": "merge", "options": {}}])
    assert [column.name for column in merged.columns] == ["Time", "gpu", "node", "Value #A", "Value #B"]
    assert cells(merged) == [[END, "0", "n0", 0.0, 0.0], [END, "0", "n1", 1.0, 0.1], [END, "0", "n2", 2.0, None]]


def test_rows_that_contradict_each_other_stay_apart() -> None:
    one, two = (Frame((Column("node"), Column("v")), ({"node": "n", "v": v},)) for v in (1.0, 2.0))
    (merged,), _ = transformed([one, two], [{"id": "merge"}])
    assert cells(merged) == [["n", 1.0], ["n", 2.0]]


def test_reduce_makes_a_row_of_each_series() -> None:
    answers = [frame_of_series(name, [(END - 60, 1.0), (END, last)]) for name, last in (("a", 2.0), ("b", 0.5))]
    (table,), unknown = transformed(answers, [{"id": "reduce", "options": {"reducers": ["lastNotNull", "max"]}}])
    assert [column.name for column in table.columns] == ["Field", "Last *", "Max"]
    assert (cells(table), unknown) == ([["a", 2.0, 2.0], ["b", 0.5, 1.0]], ())
    assert transformed(answers, [{"id": "reduce", "options": {}}])[0] == answers, "nothing chosen, nothing done"


def test_organize_hides_orders_and_renames() -> None:
    options = {
        "excludeByName": {"Time": True, "gpu": True},
        "indexByName": {"Value #A": 0, "node": 1},
        "renameByName": {"Value #A": "Held", "node": "Node"},
    }
    (first, _), _ = transformed(frames(), [{"id": "organize", "options": options}])
    assert [column.name for column in first.columns] == ["Held", "Node"]
    assert cells(first)[2] == [2.0, "n2"]


def test_joined_by_a_field_sorted_limited_and_filtered() -> None:
    steps = [
        {"id": "joinByField", "options": {"byField": "node"}},
        {"id": "filterFieldsByName", "options": {"include": {"names": ["node", "Value #A", "Value #B"]}}},
        {"id": "sortBy", "options": {"sort": [{"field": "Value #A", "desc": True}]}},
        {"id": "limit", "options": {"limitField": 2}},
        {"id": "renameByRegex", "options": {"regex": "Value #(.)", "renamePattern": "$1"}},
    ]
    (joined,), unknown = transformed(frames(), steps)
    assert [column.name for column in joined.columns] == ["node", "A", "B"]
    assert cells(joined) == [["n2", 2.0, None], ["n1", 1.0, 0.1]]
    assert unknown == ()


def test_an_unknown_step_is_passed_over_and_named() -> None:
    found, unknown = transformed(frames(), [{"id": "partitionByValues"}, {"id": "sortBy", "disabled": True}])
    assert found == frames()
    assert unknown == ("partitionByValues",)


def test_texts_are_sorted_by_the_numbers_in_them_and_what_is_missing_comes_last() -> None:
    frame = Frame((Column("n"),), tuple({"n": name} for name in ("gpu 10", "gpu 9", None, "gpu 1")))
    assert [row["n"] for row in sorted_by(frame, "n", False).rows] == ["gpu 1", "gpu 9", "gpu 10", None]
    assert [row["n"] for row in sorted_by(frame, "n", True).rows] == ["gpu 10", "gpu 9", "gpu 1", None]
