"""Singular positions stop with words (A6), and drives that a loop cannot follow name the joint."""

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.audit import EnergyBalance
from jourdain.simulation.checks.trust import explained, require_balance
from jourdain.solvers import Dop853


def two_bars(with_pendulum=False):
    """Two bars in one line between fixed pins."""
    model = jd.Model("two bars")
    a, b = (model.add_body(n, jd.solid.rod(1.0, (1, 0, 0))) for n in "ab")
    model.add_joint("i", model.world, a, jd.Revolute("y"))
    model.add_joint("j", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("k", model.world.at(2, 0, 0), b.at(1, 0, 0), jd.Revolute("y"))
    if with_pendulum:
        c = model.add_body("c", jd.solid.ball(1.0, 0.1, at=(0, 0, -1)))
        model.add_joint("swing", model.world, c, jd.Revolute("y"))
    return model


@pytest.mark.parametrize("start", [{}, {"j.rate": 1.0}, {"i.rate": 1.0}], ids=str)
def test_a_shaky_position_is_an_error_that_says_so(start):
    text = "is shaky at t = 0 s: i, j, k leave a freedom that is infinitesimal"
    with pytest.raises(jd.SingularSystemError, match=re.escape(text)):
        jd.simulate(two_bars(), 0.1, start=start)
    assert "shaky" in str(jd.structure(two_bars()))


@pytest.mark.parametrize("start", [{}, {"j.rate": 1.0}], ids=str)
def test_a_shaky_part_of_a_machine_is_found_by_its_energy(start):
    with pytest.raises(jd.IntegrationError, match="more than its tolerance explains"):
        jd.simulate(two_bars(with_pendulum=True), 0.1, start=start)


@pytest.mark.parametrize(("start", "damping"), [({"j.rate": 1.0}, 0.0), ({}, 0.1)], ids=str)
def test_beyond_sixty_velocities_the_energy_tells(start, damping):
    """The search for infinitesimal freedoms is left out there: it would take longer than a run."""
    model = two_bars()
    for k in range(60):
        model.add_coordinate(f"x{k}", 1.0)
    if damping:
        model.add_connection("damper", jd.Coordinate("x0"), jd.Damper(damping))
    with pytest.raises(jd.IntegrationError, match="more than its tolerance explains"):
        jd.simulate(model, 0.03, start=start)


def test_a_stretched_pair_that_can_move_is_none():
    """With a slide at its end it is a slider-crank in its dead point, which moves on."""
    model = jd.Model("crank")
    a, b = (model.add_body(n, jd.solid.rod(1.0, (1, 0, 0))) for n in "ab")
    c = model.add_body("c", jd.solid.ball(1.0, 0.1))
    model.add_joint("i", model.world, a, jd.Revolute("y"))
    model.add_joint("j", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("k", b.at(1, 0, 0), c, jd.Revolute("y"))
    model.add_joint("slide", model.world, c, jd.Prismatic("x"))
    sol = jd.simulate(model, 0.2, start={"i.rate": 1.0})
    assert sol.statistics.status == "finished"


@pytest.fixture(scope="module")
def driven():
    """Slider-crank whose slide is driven beyond the dead point, at 0.5 s."""
    model = jd.Model("driven")
    a, b = (model.add_body(n, jd.solid.rod(1.0, (x, 0, 0))) for n, x in (("a", 0.2), ("b", 0.3)))
    c = model.add_body("c", jd.solid.box(1.0, (0.1, 0.1, 0.1)))
    model.add_joint("main", model.world, a, jd.Revolute("y"))
    model.add_joint("pin", a.at(0.2, 0, 0), b, jd.Revolute("y"))
    model.add_joint("wrist", b.at(0.3, 0, 0), c, jd.Revolute("y"))
    drive = {"position": lambda t: 0.4 + 0.2 * t}
    model.add_joint("guide", model.world, c, jd.Prismatic("x"), driven=drive)
    return jd.compile(model)


METHODS = [None, jd.Radau5(), jd.RungeKutta4(1e-3), jd.Gauss4(1e-3), jd.GeneralizedAlpha(1e-3)]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_a_drive_that_a_loop_cannot_follow_is_told_when_it_happens(driven, method):
    with pytest.raises(jd.IntegrationError) as caught:
        jd.simulate(driven, 1.0, method=method)
    text = str(caught.value)
    assert "the drive of 'guide.position' asks for more than the loops can follow" in text
    assert "'wrist'" in text
    assert "Radau5" not in text
    assert caught.value.solution.time[-1] == pytest.approx(0.5, abs=0.005)
    assert not caught.value.solution.statistics.is_complete


def balance(off, supplied=1.0):
    """Audit of a run that began with some kinetic energy, and has as much more at its end."""
    kinetic, none = np.array([supplied, supplied + off]), np.zeros(2)
    return EnergyBalance(np.array([0.0, 1.0]), kinetic, none, [], [])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_a_tolerance_explains(sign):
    tight = jd.Dop853(rtol=1e-10)
    for method in (tight, jd.EventDriven(tight)):
        assert explained(balance(1e-6 * sign), method, 1000)
        assert not explained(balance(0.2 * sign), method, 1000)
        assert not explained(balance(0.2 * sign), method, 10**9)  # no number of steps does


@pytest.mark.parametrize("method", [jd.RungeKutta4(1e-3), jd.MoreauJean(1e-3)], ids=str)
def test_what_equal_steps_explain(method):
    """They may lose everything, and gain as much as there was."""
    assert explained(balance(0.9), method, 1000)
    assert explained(balance(-1.0), method, 1000)
    assert not explained(balance(1.2), method, 1000)


def test_a_run_that_gains_energy_is_not_finished():
    """The same samples with faster velocities at the end: energy from nowhere."""
    bar = jd.Model("bar")
    a, b = (bar.add_body(n, jd.solid.rod(1.0, (1, 0, 0))) for n in "ab")
    bar.add_joint("i", bar.world, a, jd.Revolute("y"))
    bar.add_joint("j", a.at(1, 0, 0), b, jd.Revolute("y"))
    bar.add_joint("k", bar.world.at(1.5, 0, 0), b.at(1, 0, 0), jd.Prismatic("x") * jd.Revolute("y"))
    sol = jd.simulate(bar, 0.3, start={"i.angle": -0.5})
    require_balance(sol, Dop853())
    v = sol.v.copy()
    v[-1] *= 1.5
    faster = Solution(sol.system, sol.time, sol.q, v, sol.vdot, statistics=sol.statistics)
    with pytest.raises(jd.IntegrationError, match="more than its tolerance explains") as caught:
        require_balance(faster, Dop853())
    assert not caught.value.solution.statistics.is_complete
    assert np.isfinite(caught.value.solution.q).all()
