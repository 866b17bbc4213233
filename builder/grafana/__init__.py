"""Grafana's dashboard model: panels, queries, variables, links and layout as checked values.

The only place that knows grafanalib. Its classes are the object model; what they emit stale or lack is
put right here, so that everything above deals in clean dashboard JSON.
"""
