"""Connections of Sol's thesis with numbers or closed forms: V6, V7, V8, V12, V14, V18, V19."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss

import jourdain as jd

TIGHT = jd.Dop853(rtol=1e-11, atol=1e-12)
SOLID = jd.Inertia(1.0, com=(0.2, 0.1, 0.0), moments=(0.1, 0.2, 0.15))


def strut_loop(ball="ball"):
    """Crank, massless bar welded to it, ball, rocker on two hinges: a loop with one of each."""
    model = jd.Model("strut")
    crank, rocker, slide = (model.add_body(name, SOLID) for name in ("crank", "rocker", "slide"))
    model.add_joint("hinge", model.world, crank, jd.Revolute("z"))
    bar = crank.at(0.4, 0, 0, rotation=jd.rotation_y(0.3))
    model.add_joint("bar", bar, model.add_body("tip", SOLID).at(-0.5, 0, 0), jd.Fixed())
    model.add_joint(ball, model.body("tip"), rocker.at(0.8, 0.6, 0), jd.Spherical())
    model.add_joint("rocking", slide, rocker, jd.Universal("x", "y"))
    model.add_joint("rail", model.world.at(0.5, -0.5, -0.2), slide, jd.Prismatic("x"))
    return model


def test_a_bar_and_a_ball_as_hinges_and_as_constraints():
    """V6: the bar makes six rows, the ball three; motion and loads do not know where the cut is."""
    found = {}
    for cut, n_rows in (("bar", 6), ("ball", 3)):
        system = jd.compile(strut_loop(), cut=cut)
        rough = {"rocking.angle_1": 0.5, "rocking.angle_2": 0.4, "rail.position": -0.4}
        state = jd.assemble(system, {"hinge.angle": 0.2, "hinge.rate": 1.5}, near=rough)
        assert system.constraint_rows[cut] == slice(0, n_rows)
        twists = system.twists(state.q, state.v)
        sol = jd.simulate(system, 0.3, start=state, method=TIGHT, sample=0.1)
        loads = [sol.values(f"{name}.{k}") for name in ("bar", "ball") for k in ("force", "torque")]
        order = [system.names.bodies.index(name) for name in ("crank", "tip", "rocker", "slide")]
        found[cut] = twists[order], sol.values("hinge.angle"), *loads
    for one, two in zip(*found.values(), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-8, atol=1e-8)
    assert np.ptp(found["bar"][1]) > 0.1
    assert np.abs(found["bar"][2]).max() > 1.0


FIRST, SECOND, LENGTH = (0.3, -0.4, 0.7), (0.2, 0.5, -0.6), 2.0
ALONG = np.array((0.704466, 0.527426, 0.474920))


@pytest.fixture
def strut():
    """Ball, bar of length 2 along x, ball."""
    model = jd.Model("ball, bar, ball")
    bar, end = (model.add_body(name, SOLID) for name in ("bar", "end"))
    model.add_joint("one", model.world, bar, jd.Gimbal())
    model.add_joint("two", bar.at(LENGTH, 0, 0), end, jd.Gimbal())
    return model


def test_ball_bar_ball_leaves_one_constraint(strut):
    """V7: six rates, five directions of the end; singular values, what is held, and the spin."""
    system = jd.compile(strut)
    Y = system.jacobian("end", np.array((*FIRST, *SECOND)))
    left, values, right = np.linalg.svd(np.vstack((Y[3:], Y[:3])))
    wanted = (2.590363, 2.052421, 1.475729, 0.873421, 0.701278, 0.0)
    np.testing.assert_allclose(values, wanted, atol=6e-7)
    np.testing.assert_allclose(left[:, 5] * np.sign(left[0, 5]), (*ALONG, 0, 0, 0), atol=6e-7)
    spin = right[5] * np.sign(right[5, 3])
    wanted = (-0.558692, -0.433432, -0.217565, 0.672804, 0.0, 0.0)
    np.testing.assert_allclose(spin, wanted, atol=6e-7)


class Strut(jd.Joint):
    """The whole connection as one kind; what it cannot tell apart is the spin of the bar."""

    coordinates = {f"angle_{k}": "rad" for k in range(1, 7)}

    def pose(self, q, t):
        one, two = (
            jd.rotation_x(a) @ jd.rotation_y(b) @ jd.rotation_z(c)
            for a, b, c in ((q[0], q[1], q[2]), (q[3], q[4], q[5]))
        )
        return one @ two, one @ jd.math.vector(LENGTH, 0, 0)


def test_ball_bar_ball_as_one_kind_is_reported():
    """V7: its mode vectors span five dimensions only."""
    with pytest.raises(jd.SingularSystemError, match=r"Strut is singular .* span only 5 dimen"):
        jd.mode_vectors(Strut(), (*FIRST, *SECOND))


def test_ball_bar_ball_holds_a_distance():
    """V7: a body on a bar with little inertia moves as on a rod, with the same force."""
    runs, little = {}, 1e-5
    for kind in ("bar", "rod"):
        model = jd.Model(kind)
        ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
        model.add_joint("free", model.world, ball, jd.Free())
        if kind == "rod":
            model.add_connection("rod", jd.Distance(model.world, ball), jd.Equal(LENGTH))
        else:
            light = jd.Inertia(little, moments=(little, little, little))
            bar = model.add_body("bar", light)
            model.add_joint("one", model.world, bar, jd.Spherical())
            model.add_joint("two", bar.at(LENGTH, 0, 0), ball, jd.Spherical())
        system = jd.compile(model, cut="two") if kind == "bar" else jd.compile(model)
        place = {"free.position": LENGTH * ALONG / np.linalg.norm(ALONG)}
        rotation = jd.rotation_x(FIRST[0]) @ jd.rotation_y(FIRST[1]) @ jd.rotation_z(FIRST[2])
        near = {"one.orientation": quaternion(rotation)} if kind == "bar" else None
        state = jd.assemble(system, place, near=near)
        runs[kind] = jd.simulate(system, 1.0, start=state, method=TIGHT, sample=0.1)
    one, two = (run.values("free.position") for run in runs.values())
    np.testing.assert_allclose(one, two, atol=little)
    pull = np.linalg.norm(runs["bar"].values("two.force"), axis=1)
    np.testing.assert_allclose(pull, np.abs(runs["rod"].values("rod.force")), atol=19.62 * little)
    assert np.ptp(one[:, 2]) > 1.0


def quaternion(R):
    w = 0.5 * np.sqrt(1.0 + np.trace(R))
    return (w, *(np.array((R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])) / (4 * w)))


def test_star_of_three_springs():
    """V8: where the middle comes to rest, and the forces on the three outer points."""
    ends = np.array(((0.0, 0.0), (1.0, 0.0), (0.2, 0.9)))
    model = jd.Model("star", gravity=(0, 0, 0))
    middle = model.add_body("middle", jd.Inertia(1.0))
    model.add_joint("plane", model.world, middle, jd.Prismatic("x") * jd.Prismatic("y"))
    for k, (x, y), stiff, free in zip("123", ends, (100, 200, 300), (0.3, 0.4, 0.25), strict=True):
        law = jd.Spring(float(stiff), free) + jd.Damper(15.0)
        model.add_connection(f"spring_{k}", jd.Distance(model.world.at(x, y, 0), middle), law)
    start = {"plane.position_1": 0.3, "plane.position_2": 0.3}
    sol = jd.simulate(model, 4.0, start=start, method=TIGHT, sample=(0.0, 4.0))
    rest = np.array([sol.values(f"plane.position_{k}")[-1] for k in (1, 2)])
    np.testing.assert_allclose(rest, (0.41711444, 0.45694113), atol=6e-9)
    pulls = np.array([sol.values(f"spring_{k}.force")[-1] for k in "123"])
    np.testing.assert_allclose(-pulls, (31.8691888, 68.12842735, 73.01886934), atol=6e-7)
    along = (rest - ends) / np.linalg.norm(rest - ends, axis=1)[:, None]
    wanted = ((21.48581, 23.53731), (-53.61709, 42.03201), (32.13128, -65.56932))
    np.testing.assert_allclose(-pulls[:, None] * along, wanted, atol=6e-6)


def test_locked_rotor():
    """V12: current V/r (1 − exp(−r t/l)) while the rotor cannot turn."""
    model = jd.Model("locked")
    model.add_coordinate("rotor", 1e-4)
    motor = jd.Motor(constant=0.05, resistance=1.0, inductance=0.5e-3, voltage=12.0)
    model.add_connection("motor", jd.Coordinate("rotor"), motor)
    model.add_connection("lock", jd.Coordinate("rotor"), jd.Equal())
    sol = jd.simulate(model, 2e-3, method=TIGHT, sample=2e-4)
    wanted = 12.0 * (1.0 - np.exp(-sol.time / 0.5e-3))
    np.testing.assert_allclose(sol.values("motor.current"), wanted, atol=1e-9)
    np.testing.assert_allclose(sol.values("lock.force"), -0.05 * wanted, atol=1e-10)


REST, PRONY, TIMES = 0.3, np.array((0.5, 0.2)), np.array((0.1, 1.5))


def elastic(x):
    """Elastic answer, stiffer the further it is stretched."""
    return 40.0 * x + 900.0 * x**3


class QuasiLinear(jd.ForceLaw):
    """Fung's law with Prony's series as states: dh/dt = −h/τ + g dF/dt (Sol 3.4.3)."""

    states = {"h_1": "N", "h_2": "N"}

    def force(self, x, v, at):
        return -(REST * elastic(x) + at.state("h_1") + at.state("h_2"))

    def rates(self, x, v, at):
        slope = (40.0 + 2700.0 * x**2) * v
        parts = zip(("h_1", "h_2"), PRONY, TIMES, strict=True)
        return tuple(g * slope - at.state(name) / time for name, g, time in parts)


def stretched(law, motion):
    """Measure that is moved as given, with a law on it."""
    model = jd.Model("stretched")
    model.add_coordinate("x", 1.0)
    model.add_connection("rubber", jd.Coordinate("x"), law)
    model.add_connection("given", jd.Coordinate("x"), jd.Equal(motion))
    return model


def test_step_of_strain_relaxes():
    """V14: F(t) = G(t) F_e(ε₀) after a step, for a law that is not linear."""
    step = 0.2
    start = {"x.value": step}
    start |= {f"rubber.h_{k}": g * elastic(step) for k, g in enumerate(PRONY, 1)}
    model = stretched(QuasiLinear(), step)
    sol = jd.simulate(model, 3.0, start=start, method=TIGHT, sample=0.1)
    G = REST + np.exp(-np.outer(sol.time, 1.0 / TIMES)) @ PRONY
    np.testing.assert_allclose(sol.values("rubber.force"), -G * elastic(step), rtol=1e-9)


def test_states_are_the_history_integral():
    """V14: ∫ G(t − s) dF_e/ds ds, by quadrature, for a strain that swings."""
    nodes, weights = leggauss(60)
    model = stretched(QuasiLinear(), lambda t: 0.2 * jd.sin(3.0 * t))
    sol = jd.simulate(model, 2.0, start={"x.rate": 0.6}, method=TIGHT, sample=0.5)
    for t, force in zip(sol.time[1:], sol.values("rubber.force")[1:], strict=True):
        s = 0.5 * t * (nodes + 1.0)
        G = REST + np.exp(-np.outer(t - s, 1.0 / TIMES)) @ PRONY
        slope = (40.0 + 2700.0 * (0.2 * np.sin(3 * s)) ** 2) * 0.6 * np.cos(3 * s)
        assert force == pytest.approx(-0.5 * t * weights @ (G * slope), rel=1e-9)


def test_maxwell_is_pronys_series():
    """V14: spring and Maxwell branches are G(t) k for a linear elastic answer."""
    k, step = 50.0, 0.1
    law = jd.Spring(REST * k) + jd.Maxwell(tuple(k * PRONY), tuple(TIMES))
    sol = jd.simulate(stretched(law, step), 3.0, start={"x.value": step}, method=TIGHT,
                      sample=0.1)  # fmt: skip
    G = REST + np.exp(-np.outer(sol.time, 1.0 / TIMES)) @ PRONY
    np.testing.assert_allclose(sol.values("rubber.force"), -G * k * step, rtol=1e-9)


def test_screws_of_bennetts_linkage():
    """V18: singular values of the four joint screws, taken at the origin."""
    alpha, beta, theta = 0.6, 1.1, (0.8, -3.41827384, -0.8, -2.86491147)
    b = np.sin(beta) / np.sin(alpha)
    model = jd.Model("bennett, open")
    place = model.world.at()
    for k, (length, twist) in enumerate(((1.0, alpha), (b, beta), (1.0, alpha), (b, beta)), 1):
        side = model.add_body(f"side_{k}", SOLID)
        model.add_joint(f"hinge_{k}", place, side, jd.Revolute("z"))
        place = side.at(length, 0, 0, rotation=jd.rotation_x(twist))
    system = jd.compile(model)
    q = np.array(theta)
    r = system.poses(q)[-1, :3, 3] + system.poses(q)[-1, :3, :3] @ (b, 0, 0)
    np.testing.assert_allclose(r, np.zeros(3), atol=1e-8)
    J = system.jacobian("side_4", q)
    at_origin = J[3:] - np.cross(J[:3].T, system.poses(q)[-1, :3, 3]).T
    values = np.linalg.svd(np.vstack((J[:3], at_origin)), compute_uv=False)
    np.testing.assert_allclose(values, (2.173119, 1.488692, 0.973576, 0.0), atol=6e-7)


def test_a_pendulum_as_a_free_body_does_not_drift():
    """V19: free body and cut ball; its errors stay at rounding, not ∼t², on many swings."""
    model = jd.Model("pendulum")
    bob = model.add_body("bob", jd.Inertia(1.0, com=(0, 0, -1.0), moments=(0.1, 0.1, 0.1)))
    model.add_joint("free", model.world, bob, jd.Free())
    model.add_joint("ball", model.world, bob, jd.Spherical())
    system = jd.compile(model, cut="ball")
    start = {"free.angular_velocity": (0.0, 3.0, 0.0)}
    loose = jd.Dopri5(rtol=1e-5, atol=1e-6)
    sol = jd.simulate(system, 50.0, start=start, method=loose, sample=0.5)
    position = system.answers("position_errors", sol.q, sol.v)
    velocity = system.answers("velocity_errors", sol.q, sol.v)
    assert np.abs(position).max() < 1e-12
    assert np.abs(velocity).max() < 1e-12
    assert np.ptp(sol.values("free.orientation.y")) > 1.0
