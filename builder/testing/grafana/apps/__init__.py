"""The object API under /apis, in the manner of Kubernetes."""

from __future__ import annotations

from builder.testing.grafana.apps import dashboards, discovery, folders

ROUTES = (*discovery.ROUTES, *dashboards.ROUTES, *folders.ROUTES)
