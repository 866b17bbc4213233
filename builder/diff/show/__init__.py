"""Comparisons written down: one format a module."""
