"""A real Alertmanager with our configuration: who is told, in which groups, and who is not.

The waits are short and say only how long a group collects; nothing is concluded from time alone. That somebody was
not told is concluded from Alertmanager's own word that the alert is silenced, and from a later alert's arrival.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from builder.errors import ServerError
from builder.testing import Alertmanager, Notification, WebhookReceiver
from tests.rules.alertmanager.settings import settings, written

pytestmark = pytest.mark.live

Labels = dict[str, str]

CONFIGURATION = """
alertmanager:
  pager: on-call
  chat: gpu-team
  group_wait: {wait}
  group_interval: 1s
  repeat_interval: 1h
  receivers:
    on-call: {{webhook: {{url: "{url}/pager", username: alertmanager, password_file: {secret}}}}}
    gpu-team:
      webhook: {{url: "{url}/chat"}}
      dingtalk: {{url: "{url}", target: gpu}}
"""


@dataclass(frozen=True)
class Desk:
    """An Alertmanager, and everybody that it tells."""

    alertmanager: Alertmanager
    people: WebhookReceiver

    def told(self, path: str, *alerts: Labels) -> list[Notification]:
        """The alerts are on; what arrives at the path once all of their names have."""
        self.alertmanager.fire(alerts)
        names = {alert["alertname"] for alert in alerts}
        return [n for n in self.people.wait(lambda seen: names <= _at(path, seen)) if n.path == path]


def _at(path: str, seen: Sequence[Notification]) -> set[str]:
    return {name for n in seen if n.path == path for name in n.names()}


@pytest.fixture
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    secret = tmp_path / "secret"
    secret.write_text("not in the configuration")
    with WebhookReceiver() as people:
        chosen = settings(CONFIGURATION.format(url=people.url, secret=secret, wait=getattr(request, "param", "1s")))
        with Alertmanager(written(chosen, tmp_path)) as alertmanager:
            yield Desk(alertmanager, people)


def card(alertname: str, gpu: int = 0, *, node: str = "node-1", severity: str = "warning", **more: str) -> Labels:
    identity = {"cluster": "west", "node": node, "gpu": str(gpu), "uuid": f"GPU-{node}-{gpu}"}
    return {"alertname": alertname, "severity": severity, "scope": "card", "stage": "full", **identity, **more}


def job(alertname: str, training_job: str, severity: str = "warning") -> Labels:
    identity = {"cluster": "west", "namespace": "ml", "training_job": training_job}
    return {"alertname": alertname, "severity": severity, "scope": "job", "stage": "full", **identity}


# Long enough that alerts which arrive together are in one message even where the machine stalls.
patiently = pytest.mark.parametrize("desk", ["3s"], indirect=True)


@patiently
def test_alerts_of_a_node_and_severity_arrive_as_one(desk: Desk) -> None:
    hot = [card(f"Hot{gpu}", gpu) for gpu in range(8)]
    other = card("Elsewhere", node="node-2")
    chat = desk.told("/chat", *hot, other)
    groups = {(n.group["node"], n.group["severity"]) for n in chat}
    assert groups == {("node-1", "warning"), ("node-2", "warning")}
    names = {n.group["node"]: n.names() for n in chat}
    assert names == {"node-1": [f"Hot{gpu}" for gpu in range(8)], "node-2": ["Elsewhere"]}
    assert len(chat) == 2


@patiently
def test_jobs_are_grouped_by_job(desk: Desk) -> None:
    chat = desk.told("/chat", job("StallA", "a"), job("SlowA", "a"), job("StallB", "b"))
    assert sorted((n.group["training_job"], n.names()) for n in chat) == [
        ("a", ["SlowA", "StallA"]),
        ("b", ["StallB"]),
    ]


def test_critical_goes_to_the_pager_with_its_secret_and_warnings_to_all_channels_of_the_chat(desk: Desk) -> None:
    (page,) = desk.told("/pager", card("Lost", 1, severity="critical"))
    assert page.headers["Authorization"].startswith("Basic ")
    desk.told("/chat", card("Warm", 2))
    desk.people.wait(lambda seen: "Warm" in _at("/dingtalk/gpu/send", seen))
    assert _at("/pager", desk.people.received) == {"Lost"}
    assert _at("/chat", desk.people.received) == {"Warm"}


def test_what_is_over_is_said(desk: Desk) -> None:
    warm = card("Warm")
    desk.told("/chat", warm)
    desk.alertmanager.resolve([warm])
    told = desk.people.wait(lambda seen: any(n.names("resolved") == ["Warm"] for n in seen if n.path == "/chat"))
    assert [n.data["status"] for n in told if n.path == "/chat"] == ["firing", "resolved"]


def test_observed_alerts_are_there_and_tell_nobody(desk: Desk) -> None:
    seen = card("Seen", severity="critical", stage="observe")
    hushed = card("Hushed", severity="critical", stage="warn")
    desk.alertmanager.fire([seen])
    chat = desk.told("/chat", hushed)
    desk.told("/pager", card("Fence", node="node-2", severity="critical"))
    assert [n.names() for n in chat] == [["Hushed"]]
    assert {name for n in desk.people.received for name in n.names()} == {"Hushed", "Fence"}
    receivers = {a["labels"]["alertname"]: [r["name"] for r in a["receivers"]] for a in desk.alertmanager.alerts()}
    assert receivers == {"Seen": ["nobody"], "Hushed": ["gpu-team"], "Fence": ["on-call"]}


def test_critical_silences_the_warnings_of_the_same_card_only(desk: Desk) -> None:
    desk.told("/pager", card("Burning", 3, severity="critical"))
    desk.alertmanager.fire([card("Hot", 3)])
    chat = desk.told("/chat", card("Neighbour", 4), card("Namesake", 3, node="node-2"))
    assert desk.alertmanager.inhibited() == ["Hot"]
    assert sorted(n.names() for n in chat) == [["Namesake"], ["Neighbour"]]


def test_a_lost_card_silences_its_symptoms(desk: Desk) -> None:
    desk.told("/pager", card("Lost", 1, severity="critical", mutes="card"))
    desk.told("/pager", card("Xid", 2, severity="critical"), card("NeighbourNode", 1, node="n2", severity="critical"))
    desk.alertmanager.fire([card("Errors", 1, severity="critical"), card("Blind", 1)])
    desk.told("/pager", card("Fence", 5, severity="critical"))
    desk.told("/chat", card("ChatFence", 5, node="node-3"))
    assert desk.alertmanager.inhibited() == ["Blind", "Errors"]
    assert {name for n in desk.people.received for name in n.names()}.isdisjoint({"Errors", "Blind"})


def test_a_lost_node_silences_its_cards(desk: Desk) -> None:
    gone = {"alertname": "NodeGone", "severity": "critical", "scope": "node", "stage": "full", "mutes": "node"}
    desk.told("/pager", {**gone, "cluster": "west", "node": "node-1"})
    lost = [card(f"Lost{gpu}", gpu, severity="critical", mutes="card") for gpu in range(8)]
    desk.alertmanager.fire(lost)
    pages = desk.told("/pager", card("LostElsewhere", 0, node="node-2", severity="critical", mutes="card"))
    assert desk.alertmanager.inhibited() == [f"Lost{gpu}" for gpu in range(8)]
    assert [n.names() for n in pages] == [["NodeGone"], ["LostElsewhere"]]


def test_an_observed_alert_silences_nothing_that_is_told(desk: Desk) -> None:
    desk.alertmanager.fire([card("New", 1, severity="critical", stage="observe")])
    assert desk.told("/chat", card("Hot", 1))
    assert desk.alertmanager.inhibited() == []


def test_a_configuration_that_it_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "alertmanager.yml").write_text("route: {receiver: nobody-here}")
    with pytest.raises(ServerError, match="Alertmanager did not start"), Alertmanager(tmp_path):
        pass
