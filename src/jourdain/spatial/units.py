"""Units as texts: what they are in SI, by one small table.

A text is a product of units with powers, ``"kg mm^2"``, ``"N m/rad"``, ``"1/min"``,
``"W/(m^2 K)"``. Inside everything is SI; angles are radians and count as a dimension of their own,
so that turns per second and radians per second are not mixed up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from jourdain.errors import ModelError, did_you_mean

_BASE = ("m", "kg", "s", "A", "K", "mol", "cd", "rad")
_PREFIXES = {
    "G": 9, "M": 6, "k": 3, "h": 2, "d": -1, "c": -2, "m": -3, "u": -6, "µ": -6, "μ": -6, "n": -9,
    "p": -12,
}  # fmt: skip
_DERIVED = {
    "N": "kg m/s^2", "Pa": "N/m^2", "J": "N m", "W": "J/s", "Hz": "1/s", "C": "A s", "V": "W/A",
    "F": "C/V", "ohm": "V/A", "S": "A/V", "Wb": "V s", "T": "Wb/m^2", "H": "Wb/A",
}  # fmt: skip
_INCH, _POUND, _G = Fraction(254, 10000), Fraction(45359237, 10**8), Fraction(980665, 10**5)
# Others: number of SI units, power of π in it, those SI units.
_OTHERS: dict[str, tuple[Fraction | int, int, str]] = {
    "g": (Fraction(1, 1000), 0, "kg"),
    "t": (1000, 0, "kg"),
    "min": (60, 0, "s"),
    "h": (3600, 0, "s"),
    "d": (86400, 0, "s"),
    "l": (Fraction(1, 1000), 0, "m^3"),
    "L": (Fraction(1, 1000), 0, "m^3"),
    "cc": (Fraction(1, 10**6), 0, "m^3"),
    "bar": (10**5, 0, "Pa"),
    "atm": (101325, 0, "Pa"),
    "deg": (Fraction(1, 180), 1, "rad"),
    "°": (Fraction(1, 180), 1, "rad"),
    "rev": (2, 1, "rad"),
    "rpm": (Fraction(2, 60), 1, "rad/s"),
    "Nm": (1, 0, "N m"),
    "Ω": (1, 0, "ohm"),
    "St": (Fraction(1, 10**4), 0, "m^2/s"),
    "P": (Fraction(1, 10), 0, "Pa s"),
    "kmh": (Fraction(10, 36), 0, "m/s"),
    "%": (Fraction(1, 100), 0, "1"),
    "PS": (75 * _G, 0, "W"),
    "hp": (550 * 12 * _INCH * _POUND * _G, 0, "W"),
    "in": (_INCH, 0, "m"),
    "ft": (12 * _INCH, 0, "m"),
    "mph": (63360 * _INCH / 3600, 0, "m/s"),
    "lb": (_POUND, 0, "kg"),
    "lbf": (_POUND * _G, 0, "N"),
    "psi": (_POUND * _G / _INCH**2, 0, "Pa"),
}
_SCALED = {*_BASE, *_DERIVED, "g", "l", "L", "bar", "Nm", "Ω", "St", "P", "t"} - {"kg"}
_OFFSET = {"degC": "K", "°C": "K", "C°": "K", "degF": "K", "°F": "K"}
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(r"\s*(?:(\*\*|\^|[*/·()])|(-?\d+)|([^\W\d]+°?|°[CF]?|%))|(\s+)$")


@dataclass(frozen=True)
class Unit:
    """A unit as a number of SI units.

    Parameters
    ----------
    text : str
        As it was written.
    number, pi : Fraction, int
        It is number × π^pi SI units.
    dimension : tuple of int
        Powers of m, kg, s, A, K, mol, cd and rad.
    si : mapping of str to int
        Powers of the SI units that stand for it, in the order of the text: N and m of ``"N/mm"``.
    """

    text: str
    number: Fraction = Fraction(1)
    pi: int = 0
    dimension: tuple[int, ...] = (0,) * len(_BASE)
    si: Mapping[str, int] = field(default_factory=dict)

    @property
    def si_text(self) -> str:
        """Text of the same quantity in SI: its own if it is SI."""
        if self.number == 1 and not self.pi and "%" not in self.text:
            return self.text
        above = " ".join(_power(name, n) for name, n in self.si.items() if n > 0) or "1"
        below = [_power(name, -n) for name, n in self.si.items() if n < 0]
        bottom = " ".join(below) if len(below) < 2 else f"({' '.join(below)})"
        return f"{above}/{bottom}" if below else above

    def __mul__(self, other: Unit) -> Unit:
        si = {n: self.si.get(n, 0) + other.si.get(n, 0) for n in (*self.si, *other.si)}
        dimension = tuple(a + b for a, b in zip(self.dimension, other.dimension, strict=True))
        return Unit("", self.number * other.number, self.pi + other.pi, dimension, si)

    def __pow__(self, n: int) -> Unit:
        si = {name: k * n for name, k in self.si.items()}
        return Unit("", self.number**n, self.pi * n, tuple(n * k for k in self.dimension), si)

    def to_si(self, value: Any) -> Any:
        """Numbers of this unit in SI."""
        return _scaled(value, self.number, self.pi)

    def from_si(self, value: Any) -> Any:
        """Numbers of SI in this unit."""
        return _scaled(value, 1 / self.number, -self.pi)


def _power(name: str, n: int) -> str:
    return name if n == 1 else f"{name}^{n}"


def _scaled(value: Any, number: Fraction, pi: int) -> Any:
    """Value × number × π^pi, rounded once where π is not in it."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        try:
            return float(Fraction(value) * number) * math.pi**pi
        except OverflowError:
            return math.inf
    scaled = np.asarray(value, dtype=float)
    if number.numerator != 1:
        scaled = scaled * float(number.numerator)
    if number.denominator != 1:
        scaled = scaled / float(number.denominator)
    return scaled * math.pi**pi if pi else scaled


@cache
def unit(text: str) -> Unit:
    """Read the text of a unit.

    Raises
    ------
    ModelError
        If it is not known; the text has the remedy.

    Examples
    --------
    >>> from jourdain.spatial.units import unit
    >>> unit("mm").to_si(9), unit("N/mm").si_text
    (0.009, 'N/m')
    """
    tokens = list(_tokens(text))
    found, rest = _product(text, tokens, 0)
    if rest != len(tokens):
        raise _unreadable(text)
    return Unit(text, found.number, found.pi, found.dimension, found.si)


def _tokens(text: str) -> Iterator[str]:
    plain = re.sub(r"[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + m[0].translate(_POWERS), text)
    place = 0
    while place < len(plain.rstrip()):
        match = _TOKEN.match(plain, place)
        if match is None:
            raise _unreadable(text)
        yield next(group for group in match.groups() if group is not None)
        place = match.end()


def _product(text: str, tokens: list[str], place: int) -> tuple[Unit, int]:
    """Read factors from a place on, to the end or to a closing bracket."""
    found, place = _factor(text, tokens, place)
    is_below = False
    while place < len(tokens) and tokens[place] != ")":
        sign = tokens[place] if tokens[place] in ("*", "·", "/") else ""
        if not sign and is_below:
            raise ModelError(
                f"the unit {text!r} is ambiguous: what stands behind a blank after '/' may be "
                "above or below. Use brackets, as in 'W/(m K)', or another '/'."
            )
        factor, place = _factor(text, tokens, place + bool(sign))
        is_below = is_below or sign == "/"
        found = found * (factor**-1 if sign == "/" else factor)
    return found, place


def _factor(text: str, tokens: list[str], place: int) -> tuple[Unit, int]:
    if place >= len(tokens):
        raise _unreadable(text)
    token = tokens[place]
    if token == "(":
        found, place = _product(text, tokens, place + 1)
        if place >= len(tokens):
            raise _unreadable(text)
    elif token == "1":
        found = Unit("")
    else:
        found = _named(token, text)
    place += 1
    if place < len(tokens) and tokens[place] in ("^", "**"):
        power = tokens[place + 1] if place + 1 < len(tokens) else ""
        if not re.fullmatch(r"-?\d{1,2}", power):
            raise _unreadable(text)
        found, place = found ** int(power), place + 2
    return found, place


def _named(name: str, text: str) -> Unit:
    """Unit of one name, with or without a prefix."""
    table = _table()
    if name in table:
        return table[name]
    if name[:1] in _PREFIXES and name[1:] in _SCALED:
        one, prefix = table[name[1:]], Fraction(10) ** _PREFIXES[name[0]]
        return Unit("", one.number * prefix, one.pi, one.dimension, one.si)
    if name in _OFFSET:
        raise ModelError(
            f"the unit {name!r} has an offset, so that it is no factor: 20 degC are 293.15 K, but "
            "20 degC more are 20 K. Give kelvin, 'K'."
        )
    within = "" if name == text else f" in {text!r}"
    hint = did_you_mean(name, [*table, *(p + n for p in "kmcµ" for n in _SCALED)])
    raise ModelError(
        f"the unit {name!r}{within} is not known; give SI or one of {', '.join(_OTHERS)}, with "
        f"prefixes, products, quotients and powers of them.{hint}"
    )


@cache
def _table() -> Mapping[str, Unit]:
    units: dict[str, Unit] = {}
    for k, name in enumerate(_BASE):
        dimension = tuple(int(k == i) for i in range(len(_BASE)))
        units[name] = Unit(name, dimension=dimension, si={name: 1})
    made: dict[str, tuple[Fraction | int, int, str, str]]
    made = {name: (1, 0, text, name) for name, text in _DERIVED.items()}
    made |= {name: (*entry, "") for name, entry in _OTHERS.items()}
    for name, (number, pi, text, own) in made.items():
        tokens, found = list(_tokens(text)), None
        for place, token in enumerate(tokens):  # plain texts: name, name^n, with one quotient
            if token in ("/", "^", "1") or tokens[place - 1 : place] == ["^"]:
                continue
            power = int(tokens[place + 2]) if tokens[place + 1 : place + 2] == ["^"] else 1
            part = units[token] ** (-power if "/" in tokens[:place] else power)
            found = part if found is None else found * part
        found = found or Unit("")
        si = {own: 1} if own else found.si
        units[name] = Unit(name, Fraction(number), pi, found.dimension, si)
    return units


def _unreadable(text: Any) -> ModelError:
    return ModelError(
        f"the unit {text!r:.60} cannot be read: write a product of units with powers, such as "
        "'kg mm^2', 'N m/rad', '1/min' or 'W/(m^2 K)'; a plain number has the unit '1'."
    )


def is_pair(value: Any) -> bool:
    """Tell whether something is a number with its unit, ``(600, "mm")``."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str)


def in_si(value: Any, own: str, what: str) -> Any:
    """Number as it is, or of a pair ``(600, "mm")`` in SI.

    Parameters
    ----------
    value : number, numbers, or a pair of them and a unit
        What the user gave; plain numbers are SI.
    own : str
        Unit of the quantity.
    what : str
        Name of the quantity for errors.
    """
    if not is_pair(value):
        return value
    number, text = value
    _require_same(unit(text), own, f"{what} is given in {text!r}")
    return unit(text).to_si(number)


def converted(values: Any, own: str, wanted: str, what: str) -> Any:
    """Numbers of one unit in another.

    Raises
    ------
    ModelError
        If they are not of one dimension.
    """
    _require_same(unit(wanted), own, f"{what} is wanted in {wanted!r}")
    return unit(wanted).from_si(unit(own).to_si(values))


def _require_same(given: Unit, own: str, said: str) -> None:
    known = unit(own)
    if given.dimension == known.dimension:
        return
    turns = given.dimension[:-1] == known.dimension[:-1]
    hint = " Turns per second are 'rev/s', not 'Hz'; radians are no plain numbers." if turns else ""
    if own == "1":
        hint = f" If it has a unit, say so where it is made: Parameter(..., {given.si_text!r})."
    raise ModelError(f"{said}, but its unit is {own!r}, which is another dimension.{hint}")
