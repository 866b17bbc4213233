"""Formats of what a running Prometheus says about boards; one module each, with ``render``."""
