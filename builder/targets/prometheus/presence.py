"""Which of some metrics a Prometheus has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from builder.targets.http.parallel import Progress, each
from builder.targets.prometheus.client import Client
from builder.targets.prometheus.refusals import QueryRefused

_AT_ONCE = 80  # names that a URL holds safely
_NAME = re.compile(r"[A-Za-z_:][A-Za-z0-9_:]*")

_Part = tuple[str, tuple[str, ...]]


def present(
    client: Client, names: Iterable[str], patterns: Iterable[str], *, start: float, end: float, progress: Progress
) -> frozenset[str]:
    """The names and patterns of which there was a series between start and end (Unix time). Raises ServerError."""

    def ask(part: _Part) -> tuple[str, ...]:
        pattern, known = part
        found = client.label_values("__name__", f"{{__name__=~{json.dumps(pattern)}}}", start=start, end=end)
        return found if known else (pattern,) * bool(found)

    found: set[str] = set()
    parts = [*_parts(names), *((pattern, ()) for pattern in sorted(set(patterns)))]
    for _, answer in each(ask, parts, client, progress, "metrics"):
        if isinstance(answer, QueryRefused):
            raise answer.at(client.endpoint.url)
        if isinstance(answer, Exception):
            raise answer
        found.update(answer)
    return frozenset(found)


def _parts(names: Iterable[str]) -> Iterator[_Part]:
    written = sorted(name for name in set(names) if _NAME.fullmatch(name))
    for begin in range(0, len(written), _AT_ONCE):
        part = tuple(written[begin : begin + _AT_ONCE])
        yield "|".join(part), part
