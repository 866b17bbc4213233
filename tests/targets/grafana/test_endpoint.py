"""Which Grafana is meant, and as whom: contexts, the environment, and which of them counts."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from builder.config import Config, parse
from builder.errors import ConfigError, UnknownName, UsageError
from builder.targets.grafana.endpoint import Endpoint, endpoint

ONE = "contexts: {one: {url: 'http://one', auth: {token_env: ONE_TOKEN}}}"
TWO = "contexts: {one: {url: 'http://one'}, two: {url: 'https://two/sub'}}"


def find(text: str, name: str | None = None, **environment: str) -> Endpoint:
    return endpoint(parse(text, "f") if text else Config(), name, environment)


def authorization(found: Endpoint) -> str:
    return found.headers["Authorization"].reveal()


def test_the_environment_alone_is_enough() -> None:
    found = find("", GRAFANA_URL="https://g/x/", GRAFANA_TOKEN=" abc\n")
    assert (found.url, authorization(found)) == ("https://g/x", "Bearer abc")
    assert found.link("uid") == "https://g/x/d/uid" and found.folders[0].uid == "gpuboards"


def test_the_only_context_is_meant_unless_the_environment_names_another() -> None:
    assert find(ONE, ONE_TOKEN="abc").url == "http://one"
    assert find(ONE, GRAFANA_URL="http://env", GRAFANA_TOKEN="def").url == "http://env"
    assert find(ONE, "one", GRAFANA_URL="http://env", ONE_TOKEN="abc").url == "http://one"


def test_a_token_for_one_grafana_is_not_sent_to_another() -> None:
    assert authorization(find(ONE, "one", ONE_TOKEN="abc", GRAFANA_TOKEN="def")) == "Bearer abc"
    with pytest.raises(ConfigError, match="ONE_TOKEN is not set"):
        find(ONE, "one", GRAFANA_TOKEN="def")


def test_a_context_without_credentials_takes_those_of_the_environment() -> None:
    assert authorization(find(TWO, "two", GRAFANA_TOKEN="abc")) == "Bearer abc"
    found = find(TWO, "two", GRAFANA_USER="me", GRAFANA_PASSWORD="pw")
    assert authorization(found) == "Basic bWU6cHc=" and "user me" in found.asks_as
    with pytest.raises(UsageError, match="no credentials"):
        find(TWO, "two")


@pytest.mark.parametrize(
    ("text", "name", "error", "what"),
    [
        ("", None, UsageError, "no Grafana named"),
        (TWO, None, UsageError, "more than one"),
        (TWO, "three", UnknownName, "unknown context 'three'"),
        ("", "one", UnknownName, "unknown context 'one'"),
    ],
)
def test_what_cannot_be_meant(text: str, name: str | None, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        find(text, name, GRAFANA_TOKEN="abc")


def test_credentials_in_the_url() -> None:
    found = find("", GRAFANA_URL="http://me:p%40ss@g:3000/x", GRAFANA_TOKEN="not used")
    assert found.url == "http://g:3000/x" and authorization(found) == "Basic bWU6cEBzcw=="


def test_a_password_may_hold_any_character() -> None:
    found = find("", GRAFANA_URL="http://g", GRAFANA_USER="jürgen", GRAFANA_PASSWORD="pä ss ")
    assert authorization(found) == f"Basic {base64.b64encode('jürgen:pä ss '.encode()).decode()}"
    with pytest.raises(ConfigError, match="cannot be sent"):
        find("", GRAFANA_URL="http://g", GRAFANA_TOKEN="tokän")


def test_a_token_in_the_place_of_the_user_is_hidden() -> None:
    found = find("", GRAFANA_URL="http://a-token@g", HTTP_PROXY="http://another@p:1")
    assert found.mask("a-token, another") == "***, ***"


def test_the_organisation() -> None:
    found = find("", GRAFANA_URL="http://g", GRAFANA_TOKEN="a", GRAFANA_ORG_ID="4")
    assert found.headers["X-Grafana-Org-Id"].reveal() == "4" and found.link("u") == "http://g/d/u?orgId=4"


def test_headers_from_environment_and_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("from file\n")
    headers = f"{{A: {{env: VALUE}}, B: {{file: {tmp_path}/other}}, C: {{value: plain}}}}"
    found = find(f"contexts: {{x: {{url: 'http://x', headers: {headers}}}}}", GRAFANA_TOKEN="t", VALUE="from env")
    assert {name: found.headers[name].reveal() for name in "ABC"} == {"A": "from env", "B": "from file", "C": "plain"}
    assert found.mask("from file, from env, plain") == "***, ***, plain"


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        ({}, ""),
        ({"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ({"https_proxy": "p:1"}, "http://p:1"),
        ({"HTTP_PROXY": "http://p:1"}, ""),
        ({"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "localhost, .example"}, ""),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "other.example"}, "http://p:1"),
    ],
)
def test_the_proxy_of_the_environment(environment: dict[str, str], proxy: str) -> None:
    found = find("", GRAFANA_URL="https://g.example", GRAFANA_TOKEN="a", **environment)
    assert found.proxy.reveal() == proxy


def test_a_contexts_proxy_beats_the_environment() -> None:
    text = "contexts: {x: {url: 'https://x', proxy: 'http://mine:1'}}"
    assert find(text, GRAFANA_TOKEN="a", HTTPS_PROXY="http://p:1").proxy.reveal() == "http://mine:1"
    with pytest.raises(ConfigError, match="only http and https proxies"):
        find("", GRAFANA_URL="http://g", GRAFANA_TOKEN="a", ALL_PROXY="socks5://p:1")


def test_a_command_is_run_without_a_shell() -> None:
    text = "contexts: {{x: {{url: 'https://x', auth: {{token_command: \"{}\"}}}}}}"
    assert authorization(find(text.format("printf %s $HOME"))) == "Bearer $HOME"
    assert authorization(find(text.format("printf '%s\\\\n' abc login:me"))) == "Bearer abc"
    with pytest.raises(ConfigError, match="exit code 3"):
        find(text.format("sh -c 'exit 3'"))
    with pytest.raises(ConfigError, match="cannot be run"):
        find(text.format("no-such-command-here"))
