"""The section ``alertmanager``: what is read, and what is refused with file, line and a way out."""

from __future__ import annotations

import pytest

from builder.config import parse
from builder.errors import ConfigError
from builder.rules.alertmanager import Channel, Settings

RECEIVER = "alertmanager:\n  chat: team\n  receivers:\n    team:\n      "


def read(text: str) -> Settings:
    return parse(text, "gpuboards.yaml").alertmanager


def refusal(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as refused:
        read(text)
    return refused.value


def channel(text: str, version: str = "0.25") -> Channel:
    ((only,),) = read(f'{RECEIVER}{text}\n  version: "{version}"').receivers.values()
    return only


def test_nothing_said_tells_nobody() -> None:
    assert parse("profile: dcgm", "f").alertmanager == read("alertmanager:") == Settings()
    assert (Settings().pager, Settings().chat, Settings().receivers) == ("", "", {})


def test_a_receiver_has_channels_of_several_kinds_and_several_of_a_kind() -> None:
    text = 'webhook: [{url: "http://a"}, {url: "http://b"}]\n      dingtalk: {url: "http://d", target: gpu}'
    settings = read(f"{RECEIVER}{text}")
    assert settings.receivers == {
        "team": (
            Channel("webhook", {"url": "http://a"}),
            Channel("webhook", {"url": "http://b"}),
            Channel("dingtalk", {"url": "http://d", "target": "gpu"}),
        )
    }
    assert settings.chat == "team"


SECRETS = [
    ("slack: {api_url: 'https://hooks.slack.com/services/T0/B0/x', channel: '#a'}", "api_url_file"),
    ("pagerduty: {routing_key: abc}", "routing_key_file"),
    ("pagerduty: {service_key: abc}", "routing_key_file"),
    ("email: {to: a, from: b, smarthost: 'c:25', auth_username: u, auth_password: p}", "auth_password_file"),
    ("webhook: {url: 'http://a', username: u, password: p}", "password_file"),
    ("webhook: {url: 'http://a', bearer_token: p}", "credentials_file"),
    ("wecom: {corp_id: a, agent_id: '1', api_secret: x}", "api_secret_file"),
    ("wecom_robot: {url: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x'}", "url_file"),
    ("dingtalk: {url: 'http://d', target: gpu, access_token: x}", "the configuration of the bridge"),
]


@pytest.mark.parametrize(("text", "instead"), SECRETS)
def test_a_secret_in_the_file_is_refused(text: str, instead: str) -> None:
    error = refusal(RECEIVER + text)
    assert error.where == "gpuboards.yaml:5"
    assert "is a secret, which does not belong in the configuration" in error.what
    assert instead in error.fix


def test_both_a_secret_and_its_file_are_refused() -> None:
    error = refusal(f"{RECEIVER}pagerduty: {{routing_key: abc, routing_key_file: /s/key}}")
    assert error.what == "alertmanager.receivers.team.pagerduty: both routing_key and routing_key_file"
    assert error.fix == "keep routing_key_file alone"
    assert "abc" not in str(error)


@pytest.mark.parametrize(
    ("text", "version", "what"),
    [
        ("slack: {channel: '#a'}", "0.25", "no api_url_file, the file that holds its secret"),
        ("pagerduty: {}", "0.25", "no routing_key_file, the file that holds its secret"),
        ("wecom: {corp_id: a, agent_id: '1'}", "0.31", "no api_secret_file, the file that holds its secret"),
        ("wecom_robot: {}", "0.32", "no url_file, the file that holds its secret"),
        ("slack: {api_url_file: /s}", "0.25", "no channel"),
        ("email: {to: a, from: b}", "0.25", "no smarthost"),
        ("webhook: {username: u, password_file: /s}", "0.25", "no url"),
        ("webhook: {url: 'http://a', username: u}", "0.25", "username without password_file"),
        ("email: {to: a, from: b, smarthost: 'c:25', auth_username: u}", "0.25", "auth_username without"),
        ("webhook: {url: 'http://a', url_file: /s}", "0.26", "both url and url_file"),
    ],
)
def test_what_is_missing_is_named(text: str, version: str, what: str) -> None:
    error = refusal(f'{RECEIVER}{text}\n  version: "{version}"')
    assert what in error.what and error.fix
    assert error.where.startswith("gpuboards.yaml:5")


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("wecom: {corp_id: a, agent_id: '1', api_secret_file: /s}", "0.31"),
        ("wecom_robot: {url_file: /s}", "0.32"),
        ("webhook: {url_file: /s}", "0.26"),
    ],
)
def test_what_an_old_alertmanager_lacks_is_refused_with_a_way_out(text: str, since: str) -> None:
    error = refusal(RECEIVER + text)
    assert "Alertmanager 0.25" in error.what and since in error.what
    assert "bridge" in error.fix
    assert channel(text, since).fields


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("webhook: {url: 'http://user:pw@a'}", "not a URL that can be written here"),
        ("webhook: {url: 'ftp://a'}", "not a URL that can be written here"),
        ("webhook: {url: 'https://oapi.dingtalk.com/robot/send?access_token=hush'}", "a URL with a query"),
        ("slack: {api_url_file: secrets/slack, channel: '#a'}", "not an absolute path"),
        ("slack: {api_url_file: 'https://hooks.slack.com/hush', channel: '#a'}", "not an absolute path"),
        ("slack: {api_url_file: /s, channel: xoxb-hush}", "this looks like a secret"),
        ("dingtalk: {url: 'http://d', target: 'gpu/../x'}", "not the name of a target"),
        ("email: {to: a, from: b, smarthost: smtp.example.org}", "not a host and port"),
        ("email: {to: a, from: b, smarthost: 'c:25', require_tls: maybe}", "expected true or false"),
        ("slack: {api_url_file: \"/s\\0\", channel: '#a'}", "expected one line of text"),
        ("webhook: {url: 'http://a', credentials_file: /c, username: u, password_file: /p}", "both username and"),
        ("webhook: {url: 1}", "expected one line of text"),
        ("webhook: http://a", "expected keys and values"),
        ("webhook: {uri: 'http://a'}", "unknown key 'uri'"),
        ("webhok: {url: 'http://a'}", "unknown kind of receiver 'webhok'"),
    ],
)
def test_a_channel_that_cannot_be_is_refused(text: str, what: str) -> None:
    error = refusal(RECEIVER + text)
    assert what in error.what
    assert error.where == "gpuboards.yaml:5"
    assert "hush" not in str(error)


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("chat: teem\n  receivers: {team: {webhook: {url: 'http://a'}}}", "unknown receiver 'teem'", "team"),
        ("pager: on-call", "unknown receiver 'on-call'", "alertmanager.receivers"),
        ("receivers: {team: {}}", "a receiver that tells nobody", "dingtalk"),
        ("receivers: {nobody: {webhook: {url: 'http://a'}}}", "tells nobody", "letters"),
        ("receivers: {'a b': {webhook: {url: 'http://a'}}}", "is not a receiver's name", "letters"),
        ("group_wait: 30", "expected text", "quotes"),
        ("group_wait: soon", "'soon' is not a duration", "30s"),
        ("group_wait: 99999999999999999999s", "is too long", "4w"),
        ("group_interval: 0s", "cannot be 0", "1s"),
        ("repeat_interval: 1m", "is shorter than group_interval (5m)", "group_interval"),
        ("group_interval: 5h", "repeat_interval (4h) is shorter", "group_interval"),
        ("version: 0.28", "expected text", "quotes"),
        ("version: newest", "'newest' is not a version", "0.28"),
        ('version: "0.21"', "0.21 is older than 0.25", "newer"),
        ("reciever: {}", "unknown key 'reciever'", "receivers"),
    ],
)
def test_a_section_that_cannot_be_is_refused(text: str, what: str, fix: str) -> None:
    error = refusal(f"alertmanager:\n  {text}")
    assert what in error.what
    assert fix in error.fix
    assert error.where.startswith("gpuboards.yaml:")
