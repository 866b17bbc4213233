"""What feeds a Prometheus: exporters, their spellings, and what of the boards they can fill."""
