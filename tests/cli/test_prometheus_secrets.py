"""Who asks a Prometheus: every way arrives at the server, and none is ever shown."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import run
from tests.targets.prometheus import played
from tests.targets.prometheus.played import Played

TOKEN = "s3cr3t-t0ken"
PASSWORD = "pass word/!"
BASIC = "Basic " + base64.b64encode(f"alice:{PASSWORD}".encode()).decode()

Ask = Callable[..., tuple[int, str, dict[str, str]]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Checks a board on a server; exit code, all that was said, and the headers of the last request."""
    for name in ("PROMETHEUS_TOKEN", "PROMETHEUS_USER", "PROMETHEUS_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    (tmp_path / "lines").write_text("one\ntwo\n")
    board = {"title": "B", "schemaVersion": 39, "panels": [{"title": "p", "targets": [{"expr": "up"}]}]}
    (tmp_path / "b.json").write_text(json.dumps(board))

    def ask(server: Played, *arguments: str, url: str = "", **environment: str) -> tuple[int, str, dict[str, str]]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        code = run(["check", "b.json", "--prometheus", url or server.url, *arguments])
        said = "".join(capsys.readouterr())
        for secret in (TOKEN, PASSWORD, BASIC.removeprefix("Basic ")):
            assert secret not in said, said
        return code, said, server.requests[-1][3] if server.requests else {}

    return ask


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        ((), {}, None),
        ((), {"PROMETHEUS_TOKEN": TOKEN}, f"Bearer {TOKEN}"),
        (("--token-env", "MINE"), {"MINE": TOKEN, "PROMETHEUS_TOKEN": "other"}, f"Bearer {TOKEN}"),
        (("--token-file", "token"), {"PROMETHEUS_TOKEN": "other"}, f"Bearer {TOKEN}"),
        ((), {"PROMETHEUS_USER": "alice", "PROMETHEUS_PASSWORD": PASSWORD}, BASIC),
        (("--user", "alice"), {"PROMETHEUS_PASSWORD": PASSWORD}, BASIC),
        (("--user", "alice", "--password-env", "MINE"), {"MINE": PASSWORD}, BASIC),
        (("--user", "alice", "--password-file", "password"), {"PROMETHEUS_TOKEN": "other"}, BASIC),
    ],
)
def test_ways_to_say_who_asks(ask: Ask, arguments: tuple[str, ...], environment: dict[str, str], expected: str) -> None:
    with Played(played.prometheus) as server:
        code, _, headers = ask(server, *arguments, **environment)
    assert (code, headers.get("Authorization")) == (1, expected)


def test_a_user_in_the_url(ask: Ask) -> None:
    from urllib.parse import quote

    with Played(played.prometheus) as server:
        url = server.url.replace("//", f"//alice:{quote(PASSWORD, safe='')}@")
        code, said, headers = ask(server, url=url)
    assert (code, headers["Authorization"]) == (1, BASIC) and server.url in said


def test_headers(ask: Ask) -> None:
    extra = ("--header", "X-Scope-OrgID: team: a", "--header", "X-Key: env:MINE", "--header", "X-Other: file:token")
    with Played(played.prometheus) as server:
        code, _, headers = ask(server, *extra, MINE=PASSWORD)
    assert code == 1
    assert (headers["X-Scope-OrgID"], headers["X-Key"], headers["X-Other"]) == ("team: a", PASSWORD, TOKEN)


def test_a_server_that_shows_what_it_was_sent(ask: Ask) -> None:
    def mirror(handler: played.Handler, _path: str, _asked: played.Asked) -> None:
        handler.json({"error": f"who is {handler.headers['Authorization']}?"}, 401)

    with Played(mirror) as server:
        code, said, _ = ask(server, PROMETHEUS_TOKEN=TOKEN)
        assert code == 3 and "the credentials are refused ($PROMETHEUS_TOKEN): who is Bearer ***?" in said
        code, said, _ = ask(server, "--user", "alice", "--password-file", "password")
        assert code == 3 and "user alice, password" in said

    def refuse(handler: played.Handler, path: str, asked: played.Asked) -> None:
        handler.json({"status": "error", "errorType": "bad_data", "error": handler.headers["Authorization"]}, 400)

    with Played(played.once_reached(refuse)) as server:
        code, said, _ = ask(server, "--token-file", "token")
        assert code == 1 and "bad_data: Bearer ***" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--token-env", "NOWHERE"), "NOWHERE is not set"),
        (("--token-file", "nowhere"), "cannot be read"),
        (("--token-file", "lines"), "more than one line"),
        (("--user", "alice"), "PROMETHEUS_PASSWORD is not set"),
        (("--password-file", "password"), "a password without a user"),
        (("--token-file", "token", "--user", "alice"), "more than one way to say who asks"),
        (("--client-key", "key.pem"), "a key without its certificate"),
        (("--header", "nonsense"), "not a header"),
        (("--header", "Host: other"), "not a header"),
        (("--header", "X y: z"), "not a header"),
        (("--header", "X-Y: a\nb"), "not a value that can be sent"),
        (("--header", "X-Y: env:NOWHERE"), "NOWHERE is not set"),
        (("--slow", "-1"), "--slow"),
        (("--range", "tomorrow"), "--range"),
        (("--range", "9999d"), "out of bounds"),
        (("--at", "noon"), "--at"),
        (("--var", "node"), "--var"),
        (("--var", "node=a"), "unknown variable"),
        (("--format", "sarif"), "no format sarif"),
        (("--fix",), "--fix is for dashboards that are read"),
        (("--only-changed", "HEAD"), "--only-changed is for"),
    ],
)
def test_what_does_not_go_together(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    with Played(played.prometheus) as server:
        code, said, _ = ask(server, *arguments)
        assert code == 2 and words in said and "Traceback" not in said
        assert server.requests == [], "nothing was sent"


@pytest.mark.parametrize("option", ["--range=1h", "--token-env=X", "--insecure", "--jobs=2", "--slow=1", "--var=a=b"])
def test_options_for_a_server_need_one(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", option]) == 2
    assert "add --prometheus URL" in capsys.readouterr().err
