"""A Grafana reached through its HTTP API: boards are pushed to it and pulled from it.

From the bottom up: ``secret``, ``endpoint`` (which Grafana, as whom), ``wire`` (one request), ``answers`` (what is
in a reply), ``client`` (with patience), ``preflight`` (what the server is and allows), ``classic`` and ``apps``
(its two APIs for boards), ``folders``, ``plan`` (what has to change; pure), ``survey``, ``apply``; and ``push`` and
``pull``, which put them together.
"""
