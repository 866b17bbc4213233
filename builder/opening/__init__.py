"""A dashboard opened as Grafana opens it: variables resolved, and every panel's queries as they would be sent.

It asks a ``Server`` for what variables offer, and says what to ask for the panels; who asks it, and how, is the
caller's. ``builder.testing`` asks a Prometheus of its own, ``gpuboards check --prometheus`` yours.
"""
