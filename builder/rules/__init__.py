"""Recording and alerting rules, built from the same questions as the boards."""
