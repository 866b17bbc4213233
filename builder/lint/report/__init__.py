"""Findings as text for people and for machines: one module a format, each with ``render``."""
