"""Folders that cannot be as the configuration wants them: said before or without touching a board."""

from __future__ import annotations

import pytest

from builder.config import Place
from builder.errors import ServerError
from builder.targets.grafana.push import push
from builder.testing import FakeGrafana
from tests.targets.grafana.pushing import at, options, some

BOARDS = some("one")


def refused(grafana: FakeGrafana, *folders: Place, token: str = "") -> ServerError:
    with pytest.raises(ServerError) as caught:
        push(BOARDS, at(grafana, token, folders=folders), options())
    assert not grafana.boards
    return caught.value


def test_a_parent_that_should_be_there(grafana: FakeGrafana) -> None:
    error = refused(grafana, Place("company"), Place("gpu", "GPU"))
    assert "there is no folder 'company'" in error.what and "title" in error.fix and not grafana.writes


def test_folders_that_do_not_nest() -> None:
    with FakeGrafana(version="10.4.0") as grafana:
        error = refused(grafana, Place("team", "Team"), Place("gpu", "GPU"))
        assert "is not in team" in error.what and "nestedFolders" in error.fix


def test_a_path_that_is_too_deep(grafana: FakeGrafana) -> None:
    for parent, child in [("", "a"), ("a", "b"), ("b", "c"), ("c", "d")]:
        grafana.add_folder(child, child.upper(), parent)
    error = refused(grafana, Place("d"), Place("gpu", "GPU"))
    assert "shorter path" in error.fix


def test_a_title_that_another_folder_has() -> None:
    with FakeGrafana(version="11.2.0") as grafana:
        grafana.add_folder("theirs", "GPU")
        error = refused(grafana, Place("gpu", "GPU"))
        assert "Use its uid, or another title" in error.fix and "gpu" not in grafana.folders


def test_a_right_that_is_missing_in_that_folder(grafana: FakeGrafana) -> None:
    grafana.add_folder("top", "Top")
    grafana.add_folder("mine", "Mine")
    token = grafana.add_token("Editor", folders=["mine"])
    error = refused(grafana, Place("top", "Top"), Place("gpu", "GPU"), token=token)
    assert "create folder 'GPU' (gpu) in top" in error.what and "right to create folders" in error.fix


def test_no_folder_is_made_for_boards_that_do_not_come(grafana: FakeGrafana) -> None:
    from tests.targets.grafana.pushing import board

    grafana.add_board(board("one", "Theirs"))
    assert push(BOARDS, at(grafana), options()).exit_code == 1 and not grafana.folders
