"""Revisions and their files, read without a trace."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from builder.errors import UsageError
from builder.targets.git import commit, is_dirty, is_revision, merge_base


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files in ``sub``, committed; the tests stand in ``sub``."""
    (tmp_path / "sub" / "json").mkdir(parents=True)
    (tmp_path / "sub" / "json" / "a b.json").write_text('{"a": "ä"}', encoding="utf-8")
    (tmp_path / "sub" / "other.txt").write_bytes(b"\x00\n\xff")
    run(tmp_path, "init", "--quiet", "--initial-branch=main")
    run(tmp_path, "add", ".")
    run(tmp_path, "commit", "--quiet", "--message=one")
    monkeypatch.chdir(tmp_path / "sub")
    return tmp_path


def run(directory: Path, *arguments: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *arguments], cwd=directory, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("hook", [False, True])
def test_a_clean_tree_leaves_no_trace(repository: Path, monkeypatch: pytest.MonkeyPatch, hook: bool) -> None:
    if hook:  # as Git sets it for a hook in a worktree
        monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(repository / "no-index"))
    (repository / "sub" / "other.txt").write_text("edited", encoding="utf-8")
    found = commit("main")
    assert (found.top, found.prefix, len(found.id)) == (repository, "sub/", 40)
    with found.checked_out() as tree:
        assert (tree / "sub" / "other.txt").read_bytes() == b"\x00\n\xff"
        kept = tree
    assert not kept.parent.exists()
    monkeypatch.undo()
    assert run(repository, "status", "--porcelain") == " M sub/other.txt\n"
    assert run(repository, "worktree", "list").count("\n") == 1


def test_files_as_they_were_committed(repository: Path) -> None:
    found = commit("main")
    (repository / "sub" / "json" / "a b.json").unlink()
    assert found.files("json") == {"a b.json": '{"a": "ä"}'.encode()}
    assert found.files(".") == found.files("../sub") == {"json/a b.json": '{"a": "ä"}'.encode()}
    assert found.files("other.txt") == {"other.txt": b"\x00\n\xff"}
    with pytest.raises(UsageError, match="there is no nowhere at main"):
        found.files("nowhere")
    with pytest.raises(UsageError, match="outside of the repository"):
        found.files("../..")


def test_what_changed(repository: Path) -> None:
    found = commit("main")
    assert found.changed() == [] and not is_dirty(repository)
    (repository / "sub" / "json" / "a b.json").unlink()
    (repository / "new\nline").write_text("", encoding="utf-8")
    assert found.changed() == ["new\nline", "sub/json/a b.json"] and is_dirty(repository)


def test_a_submodule_is_one_path_and_a_repository_beside_is_none(repository: Path) -> None:
    for name in ("module", "beside"):
        (repository / name).mkdir()
        run(repository / name, "init", "--quiet")
        run(repository / name, "commit", "--quiet", "--allow-empty", "--message=one")
    run(repository, "-c", "advice.addEmbeddedRepo=false", "add", "module")
    run(repository, "commit", "--quiet", "--message=module")
    run(repository / "module", "commit", "--quiet", "--allow-empty", "--message=two")
    assert commit("main").changed() == ["module"]


def test_modules_that_mention_a_word(repository: Path) -> None:
    (repository / ".gitignore").write_text("ignored.py", encoding="utf-8")
    for name in ("sub/new ä.py", "ignored.py", "words.txt"):
        (repository / name).write_text("import colours", encoding="utf-8")
    (repository / "other.py").write_text("import colours_of_ours", encoding="utf-8")
    assert commit("main").mentioning(["nothing", "colours"]) == ["sub/new ä.py"]
    assert commit("main").mentioning(["nothing"]) == []


def test_the_merge_base(repository: Path) -> None:
    one = commit("HEAD")
    run(repository, "switch", "--quiet", "--create", "other")
    run(repository, "commit", "--quiet", "--allow-empty", "--message=theirs")
    run(repository, "switch", "--quiet", "main")
    assert merge_base(commit("other")).id == one.id
    run(repository, "switch", "--quiet", "--orphan", "apart")
    run(repository, "commit", "--quiet", "--allow-empty", "--message=apart")
    (repository / "sub").mkdir(exist_ok=True)
    assert merge_base(commit("other", repository)).id == commit("other", repository).id


@pytest.mark.parametrize("name", ["nowhere", "--all", "", "main..main", "-1"])
def test_what_is_no_revision(repository: Path, name: str) -> None:
    assert not is_revision(name)
    with pytest.raises(UsageError, match="there is no revision"):
        commit(name)


@pytest.mark.parametrize(
    ("prepare", "name", "words"),
    [
        ((), "origin/main", "no remote: name a branch of its own; there is main (git branch --all)"),
        ((), "mian", "there is main (git branch --all)"),
        (("remote", "add", "origin", "/nowhere"), "origin/main", "git fetch origin main:refs/remotes/origin/main"),
    ],
)
def test_a_revision_that_is_missing_is_told_by_what_is_there(
    repository: Path, prepare: tuple[str, ...], name: str, words: str
) -> None:
    if prepare:
        run(repository, *prepare)
    with pytest.raises(UsageError) as caught:
        commit(name)
    assert words in caught.value.fix


def test_a_shallow_clone_is_told(repository: Path, tmp_path: Path) -> None:
    run(repository, "commit", "--quiet", "--allow-empty", "--message=two")
    run(repository, "clone", "--quiet", "--depth=1", f"file://{repository}", str(tmp_path / "clone"))
    with pytest.raises(UsageError) as caught:
        commit("HEAD~1", tmp_path / "clone")
    assert "this clone is shallow" in caught.value.fix


def test_links_lead_to_what_was_committed(repository: Path) -> None:
    folder = repository / "sub" / "json"
    for name, target in (("b.json", "a b.json"), ("up.json", "../other.txt"), ("out.json", "/etc/hostname")):
        (folder / name).symlink_to(target)
    (folder / "loop.json").symlink_to("loop.json")
    run(repository, "add", ".")
    run(repository, "commit", "--quiet", "--message=links")
    (folder / "a b.json").write_text("changed since", encoding="utf-8")
    found = commit("main").files("json")
    assert found["b.json"] == found["a b.json"] == '{"a": "ä"}'.encode()
    assert found["up.json"] == b"\x00\n\xff"
    assert (found["out.json"], found["loop.json"]) == (b"/etc/hostname", b"loop.json"), "nothing beside the commit"
