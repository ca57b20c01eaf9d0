"""Impacts against closed forms: a disc on the ground, energy, Newton's and Poisson's laws."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.rows import Rows, Touch

GLOCKER, BEITELSCHMIDT = jd.Poisson("glocker"), jd.Poisson("beitelschmidt")
DISC = np.diag([0.3, 0.3, 9.375e-5])  # mass [kg] and inertia [kg m^2] of x, y and the angle
RIM = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.025]])  # gap and sliding velocity below it
SPEEDS = (0.5, 1, 2, 3, 3.6, 3.8, 4, 5, 6, 6.2, 7, 8)
NEW = (-0.3375, -0.675, -1.35, -2.025, -2.43, -2.43, -2.30, -1.30, -0.30, -0.10, 0.70, 1.70)
OLD = (-0.3375, -0.675, -1.35, -2.025, -2.43, -2.23, -2.03, -1.03, -0.03, 0.0, 0.70, 1.70)


class Given:
    """Contacts with one tangent each, without a model."""

    def __init__(self, laws):
        self.touches = [
            Touch(f"c{k}", 2 * k, (2 * k + 1,), law, has_gap=True) for k, law in enumerate(laws)
        ]

    def restitutions(self, rows):
        return np.array([x.restitution(max(0.0, -rows.u[x.normal]), {}) for x in self.touches])


def hit(M, W, v, *laws):
    """Impact of contacts with the rows W of a machine with the mass matrix M."""
    friction = np.array([[law.friction] * 2 for law in laws])
    n, none = len(laws), np.zeros(len(W))
    rows = Rows(np.zeros(n), W @ v, none, friction, W, np.linalg.solve(M, W.T).T, 0.0 * v)
    return impact(Given(laws), rows, range(n), 0.0)


def closed_form(speed, mu, e, e_t, *, is_new):
    """Sliding velocity after the impact over the speed of approach; G_TT/G_NN = 3."""
    a, sign, k = abs(speed), np.sign(speed), 3.0
    if a <= k * mu:
        return -e * e_t * speed
    slides = a - k * mu * (1 + e)
    if is_new:
        return sign * max(-k * mu * e * e_t, slides)
    return sign * (slides if slides > 0 else min(0.0, a - k * mu * (1 + e * e_t)))


@pytest.mark.parametrize(
    ("law", "expected"), [(BEITELSCHMIDT, NEW), (GLOCKER, OLD)], ids=["new", "old"]
)
def test_rubber_disc_has_the_published_values(law, expected):
    rubber = jd.Coulomb(1.2, 0.75, 0.9, law)
    for speed, after in zip(SPEEDS, expected, strict=True):
        found = hit(DISC, RIM, np.array([speed, -1.0, 0.0]), rubber).after
        np.testing.assert_allclose(found, [0.75, after], atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    speed=st.floats(-12, 12), mu=st.floats(0.05, 2), e=st.floats(0, 1), e_t=st.floats(0, 1),
    is_new=st.booleans(),
)  # fmt: skip
def test_disc_follows_the_closed_form(speed, mu, e, e_t, is_new):
    law = jd.Coulomb(mu, e, e_t, BEITELSCHMIDT if is_new else GLOCKER)
    found = hit(DISC, RIM, np.array([speed, -1.0, 0.0]), law)
    expected = closed_form(speed, mu, e, e_t, is_new=is_new)
    np.testing.assert_allclose(found.after, [e, expected], atol=1e-10)


@pytest.mark.parametrize("law", [jd.Newton(), jd.Poisson()], ids=["newton", "poisson"])
def test_disc_without_stored_impulses_rolls_or_slides(law):
    for speed in (-9.0, -2.0, 0.5, 3 * 0.4 * 1.75 - 1e-9, 5.0):
        found = hit(DISC, RIM, np.array([speed, -1.0, 0.0]), jd.Coulomb(0.4, 0.75, impact=law))
        slides = np.sign(speed) * max(0.0, abs(speed) - 3 * 0.4 * 1.75)
        np.testing.assert_allclose(found.after, [0.75, slides], atol=1e-12)


@pytest.mark.parametrize(
    ("radius", "first", "second"),
    [
        (0.02984, (-1.979, 3.0, -34.4), (2.732, 2.25, 15.8)),
        (0.025, (-1.300, 3.0, -40.2), (2.953, 2.25, 13.9)),
    ],
)
def test_rubber_throw_bounces_back_and_forth(radius, first, second):
    M = np.diag([0.3, 0.3, 0.5 * 0.3 * radius**2])
    W, rubber = np.array([[0, 1, 0], [1, 0, radius]]), jd.Coulomb(1.2, 0.75, 0.9, BEITELSCHMIDT)
    v = np.array([5.0, -4.0, 2 * np.pi * 40])
    for after in (first, second):
        bounce = hit(M, W, v, rubber)
        assert bounce.energy < 0.0
        v = v + bounce.dv
        np.testing.assert_allclose(v[:2], after[:2], atol=1e-3)
        np.testing.assert_allclose(v[2] / (2 * np.pi), after[2], atol=0.06)
        v[1] = -v[1]  # without losses in flight


@pytest.mark.parametrize("law", [jd.Newton(), jd.Poisson()], ids=["newton", "poisson"])
def test_point_mass_loses_the_known_energy(law):
    mass, speed, e = 2.0, 3.0, 0.6
    M, W = np.eye(2) * mass, np.array([[0.0, 1.0], [1.0, 0.0]])
    found = hit(M, W, np.array([0.0, -speed]), jd.Coulomb(0.0, e, impact=law))
    assert found.energy == pytest.approx(0.5 * mass * (e**2 - 1) * speed**2, rel=1e-14)


# -- Where both laws differ ------------------------------------------------------------------------

BAR = np.diag([1.0, 2.0])  # mass and inertia; ends at ±1 hit two stops
ENDS = np.array([[1.0, 1.0], [0.0, 0.0], [1.0, -1.0], [0.0, 0.0]])


def both(M, W, v, friction, *restitutions):
    laws = (jd.Newton(), jd.Poisson())
    return [hit(M, W, v, *(jd.Coulomb(friction, e, impact=x) for e in restitutions)) for x in laws]


def test_both_laws_agree_without_friction_at_equal_restitution():
    newton, poisson = both(BAR, ENDS, np.array([-1.0, 0.2]), 0.0, 0.7, 0.7)
    np.testing.assert_allclose(newton.after[::2], [0.56, 0.84], atol=1e-14)
    np.testing.assert_allclose(poisson.dv, newton.dv, atol=1e-14)


def test_both_laws_differ_where_restitutions_do():
    """Newton returns velocities, −e u⁻; Poisson impulses, −G e G⁻¹ u⁻."""
    v, e = np.array([-1.0, 0.2]), np.array([0.9, 0.2])
    newton, poisson = both(BAR, ENDS, v, 0.0, *e)
    W = ENDS[::2]
    G = W @ np.linalg.solve(BAR, W.T)
    np.testing.assert_allclose(newton.after[::2], -e * (W @ v), atol=1e-14)
    expected = -G @ (e * np.linalg.solve(G, W @ v))
    np.testing.assert_allclose(poisson.after[::2], expected, atol=1e-14)
    assert np.abs(expected + e * (W @ v)).max() > 0.1


def test_newtons_law_creates_energy_where_friction_couples():
    """A slanted rod hits with a point that sticks: Newton's law gains, Poisson's law loses."""
    angle, e = 0.8, 0.9
    W = np.array([[0.0, 1.0, -np.cos(angle)], [1.0, 0.0, np.sin(angle)]])
    M = np.diag([1.0, 1.0, 1.0 / 3.0])
    v = np.array([0.5, -1.0, 0.0])
    newton, poisson = both(M, W, v, 1.5, e)
    G = W @ np.linalg.solve(M, W.T)
    compression = np.linalg.solve(G, -W @ v)
    normal = e * compression[0] * (G[0, 0] - G[0, 1] ** 2 / G[1, 1])  # it sticks all the time
    np.testing.assert_allclose(newton.after, [e, 0.0], atol=1e-13)
    np.testing.assert_allclose(poisson.after, [normal, 0.0], atol=1e-13)
    assert newton.energy == pytest.approx(0.05025, abs=1e-5)
    assert poisson.energy == pytest.approx(-0.07919, abs=1e-5)


# -- Energy ----------------------------------------------------------------------------------------


def random_hit(seed, n, is_old, *, are_alike):
    """Impact of a random machine, also with more rows than freedoms; energy before and after."""
    rng = np.random.default_rng(seed)
    n_v = int(rng.integers(n, 2 * n + 3))
    A, W, v = (rng.standard_normal(shape) for shape in ((n_v, n_v), (2 * n, n_v), n_v))
    M = A @ A.T + 0.1 * np.eye(n_v)
    law, most = (GLOCKER, (1.5, 1.0, 1.0)) if is_old else (jd.Poisson(), (1.5, 1.0, 0.0))
    drawn = [rng.uniform(0.0, most) for _ in range(n)]
    alike = slice(1, None) if are_alike else slice(0)
    laws = [jd.Coulomb(*(*x[: 3 - len(x[alike])], *drawn[0][alike]), impact=law) for x in drawn]
    found = hit(M, W, v, *laws)
    before, after = (0.5 * x @ M @ x for x in (v, v + found.dv))
    assert found.energy == pytest.approx(after - before, abs=1e-9 * before)
    assert found.after[::2].min() >= -1e-10 * np.abs(W @ v).max()
    return before, after


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 3), is_old=st.booleans())
@example(seed=255, n=3, is_old=False)  # compression by an impulse that is rounding below zero
@example(seed=222, n=3, is_old=False)
def test_poissons_law_of_equal_restitutions_never_creates_energy(seed, n, is_old):
    """All restitutions from 0 to 1, the same at all contacts; any friction."""
    before, after = random_hit(seed, n, is_old, are_alike=True)
    assert after - before <= 1e-10 * before


@pytest.mark.parametrize("seed", [222, 131071])
def test_poissons_law_may_create_energy_where_restitutions_differ(seed):
    """Three contacts with much friction: two of some thousand random machines gain a third or more.

    The impact equations are solved to rounding; it is the law that does not keep it.
    """
    before, after = random_hit(seed, 3, is_old=False, are_alike=False)
    assert after > 1.3 * before


def test_a_bouncing_ball_rests_where_its_impacts_accumulate():
    """Infinitely many impacts end at √(2h/g) (1 + e)/(1 − e) = 8.578949 s for h = 1 m, e = 0.9."""
    model = jd.Model("bouncing", gravity=(0.0, 0.0, -9.81))
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    floor = jd.HalfSpace(model.world)
    model.add_contact("floor", floor, jd.Sphere(ball, 0.1), jd.Unilateral(restitution=0.9))
    start = {"ball.position": (0.0, 0.0, 1.1)}
    sol = jd.simulate(model, 10.0, start=start, method=jd.EventDriven(), sample=1.0)
    end = np.sqrt(2.0 / 9.81) * 1.9 / 0.1
    assert sol.events[-1].time == pytest.approx(end, abs=2e-7 * 1.9 / 0.1 / 9.81 + 1e-8)
    np.testing.assert_array_equal(sol.final["ball.velocity"], 0.0)
    stepped = jd.simulate(model, 10.0, start=start, method=jd.MoreauJean(5e-3), sample=1.0)
    np.testing.assert_array_equal(stepped.final["ball.velocity"], 0.0)
