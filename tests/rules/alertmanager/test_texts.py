"""What people read, written by amtool from our templates."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from builder.rules.alertmanager import texts
from tests.rules.alertmanager.settings import amtool

pytestmark = pytest.mark.skipif(
    shutil.which("amtool") is None, reason="amtool is not installed (Debian package prometheus-alertmanager)"
)

NEVER = "0001-01-01T00:00:00Z"
HOT: dict[str, Any] = {
    "status": "firing",
    "labels": {"alertname": "GpuHot", "node": "node-17", "gpu": "3", "pod": "trainer-0"},
    "annotations": {
        "summary": "GPU 3 of node-17 is at 93 C",
        "description": "Over 90 C for 5 minutes; this card slows itself down at 95 C.",
        "command": "nvidia-smi -q -d TEMPERATURE -i 3",
        "dashboard_url": "https://grafana/d/gpu-detail?var-gpu_id=3",
        "logs_url": "https://grafana/explore",
        "runbook_url": "https://runbooks/GpuHot",
    },
    "startsAt": "2026-03-01T09:30:00Z",
    "endsAt": NEVER,
}
HOSTILE: dict[str, Any] = {
    **HOT,
    "labels": {**HOT["labels"], "pod": "a<!channel>[b](http://c)\n# d"},
    "annotations": {
        "summary": "<!channel> [free](http://evil) `ls` & <@all>\n\n# shout",
        "description": "{{ .ExternalURL }} &lt;",
        "command": "ssh `<@U1>`",
    },
}
"""What a training job may call itself."""
ERRORS: dict[str, Any] = {
    "status": "firing",
    "labels": {"alertname": "GpuEccErrors", "node": "node-17", "gpu": "5"},
    "annotations": {"summary": "GPU 5 of node-17 has memory errors"},
    "startsAt": "2026-03-01T09:31:00Z",
    "endsAt": NEVER,
}
OVER: dict[str, Any] = {
    "status": "resolved",
    "labels": {"alertname": "GpuHot", "node": "node-17", "gpu": "1"},
    "annotations": {"summary": "GPU 1 of node-17 was hot"},
    "startsAt": "2026-03-01T08:00:00Z",
    "endsAt": "2026-03-01T09:29:00Z",
}


def message(*alerts: dict[str, Any], **common: str) -> dict[str, Any]:
    labels = {"node": "node-17", "severity": "critical", **common}
    status = "firing" if any(alert["status"] == "firing" for alert in alerts) else "resolved"
    return {
        "receiver": "chat",
        "status": status,
        "externalURL": "http://alertmanager:9093",
        "alerts": list(alerts),
        "groupLabels": labels,
        "commonLabels": labels,
        "commonAnnotations": alerts[0]["annotations"] if len(alerts) == 1 else {},
    }


def rendered(template: str, data: dict[str, Any], directory: Path, source: str = "") -> str:
    (directory / "t.tmpl").write_text(source or texts.alertmanager(), encoding="utf-8")
    (directory / "data.json").write_text(json.dumps(data), encoding="utf-8")
    done = amtool(
        "template",
        "render",
        f"--template.glob={directory / 't.tmpl'}",
        f'--template.text={{{{ template "{template}" . }}}}',
        f"--template.data={directory / 'data.json'}",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def of_the_bridge() -> str:
    """The bridge's templates with Alertmanager's word for sprig's ``replace``: what it replaces is no pattern there."""
    literal = re.sub(r'\breplace "([^\\])"', r'reReplaceAll "[\\\\\1]"', texts.dingtalk())
    return literal.replace('replace "\\', 'reReplaceAll "\\')  # line breaks, which are no patterns either


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (message(HOT, ERRORS, OVER), "CRITICAL on node-17: 3 alerts, 2 firing"),
        (message(HOT, cluster="west", alertname="GpuHot"), "CRITICAL on node-17 (west): GpuHot"),
        (message(OVER, alertname="GpuHot"), "RESOLVED on node-17: GpuHot"),
        (message(HOT, node="", training_job="bert", severity="warning"), "WARNING in bert: 1 alerts"),
        (message(HOT, node="", severity=""), "ALERT: 1 alerts"),
    ],
    ids=["several", "one", "over", "job", "foreign"],
)
def test_a_title_says_how_bad_where_and_what(data: dict[str, Any], title: str, tmp_path: Path) -> None:
    assert rendered("gpuboards.title", data, tmp_path) == title


def test_plain_text(tmp_path: Path) -> None:
    assert rendered("gpuboards.text", message(HOT, ERRORS, OVER), tmp_path) == (
        "GpuHot, gpu 3, pod trainer-0, since Mar 1 09:30 UTC\n"
        "GPU 3 of node-17 is at 93 C\n"
        "Over 90 C for 5 minutes; this card slows itself down at 95 C.\n"
        "First: nvidia-smi -q -d TEMPERATURE -i 3\n"
        "board: https://grafana/d/gpu-detail?var-gpu_id=3\n"
        "logs: https://grafana/explore\n"
        "runbook: https://runbooks/GpuHot\n"
        "\n"
        "GpuEccErrors, gpu 5, since Mar 1 09:31 UTC\n"
        "GPU 5 of node-17 has memory errors\n"
        "\n"
        "Over: GpuHot, gpu 1, since Mar 1 09:29 UTC\n"
    )


def test_slack_text(tmp_path: Path) -> None:
    text = rendered("gpuboards.slack", message(HOT, OVER), tmp_path)
    assert text.startswith("*GpuHot*, gpu 3, pod trainer-0, since Mar 1 09:30 UTC\n")
    assert "First: `nvidia-smi -q -d TEMPERATURE -i 3`\n" in text
    links = "<https://grafana/d/gpu-detail?var-gpu_id=3|board>  <https://grafana/explore|logs>"
    assert f"{links}  <https://runbooks/GpuHot|runbook>" in text
    assert "|runbook>  \n\nOver: " in text, "an empty line between two alerts"
    assert text.endswith("Over: *GpuHot*, gpu 1, since Mar 1 09:29 UTC\n")


def test_what_a_job_calls_itself_mentions_nobody_in_slack(tmp_path: Path) -> None:
    said = rendered("gpuboards.slack", message(HOSTILE, training_job="<!here>"), tmp_path).splitlines()
    assert said[0] == "*GpuHot*, gpu 3, pod a !channel b (http://c) # d, since Mar 1 09:30 UTC"
    assert said[1] == "&lt;!channel&gt; [free](http://evil) 'ls' &amp; &lt;@all&gt; # shout"
    assert said[2] == "{{ .ExternalURL }} &amp;lt;", "a label is no template"
    assert said[3] == "First: `ssh '&lt;@U1&gt;'`"
    assert rendered("gpuboards.title", message(HOSTILE, training_job="<!here>"), tmp_path).count("<") == 0


def test_what_a_job_calls_itself_is_no_markdown(tmp_path: Path) -> None:
    said = rendered("gpuboards.markdown", message(HOSTILE), tmp_path).split("\n\n")
    assert said[1] == "(!channel) (free)(http://evil) 'ls' & (@all) # shout"
    assert said[3] == "First: `ssh '(@U1)'`"
    plain = rendered("gpuboards.text", message(HOSTILE), tmp_path)
    assert HOSTILE["annotations"]["summary"] in plain, "where nothing is markup, nothing is changed"


@pytest.mark.parametrize("bridge", [False, True], ids=["markdown", "dingtalk"])
def test_markdown_ends_each_line_with_an_empty_one(bridge: bool, tmp_path: Path) -> None:
    template, source = ("ding.link.content", of_the_bridge()) if bridge else ("gpuboards.markdown", "")
    text = rendered(template, message(HOT, ERRORS), tmp_path, source)
    paragraphs = [line for line in text.split("\n\n") if line.strip()]
    head = ["### CRITICAL on node-17: 2 alerts, 2 firing"] if bridge else []
    assert paragraphs[: len(head) + 4] == [
        *head,
        "**GpuHot**, gpu 3, pod trainer-0, since Mar 1 09:30 UTC",
        "GPU 3 of node-17 is at 93 C",
        "Over 90 C for 5 minutes; this card slows itself down at 95 C.",
        "First: `nvidia-smi -q -d TEMPERATURE -i 3`",
    ]
    assert "[board](https://grafana/d/gpu-detail?var-gpu_id=3)  [logs](https://grafana/explore)" in text
    assert "\n\n**GpuEccErrors**, gpu 5, since" in text


def test_the_bridge_has_a_title(tmp_path: Path) -> None:
    assert rendered("ding.link.title", message(ERRORS), tmp_path, of_the_bridge()) == "CRITICAL on node-17: 1 alerts"


def test_what_a_job_calls_itself_is_no_markdown_of_the_bridge(tmp_path: Path) -> None:
    said = rendered("ding.link.content", message(HOSTILE), tmp_path, of_the_bridge()).split("\n\n")
    assert said[1] == "**GpuHot**, gpu 3, pod a !channel  b (http://c) # d, since Mar 1 09:30 UTC"
    assert said[2] == "(!channel) (free)(http://evil) 'ls' & (@all)  # shout"
    assert said[4] == "First: `ssh '(@U1)'`"
    title = rendered("ding.link.title", message(HOSTILE, training_job="[x](y)\n**z**"), tmp_path, of_the_bridge())
    assert title == "CRITICAL on node-17 in  x (y)   z  : 1 alerts"


def test_the_bridge_is_asked_for_no_function_that_it_lacks() -> None:
    """Go's own, the bridge's ``toUpper``, and sprig's ``replace``."""
    assert set(re.findall(r"\| (\w+)", texts.dingtalk())) == {"printf", "replace", "toUpper"}


def test_a_link_leads_to_the_board_or_to_alertmanager(tmp_path: Path) -> None:
    assert rendered("gpuboards.link", message(HOT), tmp_path) == HOT["annotations"]["dashboard_url"]
    assert rendered("gpuboards.link", message(HOT, ERRORS), tmp_path) == "http://alertmanager:9093"


def test_a_long_message_says_how_much_it_leaves_out(tmp_path: Path) -> None:
    many = [{**ERRORS, "labels": {**ERRORS["labels"], "gpu": str(n)}} for n in range(20)]
    text = rendered("gpuboards.text", message(*many), tmp_path)
    assert text.count("GPU 5 of node-17 has memory errors") == texts.SHOWN
    assert f"{texts.SHOWN} of 20 firing are shown\n" in text
    exact = rendered("gpuboards.text", message(*many[: texts.SHOWN]), tmp_path)
    assert exact.count("has memory errors") == texts.SHOWN and "are shown" not in exact


def test_every_annotation_is_shown() -> None:
    for name in texts.ANNOTATIONS:
        assert f".Annotations.{name}" in texts.alertmanager() and f".Annotations.{name}" in texts.dingtalk()
