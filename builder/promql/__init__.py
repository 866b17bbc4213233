"""PromQL expressions as values, their parsing, and Grafana's variable substitution."""
