"""Who is told of what, asked of amtool."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from builder.provisioning.alertmanager import alertmanager_files
from builder.rules.alertmanager import INHIBITIONS, Settings
from tests.rules.alertmanager.settings import amtool, settings, written

pytestmark = pytest.mark.skipif(
    shutil.which("amtool") is None, reason="amtool is not installed (Debian package prometheus-alertmanager)"
)

WITH_INFO = """
alertmanager:
  pager: on-call
  chat: gpu-team
  info: log
  other: desk
  receivers:
    on-call: {pagerduty: {routing_key_file: /s/pagerduty}}
    gpu-team: {webhook: {url: "http://chat"}}
    log: {webhook: {url: "http://log"}}
    desk: {webhook: {url: "http://desk"}}
"""

# severity, stage and scope (empty: no such label) -> who is told, with the settings of EVERY_KIND and WITH_INFO
TABLE = [
    ("critical", "full", "card", "on-call", "on-call"),
    ("critical", "full", "job", "on-call", "on-call"),
    ("warning", "full", "node", "gpu-team", "gpu-team"),
    ("warning", "full", "job", "gpu-team", "gpu-team"),
    ("info", "full", "card", "nobody", "log"),
    ("critical", "warn", "card", "gpu-team", "gpu-team"),
    ("critical", "warn", "job", "gpu-team", "gpu-team"),
    ("warning", "warn", "card", "gpu-team", "gpu-team"),
    ("info", "warn", "card", "nobody", "log"),
    ("critical", "observe", "card", "nobody", "nobody"),
    ("warning", "observe", "job", "nobody", "nobody"),
    ("info", "observe", "node", "nobody", "nobody"),
    ("critical", "", "", "on-call", "on-call"),  # of other rules on the same Alertmanager
    ("page", "", "", "gpu-team", "desk"),
    ("", "", "", "gpu-team", "desk"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    plain, informed = (tmp_path_factory.mktemp(name) for name in ("plain", "informed"))
    return written(settings(), plain), written(settings(WITH_INFO), informed)


@pytest.mark.parametrize(("severity", "stage", "scope", "told", "told_with_info"), TABLE)
def test_who_is_told(
    files: tuple[Path, Path], severity: str, stage: str, scope: str, told: str, told_with_info: str
) -> None:
    labels = {"alertname": "A", "severity": severity, "stage": stage, "scope": scope}
    said = [f"{name}={value}" for name, value in labels.items() if value]
    for directory, receiver in zip(files, (told, told_with_info), strict=True):
        done = amtool("config", "routes", "test", f"--config.file={directory / 'alertmanager.yml'}", *said)
        assert (done.returncode, done.stdout.strip()) == (0, receiver), done.stderr


def test_every_kind_is_taken_by_debians_alertmanager(files: tuple[Path, Path]) -> None:
    done = amtool("check-config", str(files[0] / "alertmanager.yml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(INHIBITIONS)} inhibit rules" in done.stdout and "1 templates" in done.stdout


def test_without_receivers_nobody_is_told(tmp_path: Path) -> None:
    file = written(Settings(), tmp_path) / "alertmanager.yml"
    for severity in ("critical", "warning", "info"):
        done = amtool("config", "routes", "test", f"--config.file={file}", f"severity={severity}")
        assert done.stdout.strip() == "nobody"


# what the file says ---------------------------------------------------------------------------


def document(text: str) -> dict[str, object]:
    content: dict[str, object] = yaml.safe_load(alertmanager_files(settings(text))["alertmanager/alertmanager.yml"])
    return content


def test_groups_and_waits() -> None:
    route = document("alertmanager: {group_wait: 10s}")["route"]
    assert isinstance(route, dict)
    assert route["group_by"] == ["cluster", "node", "severity"]
    assert (route["group_wait"], route["group_interval"], route["repeat_interval"]) == ("10s", "5m", "4h")
    critical = next(child for child in route["routes"] if child["matchers"] == ['severity="critical"'])
    assert critical["routes"] == [
        {"matchers": ['scope="job"'], "group_by": ["cluster", "namespace", "training_job", "severity"]}
    ]


def test_inhibitions_have_names_where_alertmanager_takes_them() -> None:
    old, new = document('alertmanager: {version: "0.29"}'), document('alertmanager: {version: "0.30.1"}')
    names = [rule.name for rule in INHIBITIONS]
    assert [rule.get("name") for rule in old["inhibit_rules"]] == [None] * len(names)  # type: ignore[attr-defined]
    assert [rule["name"] for rule in new["inhibit_rules"]] == names  # type: ignore[attr-defined]


def test_wecom_where_its_secret_can_be_a_file() -> None:
    content = document(
        """
        alertmanager:
          version: "0.34"
          chat: gpu-team
          receivers:
            gpu-team:
              wecom: {corp_id: ww0123456789, agent_id: "1000002", to_party: "2", api_secret_file: /s/wecom}
              wecom_robot: {url_file: /s/robot}
        """
    )
    receiver = content["receivers"][1]  # type: ignore[index]
    text = '{{ template "gpuboards.markdown" . }}'
    assert receiver["wechat_configs"] == [
        {
            "send_resolved": True,
            "corp_id": "ww0123456789",
            "agent_id": "1000002",
            "to_party": "2",
            "api_secret_file": "/s/wecom",
            "message_type": "markdown",
            "message": text,
        }
    ]
    assert receiver["webhook_configs"] == [
        {
            "send_resolved": True,
            "url_file": "/s/robot",
            "payload": {"msgtype": "markdown", "markdown": {"content": text}},
        }
    ]


def test_the_bridge_gets_its_texts_where_it_is_used() -> None:
    assert "alertmanager/dingtalk/gpuboards.tmpl" in alertmanager_files(settings())
    assert "alertmanager/dingtalk/gpuboards.tmpl" not in alertmanager_files(Settings())


def test_the_same_settings_give_the_same_files() -> None:
    assert alertmanager_files(settings()) == alertmanager_files(settings())
