"""How Prometheus reaches exporters and training processes: the section ``scrape``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from builder.config import checks
from builder.errors import ConfigError, short

_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?")
_LABEL = r"(?:[a-z0-9][a-z0-9.-]*/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?"
_VALUE = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?"


def kubernetes_name(value: str) -> None:
    """A name that Kubernetes takes for an object, a namespace or a port."""
    if not _NAME.fullmatch(value):
        raise ConfigError(f"{short(value)} is not a name in Kubernetes", fix="lower-case letters, digits, - and .")


def pod_label(value: str) -> None:
    """The key of a label of pods; empty: none."""
    if value and not re.fullmatch(_LABEL, value):
        raise ConfigError(f"{short(value)} is not a label of pods", fix="write it like app.kubernetes.io/version")


def pod_selector(value: str) -> None:
    """A label of pods and its value; empty: what the exporter's chart sets."""
    if value and not re.fullmatch(f"{_LABEL}={_VALUE}", value):
        raise ConfigError(f"{short(value)} selects no pods", fix="write it like app=nvidia-dcgm-exporter")


def label_of_monitor(value: str) -> None:
    """The value of the label ``release`` by which an operator's Prometheus picks its monitors; empty: none."""
    if value and not re.fullmatch(_VALUE, value):
        raise ConfigError(f"{short(value)} is not the value of a label", fix="at most 63 letters, digits, - _ and .")


def secret_path(value: str) -> None:
    """A file on the machine of Prometheus; empty: none."""
    if value:
        try:
            checks.absolute(value)
        except ConfigError as error:
            raise ConfigError(error.what, fix="write the path as Prometheus sees it") from None


def cluster_name(value: str) -> None:
    """The value of the label cluster; empty: no such label."""
    if value:
        checks.not_empty(value)
        if "$" in value:
            raise ConfigError(f"{short(value)} has a $, which relabelling would expand", fix="leave it out")


def one_line(value: str) -> None:
    """A user's name; empty: nobody logs in."""
    if value:
        checks.not_empty(value)


def _setting(default: Any, *accepted: checks.Check) -> Any:
    return field(default=default, metadata={"checks": accepted})


@dataclass(frozen=True)
class Scrape:
    """What is put on the series of a scrape, and how the targets are found and asked.

    ``selector`` and ``port`` find the exporter of the cards in Kubernetes; ``release`` is a label of monitors.
    ``username``, ``password_file`` and ``ca_file`` are for Prometheus' own configuration; with the operator the same
    come from the keys ``username``, ``password`` and ``ca.crt`` of ``secret``.
    """

    cluster: str = _setting("", cluster_name)
    model_version_label: str = _setting("model-version", pod_label)
    selector: str = _setting("", pod_selector)
    port: str = _setting("metrics", kubernetes_name)
    namespace: str = _setting("monitoring", kubernetes_name)
    release: str = _setting("", label_of_monitor)
    username: str = _setting("", one_line)
    password_file: str = _setting("", secret_path)
    ca_file: str = _setting("", secret_path)
    secret: str = _setting("gpuboards-scrape", kubernetes_name)

    def __post_init__(self) -> None:
        if bool(self.username) != bool(self.password_file):
            said, other = ("username", "password_file") if self.username else ("password_file", "username")
            raise ConfigError(f"{said} without {other}", fix="write both, or neither")
