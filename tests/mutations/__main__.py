"""``python -m tests.mutations``: run every mutation, say which known answers caught it, and exit 1 below 95 %."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import click

from tests.mutations.catalogue import MUTATIONS
from tests.mutations.model import Mutation
from tests.mutations.run import STEPS, Outcome, copy_of_the_project, try_out
from tests.mutations.servers import running

LEAST = 0.95


@click.command(help=__doc__)
@click.option("--only", default="", help="Only mutations whose place or texts contain this.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many at the same time.")
def main(only: str, jobs: int) -> None:
    chosen = [mutation for mutation in MUTATIONS if only in str(mutation)]
    if not chosen:
        raise click.UsageError(f"no mutation contains {only!r}; there are {len(MUTATIONS)}")
    click.echo(f"{len(chosen)} mutations; starting the servers", err=True)
    outcomes = []
    for outcome in _outcomes(chosen, jobs):
        outcomes.append(outcome)
        verdict = f"caught by {outcome.caught_by}" if outcome.caught_by else "SURVIVED"
        click.echo(f"[{len(outcomes)}/{len(chosen)}] {verdict:<27} {outcome.seconds:5.1f} s  {outcome.mutation}")
    caught = sum(bool(outcome.caught_by) for outcome in outcomes)
    click.echo(f"\n{caught} of {len(outcomes)} caught ({caught / len(outcomes):.1%})")
    for step, count in Counter(outcome.caught_by or "nothing" for outcome in outcomes).most_common():
        click.echo(f"  {count:4} by {step}")
    raise SystemExit(0 if caught >= LEAST * len(outcomes) else 1)


def _outcomes(chosen: Sequence[Mutation], jobs: int) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory() as directory, running(jobs) as servers, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(copy_of_the_project(Path(directory) / str(number)))

        def run(mutation: Mutation) -> Outcome:
            copy = copies.get()
            try:
                return try_out(mutation, copy, servers, STEPS)
            finally:
                copies.put(copy)

        yield from pool.map(run, chosen)


if __name__ == "__main__":
    main()
