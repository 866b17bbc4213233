"""A channel as Alertmanager's own configuration of it, with the texts of our templates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from builder.rules.alertmanager.settings import Channel

Section = tuple[str, dict[str, Any]]


def section(channel: Channel) -> Section:
    """The list of a receiver that the channel belongs into (``slack_configs``), and its entry there."""
    name, entry = _SECTIONS[channel.kind](dict(channel.fields))
    return name, {"send_resolved": channel.fields.get("send_resolved", True), **entry}


def _text(template: str) -> str:
    return f'{{{{ template "gpuboards.{template}" . }}}}'


def _webhook(fields: dict[str, Any]) -> Section:
    where: dict[str, Any] = {key: fields[key] for key in ("url", "url_file") if key in fields}
    return "webhook_configs", {**where, **_http(fields)}


def _dingtalk(fields: dict[str, Any]) -> Section:
    """prometheus-webhook-dingtalk, which has a path for each of its targets."""
    url = f"{fields['url'].rstrip('/')}/dingtalk/{fields['target']}/send"
    return "webhook_configs", {"url": url, **_http(fields)}


def _http(fields: dict[str, Any]) -> dict[str, Any]:
    """How the receiver's server is asked: who we are and which authority it is known by."""
    how: dict[str, Any] = {}
    if "username" in fields:
        how["basic_auth"] = {key: fields[key] for key in ("username", "password_file")}
    if "credentials_file" in fields:
        how["authorization"] = {"credentials_file": fields["credentials_file"]}
    if "ca_file" in fields:
        how["tls_config"] = {"ca_file": fields["ca_file"]}
    return {"http_config": how} if how else {}


def _wecom(fields: dict[str, Any]) -> Section:
    kept = {key: value for key, value in fields.items() if key != "send_resolved"}
    return "wechat_configs", {**kept, "message_type": "markdown", "message": _text("markdown")}


def _wecom_robot(fields: dict[str, Any]) -> Section:
    payload = {"msgtype": "markdown", "markdown": {"content": _text("markdown")}}
    return "webhook_configs", {"url_file": fields["url_file"], "payload": payload}


def _slack(fields: dict[str, Any]) -> Section:
    return "slack_configs", {
        "api_url_file": fields["api_url_file"],
        "channel": fields["channel"],
        "title": _text("title"),
        "title_link": _text("link"),
        "text": _text("slack"),
        "fallback": _text("title"),
    }


def _email(fields: dict[str, Any]) -> Section:
    """Plain text: it reads the same on a phone, and needs no second template."""
    kept = {key: value for key, value in fields.items() if key != "send_resolved"}
    return "email_configs", {**kept, "headers": {"Subject": _text("title")}, "html": "", "text": _text("text")}


def _pagerduty(fields: dict[str, Any]) -> Section:
    return "pagerduty_configs", {
        "routing_key_file": fields["routing_key_file"],
        "description": _text("title"),
        "client": "gpuboards",
        "client_url": _text("link"),
        "severity": '{{ if eq .CommonLabels.severity "critical" }}critical{{ else }}warning{{ end }}',
        "details": {"alerts": _text("text")},
    }


_SECTIONS: dict[str, Callable[[dict[str, Any]], Section]] = {
    "webhook": _webhook,
    "dingtalk": _dingtalk,
    "wecom": _wecom,
    "wecom_robot": _wecom_robot,
    "slack": _slack,
    "email": _email,
    "pagerduty": _pagerduty,
}
