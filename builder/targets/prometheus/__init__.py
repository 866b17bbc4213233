"""A Prometheus that is asked through its HTTP API: boards are tried on it, and what feeds it is found out."""
