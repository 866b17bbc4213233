"""Units that Grafana shows with a prefix: what each is called, and at which prefix it starts.

Facts: Grafana's packages/grafana-data/src/valueFormats (categories.ts, symbolFormatters.ts, valueFormats.ts).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SI = ("f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y")
BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi")
_BASE = SI.index("")


@dataclass(frozen=True)
class Scaled:
    """A unit with prefixes ``factor`` apart; a number given in it has the prefix ``prefixes[start]``."""

    symbol: str
    factor: int = 1000
    prefixes: tuple[str, ...] = SI
    start: int = _BASE

    def scaled(self, value: float) -> tuple[float, str]:
        """The number by its best prefix, and the prefix with the symbol: 1000 kW are 1 MW, 0.5 of them 500 W."""
        n = self.start
        while abs(value) >= self.factor and n < len(self.prefixes) - 1:
            value, n = value / self.factor, n + 1
        while 0 < abs(value) < 1 and n > 0:
            value, n = value * self.factor, n - 1
        return value, self.prefixes[n] + self.symbol


# By symbol: how many prefixes above the plain unit the first id stands, and the ids from there up; "-" is none.
_SI_IDS: Mapping[str, tuple[int, str]] = {
    "": (0, "sishort"),
    "W": (-1, "mwatt watt kwatt megwatt gwatt"),
    "Wh": (0, "watth kwatth"),
    "W-Min": (1, "kwattm"),
    "Wh/kg": (0, "watthperkg"),
    "J": (0, "joule"),
    "eV": (0, "ev"),
    "VA": (0, "voltamp kvoltamp"),
    "VAr": (0, "voltampreact kvoltampreact"),
    "A": (-1, "mamp amp kamp"),
    "Ah": (-1, "mamph amph kamph"),
    "V": (-1, "mvolt volt kvolt"),
    "Ω": (0, "ohm kohm Mohm"),
    "F": (-5, "ffarad pfarad nfarad µfarad - farad"),
    "H": (-2, "µhenry mhenry henry"),
    "dBm": (0, "dBm"),
    "Lm": (0, "lumens"),
    "B": (0, "decbytes deckbytes decmbytes decgbytes dectbytes decpbytes"),
    "b": (0, "decbits"),
    "B/s": (0, "Bps KBs MBs GBs TBs PBs"),
    "b/s": (0, "bps Kbits Mbits Gbits Tbits Pbits"),
    "p/s": (0, "pps"),
    "FLOPS": (0, "flops - mflops gflops tflops pflops eflops zflops yflops"),
    "H/s": (0, "Hs KHs MHs GHs THs PHs EHs"),
    "g": (-1, "massmg massg masskg"),
    "m": (-1, "lengthmm lengthm lengthkm"),
    "L": (-1, "mlitre litre"),
    "Nm": (0, "forceNm forcekNm"),
    "N": (0, "forceN forcekN"),
    "bar": (-1, "pressurembar pressurebar pressurekbar"),
    "Pa": (0, "pressurepa"),
}
_BINARY_IDS: Mapping[str, str] = {
    "B": "bytes kbytes mbytes gbytes tbytes pbytes",
    "b": "bits",
    "B/s": "binBps KiBs MiBs GiBs TiBs PiBs",
    "b/s": "binbps Kibits Mibits Gibits Tibits Pibits",
}


def _si() -> dict[str, Scaled]:
    hertz = {name: Scaled("Hz", start=_BASE + n) for n, name in enumerate(("rothz", "rotkhz", "rotmhz", "rotghz"))}
    found = {"hertz": Scaled("Hz"), **hertz}
    for symbol, (first, names) in _SI_IDS.items():
        found |= {name: Scaled(symbol, start=_BASE + first + n) for n, name in enumerate(names.split()) if name != "-"}
    return found


SCALED: Mapping[str, Scaled] = {
    "short": Scaled("", prefixes=("", "K", "Mil", "Bil", "Tri", "Quadr", "Quint", "Sext", "Sept"), start=0),
    **_si(),
    **{
        name: Scaled(symbol, 1024, BINARY, n)
        for symbol, names in _BINARY_IDS.items()
        for n, name in enumerate(names.split())
    },
}
"""By Grafana's id of the unit."""


def unit(name: str) -> Scaled | None:
    """The unit of this id, or one that a board names itself, such as ``si:mT``; None for one without prefixes."""
    kind, _, symbol = name.partition(":")
    if kind != "si" or not symbol:
        return SCALED.get(name)
    offset = SI.index(symbol[0]) - _BASE if symbol[0] in SI else 0
    return Scaled(symbol[1:] if offset else symbol, start=_BASE + offset)
