"""Thresholds in descriptions."""

from builder.grafana.wording import with_thresholds

KNOWN = {"temperature_warning": 80.0, "idle_memory": 0.5, "power_near_limit": 0.975}


def test_a_known_threshold_is_shown_in_its_unit() -> None:
    text = "at {temperature_warning}, more than {idle_memory} held, {power_near_limit} of the limit"
    assert with_thresholds(text, KNOWN) == "at 80 °C, more than 50 % held, 97.5 % of the limit"


def test_other_braces_stay() -> None:
    text = '{pod="a"} {{node}} {unknown} {}'
    assert with_thresholds(text, KNOWN) == text
