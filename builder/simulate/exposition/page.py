"""What an exporter answers, before it is text.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/ (text format 0.0.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Pairs = tuple[tuple[str, str], ...]


class Labels:
    """Labels in the order in which they are written. Two of them are never equal: make each once and keep it."""

    __slots__ = ("pairs", "text")

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.pairs: Pairs = tuple(pairs)
        inside = ",".join(f'{name}="{escape(value)}"' for name, value in self.pairs)
        self.text = f"{{{inside}}}" if inside else ""


NO_LABELS = Labels(())

Sample = tuple[str, Labels, str]
"""Name, labels, and the value as it is written."""


@dataclass
class Family:
    """A metric: its declared type and help, and its samples."""

    name: str
    kind: str
    help: str
    samples: list[Sample] = field(default_factory=list)

    def add(self, labels: Labels, value: str) -> None:
        """Add a sample that has the family's own name."""
        self.samples.append((self.name, labels, value))


Page = Sequence[Family]


def write(page: Page) -> str:
    """The page in Prometheus' text format; families without samples are left out."""
    lines = []
    for family in page:
        if family.samples:
            lines.append(f"# HELP {family.name} {family.help}\n# TYPE {family.name} {family.kind}\n")
            lines.extend(f"{name}{labels.text} {value}\n" for name, labels, value in family.samples)
    return "".join(lines)


def escape(value: str) -> str:
    """A label's value as it stands between the quotes."""
    if "\\" in value or '"' in value or "\n" in value:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return value


def go_number(value: float) -> str:
    """The number as Go's exporters write it (strconv 'g', shortest): 97, 642.713, 1.98e+09."""
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    digits, _, exponent = f"{value!r}".partition("e")
    power = int(exponent) if exponent else 0
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    whole, _, part = digits.partition(".")
    plain = (whole + part).lstrip("0")
    power += len(whole) - 1 if whole.strip("0") else -(len(part) - len(part.lstrip("0"))) - 1
    if -4 <= power < 21 and not (power >= 6):
        return sign + digits
    plain = plain.rstrip("0")
    mantissa = plain[0] + (f".{plain[1:]}" if len(plain) > 1 else "")
    return f"{sign}{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"


def python_number(value: float) -> str:
    """The number as prometheus_client writes it: 97.0, 642.713, 1.98e+09."""
    text = repr(float(value))
    dot = text.find(".")
    if value > 0 and dot > 6 and "e" not in text:
        mantissa = f"{text[0]}.{text[1:dot]}{text[dot + 1 :]}".rstrip("0.")
        return f"{mantissa}e+{dot - 1:02d}"
    return text
