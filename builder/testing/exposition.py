"""Exposition text: what an exporter answers to a scrape.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/ (text format 0.0.4). Only what is
needed to turn recorded exporter output into series; timestamps are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from builder.errors import UsageError

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = r'\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\\n]|\\.)*)"\s*'
_SAMPLE = re.compile(rf"({_NAME})\s*(?:\{{((?:{_LABEL},?)*)\s*\}})?\s*(\S+)?(?:\s+-?\d+)?\s*")
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


@dataclass(frozen=True)
class Sample:
    """One line of an exposition: metric name, labels and value."""

    name: str
    labels: Mapping[str, str]
    value: float


def parse_exposition(text: str) -> tuple[Sample, ...]:
    """The samples of an exposition in order. Raises UsageError with the line number where it is malformed."""
    samples = []
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            samples.append(_sample(stripped, f"line {number}"))
    return tuple(samples)


def parse_selector(text: str) -> tuple[str, Mapping[str, str]]:
    """Name and labels of a series written like ``name{label="value"}`` (or only ``name``)."""
    match = _SAMPLE.fullmatch(text.strip())
    if not match or match[5]:
        raise UsageError(f"not a series: {text!r}", fix='write it like name or name{label="value"}')
    return match[1], _labels(match[2] or "")


def format_labels(labels: Mapping[str, str]) -> str:
    """Labels in the text format, sorted by name; empty text where there are none."""
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escape(value)}"' for name, value in sorted(labels.items())) + "}"


def _sample(line: str, where: str) -> Sample:
    match = _SAMPLE.fullmatch(line)
    try:
        if not match or not match[5]:
            raise ValueError(line)
        return Sample(match[1], _labels(match[2] or ""), float(match[5]))
    except ValueError as error:
        raise UsageError(
            f"not a sample in the exposition format: {line!r}",
            where=where,
            fix='a sample reads: name{label="value"} 1.5',
        ) from error


def _labels(text: str) -> dict[str, str]:
    return {name: _unescape(value) for name, value in re.findall(_LABEL, text)}


def _unescape(value: str) -> str:
    return re.sub(r"\\[\\\"n]", lambda m: _ESCAPES[m[0]], value)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
