"""A build written as files: whole or not at all, only where it differs, never over somebody else's file."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from builder.build import Artifact
from builder.errors import OutputError
from builder.targets.files import Differences, check, write
from builder.targets.manifest import NAME, Manifest, read


def artifacts(**files: str) -> list[Artifact]:
    """Artifacts by name, ``__`` standing for a slash and ``__dot__`` for a dot."""
    names = {name: name.replace("__dot__", ".").replace("__", "/") for name in files}
    return [Artifact(names[name], text.encode()) for name, text in files.items()]


def tree(directory: Path) -> dict[str, str]:
    """Every file below a directory and its text, the manifest aside."""
    files = (p for p in directory.rglob("*") if p.is_file() and p.name != NAME)
    return {p.relative_to(directory).as_posix(): p.read_text() for p in files}


def owned(directory: Path) -> list[str]:
    files = json.loads((directory / NAME).read_text())["files"]
    assert isinstance(files, list)
    return files


# writing -------------------------------------------------------------------------------------


def test_everything_is_written_and_listed(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "provisioning"
    report = write(artifacts(b="B", a__x="X"), out)
    assert tree(out) == {"b": "B", "a/x": "X"}
    assert report.written == ("a/x", "b") and not report.removed and not report.unchanged
    assert owned(out) == ["a/x", "b"]


def test_nothing_changed_means_nothing_touched(tmp_path: Path) -> None:
    write(artifacts(a="A", b__c="C"), tmp_path)
    before = {p: p.stat().st_mtime_ns for p in [tmp_path, *tmp_path.rglob("*")]}
    report = write(artifacts(a="A", b__c="C"), tmp_path)
    assert report.unchanged == ("a", "b/c") and not report.written
    assert {p: p.stat().st_mtime_ns for p in [tmp_path, *tmp_path.rglob("*")]} == before


def test_only_what_differs_is_touched(tmp_path: Path) -> None:
    write(artifacts(a="A", b="B"), tmp_path)
    before = (tmp_path / "a").stat()
    report = write(artifacts(a="A", b="C"), tmp_path)
    after = (tmp_path / "a").stat()
    assert (report.written, report.unchanged) == (("b",), ("a",))
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_an_earlier_build_wrote_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write(artifacts(old__a="A", old__deep__b="B", both__c="C", kept="K"), tmp_path)
    (tmp_path / "both" / "mine.txt").write_text("mine")
    report = write(artifacts(kept="K"), tmp_path)
    assert report.removed == ("both/c", "old/a", "old/deep/b")
    assert tree(tmp_path) == {"kept": "K", "both/mine.txt": "mine"}
    assert not (tmp_path / "old").exists()
    assert owned(tmp_path) == ["kept"]


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(OutputError, match="no earlier build wrote it") as caught:
        write(artifacts(a="A", b="B"), tmp_path)
    assert "--force" in caught.value.fix
    assert tree(tmp_path) == {"a": "mine"}
    assert not (tmp_path / NAME).exists()
    write(artifacts(a="A", b="B"), tmp_path, force=True)
    assert tree(tmp_path) == {"a": "A", "b": "B"}


def test_an_equal_file_is_taken_over_in_silence(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("A")
    assert write(artifacts(a="A"), tmp_path).unchanged == ("a",)
    assert owned(tmp_path) == ["a"]


def test_a_hand_edit_of_a_generated_file_is_undone(tmp_path: Path) -> None:
    write(artifacts(a="A"), tmp_path)
    (tmp_path / "a").write_text("edited")
    assert write(artifacts(a="A"), tmp_path).written == ("a",)
    assert tree(tmp_path) == {"a": "A"}


def test_a_symlinked_directory_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(artifacts(a="A"), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert tree(tmp_path / "real") == {"a": "A"}


def test_files_have_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write(artifacts(a="A"), tmp_path)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


# what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["../a", "/etc/a", "a/../../b", "", ".", "a//b", "./a", "a\\b", "a\0b", NAME])
def test_no_path_leaves_the_directory(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError):
        write([Artifact(path, b"x")], tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_two_files_of_one_path(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="two files"):
        write([Artifact("a", b"x"), Artifact("a", b"y")], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("force", [False, True])
def test_a_directory_link_that_leads_out(tmp_path: Path, force: bool) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "boards").symlink_to("../elsewhere")
    with pytest.raises(OutputError, match="leads out"):
        write(artifacts(a="A", boards__b="B"), tmp_path / "out", force=force)
    assert not list((tmp_path / "elsewhere").iterdir())
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["boards"]


def test_a_stale_path_through_a_link_is_not_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(artifacts(boards__b="B", a="A"), out)
    (out / "boards").rename(tmp_path / "elsewhere")
    (out / "boards").symlink_to(tmp_path / "elsewhere")
    assert write(artifacts(a="A"), out).removed == ()
    assert (tmp_path / "elsewhere" / "b").read_text() == "B"


@pytest.mark.parametrize("make", ["mkdir", "symlink"])
def test_a_target_that_is_no_plain_file(tmp_path: Path, make: str) -> None:
    (tmp_path / "other").write_text("A")
    if make == "mkdir":
        (tmp_path / "a").mkdir()
    else:
        (tmp_path / "a").symlink_to("other")
    with pytest.raises(OutputError, match="not a plain file"):
        write(artifacts(a="A", b="B"), tmp_path, force=True)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"files": 1}',
        '{"files": [1]}',
        '{"files": ["../../etc/passwd"]}',
        '{"files": [], "made_with": ["dcgm"]}',
        '{"files": [], "made_with": {"profile": 1}}',
        "\xff",
    ],
)
def test_a_damaged_manifest_stops_everything(tmp_path: Path, damage: str) -> None:
    write(artifacts(a="A"), tmp_path)
    (tmp_path / NAME).write_bytes(damage.encode("latin-1"))
    with pytest.raises(OutputError, match="not a list of files"):
        write(artifacts(b="B"), tmp_path)
    assert tree(tmp_path) == {"a": "A"}


def test_the_output_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError):
        write(artifacts(a="A"), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


# checking ------------------------------------------------------------------------------------


def test_check_names_what_differs_and_touches_nothing(tmp_path: Path) -> None:
    write(artifacts(a="A", b="B", c="C", d="D"), tmp_path)
    (tmp_path / "a").write_text("edited")
    (tmp_path / "b").unlink()
    before = tree(tmp_path)
    differences = check(artifacts(a="A", b="B", c="C"), tmp_path)
    assert differences == Differences(changed=(NAME, "a"), missing=("b",), stale=("d",))
    assert differences
    assert tree(tmp_path) == before


def test_check_of_what_was_just_written(tmp_path: Path) -> None:
    write(artifacts(a__b="B"), tmp_path)
    assert not check(artifacts(a__b="B"), tmp_path)


def test_check_without_any_build(tmp_path: Path) -> None:
    differences = check(artifacts(a="A"), tmp_path / "nowhere")
    assert differences.missing == (NAME, "a")
    assert not (tmp_path / "nowhere").exists()


def test_the_manifest_says_what_a_build_was_made_with(tmp_path: Path) -> None:
    made = {"profile": "dcgm", "dashboards": ["standard", "boards"]}
    write(artifacts(a="A"), tmp_path, made_with=made)
    assert read(tmp_path) == Manifest(frozenset({"a"}), made)
    before = (tmp_path / NAME).stat().st_mtime_ns
    write(artifacts(a="A"), tmp_path, made_with=dict(made))
    assert (tmp_path / NAME).stat().st_mtime_ns == before
    write(artifacts(a="A"), tmp_path, made_with={"profile": "nv-gpu"})
    assert read(tmp_path).made_with == {"profile": "nv-gpu"}
    assert not check(artifacts(a="A"), tmp_path), "the files are what counts"
    assert check(artifacts(a="A", b="B"), tmp_path).changed == (NAME,)


def test_a_manifest_of_before_settings_were_kept(tmp_path: Path) -> None:
    write(artifacts(a="A"), tmp_path)
    assert read(tmp_path) == Manifest(frozenset({"a"}), {})
    assert not check(artifacts(a="A"), tmp_path)


def test_unknown_boards_are_found_where_grafana_looks(tmp_path: Path) -> None:
    write(artifacts(boards__a__dot__json="A"), tmp_path)
    for stray in ("boards/b.json", "boards/deep/er/c.json", "boards/.git/d.json", "boards/e.yaml", "f.json"):
        (tmp_path / stray).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / stray).write_text("{}")
    found = check(artifacts(boards__a__dot__json="A"), tmp_path, boards="boards")
    assert found == Differences((), (), (), unknown=("boards/b.json", "boards/deep/er/c.json"))
    assert not check(artifacts(boards__a__dot__json="A"), tmp_path)


def test_somebody_elses_file_is_no_difference(tmp_path: Path) -> None:
    write(artifacts(a="A"), tmp_path)
    (tmp_path / "targets.yml").write_text("mine")
    assert not check(artifacts(a="A"), tmp_path)


# when it goes wrong in the middle ------------------------------------------------------------

_WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from builder.build import Artifact
    from builder.targets.files import write

    generation, out = 0, Path(sys.argv[1])
    while True:
        generation += 1
        body = f"{generation % 10}".encode() * 20_000
        extra = [Artifact(f"extra/{generation}", body)]
        write([Artifact(f"boards/{n}.json", body) for n in range(20)] + extra, out)
        print("x", flush=True)
    """
)


def start_writer(out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(out)], stdout=subprocess.PIPE)


def test_a_killed_writer_leaves_whole_files_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    interrupted = 0
    for attempt in range(12):
        with start_writer(out) as writer:
            assert writer.stdout and writer.stdout.readline()
            time.sleep(0.003 * attempt)
            writer.send_signal(signal.SIGKILL)
        generations = set()
        for file in out.rglob("*"):
            if file.is_file() and file.name != NAME and not file.name.endswith(".gpuboards-tmp"):
                content = file.read_bytes()
                assert content == content[:1] * 20_000
                generations.add(content[:1])
                assert file.relative_to(out).as_posix() in owned(out)
        interrupted += len(generations) > 1 or bool(list(out.rglob("*.gpuboards-tmp")))
    assert interrupted, "no kill hit a write; the test proves nothing"
    write(artifacts(a="A"), out)
    assert tree(out) == {"a": "A"}


def test_two_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    with start_writer(tmp_path) as first, start_writer(tmp_path) as second:
        for writer in (first, second):
            assert writer.stdout
            lines = [writer.stdout.readline() for _ in range(5)]
            assert lines == [b"x\n"] * 5
        first.kill()
        second.kill()
    write(artifacts(a="A"), tmp_path)
    assert tree(tmp_path) == {"a": "A"}


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """A limit on file size fails a write half-way, as a full disk does."""
    out = tmp_path / "out"
    write(artifacts(a="A", z="Z"), out)
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*")}
    script = (
        "import sys; from pathlib import Path; from builder.build import Artifact\n"
        "from builder.errors import OutputError; from builder.targets.files import write\n"
        "try: write([Artifact('a', b'new'), Artifact('new/big', b'x' * 100_000)], Path(sys.argv[1]))\n"
        "except OutputError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(out)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)),
    )
    assert "cannot be written: File too large" in done.stdout
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*")} == before
    assert tree(out) == {"a": "A", "z": "Z"}


def test_five_hundred_files_cost_little_more_than_writing_them(tmp_path: Path) -> None:
    boards = [Artifact(f"boards/{n}.json", os.urandom(50) * 400) for n in range(500)]
    (tmp_path / "plain").mkdir()
    started = time.perf_counter()
    for artifact in boards:
        (tmp_path / "plain" / Path(artifact.path).name).write_bytes(artifact.content)
    plain = time.perf_counter() - started
    started = time.perf_counter()
    write(boards, tmp_path / "out")
    # Temporary file, rename, and looking at what is there: some five times; a flush of each would be a hundred.
    assert time.perf_counter() - started < 20 * plain + 0.2


# a manifest that is none ----------------------------------------------------------------------


def test_a_manifest_that_one_would_wait_at_for_ever(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    for do in (lambda: write(artifacts(a="A"), tmp_path), lambda: check(artifacts(a="A"), tmp_path)):
        with pytest.raises(OutputError, match="is not a plain file"):
            do()


def test_a_manifest_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to("nowhere")
    with pytest.raises(OutputError, match="leads nowhere"):
        write(artifacts(a="A"), tmp_path)
    assert not (tmp_path / "a").exists()


def test_a_manifest_that_is_nested_too_deeply(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("[" * 100_000)
    with pytest.raises(OutputError, match="is not a list of files"):
        write(artifacts(a="A"), tmp_path)


def test_a_directory_whose_name_is_no_text_is_remembered(tmp_path: Path) -> None:
    made_with = {"dashboards": ["b\udcff"], "profile": "dcgm"}
    write(artifacts(a="A"), tmp_path, made_with=made_with)
    assert read(tmp_path).made_with == made_with
    assert not check(artifacts(a="A"), tmp_path)
