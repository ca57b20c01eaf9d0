"""Bead on a wire that turns evenly: explicit time in a joint, or a drive before the slide."""

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd


class Wire(jd.Joint):
    """Slide along a wire inclined against the axis (z) about which it turns evenly."""

    rate: float
    inclination: float
    coordinates = {"position": "m"}

    def pose(self, q, t):
        turn = jd.rotation_z(self.rate * t) @ jd.rotation_y(self.inclination)
        return turn, turn @ jd.math.vector(0, 0, q[0])


@dataclass(frozen=True)
class Bead:
    """d²r/dt² = (ω sin β)² r − g cos β, β the angle between wire and axis."""

    rate: float = 2.0
    inclination: float = 0.7
    g: float = 9.81

    @property
    def growth(self):
        return self.rate * np.sin(self.inclination)

    @property
    def rest(self):
        """Place where the bead stays."""
        return self.g * np.cos(self.inclination) / self.growth**2

    def position(self, start, t):
        return self.rest + (start - self.rest) * np.cosh(self.growth * t)

    def with_time(self):
        model = jd.Model("wire")
        bead = model.add_body("bead", jd.solid.ball(0.3, 0.02))
        model.add_joint("wire", model.world, bead, Wire(self.rate, self.inclination))
        return model

    def with_drive(self):
        model = jd.Model("wire")
        bead = model.add_body("bead", jd.solid.ball(0.3, 0.02))
        tilt = jd.rotation_y(self.inclination)
        kind = jd.Revolute(tuple(tilt.T @ (0, 0, 1))) * jd.Prismatic("z")
        frame = model.world.at(rotation=tilt)
        model.add_joint("wire", frame, bead, kind, driven={"angle": lambda t: self.rate * t})
        return model

    def with_shaft(self):
        model = jd.Model("wire")
        shaft = model.add_body("shaft", jd.Inertia(0.0))
        bead = model.add_body("bead", jd.solid.ball(0.3, 0.02))
        spin = {"angle": lambda t: self.rate * t}
        model.add_joint("motor", model.world, shaft, jd.Revolute("z"), driven=spin)
        frame = shaft.at(rotation=jd.rotation_y(self.inclination))
        model.add_joint("wire", frame, bead, jd.Prismatic("z"))
        return model


@pytest.fixture(scope="module", params=[Bead.with_time, Bead.with_drive, Bead.with_shaft])
def make(request):
    return request.param


@pytest.mark.parametrize("inclination", [0.7, np.pi / 2])
def test_motion(make, integrate, inclination):
    exact = Bead(inclination=inclination)
    system = jd.compile(make(exact))
    start = exact.rest + 0.2
    motion = integrate(system, np.array((start,)), np.zeros(1), 1.5)
    for t in (0.5, 1.5):
        assert motion.at(t)[0][0] == pytest.approx(exact.position(start, t), abs=1e-9)


def test_acceleration_depends_neither_on_time_nor_on_speed(make):
    exact = Bead()
    system = jd.compile(make(exact), execution=jd.Plain())
    for r, v, t in ((0.4, 0.0, 0.0), (0.4, 3.0, 0.8), (-1.0, -2.0, 2.5)):
        vdot = system.forward_dynamics(np.array((r,)), np.array((v,)), t=t)
        assert vdot[0] == pytest.approx(exact.growth**2 * (r - exact.rest), abs=1e-12)


def test_kinetic_energy_contains_the_rotation(make):
    exact = Bead()
    system = jd.compile(make(exact), execution=jd.Plain())
    r, v = 0.4, 1.1
    ball = 0.4 * 0.3 * 0.02**2 * exact.rate**2
    expected = 0.5 * 0.3 * (v**2 + (exact.growth * r) ** 2) + 0.5 * ball
    assert system.energy(np.array((r,)), np.array((v,)), 0.3)[0] == pytest.approx(
        expected, rel=1e-12
    )
    assert system.mass_matrix(np.array((r,)), 0.3) == pytest.approx(0.3, rel=1e-14)
