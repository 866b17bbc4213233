"""What people read: templates for Alertmanager, and for the DingTalk bridge, which has its own.

A group holds the alerts of one node (or job) of one severity, so the title names these once, and each alert says
what is wrong, where, since when, and what to do. Data and functions:
https://prometheus.io/docs/alerting/latest/notifications/; the bridge has the same data, Go's own functions, and of
Alertmanager's only some: ``reReplaceAll`` is not among them, but since 1.0.0 it has sprig's ``replace``
(template/template.go of github.com/timonwong/prometheus-webhook-dingtalk, masterminds.github.io/sprig/strings.html).

A training job writes its name and its pod's itself, so to a chat what an alert says is text and no markup: no mention
of everybody, no link, no second line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SHOWN = 8
"""Alerts that one message describes; of the rest it gives the number. Chats cut long messages, WeCom at 2,048 bytes."""

ANNOTATIONS = ("summary", "description", "command", "dashboard_url", "logs_url", "runbook_url")
"""The annotations of an alert that messages show."""


@dataclass(frozen=True)
class Style:
    """How a chat writes an alert's name, a command, a link and the end of a line; ``%s`` stands for the text.

    ``links_end`` ends the links where they stand on one line. ``safe`` is what a text goes through so that nothing in
    it is markup, as the rest of a Go pipeline.
    """

    name: str
    command: str
    link: str
    links_end: str
    end: str = r"\n"
    safe: str = ""


def _replaced(*pairs: tuple[str, str]) -> str:
    return "".join(f' | reReplaceAll "{pattern}" "{text}"' for pattern, text in pairs)


def _exchanged(*pairs: tuple[str, str]) -> str:
    """The same by sprig, which knows no patterns: texts for texts."""
    return "".join(f' | replace "{old}" "{new}"' for old, new in pairs)


PLAIN = Style("%s", "%s", r"TITLE: %s\n", links_end="")
# The three that Slack wants escaped: https://docs.slack.dev/messaging/formatting-message-text/
_SLACK_SAFE = _replaced(("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("`", "'"), (r"\\s+", " "))
SLACK = Style("*%s*", "`%s`", "<%s|TITLE>  ", links_end=r"\n", safe=_SLACK_SAFE)
# In Markdown a single line break is a blank: a line ends with an empty one. WeCom mentions with <@somebody>.
_MARKDOWN_SAFE = _replaced((r"[<\\[]", "("), (r"[>\\]]", ")"), ("`", "'"), (r"\\s+", " "))
MARKDOWN = Style("**%s**", "`%s`", "[TITLE](%s)  ", links_end=r"\n\n", end=r"\n\n", safe=_MARKDOWN_SAFE)
_LINE_BREAKS = ((r"\r", " "), (r"\n", " "))
_DINGTALK_SAFE = _exchanged(("<", "("), ("[", "("), (">", ")"), ("]", ")"), ("`", "'"), *_LINE_BREAKS)
DINGTALK = replace(MARKDOWN, safe=_DINGTALK_SAFE)

_NAME_SAFE = _replaced((r"[][<>&`*\\s]+", " "))
"""For names in titles and headings, which all channels share."""
_DINGTALK_NAME_SAFE = _exchanged(*((character, " ") for character in "[]<>&`*"), *_LINE_BREAKS)

_TITLE = """\
{{ define "gpuboards.title" }}
{{- if eq .Status "firing" }}{{ or .CommonLabels.severity "alert" | toUpper }}{{ else }}RESOLVED{{ end }}
{{- with .CommonLabels.node }} on {{ .SAFE }}{{ end }}
{{- with .CommonLabels.training_job }} in {{ .SAFE }}{{ end }}
{{- with .CommonLabels.cluster }} ({{ .SAFE }}){{ end }}
{{- ": " }}{{ with .CommonLabels.alertname }}{{ .SAFE }}{{ else }}{{ len .Alerts }} alerts{{ end }}
{{- if gt (len .Alerts.Firing) 1 }}, {{ len .Alerts.Firing }} firing{{ end }}
{{- end }}

{{ define "gpuboards.where" }}
{{- with .Labels.gpu }}, gpu {{ .SAFE }}{{ end }}
{{- with .Labels.pod }}, pod {{ .SAFE }}{{ end }}
{{- end }}
"""

_LINK = """
{{ define "gpuboards.link" }}
{{- or .CommonAnnotations.dashboard_url .ExternalURL }}
{{- end }}
"""

# Each line of a template begins by taking back the line break before it, so breaks stand only where they are written.
_MESSAGE = """
{{ define "TEMPLATE.firing" }}
{{- .Labels.alertnameSAFE | printf "NAME" }}{{ template "gpuboards.where" . }}
{{- .StartsAt.UTC.Format ", since Jan 2 15:04 UTC" }}{{ "END" }}
{{- with .Annotations.summary }}{{ .SAFE }}{{ "END" }}{{ end }}
{{- with .Annotations.description }}{{ .SAFE }}{{ "END" }}{{ end }}
{{- with .Annotations.command }}First: {{ .SAFE | printf "COMMAND" }}{{ "END" }}{{ end }}
{{- with .Annotations.dashboard_url }}{{ printf "BOARD" . }}{{ end }}
{{- with .Annotations.logs_url }}{{ printf "LOGS" . }}{{ end }}
{{- with .Annotations.runbook_url }}{{ printf "RUNBOOK" . }}{{ end }}
{{- if or .Annotations.dashboard_url .Annotations.logs_url .Annotations.runbook_url }}{{ "AFTER" }}{{ end }}
{{- "END" }}
{{- end }}

{{ define "TEMPLATE.resolved" }}
{{- "Over: " }}{{ .Labels.alertnameSAFE | printf "NAME" }}{{ template "gpuboards.where" . }}
{{- .EndsAt.UTC.Format ", since Jan 2 15:04 UTC" }}{{ "END" }}
{{- end }}

{{ define "TEMPLATE" }}
{{- HEAD }}
{{- range $n, $alert := .Alerts.Firing }}
{{- if lt $n SHOWN }}{{ template "TEMPLATE.firing" $alert }}{{ end }}
{{- end }}
{{- if gt (len .Alerts.Firing) SHOWN }}SHOWN of {{ len .Alerts.Firing }} firing are shown{{ "END" }}{{ end }}
{{- range $n, $alert := .Alerts.Resolved }}
{{- if lt $n SHOWN }}{{ template "TEMPLATE.resolved" $alert }}{{ end }}
{{- end }}
{{- if gt (len .Alerts.Resolved) SHOWN }}SHOWN of {{ len .Alerts.Resolved }} resolved are shown{{ "END" }}{{ end }}
{{- end }}
"""


def alertmanager() -> str:
    """Templates ``gpuboards.title``, ``.link``, ``.text`` (plain), ``.slack`` and ``.markdown``."""
    styles = {"text": PLAIN, "slack": SLACK, "markdown": MARKDOWN}
    messages = (_message(f"gpuboards.{name}", style) for name, style in styles.items())
    return "".join((_TITLE.replace("SAFE", _NAME_SAFE), _LINK, *messages))


def dingtalk() -> str:
    """Templates ``ding.link.title`` and ``ding.link.content``, which prometheus-webhook-dingtalk sends."""
    title = '\n{{ define "ding.link.title" }}{{ template "gpuboards.title" . }}{{ end }}\n'
    # The robot shows the title in its list of conversations only.
    head = f'"### " }}}}{{{{ template "gpuboards.title" . }}}}{{{{ "{DINGTALK.end}"'
    return _TITLE.replace("SAFE", _DINGTALK_NAME_SAFE) + title + _message("ding.link.content", DINGTALK, head)


def _message(template: str, style: Style, head: str = '""') -> str:
    """A message in one style: the alerts that fire, then those that are over."""
    words = {
        "TEMPLATE": template,
        "HEAD": head,
        "NAME": style.name,
        "COMMAND": style.command,
        "BOARD": style.link.replace("TITLE", "board"),
        "LOGS": style.link.replace("TITLE", "logs"),
        "RUNBOOK": style.link.replace("TITLE", "runbook"),
        "AFTER": style.links_end,
        "END": style.end,
        "SAFE": style.safe,
        "SHOWN": str(SHOWN),
    }
    text = _MESSAGE
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text
