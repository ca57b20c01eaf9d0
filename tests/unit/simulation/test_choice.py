from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation import choice
from jourdain.simulation.choice import _bound, choose_integrator
from jourdain.solvers import Problem
from jourdain.system.state import state_kernel


@pytest.fixture(scope="module")
def cart():
    model = jd.Model("rail")
    body = model.add_body("cart", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    return jd.compile(model)


def chosen(cart, stiffness, damping, end):
    def force(t, s):
        return -stiffness * s["slide.position"] - damping * s["slide.velocity"]

    kernel = state_kernel(cart, {"slide.position": force}, {})
    problem = Problem(kernel, None, (), (), (), np.zeros(0), np.zeros(0))
    return choose_integrator(problem, np.array([0.1, 0.0]), (0.0, end))


def test_a_mode_that_dies_out_long_before_the_end_is_stiff(cart):
    """Eigenvalues of −1 and −1e6 1/s: an explicit method needs 1e6/6 steps a second."""
    method, reason = chosen(cart, 1e6, 1e6, 1.0)
    assert method == jd.Radau5()
    assert "a mode dies out in 1.0e-06 s" in reason
    assert "some 2e+05 steps" in reason


@pytest.mark.parametrize(
    ("stiffness", "damping", "end"),
    [(1e6, 1e6, 1e-3), (1e12, 0.0, 1.0), (1.0, 1.0, 10.0)],
    ids=["short run", "fast vibration", "soft"],
)
def test_all_else_is_not(cart, stiffness, damping, end):
    method, reason = chosen(cart, stiffness, damping, end)
    assert method == jd.Dop853()
    assert reason.startswith("not stiff at the start")


def test_forces_that_are_not_finite_decide_nothing(cart):
    kernel = state_kernel(cart, {"slide.position": lambda t, s: 1.0 / (t * 0.0)}, {})
    problem = Problem(kernel, None, (), (), (), np.zeros(0), np.zeros(0))
    assert choose_integrator(problem, np.zeros(2), (0.0, 1.0))[0] == jd.Dop853()


def test_nothing_moves():
    model = jd.Model("still")
    body = model.add_body("block", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("weld", model.world, body, jd.Fixed())
    sol = jd.simulate(model, 1.0)
    assert sol.statistics.reason == "nothing moves freely"


def test_eigenvalues_do_not_exceed_their_bound(rng):
    """Of 2000 states eigenvalues take seconds; where the bound shows that none is fast, no time."""
    for n_q, n in ((3, 6), (0, 4), (5, 5), (4, 9)):
        J = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))
        found = _bound(J, n_q)
        largest = np.abs(np.linalg.eigvals(J)).max()
        assert largest <= found * (1.0 + 1e-12)
    vibration = np.array([[0.0, 1.0], [-1e6, 0.0]])
    assert _bound(vibration, 1) == pytest.approx(1e3)


def test_large_systems_start_at_once(cart, monkeypatch):
    monkeypatch.setattr(choice, "_fastest_mode", None)  # would fail if it were asked
    assert chosen(cart, 1e6, 1.0, 10.0)[0] == jd.Dop853()
