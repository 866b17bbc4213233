"""What can be known of a PromQL expression without asking a server."""
