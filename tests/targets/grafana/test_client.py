"""How long a reply asks to wait, and how a refusal is put into words."""

from __future__ import annotations

import email.utils
import time

import pytest

from builder.config import Config
from builder.targets.grafana.client import _asked_for
from builder.targets.grafana.endpoint import endpoint
from builder.targets.grafana.refusals import refusal
from builder.targets.http.wire import Reply

ENDPOINT = endpoint(Config(), None, {"GRAFANA_URL": "https://g", "GRAFANA_TOKEN": "glsa_abc"})


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("", 0), ("0", 0), ("7", 7), ("3600", 60), ("-1", 0), ("soon", 0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0)],
)
def test_retry_after(header: str, seconds: float) -> None:
    assert _asked_for(Reply(429, {"retry-after": header}, b"")) == seconds


def test_retry_after_as_a_date() -> None:
    date = email.utils.formatdate(time.time() + 20, usegmt=True)
    assert 17 < _asked_for(Reply(429, {"retry-after": date}, b"")) <= 20


@pytest.mark.parametrize(
    ("status", "body", "what", "fix"),
    [
        (401, b'{"message":"Invalid API key"}', "Invalid API key", "Service accounts"),
        (403, b'{"message":"no","accessErrorId":"x"}', "not allowed ($GRAFANA_TOKEN): no", "Editor"),
        (404, b'{"message":"Not found"}', "not found: Not found", "URL of a Grafana"),
        (413, b'{"message":"Dashboard is too large"}', "too large", "split it"),
        (429, b"", "slow down", "--jobs"),
        (500, b'{"message":"failed","error":"database is locked"}', "failed: database is locked", "log"),
        (502, b"<html>Bad Gateway</html>", "a web page with status 502", "behind its proxy"),
        (400, b"Client sent an HTTP request to an HTTPS server.", "speaks TLS", "https://"),
        (400, b"<html>The plain HTTP request was sent to HTTPS port</html>", "speaks TLS", "https://"),
        (422, b'{"kind":"Status","message":"spec is invalid"}', "status 422: spec is invalid", "Grafana says"),
        (400, b"\xff\x00\x1b[31m glsa_abc", "***", "Grafana says"),
    ],
)
def test_refusals_in_words(status: int, body: bytes, what: str, fix: str) -> None:
    error = refusal(Reply(status, {}, body), "save board x", ENDPOINT)
    assert error.what.startswith("cannot save board x: ") and what in error.what and fix in error.fix
    assert error.where == "https://g" and error.exit_code == 3 and error.what.isprintable()
    assert "glsa_abc" not in str(error)
