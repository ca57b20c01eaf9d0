"""Skate on an inclined plane that turns evenly: it drifts across, not down (Sol, V9)."""

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd


@dataclass(frozen=True)
class InclinedSkate:
    """Skate started at rest, heading down the slope (x); mass and moment drop out."""

    slope: float = 0.2
    rate: float = 1.7
    g: float = 9.81

    def model(self, driven=None):
        down = self.g * np.array((np.sin(self.slope), 0.0, -np.cos(self.slope)))
        model = jd.Model("skate", gravity=down)
        skate = model.add_body("skate", jd.Inertia(1.3, moments=(0.1, 0.2, 0.2)))
        model.add_joint("ice", model.world, skate, jd.Skate(), driven=driven)
        return model

    def position(self, t):
        a, w = self.g * np.sin(self.slope) / (2 * self.rate**2), self.rate
        return np.array((a * np.sin(w * t) ** 2, a * (w * t - 0.5 * np.sin(2 * w * t))))


EXACT = InclinedSkate()
TIMES = np.linspace(0.0, 3.0, 7)


def test_free_skate(integrate):
    system = jd.compile(EXACT.model())
    motion = integrate(system, *system.state({"ice.rate": EXACT.rate}), 3.0)
    for t in TIMES:
        q, v = motion.at(t)
        np.testing.assert_allclose(q, (*EXACT.position(t), EXACT.rate * t), atol=1e-11)
        assert v[1] == pytest.approx(EXACT.rate, rel=1e-14)


def test_skate_with_driven_heading(integrate):
    system = jd.compile(EXACT.model(driven={"angle": lambda t: EXACT.rate * t}))
    assert system.names.v == ("ice.speed",)
    motion = integrate(system, *system.state(), 3.0)
    for t in TIMES:
        np.testing.assert_allclose(motion.at(t)[0], EXACT.position(t), atol=1e-11)


def test_level_ice_gives_a_circle(integrate):
    system = jd.compile(InclinedSkate(slope=0.0).model())
    motion = integrate(system, *system.state({"ice.rate": 1.7, "ice.speed": 0.8}), 3.0)
    radius = 0.8 / 1.7
    for t in TIMES:
        q, _ = motion.at(t)
        assert np.hypot(q[0], q[1] - radius) == pytest.approx(radius, rel=1e-10)
