"""Thresholds: documented ranges that hold, and contradictions that are refused."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from builder.config import parse
from builder.errors import ConfigError
from builder.rules.settings import AlertSettings, Changes
from builder.rules.thresholds import SETTINGS, Thresholds


@pytest.mark.parametrize("name", SETTINGS)
def test_the_default_is_in_its_range_and_both_ends_are_meant(name: str) -> None:
    (check,) = next(f for f in fields(Thresholds) if f.name == name).metadata["checks"]
    setting = SETTINGS[name]
    for value in (setting.default, setting.low, setting.high):
        check(value)
    for value in (setting.low - 1, setting.high + 1):
        with pytest.raises(ConfigError, match="out of range"):
            check(value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature_warning": 91.0},
        {"temperature_critical": 85.0},
        {"temperature_notice": 85.0},
        {"memory_temperature_warning": 106.0},
    ],
)
def test_a_warning_that_is_not_below_what_is_worse_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="is not below"):
        Thresholds(**wrong)  # type: ignore[arg-type]


def test_values_are_shown_as_people_write_them() -> None:
    shown = {name: SETTINGS[name].shown(SETTINGS[name].default) for name in SETTINGS}
    assert shown["temperature_warning"] == "85 °C"
    assert shown["idle_memory"] == "50 %"
    assert shown["idle_hold"] == "10 min"
    assert shown["leak_window"] == "1 h"
    assert shown["leak_hours"] == "12 h"
    assert shown["ecc_corrected"] == "100"
    assert SETTINGS["idle_hold"].shown(90) == "90 s"


@pytest.mark.parametrize("name", SETTINGS)
def test_a_value_is_said_as_the_configuration_reads_it(name: str) -> None:
    setting = SETTINGS[name]
    values = (setting.default, 4210, 7200) if setting.unit == "seconds" else (setting.default,)
    for value in (each for each in values if each <= setting.high):
        section, _, line = setting.said(value).partition(".")
        read = parse(f"{section}: {{{line}}}", "gpuboards.yaml").alerts.thresholds
        assert read.named(name) == value


def test_a_models_changes_are_laid_over_those_of_its_cluster() -> None:
    settings = AlertSettings(
        clusters={"lab": Changes({"stall_after": 1800, "headroom": 4.0}, {"TrainingHung": "warning"})},
        models={"NVIDIA H200": Changes({"headroom": 6.0})},
    )
    assert settings.at()[0] == Thresholds()
    assert settings.at(cluster="lab")[0] == replace(Thresholds(), stall_after=1800, headroom=4.0)
    assert settings.at("NVIDIA H200", "lab")[0] == replace(Thresholds(), stall_after=1800, headroom=6.0)
    assert settings.at("NVIDIA H200", "lab")[1] == {"TrainingHung": "warning"}


def test_changes_that_contradict_each_other_only_together_are_refused_with_their_place() -> None:
    settings = AlertSettings(
        clusters={"lab": Changes({"temperature_warning": 89.0}, where="a.yaml:3")},
        models={"NVIDIA H200": Changes({"temperature_critical": 88.0}, where="a.yaml:5")},
    )
    settings.at("NVIDIA H200")
    settings.at(cluster="lab")
    with pytest.raises(ConfigError, match=r"a\.yaml:5: temperature_warning"):
        settings.at("NVIDIA H200", "lab")
