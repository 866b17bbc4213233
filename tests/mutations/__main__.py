"""Run every mutation, say which known answers caught it, and exit 1 where fewer than 95 % were caught."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue

import click

from tests.mutations.catalogue import MUTATIONS
from tests.mutations.model import Mutation
from tests.mutations.run import STEPS, Bench, Outcome, steps_of
from tests.mutations.servers import running

LEAST = 0.95


@click.command(help=__doc__)
@click.option("--only", multiple=True, help="Only mutations whose place or texts contain this, or one of these.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many at the same time.")
def main(only: tuple[str, ...], jobs: int) -> None:
    chosen = [mutation for mutation in MUTATIONS if not only or any(text in str(mutation) for text in only)]
    if not chosen:
        raise click.UsageError(f"no mutation contains {' or '.join(only)}; there are {len(MUTATIONS)}")
    outcomes = []
    for outcome in _outcomes(chosen, jobs):
        outcomes.append(outcome)
        verdict = f"caught by {outcome.caught_by}" if outcome.caught_by else "SURVIVED"
        click.echo(f"[{len(outcomes)}/{len(chosen)}] {verdict:<26} {outcome.seconds:4.0f} s  {outcome.mutation}")
    caught = sum(bool(outcome.caught_by) for outcome in outcomes)
    click.echo(f"\n{caught} of {len(outcomes)} caught ({caught / len(outcomes):.1%})")
    for step, count in Counter(outcome.caught_by or "nothing" for outcome in outcomes).most_common():
        click.echo(f"  {count:4} by {step}")
    raise SystemExit(0 if caught >= LEAST * len(outcomes) else 1)


def _outcomes(chosen: Sequence[Mutation], jobs: int) -> Iterator[Outcome]:
    """What came of each, as it comes."""
    with tempfile.TemporaryDirectory() as directory, running(jobs) as servers, ThreadPoolExecutor(jobs) as pool:
        root = Path(directory)
        benches: SimpleQueue[Bench] = SimpleQueue()
        for number in range(jobs):
            benches.put(Bench.set_up(root / str(number), servers, root / "answers"))
        click.echo("the tests without any mutation, once", err=True)
        _without_mutation(benches, {name for mutation in chosen for name in steps_of(mutation)})
        click.echo(f"{len(chosen)} mutations", err=True)

        def run(mutation: Mutation) -> Outcome:
            bench = benches.get()
            try:
                return bench.try_out(mutation, steps_of(mutation))
            finally:
                benches.put(bench)

        waiting = [pool.submit(run, mutation) for mutation in chosen]
        try:
            yield from (done.result() for done in as_completed(waiting))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _without_mutation(benches: SimpleQueue[Bench], steps: Set[str]) -> None:
    """All must pass; what the servers answered is known from then on."""
    bench = benches.get()
    for step in (name for name in STEPS if name in steps):
        failed = bench.first_failure(STEPS[step], learn=True)
        if failed:
            raise click.ClickException(f"{failed} fails without any mutation")
    benches.put(bench)


if __name__ == "__main__":
    main()
