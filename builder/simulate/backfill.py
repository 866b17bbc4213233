"""A history of scrapes as OpenMetrics text, written as it is computed: memory does not grow with its length.

For ``promtool tsdb create-blocks-from openmetrics``. Series have the labels that a scrape would leave:
https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config, honor_labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.simulate import targets
from builder.simulate.exposition.page import Labels, Page, escape
from builder.simulate.fleet import Fleet
from builder.simulate.targets import Target

END = "# EOF\n"


def history(fleet: Fleet, *, begin: float, end: float, interval: int = 30) -> str:
    """Scrapes of everything from ``begin`` to ``end`` (Unix times, both included), as one text."""
    return "".join([*scrapes(fleet, begin, end, interval), END])


def scrapes(fleet: Fleet, begin: float, end: float, interval: int) -> Iterator[str]:
    """The same in pieces, one for each scrape of one target, without the line that ends it.

    The pieces of one node come together, in the order of time: its cards' recent past is then still known.
    """
    times = [begin + n * interval for n in range(int((end - begin) // interval) + 1)]
    for node in fleet.layout:
        labels = _Scraped()
        for t in times:
            for target in targets.of_node(fleet, node, fleet.time(t)):
                yield _scrape(labels, target, fleet.page(target.path, t), t)
    labels = _Scraped()
    for target in targets.of_cluster(fleet):
        for t in times:
            yield _scrape(labels, target, fleet.page(target.path, t), t)


def _scrape(labels: _Scraped, target: Target, page: Page | None, t: float) -> str:
    time = f"{t:.3f}".rstrip("0").rstrip(".")
    known = labels.of(target)
    lines = []
    for family in page or ():
        for name, written, value in family.samples:
            lines.append(f"{name}{known[written]} {value} {time}\n")
    own = known.own
    lines.append(f"scrape_samples_scraped{own} {len(lines)} {time}\n")
    lines.append(f"up{own} {int(page is not None)} {time}\n")
    return "".join(lines)


class _Known(dict[Labels, str]):
    """The text of a series' labels after the scrape, by what the exporter wrote."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.own = _text(target.labels)

    def __missing__(self, written: Labels) -> str:
        text = self[written] = _text(scraped(dict(written.pairs), target=self._target))
        return text


class _Scraped:
    """What is known of a node's targets; a training process is another one in each pod."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], _Known] = {}

    def of(self, target: Target) -> _Known:
        key = (target.path, target.labels.get("pod", ""))
        if key not in self._known:
            self._known[key] = _Known(target)
        return self._known[key]


def scraped(written: Mapping[str, str], *, target: Target) -> dict[str, str]:
    """Labels of a series in Prometheus: the target's added, collisions resolved, empty ones gone."""
    if target.honor_labels:
        merged = {**target.labels, **written}
    else:
        merged = {**written, **target.labels}
        merged |= {f"exported_{name}": written[name] for name in target.labels if written.get(name)}
    return {name: value for name, value in merged.items() if value}


def _text(labels: Mapping[str, str]) -> str:
    return "{" + ",".join(f'{name}="{escape(value)}"' for name, value in labels.items()) + "}"
