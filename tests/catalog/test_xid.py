"""The table of XIDs: complete, without contradictions, and in words that fit a cell."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from builder.catalog import xid
from builder.catalog.xid import XIDS, Severity, Xid, codes

# NVIDIA's catalogue of immediate actions: RESTART_BM, RESET_GPU, the workflows of XID 48, 74 and NVLink 5, and
# CHECK_MECHANICALS put a card or its node out of service.
CRITICAL = {
    79,
    *(46, 62, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158),
    *(48, 74, *range(144, 151)),
    54,
}
# RESTART_APP, and 94, a contained memory error, which ends a job and leaves the card.
WARNING = {
    *(8, 11, 13, 25, 31, 32, 39, 40, 41, 60, *range(68, 73), 75, 76, 77, 80, *range(82, 87), 88, 94),
    *(*range(96, 106), *range(126, 136), 139),
}
# IGNORE, and what goes with another XID: 45 and 154.
INFO = {
    *(14, 37, 38, 43, 44, 45, 63, 66, 67, 92, 93, 106, 107, 108, 121, 137, 141, 152, 153, 154, 157, 160, 161),
}


@pytest.mark.parametrize(
    ("severity", "expected"), [(Severity.CRITICAL, CRITICAL), (Severity.WARNING, WARNING), (Severity.INFO, INFO)]
)
def test_severities_follow_the_immediate_actions(severity: Severity, expected: set[int]) -> None:
    assert codes(severity) == tuple(sorted(expected))


def test_the_table_is_all_of_them() -> None:
    assert set(XIDS) == CRITICAL | WARNING | INFO
    assert all(code == one.code for code, one in XIDS.items())


def test_no_code_is_written_twice() -> None:
    """A later entry would win without a word: between the tables, and within one."""
    written = Counter(code for table in _tables() for code in table)
    assert [code for code, times in written.items() if times > 1] == []
    assert set(written) == set(XIDS)


@pytest.mark.parametrize("one", XIDS.values(), ids=str)
def test_every_code_says_what_it_means_and_what_to_do(one: Xid) -> None:
    assert one.meaning[:1].isupper()
    assert one.meaning[-1].isalnum()
    assert len(one.meaning) <= 60, "a cell shows no more"
    assert one.action[:1].islower()
    assert one.action[-1].isalnum()


def test_what_is_critical_asks_for_somebody() -> None:
    assert [one for one in XIDS.values() if one.severity is Severity.CRITICAL and "nothing" in one.action] == []


def _tables() -> list[list[int]]:
    """The codes of each table as they are written in the source."""
    tree = ast.parse(Path(xid.__file__).read_text(encoding="utf-8"))
    dicts = [node.value for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)]
    assert len(dicts) == len(Severity)
    return [[code for key, value in zip(d.keys, d.values, strict=True) for code in _codes(key, value)] for d in dicts]


def _codes(key: ast.expr | None, value: ast.expr) -> list[int]:
    if key is not None:
        return [ast.literal_eval(key)]
    assert isinstance(value, ast.Call), "** of anything but dict.fromkeys()"
    listed = compile(ast.Expression(value.args[0]), xid.__file__, "eval")
    return list(eval(listed, {"range": range}))  # the code of this repository
