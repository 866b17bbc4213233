"""The build: same input, same bytes; what two boards cannot share; notes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from grafanalib import core

from builder import Board, Query, Stat, Text, TimeSeries, queries, thresholds
from builder.build import BOARDS, build, build_boards, context_of, left_out
from builder.catalog.profiles import GPU_PROFILES
from builder.config import Config, Folder, parse
from builder.errors import ConfigError, DefinitionError, QueryError, UnknownName
from builder.grafana.context import Note
from builder.load import Definition, load
from builder.queries.question import question

ROOT = Path(__file__).parent.parent
STANDARD = load(ROOT / "dashboards")


def board(uid: str = "own", title: str = "Own", *panels: Any) -> Board:
    return Board(uid, title, panels or [Text("Note", content="text")])


def defined(*boards: Any) -> list[Definition]:
    return [Definition(b, "boards.py", line) for line, b in enumerate(boards, start=1)]


def files(config: Config = Config()) -> dict[str, bytes]:  # noqa: B008 (a Config is a constant)
    return {artifact.path: artifact.content for artifact in build(STANDARD, config)}


# the same bytes -----------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes() -> None:
    assert files() == files()


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_the_bytes_do_not_hang_on_the_hash_seed(seed: str) -> None:
    code = (
        "import hashlib, pathlib\n"
        "from builder.build import build\nfrom builder.config import Config\nfrom builder.load import load\n"
        "made = build(load(pathlib.Path('dashboards')), Config(profile='nvidia-smi'))\n"
        "print(sorted((a.path, hashlib.sha256(a.content).hexdigest()) for a in made))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    here = [(p, hashlib.sha256(c).hexdigest()) for p, c in files(Config(profile="nvidia-smi")).items()]
    assert made.stdout.strip() == str(sorted(here))


def test_building_changes_no_declaration() -> None:
    before = repr([definition.board for definition in STANDARD])
    files(Config(profile="nv-gpu"))
    assert repr([definition.board for definition in STANDARD]) == before


# the files ------------------------------------------------------------------------------------------


def test_every_board_is_a_file_by_its_uid() -> None:
    uids = {b.board.uid for b in STANDARD}  # type: ignore[attr-defined]
    made = files()
    assert {f"{BOARDS}/{uid}.json" for uid in uids} < set(made)
    for uid in uids:
        content = made[f"{BOARDS}/{uid}.json"]
        data = json.loads(content)
        assert data["uid"] == uid
        assert "id" not in data and "version" not in data
        assert content.endswith(b"}\n")


@pytest.mark.parametrize("profile", GPU_PROFILES)
def test_every_profile_builds_every_board(profile: str) -> None:
    boards, notes = build_boards(STANDARD, Config(profile=profile))
    assert set(boards) == {b.board.uid for b in STANDARD}  # type: ignore[attr-defined]
    assert all(note.missing for note in notes)
    assert {note.board for note in notes} <= set(boards)
    for data in boards.values():
        assert _overlaps(data) == []
        identities = [p["id"] for panel in data["panels"] for p in (panel, *panel.get("panels", ()))]
        assert len(set(identities)) == len(identities)


def _overlaps(data: Any) -> list[tuple[str, str]]:
    cells: dict[tuple[int, int], str] = {}
    found = []
    for panel in data["panels"]:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if (x, y) in cells or x >= 24:
                    found.append((panel["title"], cells.get((x, y), "the edge")))
                cells[x, y] = panel["title"]
    return found


def test_the_default_profile_loses_nothing_by_default() -> None:
    _, notes = build_boards(STANDARD, Config())
    assert notes == []


def test_notes_say_what_is_missing_and_what_to_do() -> None:
    _, notes = build_boards(STANDARD, Config(profile="nvidia-gpu"))
    assert Note("gpu-detail", "$pod", True, ("the label pod",), variable=True) in notes
    assert Note("gpu-detail", "Headroom", True, ("temperature_margin",)) in notes
    assert all(len(set(note.missing)) == len(note.missing) for note in notes), "each signal is said once"


# what two boards cannot share -----------------------------------------------------------------------


def test_two_boards_with_one_uid() -> None:
    with pytest.raises(DefinitionError, match="two boards have the uid 'own'") as caught:
        build_boards(defined(board(), board(title="Other")), Config())
    assert caught.value.where == "boards.py:1 and boards.py:2"


def test_two_boards_whose_uids_some_file_systems_do_not_tell_apart() -> None:
    with pytest.raises(DefinitionError, match="two boards have the uid 'OWN'"):
        build_boards(defined(board(), board("OWN", "Other")), Config())


@pytest.mark.parametrize("title", ["Own", "OWN", "own"])
def test_two_boards_with_one_title(title: str) -> None:
    with pytest.raises(DefinitionError, match=f"the title '{title}' is taken in folder 'GPU'") as caught:
        build_boards(defined(board(), board("other", title)), Config())
    assert caught.value.where == "boards.py:1 and boards.py:2"


def test_a_board_called_like_its_folder() -> None:
    with pytest.raises(DefinitionError, match="the title 'gpu' is taken") as caught:
        build_boards(defined(board(title="gpu")), Config())
    assert caught.value.where == "folder.title in the configuration and boards.py:1"
    build_boards(defined(board(title="gpu")), Config(folder=Folder(title="Cards")))


# mistakes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("panel", "error", "message"),
    [
        (
            Stat("A", [Query("up")], thresholds=thresholds("green", ("memory_warnin", "red"))),
            UnknownName,
            "unknown threshold 'memory_warnin'",
        ),
        (TimeSeries("A", [Query("rate(up)")]), QueryError, "not a PromQL expression"),
        (TimeSeries("A", [Query("up")], width=25), DefinitionError, "25"),
        (TimeSeries("A", [Query('up{a="$b"}')]), UnknownName, "unknown variable 'b'"),
    ],
)
def test_a_mistake_is_reported_where_the_panel_or_else_the_board_is_made(
    panel: Any, error: type[Exception], message: str
) -> None:
    # The panels are made in this file: no line of theirs lies in another directory.
    for file, place in (("boards/b.py", r"boards/b\.py:2"), ("tests/b.py", r"tests/test_build\.py:\d+")):
        with pytest.raises(error, match=message) as caught:
            build_boards([Definition(board("own", "Own", panel), file, 2)], Config())
        assert re.match(f"{place}: board 'own'", caught.value.where)  # type: ignore[attr-defined]


def test_an_unknown_profile() -> None:
    with pytest.raises(UnknownName, match="unknown profile 'dgcm'") as caught:
        build_boards(STANDARD, Config(profile="dgcm"))
    assert "dcgm" in caught.value.fix


def test_impossible_thresholds_are_refused_before_a_build() -> None:
    with pytest.raises(ConfigError, match="temperature_warning"):
        Config(thresholds=type(Config().thresholds)(temperature_warning=90, temperature_critical=85))


def test_a_question_of_an_unknown_signal() -> None:
    wrong = queries.power.power.then("wrong", lambda _, source: source.level("pwoer"))
    with pytest.raises(UnknownName, match="unknown signal 'pwoer'") as caught:
        build_boards(defined(board("own", "Own", TimeSeries("A", [Query(wrong)]))), Config())
    assert caught.value.fix.startswith("did you mean power")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("labels:\n  node: none", "gpuboards.yaml:4: profiles.dcgm.labels.node", "unknown variable 'node'"),
        (
            "labels:\n  pod: p\n  node: {label: x, replacement: 'x-$1'}",
            "gpuboards.yaml:5: profiles.dcgm.labels.node",
            "a filter by node: x holds only a part of it",
        ),
        ("signals:\n  energy: {cap: 1}", "gpuboards.yaml:4: profiles.dcgm.signals.energy", "the level of a counter"),
    ],
)
def test_what_the_configuration_broke_is_told_at_its_line(text: str, place: str, message: str) -> None:
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    with pytest.raises(ConfigError, match=message) as caught:
        build_boards(STANDARD, parse(f"profiles:\n  dcgm:\n{indented}", "gpuboards.yaml"))
    assert caught.value.where == place
    assert "cannot be built with it" in caught.value.what


def test_what_the_board_got_wrong_is_not_blamed_on_the_configuration() -> None:
    config = parse("profiles: {dcgm: {labels: {node: host}}}", "gpuboards.yaml")
    with pytest.raises(UnknownName, match="unknown variable 'b'"):
        build_boards(defined(board("own", "Own", TimeSeries("A", [Query('up{a="$b"}')]))), config)


@pytest.mark.parametrize("answer", [None, "up", 5, [], queries.power.power])
def test_a_question_that_answers_no_expression(answer: Any) -> None:
    @question
    def mine(source: Any) -> Any:
        """Mine."""
        return answer

    with pytest.raises(DefinitionError, match=r"the question mine answers .*, which is no expression") as caught:
        build_boards(defined(board("own", "Own", TimeSeries("A", [Query(mine)]))), Config())
    assert 'TimeSeries "A"' in caught.value.where


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"a": float("nan")}, "nan in a dashboard"),
        ({"a": "\ud800"}, "half a character"),
        ({5: 1}, "a key that is not a string"),
        ({"a": object()}, "is not plain data"),
    ],
)
def test_what_cannot_be_written_is_told_with_board_and_panel(data: dict[Any, Any], what: str) -> None:
    class Foreign:
        title = "Mine"

        def to_json_data(self) -> dict[str, Any]:
            return {"type": "x", "title": self.title, "options": data}

    with pytest.raises(DefinitionError, match=what) as caught:
        list(build(defined(board("own", "Own", Foreign())), Config()))
    assert caught.value.where == "boards.py:1: board 'own': panel 'Mine'"


def test_what_contains_itself() -> None:
    looped: dict[str, Any] = {"type": "x", "title": "Mine"}
    looped["options"] = looped

    class Foreign:
        title = "Mine"

        def to_json_data(self) -> dict[str, Any]:
            return looped

    with pytest.raises(DefinitionError, match="contains itself") as caught:
        list(build(defined(board("own", "Own", Foreign())), Config()))
    assert caught.value.where.startswith("boards.py:1: board 'own'")


def test_what_a_panel_of_grafanalib_cannot_read() -> None:
    drawing = core.Svg(title="Drawing", dataSource=None, targets=[], svgFilePath="no such file.svg")
    with pytest.raises(DefinitionError, match=r"cannot be read: .*no such file\.svg") as caught:
        list(build(defined(core.Dashboard("Own", uid="own", panels=[drawing])), Config()))
    assert caught.value.where == "boards.py:1: board 'own'"


def test_messages_stay_short() -> None:
    for wrong in (TimeSeries("x" * 5000, [Query("sum(")]), TimeSeries("A", [Query(f"sum({'x' * 5000}")])):
        with pytest.raises(QueryError) as caught:
            build_boards(defined(board("own", "Own", wrong)), Config())
        assert len(str(caught.value)) < 800


def test_what_a_board_lacks_is_found_without_writing_it() -> None:
    for profile in ("nvidia-smi", "nv-gpu"):
        config = Config(profile=profile)
        _, notes = build_boards(STANDARD, config)
        context = context_of(config)
        assert [note for definition in STANDARD for note in left_out(definition, context)] == notes
    stock = core.Dashboard(title="Stock", uid="stock", panels=[core.Text(title="T", content="x")])
    assert left_out(defined(stock)[0], context_of(Config())) == ()


# other boards and settings ----------------------------------------------------------------------------


def test_a_stock_dashboard_is_built_too() -> None:
    stock = core.Dashboard(title="Stock", uid="stock", rows=[], panels=[core.Text(title="T", content="x")])
    boards, _ = build_boards(defined(stock), Config())
    assert boards["stock"]["schemaVersion"] >= 39
    with pytest.raises(DefinitionError, match="a board without uid"):
        build_boards(defined(core.Dashboard(title="Stock", rows=[])), Config())


def test_the_training_side_follows_from_the_cards() -> None:
    keys = {p: context_of(Config(profile=p)).source(()).framework_key for p in GPU_PROFILES}
    assert keys == {
        "dcgm": ("uuid",),
        "dcgm-4.9": ("uuid",),
        "nvidia-smi": ("uuid",),
        "nv-gpu": ("cluster", "node", "gpu"),
        "nvidia-gpu": ("cluster", "node", "gpu"),
    }
    assert context_of(Config(training="none")).source(()).framework_key == ()
    assert not context_of(Config(host="none")).source(()).has("cpu_io_wait")


def test_a_profile_asks_no_oftener_than_it_has_news() -> None:
    for profile, of in GPU_PROFILES.items():
        boards, _ = build_boards(STANDARD, Config(profile=profile))
        intervals = {
            target["interval"]
            for data in boards.values()
            for panel in data["panels"]
            for target in panel.get("targets", ())
            if "interval" in target
        }
        assert intervals == {f"{of.interval}s"}


def test_panels_are_listed_in_the_order_in_which_they_stand() -> None:
    """Grafana puts a panel under the row that is listed before it."""
    boards, _ = build_boards(STANDARD, Config())
    for data in boards.values():
        tops = [panel["gridPos"]["y"] for panel in data["panels"]]
        assert all(above <= below for above, below in pairwise(tops))
