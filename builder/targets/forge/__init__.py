"""The forges that a report can be posted to, as a comment that is written once and then kept up to date."""
