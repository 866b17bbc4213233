"""What was found, told to whoever asked for it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from builder.catalog.profiles import profile
from builder.lint.report.summary import printable
from builder.survey.found import Exporter, Found

_WIDTH = 80
_LABELS = ("cluster", "node", "gpu", "uuid", "mig", "namespace", "pod", "container")


def told(found: Found, chosen: Exporter) -> str:
    """The servers, each exporter, and what is missing."""
    return "\n".join(map(printable, _lines(found, chosen)))


def _lines(found: Found, chosen: Exporter) -> Iterator[str]:
    if found.prometheus:
        yield f"{found.prometheus}: Prometheus {found.version or 'of unknown version'}"
        for exporter in found.exporters:
            yield from _exporter(exporter, chosen)
        if chosen not in found.exporters:
            yield f"  nothing of {chosen.title} (profile {chosen.profile}), which was named"
        yield f"  training: {found.training}"
        yield f"  host: {found.host}"
    if found.grafana:
        yield f"{found.grafana.url}: Grafana {found.grafana.version or 'of unknown version'}"
        for source in found.grafana.sources:
            yield f"  data source {source.uid}: {source.name}, {source.type}{', the default' if source.default else ''}"
    if chosen.missing:
        yield f"missing, of what {chosen.title} can export:"
        yield from (f"  {signal}: {enable}" for signal, enable in chosen.missing.items())


def _exporter(exporter: Exporter, chosen: Exporter) -> Iterator[str]:
    mark = "" if exporter is chosen else ", not chosen"
    yield f"  {exporter.title} (profile {exporter.profile}{mark}): {exporter.cards} cards on {exporter.nodes} nodes"
    if exporter.versions:
        yield f"    {'; '.join(exporter.versions)}"
    if exporter.jobs:
        yield f"    scraped as job {', '.join(exporter.jobs)}"
    spelt = [f"{name} as {' and '.join(exporter.labels[name])}" for name in _LABELS if name in exporter.labels]
    yield from _wrapped(", ".join(spelt) or "no label that is known")
    if exporter.substitute:
        yield f"    no host label of its own; nodes are told apart by {exporter.substitute}"
    if not exporter.pods and "pod" in profile(exporter.profile).labels:
        yield "    no label names the pod that holds a card"
    yield f"    MIG: {'yes' if exporter.mig else 'no'}"
    yield (
        f"    a sample every {exporter.interval:g} s"
        if exporter.interval
        else "    too few samples to tell the interval"
    )
    yield f"    {len(exporter.has)} of {len(exporter.has) + len(exporter.missing)} signals"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6, break_on_hyphens=False)
