"""Dashboards compared by what they mean. Pure.

``compare`` is for people: what differs to a reader. ``content_hash`` and ``differences`` are for machines that have to
know whether a stored dashboard is the one that was sent.
"""

from builder.diff.canonical import comparable, content_hash, stripped
from builder.diff.compare import compare
from builder.diff.model import ABSENT, BoardDiff, Change, Kind, Part, Status
from builder.diff.words import differences

__all__ = [
    "ABSENT",
    "BoardDiff",
    "Change",
    "Kind",
    "Part",
    "Status",
    "comparable",
    "compare",
    "content_hash",
    "differences",
    "stripped",
]
