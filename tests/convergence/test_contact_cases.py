"""One list of machines with contacts: from event to event, both time steppings, closed forms.

Each case is one line of `CASES`. All methods must agree to the order of the step, and with the
closed form where there is one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import woodpecker

G = 9.81


@dataclass
class Case:
    """A machine, and what is known of it.

    Attributes
    ----------
    name : str
        Name.
    machine : function
        Gives model and start.
    end : float [s]
        End of the run.
    step : float [s]
        Largest step; the smallest is a 16th of it, or a quarter for nonsmooth generalised-α.
    bounds : pair of float
        Largest error of positions over the step, of Moreau-Jean and of nonsmooth generalised-α.
    exact : function of the end, optional
        Positions that are known.
    """

    name: str
    machine: Callable[[], tuple[jd.Model, dict[str, float]]]
    end: float
    step: float
    bounds: tuple[float, float]
    exact: Callable[[float], dict[str, float]] | None = None


def model_of(**inertias):
    model = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    for name, inertia in inertias.items():
        model.add_coordinate(name, inertia, unit="m")
    return model


def pulled(model, **forces):
    for name, force in forces.items():
        model.add_connection(f"force_{name}", jd.Coordinate(name), jd.Force(force))
    return model


# -- Balls and beads -------------------------------------------------------------------------------


def bouncing_ball(impact):
    model = pulled(model_of(z=1.0), z=-G)
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(0.0, "above", 0.7, impact))
    return model, {"z.value": 0.5}


def second_flight(end):
    fall, speed = np.sqrt(2 * 0.5 / G), np.sqrt(2 * 0.5 * G)
    up, t = 0.49 * speed, end - fall * (1 + 2 * 0.7)
    return {"z.value": up * t - 0.5 * G * t**2}


def ball_at_rest(end):
    return {"z.value": 0.0}


def column(impact):
    model = pulled(model_of(a=1.0, b=2.0), a=-G, b=-G)
    law = partial(jd.Unilateral, side="above", restitution=0.5, impact=impact)
    model.add_connection("floor", jd.Coordinate("a"), law(0.0))
    model.add_connection("pair", jd.Coordinate("b") - jd.Coordinate("a"), law(0.2))
    return model, {"a.value": 0.1, "b.value": 0.5}


def column_at_rest(end):
    return {"a.value": 0.0, "b.value": 0.2}


def row_of_beads():
    """Three beads in line, 0.1 m apart; the first comes with 1 m/s."""
    model = model_of(a=1.0, b=1.0, c=1.0)
    for left, right in ("ab", "bc"):
        between = jd.Coordinate(right) - jd.Coordinate(left)
        model.add_connection(left + right, between, jd.Unilateral(0.1, "above", 0.5))
    return model, {"a.rate": 1.0, "b.value": 0.2, "c.value": 0.4}


def row_after_two_impacts(end):
    """Each passes on (1 + e)/2 of its velocity and keeps (1 − e)/2."""
    first, second = 0.1, 0.1 + 0.1 / 0.75
    a = 0.1 + 0.25 * (end - first)
    b = 0.2 + 0.75 * (second - first) + 0.25 * 0.75 * (end - second)
    return {"a.value": a, "b.value": b, "c.value": 0.4 + 0.75**2 * (end - second)}


def rope():
    """A mass flies out until its rope of 1 m is taut."""
    model = model_of(x=2.0)
    model.add_connection("rope", jd.Coordinate("x"), jd.Unilateral(1.0, "below", 0.6))
    return model, {"x.rate": 2.0}


def flies_back(end):
    return {"x.value": 1.0 - 0.6 * 2.0 * (end - 0.5)}


# -- Dry friction ----------------------------------------------------------------------------------


def dry_oscillator():
    model = model_of(x=1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(4.0))
    model.add_connection("friction", jd.Coordinate("x"), jd.Interval(0.5))
    return model, {"x.value": 1.0}


def sticks_after_four_swings(end):
    """Each half swing takes 2 F/k off the amplitude: 1, −0.75, 0.5, −0.25, then 0 ≤ F/k."""
    return {"x.value": {0: 1.0, 1: -0.75, 2: 0.5, 3: -0.25}.get(int(end // (np.pi / 2)), 0.0)}


def in_the_second_swing(end):
    """It is at x = −F/k + (−0.75 + F/k) cos 2τ: from −0.75 back up, about −0.125."""
    return {"x.value": -0.125 - 0.625 * np.cos(2.0 * (end - np.pi / 2))}


def clutch():
    model = pulled(model_of(motor=2.0, load=3.0), motor=4.0)
    slip = jd.Coordinate("motor") - jd.Coordinate("load")
    model.add_connection("clutch", slip, jd.Interval(6.0))
    return model, {"motor.rate": 10.0}


def locked_clutch(end):
    """Slip ends after 10/3 s, at 20/3 rad/s; then 4 N m turn 5 kg m²."""
    lock = 10.0 / 3.0
    load = lock**2 + 20.0 / 3.0 * (end - lock) + 0.4 * (end - lock) ** 2
    return {"load.value": load, "motor.value": load + 10.0 * lock - 1.5 * lock**2}


def one_way_clutch():
    """A motor that starts from rest catches up with a load that runs ahead."""
    model = pulled(model_of(motor=2.0, load=3.0), motor=5.0)
    ahead = jd.Formula(speed=lambda at: at.velocity("load") - at.velocity("motor"), unit="rad")
    model.add_connection("clutch", ahead, jd.Unilateral())
    return model, {"load.rate": 2.5}


def engaged_clutch(end):
    """It engages after 1 s, when both turn with 2.5 rad/s; then 5 N m turn 5 kg m²."""
    t = end - 1.0
    together = 2.5 * t + 0.5 * t**2
    return {"motor.value": 1.25 + together, "load.value": 2.5 + together}


def belt():
    """Friction that falls with the slip; see the closed form of its period in tests/exact."""
    model = model_of(x=1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(4.0))
    slip = jd.Formula(speed=lambda at: at.velocity("x") - 0.5)
    model.add_connection("belt", slip, jd.Interval(lambda x, v: 3.0 - 0.2 * jd.sqrt(v * v)))
    return model, {"x.rate": 0.5}


def slips_off(end):
    """It rides to F/k, then swings with negative damping (before it sticks again)."""
    t, middle, nu = end - 1.5, 2.9 / 4.0, np.sqrt(4.0 - 0.01)
    a = 0.75 - middle
    b = (0.5 - 0.1 * a) / nu
    return {"x.value": middle + np.exp(0.1 * t) * (a * np.cos(nu * t) + b * np.sin(nu * t))}


def sledge(impact):
    """It lands on a table and is pulled over it: friction and impact together."""
    model = pulled(model_of(x=1.0, z=1.0), z=-G)
    model.add_connection("pull", jd.Coordinate("x"), jd.Spring(20.0))
    table = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    model.add_connection("table", table, jd.Coulomb(0.3, restitution=0.4, impact=impact))
    return model, {"x.value": 1.0, "z.value": 0.2}


# -- Bodies with corners, discs, bars --------------------------------------------------------------

WIDTH, HEIGHT, TILT = 0.2, 0.6, 0.1


def corner(side, k):
    def place(at):
        angle = at.coordinate("angle")
        x, z = 0.5 * side * WIDTH, -0.5 * HEIGHT
        along = at.coordinate("x") + x * jd.cos(angle) + z * jd.sin(angle)
        above = at.coordinate("z") - x * jd.sin(angle) + z * jd.cos(angle)
        return (along, above)[k]

    return jd.Formula(place)


def rocking_block(impact):
    """It rocks from its right corner to its left one; Housner's ratio is in tests/exact."""
    inertia = (WIDTH**2 + HEIGHT**2) / 12
    model = pulled(model_of(x=1.0, z=1.0, angle=inertia), z=-G)
    for name, side in (("left", -1), ("right", 1)):
        touch = jd.Touch(corner(side, 1), corner(side, 0))
        model.add_connection(name, touch, jd.Coulomb(2.0, impact=impact))
    height = 0.5 * WIDTH * np.sin(TILT) + 0.5 * HEIGHT * np.cos(TILT)
    return model, {"angle.value": TILT, "z.value": height}


RADIUS = 0.025  # of the disc that was thrown in Beitelschmidt's experiments


def disc(law, spin):
    model = model_of(x=0.3, z=0.3, angle=0.5 * 0.3 * RADIUS**2)
    slip = jd.Coordinate("x") + RADIUS * jd.Coordinate("angle")
    model.add_connection("ground", jd.Touch(jd.Coordinate("z"), slip), law)
    return model, {"z.value": 0.2, "x.rate": 5.0, "z.rate": -4.0, "angle.rate": spin}


def thrown(e, sliding, spin):
    """Positions after the impact at 0.05 s, with the sliding velocity after it."""

    def positions(end):
        t, before = end - 0.05, 5.0 + RADIUS * spin
        impulse = (sliding - before) / 3.0  # over the mass: G_TT = 3/m
        x, turned = 0.25 + (5.0 + impulse) * t, 0.05 * spin + (spin + 2 * impulse / RADIUS) * t
        return {"x.value": x, "z.value": 4.0 * e * t, "angle.value": turned}

    return positions


SPIN = 2 * np.pi * 40
SLIDING = 5.0 + RADIUS * SPIN
DISCS = {  # law, and the sliding velocity after the impact (F53 of the digest)
    "disc_newton": (jd.Coulomb(0.2, 0.75), SPIN, SLIDING - 3 * 0.2 * 1.75 * 4.0),
    "disc_poisson": (jd.Coulomb(0.2, 0.75, impact=jd.Poisson()), SPIN, SLIDING - 3 * 0.2 * 7.0),
    "disc_rolls": (jd.Coulomb(0.9, 0.75, impact=jd.Poisson()), -100.0, 0.0),
    "superball": (jd.Coulomb(1.2, 0.75, 0.9, jd.Poisson("beitelschmidt")), SPIN, -0.675 * SLIDING),
    "superball_old": (jd.Coulomb(1.2, 0.75, 0.9, jd.Poisson("glocker")), SPIN, -0.675 * SLIDING),
}


def disc_case(name):
    law, spin, sliding = DISCS[name]
    exact = thrown(0.75, sliding, spin)
    return Case(name, partial(disc, law, spin), 0.15, 3e-3, (500.0, 1e-6), exact)


def impacting_bar(n):
    """An elastic bar, in n parts with springs between, that flies against a wall with 1 m/s.

    The continuous bar (1 m, 1 kg, speed of sound 10 m/s) touches for 2 L/c = 0.2 s and flies back
    as fast as it came.
    """
    names = [f"u{k}" for k in range(n + 1)]
    masses = dict.fromkeys(names, 1.0 / n) | {names[0]: 0.5 / n, names[-1]: 0.5 / n}
    model = model_of(**masses)
    for a, b in pairwise(names):
        stretch = jd.Coordinate(b) - jd.Coordinate(a)
        model.add_connection(f"{a}_{b}", stretch, jd.Spring(100.0 * n))
    model.add_connection("wall", jd.Coordinate("u0"), jd.Unilateral())
    return model, {
        f"{name}.{what}": x for name in names for what, x in (("value", 0.02), ("rate", -1))
    }


def painleve_rod(mu, speed):
    """A rod that slides on its tip, at 1 rad; for μ = 2 its normal force could pull it in."""
    model = pulled(model_of(x=1.0, z=1.0, angle=1 / 12), z=-G)
    gap = jd.Formula(lambda at: at.coordinate("z") - 0.5 * jd.sin(at.coordinate("angle")))
    slip = jd.Formula(lambda at: at.coordinate("x") - 0.5 * jd.cos(at.coordinate("angle")))
    model.add_connection("tip", jd.Touch(gap, slip), jd.Coulomb(mu))
    start = {"angle.value": 1.0, "z.value": 0.5 * np.sin(1.0), "x.rate": -1.0}
    if speed:
        start |= {"x.rate": -4.0, "angle.rate": speed, "z.rate": 0.5 * speed * np.cos(1.0)}
    return model, start


def toy(impact):
    start = {"height": (0.0, 0.0), "sleeve": (-0.0006 / 0.0058, 0.0)}
    start["bird"] = (-0.2051353492, 17.5746662)
    flat = {
        f"{k}.{w}": x for k, v in start.items() for w, x in zip(("value", "rate"), v, strict=True)
    }
    return woodpecker(impact=impact), flat


NEWTON, POISSON = jd.Newton(), jd.Poisson()

CASES = [
    Case("ball_newton", partial(bouncing_ball, NEWTON), 1.0, 1e-2, (1.0, 1e-8), second_flight),
    Case("ball_poisson", partial(bouncing_ball, POISSON), 1.0, 1e-2, (1.0, 1e-8), second_flight),
    Case("ball_to_rest", partial(bouncing_ball, NEWTON), 2.0, 2e-2, (0.2, 1e-9), ball_at_rest),
    Case("column_newton", partial(column, NEWTON), 0.6, 1e-3, (1.0, 1e-2), column_at_rest),
    Case("column_poisson", partial(column, POISSON), 0.6, 1e-3, (1.0, 1e-2), column_at_rest),
    Case("row_of_beads", row_of_beads, 0.5, 1e-2, (1.0, 1e-8), row_after_two_impacts),
    Case("rope", rope, 1.0, 1e-2, (1.7, 1e-8), flies_back),
    Case("dry_oscillator", dry_oscillator, 3.0, 5e-2, (0.1, 0.1), in_the_second_swing),
    Case("oscillator_sticks", dry_oscillator, 7.0, 5e-2, (0.1, 0.1), sticks_after_four_swings),
    Case("clutch", clutch, 4.0, 5e-2, (0.02, 0.02), locked_clutch),
    Case("one_way_clutch", one_way_clutch, 2.0, 3e-2, (0.02, 0.02), engaged_clutch),
    Case("belt", belt, 3.0, 4e-2, (0.15, 0.05), slips_off),
    Case("sledge_newton", partial(sledge, NEWTON), 1.0, 1e-2, (1.0, 1.0)),
    Case("sledge_poisson", partial(sledge, POISSON), 1.0, 1e-2, (1.0, 1.0)),
    Case("rocking_newton", partial(rocking_block, NEWTON), 0.4, 8e-3, (3.0, 3.0)),
    Case("rocking_poisson", partial(rocking_block, POISSON), 0.4, 8e-3, (3.0, 3.0)),
    *(disc_case(name) for name in DISCS),
    Case("impacting_bar", partial(impacting_bar, 5), 0.4, 4e-3, (3.0, 1.0)),
    Case("rod", partial(painleve_rod, 0.5, 0.0), 0.3, 1e-2, (0.1, 0.1)),
    Case("painleve_leaves", partial(painleve_rod, 2.0, 6.0), 0.05, 5e-3, (1e-8, 1e-8)),
    Case("woodpecker_newton", partial(toy, NEWTON), 0.03, 2e-4, (30.0, 1.0)),
    Case("woodpecker_poisson", partial(toy, POISSON), 0.03, 2e-4, (30.0, 1.0)),
]
METHODS = [jd.MoreauJean, jd.NonsmoothAlpha]


SLOW = ("column", "rocking", "woodpecker")  # over three seconds


def parameter(case):
    marks = [pytest.mark.slow] if case.name.startswith(SLOW) else []
    return pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_all_methods_agree(case: Case):
    model, start = case.machine()
    system: Any = jd.compile(model)
    run = partial(jd.simulate, system, case.end, start=start, sample=case.end)
    events = run()
    for name, value in (case.exact(case.end) if case.exact else {}).items():
        assert events.final[name] == pytest.approx(value, abs=1e-8), name
    for bound, method in zip(case.bounds, METHODS, strict=True):
        finest = 4 if method is jd.NonsmoothAlpha else 16
        for step in (case.step, case.step / finest):
            sol = run(method=method(step))
            assert np.abs(sol.q[-1] - events.q[-1]).max() <= bound * step, (method, step)


@pytest.mark.parametrize("n", [5, 20])
def test_bar_touches_while_the_wave_runs_to_its_end_and_back(n):
    """The first part, which stops at once, takes 1/2n of the energy; the rest is order n^(−2/3)."""
    model, start = impacting_bar(n)
    sol = jd.simulate(model, 0.3, start=start, sample=0.3)
    masses = np.array([0.5, *[1.0] * (n - 1), 0.5]) / n
    meet, leave = sol.events[0].time, sol.events[-1].time
    assert sol.events[-1].kind == "detachment"
    assert meet == pytest.approx(0.02, rel=1e-12)
    assert leave - meet == pytest.approx(0.2, rel=0.3 * n ** (-2 / 3))
    assert masses @ sol.v[-1] == pytest.approx(1.0, rel=0.6 * n ** (-2 / 3))
    assert sol.events[0].details["energy"] == pytest.approx(-0.25 / n, rel=1e-9)
