"""The configuration: what gpuboards.yaml may say, its defaults, and how it is read."""

from builder.config.contexts import Auth, Context, Header, Place, Tls
from builder.config.model import (
    LOG_SELECTORS,
    Config,
    Datasource,
    Datasources,
    Folder,
    Logs,
    Override,
    Patch,
    Provider,
    Recording,
    Thresholds,
)
from builder.config.overrides import culprit, profile_with, resolve_profile
from builder.config.parse import parse
from builder.config.scrape import Scrape

__all__ = [
    "LOG_SELECTORS",
    "Auth",
    "Config",
    "Context",
    "Datasource",
    "Datasources",
    "Folder",
    "Header",
    "Logs",
    "Override",
    "Patch",
    "Place",
    "Provider",
    "Recording",
    "Scrape",
    "Thresholds",
    "Tls",
    "culprit",
    "parse",
    "profile_with",
    "resolve_profile",
]
