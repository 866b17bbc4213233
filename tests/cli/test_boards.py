"""Boards as the commands describe them: one at a time, whatever their number."""

from __future__ import annotations

from collections.abc import Iterator

from builder import Board, Query, Stat, Text, queries
from builder.cli.boards import describe
from builder.config import Config
from builder.load import Definition


def test_boards_are_described_one_at_a_time() -> None:
    read: list[int] = []

    def definitions() -> Iterator[Definition]:
        for number in range(1000):
            read.append(number)
            panels = [Text("T", content="x"), Stat("P", [Query(queries.traffic.pcie_receive)])]
            yield Definition(Board(f"b-{number}", f"B {number}", panels), "boards/a.py", number)

    described = describe(definitions(), Config(), ["dcgm", "nvidia-gpu"])
    first = next(described)
    assert (first.uid, first.where, len(first.panels), read) == ("b-0", "boards/a.py:0", 2, [0])
    assert (first.gone("dcgm"), first.gone("nvidia-gpu"), first.defined) == (0, 1, 2)
    next(described)
    assert read == [0, 1]


def test_a_profile_that_can_fill_nothing_of_a_board_is_told_like_any_other() -> None:
    board = Board("b", "B", [Stat("P", [Query(queries.traffic.pcie_receive)])])
    (described,) = describe([Definition(board, "boards/a.py", 1)], Config(), ["dcgm", "nvidia-gpu"])
    assert described.gone("nvidia-gpu") == described.defined == 1
