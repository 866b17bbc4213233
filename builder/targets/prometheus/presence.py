"""Which of some metrics a Prometheus has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from builder.targets.http.parallel import Progress, each
from builder.targets.prometheus.client import Client

_AT_ONCE = 80  # names that a URL holds safely
_NAME = re.compile(r"[A-Za-z_:][A-Za-z0-9_:]*")


def present(
    client: Client, names: Iterable[str], *, start: float, end: float, progress: Progress, doing: str
) -> frozenset[str]:
    """The names of which there was a series between start and end (Unix time). Raises ServerError."""

    def ask(part: tuple[str, ...]) -> tuple[str, ...]:
        return client.label_values("__name__", f'{{__name__=~"{"|".join(part)}"}}', start=start, end=end)

    found: set[str] = set()
    for _, answer in each(ask, list(_parts(names)), client, progress, doing):
        if isinstance(answer, Exception):
            raise answer
        found.update(answer)
    return frozenset(found)


def _parts(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    written = sorted(name for name in set(names) if _NAME.fullmatch(name))
    for begin in range(0, len(written), _AT_ONCE):
        yield tuple(written[begin : begin + _AT_ONCE])
