"""Options of the whole test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--grafana-url",
        metavar="URL",
        help="a real Grafana (10.4 to 13) to run the tests marked grafana on; credentials from GRAFANA_TOKEN, or from "
        "GRAFANA_USER and GRAFANA_PASSWORD; it is left as it was",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.markexpr.strip() == "grafana" and not config.option.grafana_url:
        raise pytest.UsageError("the tests marked grafana need a server: --grafana-url URL")
