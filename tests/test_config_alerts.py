"""The section ``alerts``: what it may say, and every kind of mistake with its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.config import Config, parse
from builder.errors import ConfigError
from builder.rules.settings import AlertSettings, Changes
from builder.rules.stages import Stage
from builder.rules.thresholds import Thresholds


def test_everything_that_can_be_said() -> None:
    text = """\
alerts:
  temperature_warning: 83
  idle_hold: 15m
  ecc_corrected: 500
  severity: {GpuTemperatureNotice: off, TrainingHung: warning}
  stage: {TrainingStraggler: observe, GpuLost: warn}
  clusters:
    lab:
      stall_after: 1h
      severity:
        GpuIdleButAllocated: info
  models:
    NVIDIA H200:
      temperature_critical: 88
    NVIDIA X1:
      unlisted: true
      headroom: 6
  grafana_url: https://grafana.example
  runbook_url: https://wiki.example/{alert}
"""
    assert parse(text, "gpuboards.yaml").alerts == AlertSettings(
        thresholds=replace(Thresholds(), temperature_warning=83.0, idle_hold=900, ecc_corrected=500),
        severity={"GpuTemperatureNotice": "off", "TrainingHung": "warning"},
        stage={"TrainingStraggler": Stage.OBSERVE, "GpuLost": Stage.WARN},
        clusters={"lab": Changes({"stall_after": 3600}, {"GpuIdleButAllocated": "info"}, "gpuboards.yaml:9")},
        models={
            "NVIDIA H200": Changes({"temperature_critical": 88.0}, where="gpuboards.yaml:14"),
            "NVIDIA X1": Changes({"headroom": 6.0}, where="gpuboards.yaml:16"),
        },
        grafana_url="https://grafana.example",
        runbook_url="https://wiki.example/{alert}",
    )


def test_an_empty_section_changes_nothing() -> None:
    assert parse("alerts:", "gpuboards.yaml") == Config()


@pytest.mark.parametrize(
    ("text", "where", "what", "fix"),
    [
        ("temperature_warning: 95", "1", "not below temperature_critical (90)", "set both"),
        ("temperatur_warning: 80", "1", "unknown key 'temperatur_warning'", "temperature_warning"),
        ("temperature_warning: 995", "1", "995 is out of range", "from 20 to 150"),
        ("temperature_warning: hot", "1", "expected a number", ""),
        ("idle_hold: 10 m", "1", "expected a whole number", ""),
        ("idle_hold: 2d", "1", "172800 is out of range", "from 120 to 86400"),
        ("idle_memory: 10m", "1", "expected a number", ""),
        ("models: {NVIDIA H10: {headroom: 4}}", "1", "unknown model 'NVIDIA H10'", "NVIDIA"),
        (
            "models: {h100: {headroom: 4}}",
            "1",
            "unknown model 'h100'",
            "NVIDIA H100 80GB HBM3 or NVIDIA H100 NVL or NVIDIA H100 PCIe?",
        ),
        (
            "models: {NVIDIA H100: {headroom: 4}}",
            "1",
            "unknown model 'NVIDIA H100'",
            "NVIDIA H100 80GB HBM3 or NVIDIA H100 NVL or NVIDIA H100 PCIe?",
        ),
        (
            "models: {A100: {headroom: 4}}",
            "1",
            "unknown model 'A100'",
            "A100 80GB PCIe, NVIDIA A100-PCIE-40GB, NVIDIA A100-",
        ),
        ("models: {NVIDIA H200: {}}", "1", "says nothing", "name a threshold"),
        ("models: {NVIDIA H200: {unlisted: true}}", "1", "says nothing", "name a threshold"),
        (
            "models: {NVIDIA H200: {temperature_critical: 80}}",
            "1",
            "is not below temperature_critical (80)",
            "set both",
        ),
        ("clusters: {lab: {unlisted: true}}", "1", "unknown key 'unlisted'", ""),
        ("clusters: {'': {keep: 2m}}", "1", "a name is empty", "what holds for all clusters"),
        ("models: {'': {keep: 2m, unlisted: true}}", "1", "a name is empty", "what holds for all models"),
        ("severity: {GpuTemperatureHgh: off}", "1", "unknown key 'GpuTemperatureHgh'", "GpuTemperatureHigh"),
        ("severity: {GpuTemperatureHigh: page}", "1", "'page' is not a severity", "critical, warning, info, off"),
        ("stage: {GpuTemperatureHgh: warn}", "1", "unknown key 'GpuTemperatureHgh'", "GpuTemperatureHigh"),
        ("stage: {GpuTemperatureHigh: watch}", "1", "'watch' is not a stage", "observe, warn, full"),
        ("clusters: {lab: {stage: {GpuLost: warn}}}", "1", "unknown key 'stage'", ""),
        ("grafana_url: grafana.example", "1", "is not a URL", "http://"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, where: str, what: str, fix: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(f"alerts: {{{text}}}", "gpuboards.yaml")
    assert caught.value.where.startswith(f"gpuboards.yaml:{where}")
    assert what in caught.value.what
    assert fix in caught.value.fix
