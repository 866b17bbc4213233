"""What a ServiceMonitor or PodMonitor may say, of the fields that gpuboards writes.

Fields and types: Documentation/api-reference/api.md of github.com/prometheus-operator/prometheus-operator. The
operator refuses a field that it does not know, and so does this schema.
"""

from __future__ import annotations

from typing import Any


def _exactly(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


_TEXT = {"type": "string", "minLength": 1}
_DURATION = {"type": "string", "pattern": "^[1-9][0-9]*s$"}
_KEY = _exactly(("name", "key"), name=_TEXT, key=_TEXT)
_STEP = _exactly(
    sourceLabels={"type": "array", "items": {"type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_]*$"}, "minItems": 1},
    targetLabel=_TEXT,
    regex=_TEXT,
    replacement=_TEXT,
    action={"enum": ["replace", "keep", "drop", "labeldrop", "labelkeep", "labelmap", "hashmod"]},
)
_ENDPOINT = _exactly(
    ("port", "interval"),
    port=_TEXT,
    interval=_DURATION,
    scrapeTimeout=_DURATION,
    honorLabels={"type": "boolean"},
    scheme={"enum": ["http", "https"]},
    basicAuth=_exactly(("username", "password"), username=_KEY, password=_KEY),
    tlsConfig=_exactly(("ca",), ca=_exactly(("secret",), secret=_KEY)),
    relabelings={"type": "array", "items": _STEP},
    metricRelabelings={"type": "array", "items": _STEP},
)
_ENDPOINTS = {"type": "array", "items": _ENDPOINT, "minItems": 1}
_LABELS = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 63}}
_METADATA = _exactly(("name", "namespace"), name=_TEXT, namespace=_TEXT, labels=_LABELS)


def _kind(kind: str, endpoints: str) -> dict[str, Any]:
    spec = _exactly(
        ("selector", endpoints),
        namespaceSelector=_exactly(any={"type": "boolean"}, matchNames={"type": "array", "items": _TEXT}),
        selector=_exactly(matchLabels=_LABELS),
        **{endpoints: _ENDPOINTS},
    )
    return _exactly(
        ("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "monitoring.coreos.com/v1"},
        kind={"const": kind},
        metadata=_METADATA,
        spec=spec,
    )


MONITOR: dict[str, Any] = {
    "oneOf": [_kind("ServiceMonitor", "endpoints"), _kind("PodMonitor", "podMetricsEndpoints")]
}
