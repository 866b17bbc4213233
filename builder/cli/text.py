"""What ``gpuboards explain`` knows, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from builder.cli.built import loss
from builder.diff.layout import laid_out

WIDTH = 78
"""Of a query, which is shown two columns further in."""

Facts = Mapping[str, Any]


def render(facts: Facts) -> str:
    """The facts about one name as text of a few lines, ready to be read."""
    kinds = {
        "signal": _signal,
        "question": _question,
        "label": _label,
        "profile": _profile,
        "metric": _metric,
        "board": _board,
        "alert": _alert,
        "recorded series": _recorded,
        "setting": _setting,
    }
    return "\n".join(kinds[facts["explains"]](facts))


def _signal(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a signal: {facts['help']}"
    yield f"  {_measure(facts)}, one value per {facts['per']}"
    for profile, spellings in facts["profiles"].items():
        yield f"{profile}:"
        yield from (f"  {line}" for line in _spellings(spellings))
    if facts["not_exported_by"]:
        yield f"not exported by {', '.join(facts['not_exported_by'])}"
    if facts["questions"]:
        yield f"also a question: {', '.join(facts['questions'])}"


def _question(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a question: {facts['help']}"
    if facts["signals"]:
        yield f"  asks for: {', '.join(facts['signals'])}"
    if facts["missing"]:
        yield f"{facts['profile']} cannot answer it: needs {', '.join(facts['missing'])}"
        if facts["fix"]:
            yield f"  fix: {facts['fix']}"
        return
    yield f"  one series by: {', '.join(facts['labels']) or 'nothing (a single series)'}"
    yield f"{facts['profile']}:"
    yield from (f"  {line}" for line in laid_out(facts["expression"], WIDTH))


def _label(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a label, spelled"
    for profile, spellings in facts["profiles"].items():
        yield f"{profile}: {', or '.join(_label_spelling(spelling) for spelling in spellings)}"
    if facts["not_exported_by"]:
        yield f"not exported by {', '.join(facts['not_exported_by'])}"


def _label_spelling(spelling: Facts) -> str:
    text: str = spelling["label"]
    if "pattern" in spelling:
        text += f" (the part {spelling['pattern']})"
    if "replacement" in spelling:
        text += f", written {spelling['replacement']}"
    if "only_where" in spelling:
        text += f" where {' and '.join(spelling['only_where'])}"
    return text


def _profile(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a profile: {facts['title']}"
    yield f"  {facts['exporter']}, port {facts['port']}, values renewed every {facts['interval_seconds']} s"
    yield "labels:"
    yield from (f"  {label}: {', '.join(spelled)}" for label, spelled in facts["labels"].items())
    yield "signals:"
    for signal, spellings in facts["signals"].items():
        first, *rest = _spellings(spellings)
        yield f"  {signal}: {first}"
        yield from (f"    {line}" for line in rest)
    if facts["missing"]:
        yield f"not exported: {', '.join(facts['missing'])}"
    yield from (f"note: {note}" for note in facts["notes"])


def _metric(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a metric"
    for use in facts["uses"]:
        yield f"{use['profile']}: the signal {use['signal']}, {_measure(use)}"
        yield from (f"  {line}" for line in _spellings([use]))


def _board(facts: Facts) -> Iterator[str]:
    yield f"{facts['uid']} is a board: {facts['title']} ({facts['file']})"
    if facts["question"]:
        yield f"  {facts['question']}"
    for panel in facts["panels"]:
        yield f"{panel['title'] or '(no title)'} [{panel['type']}]"
        yield from (f"  {line}" for line in panel["help"].splitlines() if line.strip())
    for profile, notes in facts["dropped"].items():
        for note in notes:
            yield f"left out for {profile}: {note['panel']}: {loss(note)}"
            if note["fix"]:
                yield f"  fix: {note['fix']}"


def _alert(facts: Facts) -> Iterator[str]:
    from builder.cli.rules_explain import lines

    return lines(facts)


def _recorded(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a recorded series: {facts['help']}"
    if not facts["rules"]:
        yield f"no rule for {facts['profile']} records it"
        return
    yield "  `gpuboards rules build` writes the rule; `gpuboards build --source recorded` reads it"
    for rule in facts["rules"]:
        yield f"  labels: {', '.join(rule['labels'])}"
        yield f"{facts['profile']}:"
        yield from (f"  {line}" for line in laid_out(rule["expr"], WIDTH))


def _setting(facts: Facts) -> Iterator[str]:
    yield f"{facts['name']} is a setting: {facts['help']}"
    allowed = f", may be {facts['low']:g} to {facts['high']:g}" if "low" in facts else ""
    yield f"  {facts['shown']} (default {facts['default']}{allowed})"
    if facts["alerts"]:
        yield f"  decides about {', '.join(facts['alerts'])}: see `gpuboards rules explain`"
    if facts["namesake"]:
        yield f"  {facts['namesake']} is another setting"


def _measure(facts: Facts) -> str:
    return facts["kind"] if facts["unit"] == "none" else f"{facts['kind']} in {facts['unit']}"


def _spellings(spellings: Sequence[Facts]) -> list[str]:
    lines = []
    for number, spelling in enumerate(spellings):
        lines.append(("or " if number else "") + _spelling(spelling))
        if spelling.get("enable"):
            lines.append(f"   to switch on: {spelling['enable']}")
    return lines


def _spelling(spelling: Facts) -> str:
    text = " + ".join(spelling["sum_of"]) if "sum_of" in spelling else spelling["metric"]
    if "where" in spelling:
        text += f"{{{','.join(spelling['where'])}}}"
    if "bits" in spelling:
        text += f", bit {' or '.join(str(bit) for bit in spelling['bits'])}"
    if "above" in spelling:
        text += f" > {spelling['above']:.12g}"
    if "factor" in spelling:
        text = f"({text})" if "sum_of" in spelling else text
        text += f" * {spelling['factor']:.12g}"
    remarks = [] if spelling["by_default"] else ["not exported by default"]
    remarks += ["name not verified"] if spelling.get("unverified") else []
    return f"{text} ({', '.join(remarks)})" if remarks else text
