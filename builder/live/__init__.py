"""What a running Prometheus says about boards: panel by panel, and what would have to be switched on."""
