from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def pendulum():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    return model


def test_a_pendulum_hangs_unless_it_stands_exactly():
    down = jd.equilibrium(pendulum(), {"hinge.angle": 2.5})
    assert down["hinge.angle"] == pytest.approx(0.0, abs=1e-12)
    assert down.is_stable
    up = jd.equilibrium(pendulum(), {"hinge.angle": np.pi})
    assert up["hinge.angle"] == pytest.approx(np.pi, abs=1e-14)
    assert not up.is_stable
    assert "unstable" in str(up)


def test_a_run_from_rest_stays():
    rest = jd.equilibrium(pendulum(), inputs={"hinge.angle": 1.0})
    assert rest["hinge.angle"] == pytest.approx(np.arcsin(1.0 / (9.81 * 0.25)), abs=1e-12)
    sol = jd.simulate(pendulum(), 1.0, start=rest, inputs={"hinge.angle": 1.0})
    assert np.abs(sol["hinge.angle"] - rest["hinge.angle"]).max() < 1e-9


def test_a_held_coordinate_needs_a_force():
    rest = jd.equilibrium(pendulum(), {"hinge.angle": 0.5}, hold=["hinge.angle"])
    assert rest["hinge.angle"] == 0.5
    assert rest.holding["hinge.angle"] == pytest.approx(9.81 * 0.25 * np.sin(0.5), rel=1e-12)
    rest = jd.equilibrium(pendulum(), hold={"hinge.angle": 0.3})
    assert rest["hinge.angle"] == 0.3


def test_states_of_elements_come_to_rest():
    model = jd.Model("maxwell")
    body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("guide", model.world, body, jd.Prismatic("z"))
    place = jd.Coordinate("guide.position")
    model.add_connection("spring", place, jd.Spring(100.0))
    model.add_connection("maxwell", place, jd.Maxwell(50.0, 3.0))
    rest = jd.equilibrium(model, {"guide.position": 0.3})
    assert rest["guide.position"] == pytest.approx(-0.0981, abs=1e-12)
    sol = jd.simulate(model, 0.5, start=rest)
    assert np.abs(sol["guide.position"] + 0.0981).max() < 1e-9


def test_linear_equations_keep_what_an_equilibrium_was_found_with():
    """Parameters and inputs of the search count in all that follows, unless others are given."""
    model = jd.Model("soft")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(jd.Parameter("k", 4.0)))
    system = jd.compile(model)
    rest = jd.equilibrium(system, parameters={"k": 9.0}, inputs={"x": 18.0})
    assert rest["x.value"] == pytest.approx(2.0)
    for about in (system, model):
        assert abs(jd.eigenmodes(about, rest)[0].eigenvalue) == pytest.approx(3.0)
        assert abs(jd.linearize(about, rest).eigenvalues[0]) == pytest.approx(3.0)
        assert jd.linearize(about, rest, inputs=["x"]).B[1, 0] == pytest.approx(1.0)
    given = jd.linearize(system, rest, parameters={"k": 4.0}, inputs={"x": 8.0})
    assert abs(given.eigenvalues[0]) == pytest.approx(2.0)
    still = jd.equilibrium(system, parameters={"k": 9.0})
    assert abs(jd.eigenmodes(system, still)[0].eigenvalue) == pytest.approx(3.0)
