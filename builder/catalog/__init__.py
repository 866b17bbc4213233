"""What can be measured (signals) and how each exporter spells it (profiles)."""
