"""A bar for who looks on, nothing for a pipe."""

from __future__ import annotations

import io

import pytest

from builder.cli.progress import progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar_that_ends_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    show = progress()
    for done in (1, 2):
        show("queries", done, 2)
    first, last = terminal.getvalue().split("\r\x1b[K")[1:]
    assert first == f"queries [{'#' * 12}{' ' * 12}] 1/2" and last == f"queries [{'#' * 24}] 2/2\n"


def test_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    progress()("queries", 1, 2)
    assert pipe.getvalue() == ""


def test_a_test_of_rules_shows_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from builder.cli import run

    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert run(["rules", "test", "HostClockOff", "GpuRowRemapFailed"]) == 0
    assert capsys.readouterr().out == "dcgm: 2 of 2 rules passed\n"
    assert terminal.getvalue().split("\r\x1b[K")[1:] == [
        f"alerts [{'#' * 12}{' ' * 12}] 1/2",
        f"alerts [{'#' * 24}] 2/2\n",
    ]
