"""The classic API under /api."""

from __future__ import annotations

from builder.testing.grafana.classic import boards, folders, history, saving, search, server

ROUTES = (
    *boards.ROUTES,
    *folders.ROUTES,
    *history.ROUTES,
    *saving.ROUTES,
    *search.ROUTES,
    *server.ROUTES,
)
