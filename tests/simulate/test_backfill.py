"""Histories: they are the live scrapes, the same bytes always, in files that promtool takes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import OutputError
from builder.simulate import Fleet, Target, history
from builder.simulate.backfill import END, scrapes
from builder.simulate.exposition.page import write
from builder.simulate.files import BLOCK, blocks, write_blocks, write_history
from builder.testing import Target as Scraped
from builder.testing import parse_exposition, scraped

FAULTS = ("node-down:node-1@20m+5m", "label-change:node-0@30m", "duplicate-vgpu:node-0/gpu-0", "lost:node-0/gpu-1@40m")


def _fleet(**more: object) -> Fleet:
    return Fleet(nodes=2, cards=2, job_hours=1, faults=FAULTS, **more)  # type: ignore[arg-type]


def _live(fleet: Fleet, t: float) -> Iterator[tuple[str, tuple[tuple[str, str], ...], float]]:
    """What a scrape of everything leaves, by the rules that builder.testing has for live targets."""
    for target in fleet.targets(t):
        page = fleet.page(target.path, t)
        if page is not None:
            for sample in scraped(Scraped(write(page), target.labels, target.honor_labels)):
                yield sample.name, tuple(sorted(sample.labels.items())), sample.value


@pytest.mark.parametrize("honor_labels", [False, True])
@pytest.mark.parametrize("minute", [10, 22, 35, 50])
def test_a_history_holds_what_live_scrapes_leave(minute: int, honor_labels: bool) -> None:
    fleet = _fleet(honor_labels=honor_labels)
    t = fleet.start + 60 * minute
    text = history(fleet, begin=t - 60, end=t)
    assert text.endswith(END)
    held = [line for line in text.splitlines() if line.endswith(f" {t:.0f}")]
    samples = parse_exposition("\n".join(line.rpartition(" ")[0] for line in held))
    kept = {(s.name, tuple(sorted(s.labels.items())), s.value) for s in samples if s.name != "scrape_samples_scraped"}
    silent = {(name, labels, value) for name, labels, value in kept if name == "up" and not value}
    assert kept - silent == set(_live(fleet, t))
    assert len(silent) == sum(fleet.page(target.path, t) is None for target in fleet.targets(t))
    assert len(samples) == len(held) == len({line.rpartition("}")[0] for line in held})  # each series once


def test_workload_labels_collide_with_those_of_the_exporter_pod() -> None:
    fleet = _fleet()
    text = history(fleet, begin=fleet.start, end=fleet.start)
    line = next(line for line in text.splitlines() if line.startswith("DCGM_FI_DEV_POWER_USAGE{") and "trainer" in line)
    assert 'exported_pod="' in line
    assert ',pod="dcgm-exporter-' in line


def test_the_same_options_give_the_same_bytes_in_another_process() -> None:
    program = (
        "from builder.simulate import Fleet, history; import hashlib;"
        f"f = Fleet(nodes=2, cards=2, job_hours=1, faults={FAULTS!r});"
        "print(hashlib.sha256(history(f, begin=f.start + 3600, end=f.start + 3900).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_a_value_does_not_depend_on_what_was_asked_before() -> None:
    asked, fresh = _fleet(), _fleet()
    for t in range(0, 7200, 600):
        asked.exposition("node-1", asked.start + t)
    for t in (6000, 90, 3000):
        for path in ("gpu", "host", "train-0"):
            moment = fresh.start + t
            assert asked.exposition("node-0", moment, path) == fresh.exposition("node-0", moment, path)


def test_another_seed_is_another_fleet() -> None:
    one, other = (Fleet(seed=seed).exposition("node-0", Fleet().start) for seed in (0, 1))
    assert one != other
    assert [line.partition("{")[0] for line in one.splitlines()] == [
        line.partition("{")[0] for line in other.splitlines()
    ]


@given(begin=st.integers(0, 10**6), count=st.integers(0, 2000), interval=st.sampled_from([1, 7, 30, 60, 900]))
def test_blocks_hold_each_scrape_once_and_do_not_cross_a_boundary(begin: int, count: int, interval: int) -> None:
    found = list(blocks(begin, begin + count * interval, interval))
    times = [t for first, last in found for t in range(int(first), int(last) + 1, interval)]
    assert times == [begin + n * interval for n in range(count + 1)]
    assert all(first // BLOCK == last // BLOCK for first, last in found)


def test_files_hold_the_scrapes_of_their_block(tmp_path: Path) -> None:
    fleet = Fleet(nodes=1, cards=1, training="none", host=False)
    begin, end = fleet.start + 3600, fleet.start + 3 * 3600
    heard: list[Path] = []
    files = write_history(fleet, tmp_path / "a/b", begin=begin, end=end, interval=600, done=heard.append)
    assert [file.name for file in files] == ["20260101T010000Z.om", "20260101T020000Z.om"]
    assert heard == files == sorted((tmp_path / "a/b").iterdir())
    held = "".join(file.read_text().removesuffix(END) for file in files)
    assert held == "".join(scrapes(fleet, begin, end, 600))


def test_a_history_is_not_mixed_with_another(tmp_path: Path) -> None:
    fleet = Fleet(nodes=1, cards=1, training="none", host=False)
    (tmp_path / "20250101T000000Z.om").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="a history already"):
        write_history(fleet, tmp_path, begin=fleet.start, end=fleet.start)
    write_history(fleet, tmp_path, begin=fleet.start, end=fleet.start, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["20260101T000000Z.om", "notes.txt"]


def test_a_write_that_fails_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet(nodes=1, cards=1, training="none", host=False)

    def full(*_: object) -> Iterator[str]:
        yield "up 1 1\n"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builder.simulate.files.scrapes", full)
    with pytest.raises(OutputError, match="No space left"):
        write_history(fleet, tmp_path, begin=fleet.start, end=fleet.start)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.live
def test_blocks_are_made_in_a_data_directory(tmp_path: Path) -> None:
    fleet = Fleet(nodes=1, cards=1, training="none", host=False)
    count = write_blocks(fleet, tmp_path, begin=fleet.start, end=fleet.start + 3 * 3600, interval=300)
    assert count == 2
    assert all((path / "meta.json").exists() for path in tmp_path.iterdir())


def test_targets_have_instances_of_their_own() -> None:
    for more in ({}, {"kubernetes": False}, {"profile": "nvidia-smi"}, {"training": "tf-snippet"}):
        fleet = Fleet(nodes=300, cards=4, **more)  # type: ignore[arg-type]
        targets: list[Target] = list(fleet.targets(fleet.start + 60))
        assert len({(t.labels["job"], t.labels["instance"]) for t in targets}) == len(targets)
