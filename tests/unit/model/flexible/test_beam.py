"""Beams as records: checks, pickles, drawing."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd

SECTION = jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02)


def test_beams_are_equal_by_what_they_are_made_of():
    one, other = (jd.flexible.beam(1.0, SECTION, modes=2) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != jd.flexible.beam(1.1, SECTION, modes=2)
    assert one.n == 2
    back = pickle.loads(pickle.dumps(one))
    assert back == one
    assert np.array_equal(back.frequencies, one.frequencies)


def test_inertia_is_that_of_the_straight_beam():
    for frame in ("end", "mean"):
        inertia = jd.flexible.beam(2.0, SECTION, modes=2, frame=frame).inertia
        assert inertia.mass == pytest.approx(2.0 * SECTION.mass)
        assert inertia.com == pytest.approx((1.0, 0.0, 0.0))
        across = inertia.mass * 4.0 / 12.0 + 2.0 * SECTION.moments[2]
        assert inertia.moments[2][2] == pytest.approx(across)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"length": 0.0}, "length of the beam"),
        ({"section": 3.0}, "section of the beam is 3.0"),
        ({"fields": ("q",)}, "no field 'q'"),
        ({"family": "waves"}, "no family of functions 'waves'"),
        ({"functions": 13}, "13: more than 12 polynomials"),
        ({"functions": 2.5}, "functions of the beam is 2.5"),
        ({"modes": 9, "functions": 2}, "modes of the beam is 9"),
        ({"modes": True}, "modes of the beam is True"),
        ({"frame": "chord"}, "no frame 'chord'"),
        ({"damping": -0.1}, "damping of the beam"),
    ],
)
def test_mistakes_are_named(changes, text):
    given = {"length": 1.0, "section": SECTION} | changes
    with pytest.raises(jd.JourdainError, match=text):
        jd.flexible.beam(**given)


def test_what_moves_no_mass_is_refused():
    section = jd.flexible.Section(1.0, 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(jd.ModelError, match="'twist' of a flexible body move no mass"):
        jd.flexible.beam(1.0, section, fields=("twist",)).frequencies  # noqa: B018


def test_frames_beyond_the_beam_are_refused():
    model = jd.Model("beyond")
    arm = model.add_body("arm", jd.flexible.beam(1.0, SECTION))
    tip = model.add_body("tip", jd.Inertia(1.0))
    model.add_joint("grip", arm.at(1.2, 0, 0), tip, jd.Fixed())
    with pytest.raises(jd.ModelError, match=r"x = 1.2 m is beyond the beam"):
        jd.compile(model)


def test_parameters_are_refused_by_name():
    length = jd.Parameter("length", 0.5)
    with pytest.raises(jd.ModelError, match="length of the beam depends on a parameter"):
        jd.flexible.beam(length, SECTION)
    with pytest.raises(jd.ModelError, match="height of the rectangle depends on a parameter"):
        jd.flexible.rectangle(jd.flexible.STEEL, length, 0.1)
    with pytest.raises(jd.ModelError, match="EA of the section depends on a parameter"):
        jd.flexible.Section(1.0, 1.0, 1.0, length, 1.0)
    model = jd.Model("frame")
    arm, tip = (
        model.add_body("arm", jd.flexible.beam(1.0, SECTION)),
        model.add_body("tip", jd.Inertia(1.0)),
    )
    model.add_joint("grip", arm.at(length, 0, 0), tip, jd.Fixed())
    with pytest.raises(jd.ModelError, match="a position on the beam depends on a parameter"):
        jd.compile(model)


_DEFAULT = jd.flexible.beam(1.0, SECTION)


@pytest.mark.parametrize("frame", ["auto", "end", "ends"])
def test_default_modes_give_way_as_they_should(frame):
    """Forces, moments and torques at the tip, exactly; loads along it move its tip exactly."""
    beam = replace(_DEFAULT, frame=frame)
    assert len(beam.coordinates) == 10
    found = beam.compliance((1.0, 0.0, 0.0))
    EI = SECTION.EI_y
    expected = {(4, 4): 1 / 3 / SECTION.EI_z, (5, 5): 1 / 3 / EI, (1, 1): 1 / EI, (1, 5): -0.5 / EI}
    for place, value in (expected | {(0, 0): 1.0 / SECTION.GJ}).items():
        assert found[place] == pytest.approx(value, rel=1e-9)
    middle = beam.compliance((0.5, 0.0, 0.0))
    assert middle[5, 5] == pytest.approx(1.0 / 24.0 / EI, rel=5e-3)
    weight = beam.elasticity.integrals.h1[2] / beam.elasticity.stiffness
    for x, factor, tolerance in ((1.0, 3.0, 1e-9), (0.5, 17.0 / 16.0, 1e-3)):
        sag = beam.elasticity.place((x, 0.0, 0.0)).A[2] @ weight
        assert sag == pytest.approx(SECTION.mass / 24.0 / EI * factor, rel=tolerance)


def test_default_modes_vibrate_as_they_should():
    steel = np.sqrt(SECTION.EI_y / SECTION.mass) / (2.0 * np.pi)
    by_name = dict(zip(_DEFAULT.coordinates, _DEFAULT.frequencies, strict=True))
    for k, exact in enumerate([3.516015, 22.034492, 61.697214], 1):
        assert by_name[f"z{k}"] == pytest.approx(exact * steel, rel=4e-3)
    free = replace(_DEFAULT, frame="mean")
    by_name = dict(zip(free.coordinates, free.frequencies, strict=True))
    for k, exact in enumerate([22.373285, 61.672823], 1):
        assert by_name[f"z{k}"] == pytest.approx(exact * steel, rel=5e-3)


def test_discs_of_a_shaft_have_modes():
    """Torsion of two discs against each other, between which the shaft has little mass."""
    discs = [jd.flexible.Disc(x, 2.0, (0.02, 0.01, 0.01)) for x in (0.3, 0.7)]
    own = jd.flexible.shaft(1.0, SECTION, discs)
    rate = np.sqrt(2.0 * SECTION.GJ / 0.4 / 0.02) / (2.0 * np.pi)
    assert np.abs(own.frequencies / rate - 1.0).min() < 5e-3
    few = jd.flexible.shaft(1.0, SECTION, discs, modes=2)
    assert len(few.coordinates) == 2


def test_the_frame_suits_the_part():
    """What carries something at its far end is made of deflections by loads there."""
    end = (1.0, 0.0, 0.0)
    for modes, joined, clamped, frame in (
        (6, (), (), "end"), (6, (end,), (), "ends"), (4, (end,), (), "end"),
        (4, (end,), (end,), "ends"), (3, (end,), (end,), "end"), (None, (), (), "ends"),
    ):  # fmt: skip
        own = jd.flexible.beam(1.0, SECTION, modes=modes, fields=("y", "z"))
        assert own.fastened(False, joined, clamped).frame == frame
        rod = "ends" if frame == "ends" and clamped else "mean"
        assert own.fastened(True, joined, clamped).frame == rod
