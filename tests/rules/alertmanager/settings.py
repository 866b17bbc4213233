"""A configuration with a receiver of every kind that Debian's Alertmanager can take, and the files it makes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from builder.config import parse
from builder.provisioning.alertmanager import alertmanager_files
from builder.rules.alertmanager import Settings

EVERY_KIND = """
alertmanager:
  pager: on-call
  chat: gpu-team
  receivers:
    on-call:
      pagerduty: {routing_key_file: /etc/alertmanager/secrets/pagerduty}
      email:
        to: gpu-on-call@example.org
        from: alerts@example.org
        smarthost: smtp.example.org:587
        auth_username: alerts
        auth_password_file: /etc/alertmanager/secrets/smtp
    gpu-team:
      dingtalk: {url: "http://dingtalk:8060", target: gpu}
      slack: {api_url_file: /etc/alertmanager/secrets/slack, channel: "#gpu"}
      webhook:
        - {url: "http://wecom-bridge:8080/gpu"}
        - url: https://desk.example.org/alerts
          credentials_file: /etc/alertmanager/secrets/desk
          ca_file: /etc/alertmanager/desk.pem
          send_resolved: false
"""


def settings(text: str = EVERY_KIND) -> Settings:
    return parse(text, "gpuboards.yaml").alertmanager


def written(chosen: Settings, directory: Path) -> Path:
    """The directory of alertmanager.yml once the files are there."""
    for path, text in alertmanager_files(chosen).items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return directory / "alertmanager"


def amtool(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["amtool", *arguments], capture_output=True, text=True, check=False, timeout=60)
