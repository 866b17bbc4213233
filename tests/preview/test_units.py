"""Numbers are written as Grafana writes them."""

from __future__ import annotations

import math

import pytest

from builder.preview.units import format_value


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "text"),
    [
        (0.4212, "percentunit", None, "42.1%"),
        (1.0, "percentunit", None, "100%"),
        (93.25, "percent", 1, "93.2%"),
        (88.0, "celsius", None, "88 °C"),
        (85899345920.0, "bytes", None, "80 GiB"),
        (62546763776.0, "bytes", 1, "58.3 GiB"),
        (512.0, "bytes", None, "512 B"),
        (4050.0, "watt", None, "4.05 kW"),
        (0.25, "watt", None, "250 mW"),
        (1.98e9, "hertz", None, "1.98 GHz"),
        (3.5e8, "Bps", None, "350 MB/s"),
        (1234.0, "short", None, "1.23 K"),
        (2_500_000.0, "short", None, "2.50 Mil"),
        (0.0, "none", None, "0"),
        (-0.0001, "none", 2, "0.00"),
        (7.0, "", None, "7"),
        (0.000123, "none", None, "0.000123"),
        (0.25, "s", None, "250 ms"),
        (45.0, "s", None, "45 s"),
        (90.0, "s", 1, "1.5 mins"),
        (7200.0, "s", None, "2 hours"),
        (259200.0, "s", None, "3 days"),
        (1500.0, "ms", None, "1.50 s"),
        (3725.0, "dtdurations", None, "1 hour, 2 minutes, 5 seconds"),
        (12.0, "cps", None, "12 c/s"),
        (1234.0, "ops", None, "1.23K ops/s"),
        (0.0, "kwatt", None, "0 kW"),
        (4.05, "kwatt", None, "4.05 kW"),
        (1000.0, "kwatt", None, "1 MW"),
        (0.5, "kwatt", None, "500 W"),
        (-2000.0, "mwatt", None, "-2 W"),
        (1000.0, "megwatt", 3, "1.000 GW"),
        (1500.0, "kwatth", None, "1.50 MWh"),
        (10_000_000.0, "kbytes", 3, "9.537 GiB"),
        (10_000_000.0, "deckbytes", 3, "10.000 GB"),
        (81559.0, "mbytes", None, "79.6 GiB"),
        (0.5, "gbytes", None, "512 MiB"),
        (0.5, "bytes", 1, "0.5 B"),
        (81559.0, "decmbytes", None, "81.6 GB"),
        (2500.0, "MBs", None, "2.50 GB/s"),
        (25.0, "Gbits", None, "25 Gb/s"),
        (2048.0, "MiBs", None, "2 GiB/s"),
        (1980.0, "rotmhz", None, "1.98 GHz"),
        (67.0, "tflops", None, "67 TFLOPS"),
        (2.0, "µfarad", None, "2 µF"),
        (1500.0, "si:mT", None, "1.50 T"),
        (12990.0, "sishort", None, "13.0 k"),
        (12990.0, "count:steps", None, "13.0K steps"),
        (3.0, "prefix:P", None, "P3"),
        (0.0024, "ms", 4, "0.0024 ms"),
        (0.5, "µs", 1, "0.5 µs"),
        (1500.0, "µs", None, "1.50 ms"),
        (0.5, "h", 1, "0.5 hour"),
        (36.0, "h", None, "1.50 days"),
        (1.0, "bool_yes_no", None, "Yes"),
        (1767225600000.0, "dateTimeAsIso", None, "2026-01-01 00:00:00"),
        (3.0, "suffix:cards", None, "3 cards"),
        (3.0, "furlongs", None, "3 furlongs"),
        (math.nan, "watt", None, "NaN"),
        (math.inf, "watt", None, "Inf"),
    ],
)
def test_a_value_in_a_unit(value: float, unit: str, decimals: int | None, text: str) -> None:
    assert format_value(value, unit, decimals) == text
