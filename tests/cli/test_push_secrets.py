"""No secret shows, wherever it was put and whatever goes wrong: output, errors, JSON, files, logs, representations."""

from __future__ import annotations

import base64
import json
import logging
import pickle
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from builder.config import Config, Context, parse
from builder.errors import ConfigError, GpuboardsError, ServerError
from builder.targets.grafana.client import Client
from builder.targets.grafana.endpoint import Endpoint, endpoint
from builder.targets.grafana.push import Options, push
from builder.testing import FakeGrafana
from builder.testing.grafana import faults
from tests.cli.conftest import Run
from tests.cli.test_bad_input import GOOD

TOKEN = "glsa_Pl4ntedTokenNobodyMaySee_0123abcd"
PASSWORD = "pl4nted/pass word&nobody?sees"
HEADER = "pl4nted-header-value"
PROXY = "pl4nted-proxy-password"
SECRETS = [TOKEN, PASSWORD, quote(PASSWORD, safe=""), quote(PASSWORD), HEADER, PROXY]
SECRETS += [base64.b64encode(f"admin:{PASSWORD}".encode()).decode()]


def clean(*texts: str) -> None:
    """None of the texts shows a secret in any form."""
    for text in texts:
        assert [secret for secret in SECRETS if secret in text] == []


def echo(*sent: str) -> faults.Fault:
    """A server, or something before it, that repeats what it was sent, in every form."""
    body = {"message": f"cannot use {', '.join(sent)}", "error": " ".join(quote(one, safe="") for one in sent)}
    return faults.Fault("echo", applied=False, reply=faults.Response(403, body))


def leaky_redirect(*sent: str) -> faults.Fault:
    """A single sign-on that puts what it was sent into its address."""
    where = {"Location": f"/login/{quote('/'.join(sent), safe='/')}?back={quote(sent[0])}"}
    return faults.Fault("leaky", applied=False, reply=faults.Response(302, "", "text/html", where))


PLACES = {
    "GRAFANA_TOKEN": ({"GRAFANA_TOKEN": TOKEN}, ""),
    "GRAFANA_PASSWORD": ({"GRAFANA_USER": "admin", "GRAFANA_PASSWORD": PASSWORD}, ""),
    "GRAFANA_URL, a token as its user": ({"user info": f"{TOKEN}@"}, ""),
    "GRAFANA_URL": ({"user info": f"admin:{quote(PASSWORD, safe='')}@"}, ""),
    "token_env": ({"PROD": TOKEN}, "auth: {token_env: PROD}"),
    "token_file": ({}, "auth: {token_file: secrets/token}"),
    "token_command": ({}, 'auth: {token_command: "cat secrets/token"}'),
    "password_env": ({"PROD": PASSWORD}, "auth: {user: admin, password_env: PROD}"),
    "headers": (
        {"GRAFANA_TOKEN": TOKEN, "KEY": HEADER},
        "headers: {X-Key: {env: KEY}, X-Other: {file: secrets/header}}",
    ),
}


@pytest.fixture
def run(gpuboards: Run, boards: Callable[..., Path], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command with a secret in the named place."""
    boards(mine=GOOD)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "token").write_text(TOKEN + "\n")
    (tmp_path / "secrets" / "header").write_text(HEADER + "\n")

    def run(place: str, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment, context = PLACES[place]
        environment = {"GRAFANA_TOKEN": "", "GRAFANA_URL": "", **environment}
        if context:
            (tmp_path / "gpuboards.yaml").write_text(f"contexts: {{it: {{url: '{url}', {context}}}}}")
        else:
            environment["GRAFANA_URL"] = url.replace("//", f"//{environment.pop('user info', '')}")
        return gpuboards(*arguments, "--dashboards", "boards", environment=environment)

    return run


@pytest.mark.parametrize("place", PLACES)
def test_no_run_shows_a_secret(place: str, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    sent = [TOKEN, HEADER] if place == "headers" else [TOKEN] if "oken" in place.lower() else [PASSWORD, SECRETS[-1]]
    with FakeGrafana() as grafana:
        grafana.faults.add(echo(*sent))
        done = run(place, grafana.url, "push")
        assert done.returncode == 3 and "cannot use ***" in done.stderr, done
        clean(done.stdout, done.stderr)
        grafana.faults.clear()
        grafana.faults.add(leaky_redirect(*sent))
        done = run(place, grafana.url, "push", "--format", "json")
        assert done.returncode == 3 and "wants a login" in done.stderr
        clean(done.stdout, done.stderr)


def test_no_success_shows_or_stores_a_secret(
    run: Callable[..., subprocess.CompletedProcess[str]], gpuboards: Run, tmp_path: Path
) -> None:
    with FakeGrafana(search_lag=0) as grafana:
        grafana.add_user("admin", PASSWORD, "Admin")
        for place in ("GRAFANA_PASSWORD", "GRAFANA_URL", "password_env"):
            done = run(place, grafana.url, "push", "--format", "json")
            assert done.returncode == 0, done.stderr
            clean(done.stdout, done.stderr)
        environment = {"GRAFANA_URL": "", "PROD": PASSWORD}
        assert gpuboards("pull", "mine", environment=environment).returncode == 0
        assert gpuboards("build", "--dashboards", "boards", environment=environment).returncode == 0
        files = [p for p in tmp_path.rglob("*") if p.is_file() and p.parent.name not in ("secrets", "__pycache__")]
        assert len(files) > 5
        clean(*(p.read_text() for p in files))
        clean(*(json.dumps(board.json) + board.message for board in grafana.boards.values()))


# what people paste where it does not belong ----------------------------------------------------


@pytest.mark.parametrize(
    "context",
    [
        f"url: 'https://admin:{quote(PASSWORD, safe='')}@grafana.example'",
        f"url: 'ftp://{TOKEN}@grafana.example'",
        f"url: 'https://grafana.example?token={TOKEN}'",
        f"url: x, auth: {{token: {TOKEN}}}",
        f"url: 'https://x', token: {TOKEN}",
        f"url: 'https://x', auth: {{token_env: {TOKEN}}}",
        f"url: 'https://x', auth: {{token_file: {TOKEN}}}",
        f"url: 'https://x', auth: {{token_command: {TOKEN}}}",
        f"url: 'https://x', auth: {{user: admin, password_env: '{PASSWORD}'}}",
        f"url: 'https://x', auth: {TOKEN}",
        f"url: 'https://x', auth: [{TOKEN}]",
        f"url: 'https://x', headers: {{X-Key: {HEADER}}}",
        f"url: 'https://x', headers: {{X-Key: {{env: {HEADER}}}}}",
        f"url: 'https://x', headers: {HEADER}",
        f"url: 'https://x', headers: {{Authorization: {{value: {TOKEN}}}}}",
        f"url: 'https://x', proxy: 'http://user:{PROXY}@proxy:3128'",
        f"url: 'https://x', datasources: {{prometheus: {TOKEN}{TOKEN}}}",
        f"url: 'https://x', folder: '{PASSWORD}'",
        f"url: 'https://x', org: {TOKEN}",
    ],
)
def test_no_message_repeats_what_was_pasted_into_the_file(context: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(f"contexts: {{it: {{{context}}}}}", "gpuboards.yaml")
    assert caught.value.where.startswith("gpuboards.yaml:1")
    clean(str(caught.value), repr(caught.value), "".join(traceback.format_exception(caught.value)))


@pytest.mark.parametrize("setting", ["datasources: {prometheus: {url", "datasources: {loki: {url"])
def test_no_password_gets_into_generated_files(setting: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(f"{setting}: 'http://admin:{TOKEN}@prometheus:9090'}}}}", "gpuboards.yaml")
    clean(str(caught.value))


@pytest.mark.parametrize(
    ("auth", "content"),
    [
        ("token_file: secret", f"{TOKEN}\nsecond line {TOKEN}"),
        ("token_file: secret", f"{TOKEN}é"),
        ("token_command: 'cat secret'", f"{TOKEN}é\n{TOKEN}"),
        ("token_command: 'cat secret nowhere'", TOKEN),
        ("token_command: 'sh -c \"cat secret >&2; exit 3\"'", TOKEN),
        ("token_command: 'unbalanced \" quote'", TOKEN),
    ],
)
def test_no_message_repeats_what_was_read(
    auth: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text(content)
    text = f"contexts:\n  it:\n    url: https://x\n    auth:\n      {auth}\n"
    with pytest.raises(GpuboardsError) as caught:
        endpoint(parse(text, "gpuboards.yaml"), "it", {})
    clean("".join(traceback.format_exception(caught.value)), *capfd.readouterr())


@pytest.mark.parametrize("url", [f"https://admin:{TOKEN}@", f"ftp://u:{TOKEN}@host", f"https://u:{TOKEN}@host:99999"])
def test_no_message_repeats_the_environment(url: str) -> None:
    with pytest.raises(GpuboardsError) as caught:
        endpoint(Config(), None, {"GRAFANA_URL": url, "GRAFANA_TOKEN": TOKEN})
    clean("".join(traceback.format_exception(caught.value)))


# what is held in memory ------------------------------------------------------------------------


def _held(url: str) -> Endpoint:
    environment = {"GRAFANA_TOKEN": TOKEN, "KEY": HEADER, "HTTP_PROXY": f"http://user:{PROXY}@127.0.0.1:1"}
    text = f"contexts: {{it: {{url: '{url}', headers: {{X-Key: {{env: KEY}}}}}}}}"
    return endpoint(parse(text, "gpuboards.yaml"), "it", environment)


def test_no_representation_shows_a_secret() -> None:
    held = _held("http://grafana.example")
    clean(repr(held), str(held), f"{held.headers['Authorization']}", f"{held.proxy!r:>20}", repr(vars(held)))
    with Client(held) as client:
        clean(repr(client), repr(vars(client)["endpoint"]))
    with pytest.raises(TypeError):
        pickle.dumps(held)


def test_no_error_holds_a_secret_in_its_chain(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    boards = {"a": {"uid": "a", "title": "A", "panels": [], "schemaVersion": 39}}
    options = Options(seconds=1, backoff=0.001, attempts=2)
    with pytest.raises(ServerError) as through_proxy:
        push(boards, _held("http://grafana.example"), options)
    texts = ["".join(traceback.format_exception(through_proxy.value))]
    with FakeGrafana() as grafana:
        context = Context(grafana.url)
        target = endpoint(Config(contexts={"it": context}), "it", {"GRAFANA_TOKEN": grafana.token})
        SECRETS.append(grafana.token)
        try:
            for fault in (*faults.ALL, echo(grafana.token), leaky_redirect(grafana.token)):
                grafana.faults.clear()
                grafana.faults.add(fault, probability=0.7)
                try:
                    push(boards, target, options)
                except ServerError as error:
                    texts.append("".join(traceback.format_exception(error)))
            assert len(texts) > 3
            clean(*texts, caplog.text)
        finally:
            SECRETS.remove(grafana.token)


def test_a_bug_report_shows_no_secret(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Even a bug in the very place that sends the secret."""
    from builder.cli import run as run_command
    from builder.targets.http.wire import Wire

    def broken(self: Wire, *_: object) -> None:
        raise KeyError(f"{self._endpoint!r} {self._endpoint.headers}")

    monkeypatch.setattr(Wire, "exchange", broken)
    monkeypatch.setenv("GRAFANA_URL", f"http://admin:{quote(PASSWORD, safe='')}@grafana.example")
    monkeypatch.setenv("HTTP_PROXY", f"http://user:{PROXY}@127.0.0.1:1")
    assert run_command(["push"]) == 70
    out, err = capsys.readouterr()
    assert "bug in gpuboards" in err
    clean(out, err)
