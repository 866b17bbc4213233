"""Makes the output of any stock grafanalib object clean: what today's Grafana reads, and nothing else.

grafanalib 0.7.1 emits several panels in the shape of Grafana 4 to 7, nulls, and keys that nothing reads. What
has a successor is converted as Grafana's own migrations did; what has none is refused, with what to use.
"""

from builder.grafana.normalise.dashboard import clean_dashboard
from builder.grafana.normalise.panel import clean_panel
from builder.grafana.normalise.target import clean_target
from builder.grafana.normalise.variable import clean_variable

__all__ = ["clean_dashboard", "clean_panel", "clean_target", "clean_variable"]
