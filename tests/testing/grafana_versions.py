"""The versions that the fake Grafana is tested as, and the groups in which they differ."""

from __future__ import annotations

VERSIONS = ("10.4.0", "11.2.0", "11.6.0", "12.0.0", "12.2.0", "12.4.0", "13.0.0", "13.2.0")
UNIQUE_TITLES = ("10.4.0", "11.2.0")
UNIFIED = ("12.0.0", "12.2.0", "12.4.0", "13.0.0", "13.2.0")
"""Boards are objects there: generations, /apis, search behind writes."""
OBJECTS = ("13.2.0",)
"""The classic save endpoint is a layer over /apis there."""
CLASSIC = tuple(v for v in VERSIONS if v not in OBJECTS)
APIS = [(v, "v1beta1") for v in UNIFIED] + [("13.0.0", "v1"), ("13.2.0", "v1")]
"""Grafana and the version of its object API that is used."""

BOARD = {"uid": "gpu-fleet", "title": "Fleet", "schemaVersion": 42, "tags": ["gpuboards"]}
