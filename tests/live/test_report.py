"""Reports of what a server said: sums that add up, and text of others that stays text."""

from __future__ import annotations

import json

from builder.lint import Severity
from builder.live.outcome import BoardOutcome, Lack, LiveReport, PanelOutcome, QueryOutcome, Verdict
from builder.live.report import json as as_json
from builder.live.report import markdown, text
from builder.live.report.figures import count, duration, size

ODD = "a|b `c` <b>\x1b[31m\n\u202e"


def panel(verdict: Verdict, *queries: QueryOutcome, title: str = "p", **more: str) -> PanelOutcome:
    return PanelOutcome(1, title, "stat", "", {}, verdict, more.get("why", ""), "", queries)


def report(*panels: PanelOutcome, **more: object) -> LiveReport:
    board = BoardOutcome("uid", "Board", (), panels)
    return LiveReport("http://x", "2.42", 1_767_231_000.0, (board,), **more)  # type: ignore[arg-type]


def query(**more: object) -> QueryOutcome:
    return QueryOutcome("A", "up", True, **more)  # type: ignore[arg-type]


def test_a_panel_is_the_sum_of_its_queries_and_as_slow_as_the_slowest() -> None:
    found = panel(
        Verdict.OK,
        query(series=2, samples=10, size=100, seconds=0.5),
        query(series=3, samples=None, size=50, seconds=1.5),
    )
    assert (found.series, found.samples, found.size, found.seconds) == (5, 10, 150, 1.5)
    assert panel(Verdict.OK, query()).samples is None
    assert text.render(report(panel(Verdict.OK, query())), Severity.INFO).splitlines()[2].split()[2:4] == ["0", "-"]


def test_a_row_fits_into_80_columns_and_stands_below_what_it_counts() -> None:
    most = query(series=12_345_678, samples=987_654_321_012, seconds=9_999.9)
    for title in ("short", "t" * 300):
        _, heading, row, *_ = text.render(report(panel(Verdict.NOT_ASKED, title=title)), Severity.INFO).splitlines()
        assert len(row) <= 80
        _, heading, row, *_ = text.render(report(panel(Verdict.OK, most, title=title)), Severity.INFO).splitlines()
        assert len(row) == len(heading) <= 80
        assert row.split()[2:] == ["12.3M", "988G", "9999.9", "s"]
        ends = [heading.index(word) + len(word) for word in ("series", "samples", "time")]
        assert ends == [row.index(word) + len(word) for word in ("12.3M", "988G", "9999.9 s")]


def test_the_worst_decides() -> None:
    assert report(panel(Verdict.QUIET), panel(Verdict.NOT_ASKED)).severity is Severity.INFO
    for verdict in (Verdict.SLOW, Verdict.EMPTY, Verdict.MISSING):
        assert report(panel(Verdict.OK), panel(verdict)).severity is Severity.WARNING
    assert report(panel(Verdict.MISSING), panel(Verdict.ERROR)).severity is Severity.BUG


def test_what_is_well_can_be_left_out() -> None:
    found = report(panel(Verdict.OK, query(), title="fine"), panel(Verdict.EMPTY, query(), title="bare"))
    for module in (text, as_json, markdown):
        shown = module.render(found, Severity.WARNING)
        assert "bare" in shown and "fine" not in shown
    only_well = report(panel(Verdict.OK, query()))
    assert "Board" not in text.render(only_well, Severity.WARNING)
    assert "1 ok in 1 board" in text.render(only_well, Severity.WARNING)


def test_text_of_others_stays_text() -> None:
    lack = Lack(ODD, (ODD,), ODD, (ODD,))
    found = report(
        panel(Verdict.ERROR, query(error=ODD, warnings=(ODD,)), title=ODD, why=ODD), lacks=(lack,), notes=(ODD,)
    )
    shown = text.render(found, Severity.INFO)
    assert "\x1b" not in shown and "\u202e" not in shown  # nor is anything turned around
    table = [line for line in markdown.render(found, Severity.INFO).splitlines() if line.startswith("| a")]
    assert len(table) == 2 and all("\x1b" not in line and "<b>" not in line.replace("\\<b>", "") for line in table)
    assert [line.replace("\\|", "").count("|") for line in table] == [8, 4]
    assert json.loads(as_json.render(found, Severity.INFO))["boards"][0]["panels"][0]["title"] == ODD


def test_numbers_are_short() -> None:
    assert [count(n) for n in (None, 0, 9999, 10_000, 1_234_567, 25_000_000_000)] == [
        "-",
        "0",
        "9999",
        "10k",
        "1.23M",
        "25G",
    ]
    assert [size(n) for n in (12, 1_500, 2_000_000)] == ["12 B", "1.5 kB", "2 MB"]
    assert [duration(s) for s in (0.0004, 0.25, 12.34)] == ["0 ms", "250 ms", "12.3 s"]
