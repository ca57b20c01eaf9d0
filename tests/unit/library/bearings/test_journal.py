"""The short bearing against quadrature, published coefficients and Ocvirk's load (5.V21)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import bearings
from jourdain.library.bearings.journal import short_film

SIZES = (0.018, 3.6e-3, 20e-6, 0.02)
SPEED = 100.0 * np.pi
MODEL = jd.Model("one")
BALL = MODEL.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
NAMES = ("radius", "length", "gap", "viscosity")


def journal(**change):
    sizes = dict(zip(NAMES, SIZES, strict=True)) | change
    return bearings.JournalBearing(MODEL.world, BALL, **sizes)


part = st.floats(-0.6, 0.6)


@settings(max_examples=25)
@given(part, part, part, part, st.floats(-400.0, 400.0))
def test_closed_form_is_the_integral(x, y, u, w, speed):
    """(BG-2) against 4000 points of the pressure of a short bearing."""
    radius, length, gap, viscosity = SIZES
    place, velocity = gap * np.array([x, y]), 300.0 * gap * np.array([u, w])
    theta = 2.0 * np.pi * np.arange(4000) / 4000
    cosine, sine = np.cos(theta), np.sin(theta)
    h = gap - place[0] * cosine - place[1] * sine
    turning = place[0] * sine - place[1] * cosine
    closing = -velocity[0] * cosine - velocity[1] * sine
    drive = 6.0 * viscosity * speed * turning + 12.0 * viscosity * closing
    line = np.maximum(0.0, -(length**3) / (12.0 * h**3) * drive)
    wanted = -2.0 * np.pi * radius * np.array([(line * cosine).mean(), (line * sine).mean()])
    found = short_film(place, velocity, speed, SIZES)
    np.testing.assert_allclose(found, wanted, atol=2e-6 * np.abs(wanted).max() + 1e-9)


@pytest.mark.parametrize(
    ("eps", "load", "angle"),
    [(0.2, 2.27618, 75.431), (0.5, 9.89878, 53.680), (0.8, 75.60581, 30.500)],
)
def test_load_and_attitude(eps, load, angle):
    """5.V21, and Ocvirk's formula (BG-4)."""
    state = journal().working_point(journal().load(eps, SPEED), SPEED)
    assert journal().load(eps, SPEED) == pytest.approx(load, rel=2e-6)
    assert state.eccentricity == pytest.approx(eps, rel=1e-9)
    assert np.degrees(state.attitude) == pytest.approx(angle, abs=1e-3)
    radius, length, gap, viscosity = SIZES
    shape = eps / (1 - eps**2) ** 2 * np.sqrt(16 * eps**2 + np.pi**2 * (1 - eps**2))
    ocvirk = viscosity * SPEED * radius * length**3 / (4 * gap**2) * shape
    assert journal().load(eps, SPEED) == pytest.approx(ocvirk, rel=1e-12)


def test_eight_coefficients():
    """5.V21 at ε = 0.5."""
    load = journal().load(0.5, SPEED)
    state = journal().working_point(load, SPEED)
    K, C = state.stiffness * 20e-6 / load, state.damping * 20e-6 * SPEED / load
    np.testing.assert_allclose(K, [[2.92325, 3.97664], [-0.85770, 2.20994]], atol=1e-4)
    np.testing.assert_allclose(C, [[6.61476, 2.24496], [2.24496, 3.05392]], atol=1e-4)
    assert C[0, 1] == pytest.approx(C[1, 0], rel=1e-9)
    assert state.thinnest == pytest.approx(1e-5, rel=1e-9)


def rotor(bearing, mass=1.0):
    model = jd.Model("rotor", gravity=(0, 0, 0))
    body = model.add_body("rotor", jd.solid.cylinder(mass, radius=0.018, length=0.1, axis="z"))
    model.add_joint("plane", model.world, body, jd.Planar("z"))
    model.add("bearing", bearing(model.world, body))
    model.add_connection("turn", jd.Rate(jd.Coordinate("plane.angle")), jd.Equal(SPEED))
    return model


def test_a_rotor_finds_its_working_point():
    """A run under a constant load ends where the static solution says, friction included."""
    load = journal().load(0.5, SPEED)
    model = rotor(lambda a, b: bearings.JournalBearing(a, b, *SIZES), mass=0.01)
    model.add_connection("pull", jd.Coordinate("plane.position.x"), jd.Force(load))
    run = jd.simulate(model, 0.2, start={"plane.rate": SPEED})
    state = journal().working_point(load, SPEED)
    assert run.values("bearing.load")[-1] == pytest.approx(load, rel=1e-5)
    assert run.values("bearing.eccentricity")[-1] == pytest.approx(0.5 * 20e-6, rel=1e-5)
    assert run.values("bearing.thinnest")[-1] == pytest.approx(state.thinnest, rel=1e-5)
    assert -run.values("bearing.friction_torque")[-1] == pytest.approx(state.torque, rel=1e-5)
    place = [run.values(f"plane.position.{c}")[-1] for c in "xy"]
    assert np.arctan2(*place[::-1]) == pytest.approx(state.attitude, abs=1e-4)


def test_small_motions_are_those_of_the_eight_coefficients():
    """The film and `LinearBearing` about its working point move alike."""
    load = journal().load(0.5, SPEED)
    state = journal().working_point(load, SPEED)
    place = 0.5 * 20e-6 * np.array([np.cos(state.attitude), np.sin(state.attitude)])
    runs = []
    for kind in (0, 1):
        if kind == 0:
            model = rotor(lambda a, b: bearings.JournalBearing(a, b, *SIZES))
            x = place + np.array([2e-8, 0.0])
        else:
            law = (state.stiffness, state.damping, (-load, 0.0))
            model = rotor(lambda a, b, law=law: bearings.LinearBearing(a, b, *law))
            x = np.array([2e-8, 0.0])
        model.add_connection("pull", jd.Coordinate("plane.position.x"), jd.Force(load))
        start = {"plane.rate": SPEED} | dict(
            zip(("plane.position.x", "plane.position.y"), x, strict=True)
        )
        run = jd.simulate(model, 0.01, start=start, sample=1e-4)
        moved = np.column_stack([run.values(f"plane.position.{c}") for c in "xy"])
        runs.append(moved - (place if kind == 0 else 0.0))
    np.testing.assert_allclose(runs[0], runs[1], atol=2e-10)


def test_solid_contact_behind_the_film():
    """A load above that of the film is carried by the contact, at ε just above 0.99."""
    model = rotor(lambda a, b: bearings.JournalBearing(a, b, *SIZES, contact=1e9), mass=0.1)
    model.add_connection("pull", jd.Coordinate("plane.position.x"), jd.Force(1e5))
    run = jd.simulate(model, 0.02, start={"plane.rate": SPEED})
    assert 0.99 * 20e-6 < run.values("bearing.eccentricity")[-1] < 20e-6 + 1e5 / 1e9
    assert np.isfinite(run.values("bearing.load")).all()


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: journal(gap=0.01), "give the radial clearance"),
        (lambda: journal(viscosity=0.0), "viscosity of JournalBearing"),
        (lambda: journal().load(1.0, SPEED), "give a part of the gap"),
        (lambda: journal().working_point(1e9, SPEED), "Give more speed, length or viscosity"),
        (lambda: bearings.JournalBearing(3, BALL, *SIZES), "a of JournalBearing is 3"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()
