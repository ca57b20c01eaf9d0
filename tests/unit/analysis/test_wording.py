from __future__ import annotations

import pytest

from jourdain.analysis.wording import counted, kind_text, some, table, wrapped
from jourdain.model.joints import Fixed, Joint, PointOnCurve, Revolute, RollingDisc, Screw
from jourdain.model.joints.registry import helix
from jourdain.spatial.parameter import Parameter


class Rocker(Joint):
    """A kind of a user, with a field of every sort."""

    radius: float
    inner: Joint
    profile: object
    count: int = 3

    coordinates = {"angle": "rad"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Fixed(), "Fixed()"),
        (Revolute((0.6, 0.0, -0.8)), "Revolute((0.6, 0, -0.8))"),
        (Screw("z", 1 / 3), 'Screw("z", 0.3333)'),
        (RollingDisc(2 * Parameter("r", 0.1, "m")), "RollingDisc(2 * r)"),
        (Fixed() * Revolute("z"), 'Fixed() * Revolute("z")'),
        (PointOnCurve(helix, Fixed(), "rad"), 'PointOnCurve(helix, Fixed(), "rad")'),
        (Rocker(0.2, Revolute("x"), lambda s: s), 'Rocker(0.2, Revolute("x"), function, 3)'),
    ],
)
def test_kinds_are_written_as_users_write_them(kind, text):
    assert kind_text(kind) == text


def test_counts_have_the_right_noun():
    assert counted(0, "loop") == "no loops"
    assert counted(1, "body", "bodies") == "1 body"
    assert counted(2, "body", "bodies") == "2 bodies"


def test_long_lists_lose_their_middle():
    assert some("abcd", ", ", 4) == "a, b, c, d"
    assert some("abcdefg", " - ", 5) == "a - b - … - e - f - g"


def test_columns_are_flush_left():
    assert table([("a", "bb"), ("ccc", "")]) == ["  a     bb", "  ccc"]


def test_units_stay_with_their_words():
    lines = wrapped("  " + "speed [m/s] " * 20)
    assert len(lines) == 3
    assert all(line.endswith("speed [m/s]") for line in lines)
    assert lines[1].startswith("    speed")
