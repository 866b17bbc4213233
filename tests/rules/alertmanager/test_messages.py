"""What a chat and a mailbox get from a real Alertmanager, down to the last line."""

from __future__ import annotations

import email
import email.policy
import queue
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.testing import Alertmanager, WebhookReceiver
from tests.rules.alertmanager.settings import settings, written

pytestmark = pytest.mark.live

HOT = {
    "alertname": "GpuHot",
    "severity": "critical",
    "stage": "full",
    "scope": "card",
    "node": "node-17",
    "gpu": "3",
    "uuid": "GPU-3",
}
TEXTS = {
    "summary": "GPU 3 of node-17 is at 93 °C",
    "description": "Over 90 °C for 5 minutes.",
    "command": "nvidia-smi -q -d TEMPERATURE -i 3",
    "dashboard_url": "https://grafana/d/gpu-detail",
    "runbook_url": "https://runbooks/GpuHot",
}


class Mailbox(socketserver.ThreadingTCPServer):
    """A mail server on loopback that takes whatever it is given."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.letters: queue.Queue[bytes] = queue.Queue()


class _Conversation(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self._say("220 ready")
        for line in self.rfile:
            verb = line.strip().upper()
            if verb == b"DATA":
                self._say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                assert isinstance(self.server, Mailbox)
                self.server.letters.put(b"".join(lines))
            self._say("221 bye" if verb == b"QUIT" else "250 ok")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_slack_is_told_where_its_secret_is_a_file(tmp_path: Path) -> None:
    with WebhookReceiver() as people:
        secret = tmp_path / "slack"
        secret.write_text(f"{people.url}/services/T0/B0/key")
        chosen = settings(
            f"""
            alertmanager:
              pager: team
              group_wait: 1s
              receivers: {{team: {{slack: {{api_url_file: {secret}, channel: "#gpu"}}}}}}
            """
        )
        with Alertmanager(written(chosen, tmp_path)) as alertmanager:
            alertmanager.fire([HOT], TEXTS)
            (message,) = people.wait(lambda seen: len(seen) == 1)
    assert message.path == "/services/T0/B0/key"
    (said,) = message.data["attachments"]
    assert message.data["channel"] == "#gpu"
    assert said["title"] == said["fallback"] == "CRITICAL on node-17: GpuHot"
    assert said["title_link"] == "https://grafana/d/gpu-detail"
    head, summary, description, first, links = said["text"].strip().splitlines()
    assert head.startswith("*GpuHot*, gpu 3, since ")
    assert (summary, description) == (TEXTS["summary"], TEXTS["description"])
    assert first == "First: `nvidia-smi -q -d TEMPERATURE -i 3`"
    assert links == "<https://grafana/d/gpu-detail|board>  <https://runbooks/GpuHot|runbook>"


def test_mail_is_plain_text_with_the_title_for_a_subject(mailbox: Mailbox, tmp_path: Path) -> None:
    host, port = mailbox.server_address[:2]
    chosen = settings(
        f"""
        alertmanager:
          pager: team
          group_wait: 1s
          receivers:
            team:
              email: {{to: a@example.org, from: b@example.org, smarthost: "{host!s}:{port}", require_tls: false}}
        """
    )
    with Alertmanager(written(chosen, tmp_path)) as alertmanager:
        alertmanager.fire([HOT], TEXTS)
        letter = email.message_from_bytes(mailbox.letters.get(timeout=60), policy=email.policy.default)
    assert letter["Subject"] == "CRITICAL on node-17: GpuHot"
    assert letter["To"] == "a@example.org"
    (body,) = [part for part in letter.walk() if not part.is_multipart()]
    assert body.get_content_type() == "text/plain"
    assert body.get_content().splitlines()[1:4] == [
        TEXTS["summary"],
        TEXTS["description"],
        "First: nvidia-smi -q -d TEMPERATURE -i 3",
    ]
