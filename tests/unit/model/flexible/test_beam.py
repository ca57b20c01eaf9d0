"""Beams as records: checks, pickles, drawing."""

import pickle

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
