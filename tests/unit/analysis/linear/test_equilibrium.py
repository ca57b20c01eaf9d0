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


@pytest.mark.without_contact_check("the search for rest takes coarse time steps")
def test_what_jams_is_found_by_runs_that_are_stopped():
    """A body on two round feet that stick: no force is left, and a run from there stays."""
    model = jd.Model("two feet", gravity=(0.1, -0.3, -9.81))
    body = model.add_body("body", jd.solid.box(mass=2.0, size=(0.4, 0.3, 0.2)))
    for k, x in enumerate((-0.3, 0.3)):
        foot = jd.Sphere(body.at(x, 0, 0.1), 0.35)
        model.add_contact(f"foot_{k}", jd.HalfSpace(model.world), foot, jd.Coulomb(0.9))
    for k, away in enumerate(((2.0, 1.0, 1.0), (-1.0, 2.0, 1.5), (0.5, -2.0, 1.2))):
        rope = jd.Distance(model.world.at(*away), body.at(0.1, 0.1 * k, 0.05))
        model.add_connection(f"rope_{k}", rope, jd.Spring(4.0, free=0.8))
    rest = jd.equilibrium(model, {"body.position.z": 0.35})
    assert rest.is_stable
    sol = jd.simulate(model, 0.2, start=rest)
    assert np.abs(sol.q[-1] - rest.q).max() < 1e-6
