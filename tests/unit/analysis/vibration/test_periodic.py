"""Periodic motions with known periods and multipliers."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import woodpecker


def kapitza(omega):
    """V9: pendulum upright on a pivot that shakes."""
    model = jd.Model("kapitza")
    table = model.add_body("table", jd.solid.ball(mass=1.0, radius=0.1))
    rod = model.add_body("rod", jd.Inertia(1.0, (0, 0, 0.2), np.zeros((3, 3))))
    shaken = {"position": lambda t: 0.02 * jd.math.cos(omega * t)}
    model.add_joint("lift", model.world, table, jd.Prismatic("z"), driven=shaken)
    model.add_joint("hinge", table, rod, jd.Revolute("y"))
    return model


@pytest.mark.parametrize(
    ("factor", "expected"),
    [(1.2, (0.96952381 + 0.24499712j, 0.96952381 - 0.24499712j)), (0.9, (1.24215003, 0.80505573))],
)
def test_kapitza_pendulum(factor, expected):
    omega = factor * 99.260834704
    motion = jd.periodic(kapitza(omega), 2 * np.pi / omega)
    found = np.sort_complex(motion.multipliers.astype(complex))
    np.testing.assert_allclose(found, np.sort_complex(np.array(expected, complex)), atol=1e-6)
    assert motion.is_stable == (factor > 1.0)


def van_der_pol():
    model = jd.Model("van der pol")
    model.add_coordinate("x", 1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(1.0))
    return model


def test_limit_cycle_of_van_der_pol():
    """Period 6.6632868593 and characteristic exponent −1.0593769948 for µ = 1 (published)."""
    push = {"x": lambda t, s: (1.0 - s["x.value"] ** 2) * s["x.rate"]}
    motion = jd.periodic(van_der_pol(), guess=6.0, start={"x": 1.8}, inputs=push)
    assert motion.period == pytest.approx(6.6632868593, rel=1e-7)
    (multiplier,) = motion.multipliers
    assert multiplier == pytest.approx(np.exp(-1.0593769948 * motion.period), rel=1e-3)
    assert motion.is_stable
    assert "multipliers" in str(motion)


def test_woodpecker():
    """Impacts, jams and slips: 146 ms and 19.4 mm down each time."""
    model = woodpecker()
    start = {
        "height.value": 0.0, "height.rate": 0.0, "sleeve.rate": 0.0,
        "sleeve.value": -0.0006 / 0.0058, "bird.value": -0.2051353492, "bird.rate": 17.5746662,
    }  # fmt: skip
    run = jd.simulate(model, 0.2, start=start)
    free = next(
        (a.time + b.time) / 2
        for a, b in zip(run.events, run.events[1:], strict=False)
        if b.time - a.time > 0.01 and b.kind == "impact"
    )
    q, v = (getattr(run.at([free]), word)[0] for word in ("q", "v"))
    motion = jd.periodic(model, guess=0.146, start=(q, v), cyclic=["height.value"])
    assert motion.period == pytest.approx(0.14597607, abs=2e-7)
    assert motion.shift["height.value"] == pytest.approx(-0.01944538, abs=2e-7)
    assert motion.is_stable


def test_bad_requests():
    with pytest.raises(jd.ModelError, match="give either the period"):
        jd.periodic(van_der_pol())
    model = jd.Model("fall")
    model.add_coordinate("x", 1.0)
    with pytest.raises(jd.IntegrationError, match="no periodic motion found near the start"):
        jd.periodic(model, guess=1.0, start={"x.rate": 1.0}, inputs={"x": 1.0})
