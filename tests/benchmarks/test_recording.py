"""The benchmark of recorded series: what it counts does not depend on the machine, and is asserted; times are not."""

from __future__ import annotations

import pytest

from benchmarks.recording import FEWER, main


@pytest.mark.live
def test_a_small_fleet_reads_far_fewer_samples(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--nodes", "3", "--minutes", "10"])
    raw, recorded, times, *groups, _ = capsys.readouterr().out.splitlines()
    counts = [int(line.split(", ")[-1].removesuffix(" samples").replace(",", "")) for line in (raw, recorded)]
    assert counts[0] >= FEWER * counts[1] > 0
    assert times.endswith("(kept)")
    assert len(groups) == 24 and all("rules" in line for line in groups)
