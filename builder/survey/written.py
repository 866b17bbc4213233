"""A configuration that fits what was found, with a remark at every choice."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from urllib.parse import urlsplit

from builder.catalog.profiles import profile
from builder.config import checks, parse
from builder.errors import ConfigError
from builder.survey.found import DataSource, Exporter, Found, Grafana

_WIDTH = 108
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def configuration(found: Found, chosen: Exporter, *, kubernetes: bool, date: str) -> str:
    """The text of a gpuboards.yaml. Raises ConfigError where it is none, which would be a bug."""
    text = "\n".join(_lines(found, chosen, kubernetes, date)) + "\n"
    parse(text, "what was about to be written")
    return text


def _lines(found: Found, chosen: Exporter, kubernetes: bool, date: str) -> Iterator[str]:
    origin = f" from what {found.prometheus} has" if found.prometheus else ""
    yield from _remark(f"Written by `gpuboards init` on {date}{origin}. All settings: docs/configuration.md.")
    yield ""
    yield from _remark(_described(chosen))
    others = [other for other in found.exporters if other.profile != chosen.profile]
    for other in others:
        yield from _remark(f"There is also {_described(other)} Build its boards with --profile {other.profile}.")
    yield f"profile: {chosen.profile}"
    if others:
        yield from _remark("Rules and alerts ask all of them; so do boards with `source: recorded`.")
        yield "recording:"
        yield f"  also: [{', '.join(other.profile for other in others)}]"
    yield ""
    yield from _remark(_TRAINING[found.training])
    yield f"training: {found.training}"
    yield from _remark(_HOST[found.host] if found.prometheus else _HOST_UNSEEN)
    yield f"host: {found.host}"
    yield ""
    yield from _datasources(found)
    yield ""
    yield from _remark(
        f"Series name the pods that hold the cards ({', '.join(chosen.pods)})." if chosen.pods else _NO_PODS[kubernetes]
    )
    yield "logs:"
    yield f"  preset: {'kubernetes' if kubernetes else 'bare-metal'}"
    yield ""
    if found.cluster:
        yield from _remark("Series carry a cluster label; with one cluster alone, write false.")
    yield f"show_cluster: {str(found.cluster).lower()}"
    yield from _profile(chosen)
    yield from _contexts(found)


_TRAINING = {
    "none": "No metrics of training processes. One line in the script makes them (docs/probe.md); then write auto.",
    "auto": "The probe in training processes, as soon as there is one (docs/probe.md).",
    "probe": "Training processes report with the probe.",
    "tf-snippet": "Training processes report with the minimal TensorFlow snippet.",
}
_HOST = {
    "none": "Neither node_exporter nor kube-state-metrics; once there is one, write node-exporter.",
    "node-exporter": "node_exporter or kube-state-metrics is there.",
}
_HOST_UNSEEN = "node_exporter or kube-state-metrics, nobody looked: without them write none."
_NO_PODS = {
    True: "Series do not name the pods that hold the cards: logs are found by what is chosen on the board.",
    False: "No pod holds the cards: logs are found by the host.",
}


def _described(exporter: Exporter) -> str:
    parts = [exporter.title]
    if exporter.cards:
        parts.append(f"{_plural(exporter.cards, 'card')} on {_plural(exporter.nodes, 'node')}")
    parts += exporter.versions
    parts += ["MIG"] if exporter.mig else []
    return f"{'; '.join(parts)}."


def _datasources(found: Found) -> Iterator[str]:
    grafana = found.grafana
    host = urlsplit(found.prometheus).hostname or ""
    source = _usable(grafana, "prometheus")
    logs = _usable(grafana, "loki")
    if grafana:
        yield from _remark(f"Of {grafana.url} (Grafana {grafana.version or 'of unknown version'}).")
        others = [s for s in grafana.sources if s.type == "prometheus" and s != source]
        if others:
            names = ", ".join(f"{other.uid} ({other.name})" for other in others)
            yield from _remark(f"Other Prometheus data sources there: {names}. Readers choose with $datasource.")
        for what, there in (("Prometheus", source), ("Loki", logs)):
            if not there:
                yield from _remark(f"It has no data source of type {what} that can be named here.")
    else:
        yield from _remark("No Grafana was asked: name and uid are those that `gpuboards build` provisions.")
    yield "datasources:"
    yield "  prometheus:"
    if source:
        yield f"    name: {json.dumps(source.name)}"
        yield f"    uid: {json.dumps(source.uid)}"
    if found.prometheus:
        if host in _LOOPBACK:
            yield from _remark("As seen from where this was written; Grafana may need another address.", 4)
        yield f"    url: {json.dumps(found.prometheus)}"
    if not source and not found.prometheus:
        yield "    uid: prometheus"
    if logs:
        yield "  loki:"
        yield f"    name: {json.dumps(logs.name)}"
        yield f"    uid: {json.dumps(logs.uid)}"


def _usable(grafana: Grafana | None, type_: str) -> DataSource | None:
    """The data source to name; None where the configuration could not hold its uid."""
    source = grafana.first(type_) if grafana else None
    try:
        if source:
            checks.uid(source.uid)
            checks.not_empty(source.name)
    except ConfigError:
        return None
    return source


def _profile(chosen: Exporter) -> Iterator[str]:
    usual = profile(chosen.profile).interval
    interval = round(chosen.interval)
    slower = interval > usual
    if slower or chosen.substitute:
        yield from ("", "profiles:", f"  {chosen.profile}:")
    if slower:
        yield from _remark(f"Samples come every {interval} s; {usual} s is usual. Rates need windows of twice that.", 4)
        yield f"    interval: {min(interval, 3600)}"
    if chosen.substitute:
        yield from _remark("The exporter's own host label is not there: nodes are told apart by this one.", 4)
        yield "    labels:"
        yield "      node:"
        yield f"        label: {chosen.substitute}"
        if chosen.substitute == "instance":
            yield '        pattern: "(.+?)(?::[0-9]+)?"'
            yield '        selector: "(?:{value})(?::[0-9]+)?"'
    if chosen.missing:
        yield ""
        yield from _remark(
            f"Not exported here, with what switches each on. Boards keep the panels, which stay empty; to leave out "
            f"those of a signal, write it below `profiles: {chosen.profile}: signals:`, such as `fan_speed: none`."
        )
        for signal, enable in chosen.missing.items():
            yield from _remark(f"  {signal}: {enable}")


def _contexts(found: Found) -> Iterator[str]:
    if not found.grafana:
        return
    yield ""
    yield from _remark("Where `gpuboards push` puts the boards, with a service account's token from the environment.")
    yield "contexts:"
    yield "  main:"
    yield f"    url: {json.dumps(found.grafana.url)}"
    yield "    auth:"
    yield "      token_env: GRAFANA_TOKEN"


def _remark(text: str, indent: int = 0) -> Iterator[str]:
    own = text[: len(text) - len(text.lstrip())]
    start = f"{' ' * indent}# {own}"
    plain = "".join(c if c.isprintable() else " " for c in text.strip())
    yield from textwrap.wrap(
        plain, _WIDTH, initial_indent=start, subsequent_indent=start + "  " * bool(own), break_on_hyphens=False
    )


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
