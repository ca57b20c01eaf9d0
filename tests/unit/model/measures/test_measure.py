"""The base of measures: units, frames, texts."""

import pytest

from jourdain.model.elements import Body, Frame
from jourdain.model.measures import Coordinate, Distance, Formula, Measure
from jourdain.spatial.inertia import Inertia

A, B = Frame("a", (0.1, 0, 0)), Frame("b")


class Height(Measure):
    """Of a frame, or of several."""

    frame: Frame
    others: tuple = ()

    def value(self, at):
        return at.pose(self.frame)[1][2]


def test_bodies_become_frames():
    body = Body("a", Inertia(1.0))
    assert Height(body, (body, A)) == Height(Frame("a"), (Frame("a"), A))


def test_frames_are_found_in_all_fields():
    assert Height(B, (A, B)).frames == (B, A)
    assert (Height(B) + 2.0 * Distance(A, B)).frames == (B, A)


@pytest.mark.parametrize(
    ("unit", "rate", "force"),
    [("m", "m/s", "N"), ("rad", "rad/s", "N m"), ("m^3", "m^3/s", "Pa"), ("1", "1/s", "J/1")],
)
def test_units(unit, rate, force):
    measure = Coordinate("x", unit)
    assert (measure.rate_unit, measure.force_unit) == (rate, force)


def test_texts_leave_out_what_is_usual():
    assert str(Distance(A, B)) == "Distance(a(0.1, 0, 0), b)"
    assert str(Height(A)) == "Height(a(0.1, 0, 0))"
    assert str(Height(A, (B,))) == "Height(a(0.1, 0, 0), others=(b))"
    assert str(Formula(speed=len)) == "Formula(speed=len)"
    assert str(Coordinate("main.angle", "rad")) == "Coordinate(main.angle)"
