"""Machines that rest on contacts: A against differences of runs, which integrate the same laws.

About a rest the flow is linear: the state after a time T is expm(A T) times the state before, for
small changes along the steps that closed contacts allow.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd

STEP = 2e-5
PLACES = ((-2, 1), (-1, -8), (1, 8), (2, -1))


def legs(seed, law):
    """A body with random round feet on the floor, springs to the world."""
    rng = np.random.default_rng(seed)
    model = jd.Model("legs", gravity=(0.4 * rng.normal(), 0.4 * rng.normal(), -9.81))
    body = model.add_body("body", jd.solid.box(mass=2.0, size=(0.4, 0.3, 0.2)))
    n = 1 + seed % 3
    floor = jd.HalfSpace(model.world)
    angles = 2 * np.pi * (np.arange(n) / n + 0.1 * rng.random(n))
    for k, angle in enumerate(angles):
        reach = 0.0 if n == 1 else 0.3
        foot = body.at(reach * np.cos(angle), reach * np.sin(angle), 0.1)
        model.add_contact(f"foot_{k}", floor, jd.Sphere(foot, 0.35), law)
    for k in range(5):
        away = model.world.at(*(2.0 * rng.normal(size=2)), 1.0 + rng.random())
        ends = jd.Distance(away, body.at(*rng.uniform(-0.2, 0.2, 3)))
        model.add_connection(f"rope_{k}", ends, jd.Spring(4.0, free=0.8) + jd.Damper(0.3))
    return model, {"body.position.z": 0.35}


def linkage(seed, law):
    """Two rods in a plane whose ball rests on a ball of the world; a Maxwell element on the way."""
    rng = np.random.default_rng(seed)
    model = jd.Model("linkage")
    one = model.add_body("one", jd.solid.rod(mass=1.0, end=(0.5, 0, 0)))
    two = model.add_body("two", jd.solid.rod(mass=0.7, end=(0.4, 0, 0)))
    model.add_joint("a", model.world.at(0, 0, 0.5), one, jd.Revolute("y"))
    model.add_joint("b", one.at(0.5, 0, 0), two, jd.Revolute("y"))
    ball = jd.Sphere(model.world.at(0.8 + 0.05 * rng.random(), 0, 0.0), 0.2)
    model.add_contact("tip", ball, jd.Sphere(two.at(0.4, 0, 0), 0.05), law)
    for name in ("a", "b"):
        law = jd.Spring(8.0 + rng.random()) + jd.Damper(0.3)
        model.add_connection(f"spring_{name}", jd.Coordinate(f"{name}.angle"), law)
    model.add_connection("oil", jd.Coordinate("a.angle"), jd.Maxwell(5.0, 1.0))
    return model, {"a.angle": 0.2, "b.angle": 0.0}


def rocker(seed, law):
    """A half disc on the floor that carries a pendulum; a spring and a Maxwell element between."""
    rng = np.random.default_rng(seed)
    model = jd.Model("rocker", gravity=(0.2 * rng.normal(), 0, -9.81))
    c = 0.05 + 0.05 * rng.random()
    half = model.add_body("half", jd.Inertia(1.0, (0, 0, -c), 0.01 * np.eye(3)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.4, end=(0, 0, -0.15)))
    model.add_joint("plane", model.world, half, jd.Planar("y"))
    model.add_joint("pin", half.at(0.02, 0, -0.02), rod, jd.Revolute("y"))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(half, 0.3), law)
    model.add_connection("twist", jd.Coordinate("pin.angle"), jd.Spring(0.4) + jd.Damper(0.02))
    model.add_connection("oil", jd.Coordinate("pin.angle"), jd.Maxwell(0.5, 0.1))
    model.add_connection("tie", jd.Coordinate("plane.position.x"), jd.Spring(3.0))
    return model, {"plane.position.z": 0.32}


def transition(lin, duration):
    """Change of the independent states after a time by their change before, by runs."""
    at, tangent, system = lin.point.at, lin.tangent, lin.system
    steps, columns = tangent.steps, []
    method = jd.EventDriven(integrator=jd.Dop853(rtol=1e-12, atol=1e-14))
    for k in range(len(lin.states)):
        column = np.zeros(len(lin.states))
        for place, weight in PLACES:
            q = steps.moved(at.q, place * STEP * tangent.T_positions_whole[:, k])
            v = at.v + place * STEP * tangent.T_velocities[:, k]
            sol = jd.simulate(system, duration, start=(q, v), method=method, sample=[0.0, duration])
            eta = steps.inverse(at.q) @ (sol.q[-1] - at.q)
            own = np.r_[eta[tangent.positions], (sol.v[-1] - at.v)[tangent.velocities]]
            column += weight * own
        columns.append(column / (12 * STEP))
    return np.array(columns).T


STICKS, GLIDES = jd.Coulomb(0.9), jd.Unilateral()
CASES = [(legs, STICKS), (legs, GLIDES), (linkage, GLIDES), (rocker, STICKS), (rocker, GLIDES)]
NAMES = [f"{make.__name__} {'sticks' if law is STICKS else 'glides'}" for make, law in CASES]


@pytest.mark.without_contact_check("the search for rest may take coarse time steps")
@pytest.mark.parametrize(("make", "law"), CASES, ids=NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_runs_from_beside_a_rest(make, law, seed):
    model, near = make(seed, law)
    system = jd.compile(model)
    rest = jd.equilibrium(system, near)
    word = "stick" if isinstance(law, jd.Coulomb) else "closed"
    assert {x.word for x in rest.contacts} == {word}
    lin = jd.linearize(system, rest)
    if not lin.states:
        return  # three feet that stick leave nothing to move
    duration = min(0.05, 0.5 / max(1.0, float(np.abs(lin.eigenvalues).max(initial=0.0))))
    expected = transition(lin, duration)
    np.testing.assert_allclose(expm(lin.A * duration), expected, atol=1e-6)
