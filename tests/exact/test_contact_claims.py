"""Claims of Pfeiffer 3.4 about contact problems: size, friction pyramids, towers, time stepping."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.impact import solved
from jourdain.simulation.contact.rows import Contacts
from jourdain.solvers.nonsmooth import Friction, HalfLine, Problem, Segment, residual, solve
from jourdain.solvers.nonsmooth.lemke import lemke
from jourdain.system.contact.kernels import ContactKernels

G = 9.81


def test_number_of_unknowns():
    """A body with six freedoms on three contacts: f + n_N + 2 n_T = 15 unknowns (3.4.6)."""
    model = jd.Model("tripod")
    body = model.add_body("body", jd.solid.box(mass=1.0, size=(1.0, 1.0, 0.2)))
    for k, (x, y) in enumerate([(0.4, 0.0), (-0.4, 0.4), (-0.4, -0.4)]):
        foot = jd.Point(body.at(x, y, -0.1))
        model.add_contact(f"foot_{k}", jd.HalfSpace(model.world), foot, jd.Coulomb(0.3))
    system = jd.compile(model)
    contacts = Contacts(system, ContactKernels(system, {}, {}, {}), np.zeros(0))
    assert (len(system.names.v), contacts.n_rows) == (6, 3 + 2 * 3)


# -- Pyramids (3.4.3) ------------------------------------------------------------------------------


def pyramid(force, mu, sides):
    """Friction on a block of 1 kg by the complementarity problem of a pyramid (3.149 to 3.164)."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    D = np.array([np.cos(angles), np.sin(angles)])
    to_reserves = np.block([[1.0, np.zeros((1, 2))], [np.full((sides, 1), mu), -D.T]])
    to_rates = np.block([[1.0, np.zeros((1, sides))], [np.zeros((2, 1)), -D]])
    free = np.array([-G, *force])
    found = lemke(to_reserves @ to_rates, -to_reserves @ free)
    assert found.is_solved
    assert len(found.z) == 1 + sides
    return (to_rates @ found.z - free)[1:]


@pytest.mark.parametrize(
    ("sides", "friction"),
    [(4, (-3.924, -3.924)), (6, (-3.924, -2.2655)), (8, (-3.2747, -2.2747))],
)
def test_friction_in_a_pyramid(sides, friction):
    np.testing.assert_allclose(pyramid((5.0, 4.0), 0.4, sides), friction, atol=5e-5)


def test_pyramids_become_the_cone():
    c = np.array([-G, 5.0, 4.0])
    cone, _ = solved(np.eye(3), c, [HalfLine(0), Friction(0, (1, 2), 0.4)], [], 0.0, "contact")
    for sides in (8, 32, 128):
        size = np.linalg.norm(pyramid((5.0, 4.0), 0.4, sides))
        assert 0.4 * G <= size * (1 + 1e-12) <= 0.4 * G / np.cos(np.pi / sides) * (1 + 1e-9)
        off = np.abs(pyramid((5.0, 4.0), 0.4, sides) - cone[1:]).max()
        assert off <= 0.4 * G * np.pi / sides  # half the angle between two directions


# -- A tower on a vibrating table (3.4.1) ----------------------------------------------------------

TOWER = 10


def boxed(G_, c, limits):
    """Forces within ± limits against the rates c + G λ, by Lemke's method (F39)."""
    n = len(c)
    M = np.block([[G_, np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    q = np.concatenate([c - G_ @ limits, 2.0 * limits])
    found = lemke(M, q)
    assert found.is_solved
    return found.z[:n] - limits


@pytest.mark.parametrize("seed", range(5))
def test_which_of_ten_masses_stick(seed):
    """Of 3^10 patterns both find the one that fits, to 1e-8 of the accelerations."""
    rng = np.random.default_rng(seed)
    W = np.eye(TOWER) - np.eye(TOWER, k=-1)  # each against the one below
    limits = rng.uniform(0.1, 0.5, TOWER) * G * np.arange(TOWER, 0, -1)
    c = np.zeros(TOWER)
    c[0] = -rng.uniform(1.0, 8.0)  # acceleration of the table
    G_ = W @ W.T
    by_pivots = boxed(G_, c, limits)
    blocks = [Segment(k, -a, a) for k, a in enumerate(limits)]
    by_sweeps = solve(Problem(G_, c, blocks)).r
    assert residual(Problem(G_, c, blocks), by_sweeps) <= 1e-10
    np.testing.assert_allclose(W.T @ by_sweeps, W.T @ by_pivots, atol=1e-8)


def tower(mu):
    """Masses of 1 kg on a table that swings with 8 m/s² at 20 rad/s."""
    model = jd.Model("tower", gravity=(0.0, 0.0, 0.0))
    below = jd.Formula(lambda at: 0.02 * (1.0 - jd.cos(20.0 * at.t)))
    for k in range(TOWER):
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        law = jd.Interval(mu[k] * G * (TOWER - k))
        model.add_connection(f"on_{k}", jd.Coordinate(f"x{k}") - below, law)
        below = jd.Coordinate(f"x{k}")
    return model


def test_a_tower_on_a_vibrating_table():
    """Equal friction: all above the table move as one, with at most μ g; two methods agree."""
    sol = jd.simulate(tower([0.3] * TOWER), 0.2, method=jd.EventDriven(), sample=0.01)
    places = np.array([sol.values(f"x{k}.value") for k in range(TOWER)])
    assert np.ptp(places, axis=0).max() <= 1e-9
    free = 0.5 * 0.3 * G * sol.time**2
    slides = sol.time < 0.1  # as long as the table runs ahead
    np.testing.assert_allclose(places[0, slides], free[slides], atol=1e-9)


def test_a_tower_by_both_methods():
    mu = np.linspace(0.6, 0.1, TOWER)
    run = jd.compile(tower(mu))
    events = jd.simulate(run, 0.3, method=jd.EventDriven(), sample=0.3)
    for step in (2e-3, 2.5e-4):
        steps = jd.simulate(run, 0.3, method=jd.MoreauJean(step), sample=0.3)
        assert np.abs(steps.q[-1] - events.q[-1]).max() <= 0.2 * step


# -- Time stepping (3.4.4) -------------------------------------------------------------------------


def resting(method, speed=0.0):
    """A mass on a floor, which comes with a speed."""
    model = jd.Model("mass", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 2.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-2.0 * G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral())
    return jd.simulate(model, 20 * method.dt, start={"z.rate": -speed}, method=method)


@pytest.mark.parametrize("speed", [0.0, 0.1])
def test_impulses_do_not_grow_as_steps_shrink(speed):
    """On the level of velocities: m g h, and m v once where the start does not fit."""
    for step in (1e-2, 1e-3, 1e-4):
        sol = resting(jd.MoreauJean(step), speed)
        impulses = step * sol.values("floor.normal_force")[1:]
        wanted = np.full(len(impulses), 2.0 * G * step)
        wanted[0] += 2.0 * speed
        np.testing.assert_allclose(impulses, wanted, rtol=1e-9)


def test_energy_that_an_implicit_step_loses():
    """Of order h² a step with θ = 1 (½ v̇² h² m, here of a spring), none with θ = ½."""
    model = jd.Model("sledge", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "z"):
        model.add_coordinate(name, 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    model.add_connection("table", jd.Coordinate("z"), jd.Unilateral())
    system = jd.compile(model)

    def lost(step, theta):
        sol = jd.simulate(
            system, 0.2 * np.pi, start={"x.value": 0.1}, method=jd.MoreauJean(step, theta)
        )
        energy = sol.values("energy.total")
        return (energy[0] - energy[-1]) / round(0.2 * np.pi / step)

    steps = 0.2 * np.pi / np.array([200, 400, 800])
    losses = np.array([lost(step, 1.0) for step in steps])
    np.testing.assert_allclose(losses[:-1] / losses[1:], 4.0, rtol=0.05)
    assert abs(lost(steps[0], 0.5)) <= 1e-15
