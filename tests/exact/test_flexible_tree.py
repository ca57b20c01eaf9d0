"""7.V1: tree of three links, two of them flexible, with shapes of its own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from scipy.linalg import block_diag

import jourdain as jd
from jourdain.model.flexible.integrals import integrals, points_of
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.solid import Shapes


@dataclass(frozen=True)
class Powers(jd.flexible.FlexibleSolid):
    """Beam whose fields are sums of powers of ξ = x/L; positions to second order, no more."""

    length: float
    bends_y: tuple[int, ...]
    bends_z: tuple[int, ...]
    twists: tuple[int, ...]
    mass: float
    moments: tuple[float, ...]
    gauss: int
    stiffness: tuple[tuple[float, ...], ...]
    tip_mass: float = 0.0

    @property
    def n_shapes(self):
        """Number of powers in all fields."""
        return len(self.bends_y + self.bends_z + self.twists)

    def raw(self, position):
        """Place in terms of the powers."""
        x = position[0]
        n, xi = self.n_shapes, x / self.length
        A, T, B = np.zeros((3, n)), np.zeros((3, n)), np.zeros((3, n, n))
        fields = [
            (1, 2, 1.0, self.bends_y),
            (2, 1, -1.0, self.bends_z),
            (None, 0, 1.0, self.twists),
        ]
        k = 0
        for along, about, sign, powers in fields:
            first = k
            for p in powers:
                if along is None:
                    T[about, k] = xi**p
                else:
                    A[along, k] = xi**p
                    T[about, k] = sign * p * xi ** (p - 1) / self.length
                k += 1
            for i, p in enumerate(powers if along else ()):
                for j, r in enumerate(powers):
                    B[0, first + i, first + j] = (
                        -p * r * xi ** (p + r - 1) / (p + r - 1) / self.length
                    )
        return Place(np.array([x, 0.0, 0.0]), A, B, T, np.zeros((3, n, n)))

    @cached_property
    def elasticity(self):
        """Its own modes."""
        nodes, weights = np.polynomial.legendre.leggauss(self.gauss)
        points = []
        for x, w in zip(
            0.5 * self.length * (nodes + 1.0), 0.5 * self.length * weights, strict=True
        ):
            points += points_of(w * self.mass, w * np.array(self.moments), self.raw((x, 0, 0)))
        if self.tip_mass:
            points.append((self.tip_mass, self.raw((self.length, 0, 0))))
        K, n = np.array(self.stiffness), self.n_shapes
        ends = [(self.length, 0.0, 0.0)]
        bends = len(self.bends_y + self.bends_z)
        blocks = [("e", "m", range(bends)), ("t", "rad", range(bends, n))]
        blocks = [block for block in blocks if block[2]]
        return Shapes(integrals(points), self.raw, K, blocks, ends).modes(None, 0.0)

    @property
    def modes(self):
        """Matrix Z of e = Z d, from the places of some sections."""
        at = [(s * self.length, 0.0, 0.0) for s in (0.3, 0.7, 1.0)]
        raw, own = ([f(p) for p in at] for f in (self.raw, self.elasticity.place))
        stacked = [np.vstack([np.vstack([p.A, p.T]) for p in places]) for places in (raw, own)]
        return np.linalg.lstsq(*stacked, rcond=None)[0]


ONE = Powers(
    1.0, (2, 3), (2,), (1,), 2.0, (0.02, 0.01, 0.01), 5,
    tuple(map(tuple, block_diag([[160.0, 240.0], [240.0, 480.0]], 120.0, 20.0).tolist())),
)  # fmt: skip
_SOFT = 20.0 / 0.6**3
THREE = Powers(
    0.6, (2,), (2,), (), 1.0, (0.004, 0.002, 0.002), 4, ((_SOFT, 0.0), (0.0, _SOFT)), tip_mass=0.2
)


def test_integrals_of_the_first_link():
    own = ONE.elasticity.integrals
    Z = ONE.modes
    back = np.linalg.inv(Z)
    M = back.T @ own.mass_matrix @ back
    expected = [[0.413333333, 0.348333333], [0.348333333, 0.303714286]]
    assert np.allclose(M[:2, :2], expected, atol=1e-9)
    assert np.diag(M)[2:] == pytest.approx([0.413333333, 0.006666667], abs=1e-9)
    h2 = back.T @ own.h2[0] @ back
    assert np.allclose(h2[:2, :2], [[-2 / 3, -0.6], [-0.6, -0.6]], atol=1e-12)


def test_accelerations_without_deformation():
    model = jd.Model("tree", gravity=(0.0, 0.0, -9.81))
    one, three = model.add_body("one", ONE), model.add_body("three", THREE)
    # about its centre of mass, at (0.3, 0, 0.05)
    two = model.add_body("two", jd.Inertia(0.8, (0.3, 0.0, 0.05), (0.01, 0.03, 0.03)))
    model.add_joint("a", model.world, one, jd.Revolute("z"))
    on_tip = model.add_body("on_tip", jd.Inertia(0.0))
    model.add_joint("tip", one.at(1.0, 0, 0), on_tip, jd.Fixed())
    model.add_joint("b", on_tip.at(0.1, 0, 0), two, jd.Revolute("y"))
    on_middle = model.add_body("on_middle", jd.Inertia(0.0))
    model.add_joint("middle", one.at(0.5, 0, 0), on_middle, jd.Fixed())
    model.add_joint("c", on_middle.at(0, 0.05, 0), three, jd.Revolute("x") * jd.Revolute("y"))
    start = {
        "a.angle": 0.4, "a.rate": 1.2, "b.angle": -0.5, "b.rate": 2.0,
        "c.angle_1": 0.3, "c.angle_2": -0.2, "c.rate_1": -1.0, "c.rate_2": 0.8,
    }  # fmt: skip
    system = jd.compile(model)
    q, v = system.state(start)
    tau = {"a.rate": 3.0, "b.rate": -0.5, "c.rate_1": 0.2, "c.rate_2": 0.1}
    found = dict(zip(system.names.v, system.forward_dynamics(q, v, tau), strict=True))
    rates = [found[name] for name in ("a.rate", "b.rate", "c.rate_1", "c.rate_2")]
    expected = [203.828992792, -33.6235750276, 92.7312935215, 38.2874687238]
    assert rates == pytest.approx(expected, rel=1e-10)
    bending = {
        "one": (ONE, [-483.407457359, 267.984833547, -11.8260466596, 15.4630181457]),
        "three": (THREE, [44.3809434687, 14.7154464998]),
    }
    for body, (solid, numbers) in bending.items():
        names = [f"{body}.elastic.{name}_rate" for name in solid.coordinates]
        e = solid.modes @ np.array([found[name] for name in names])
        assert e == pytest.approx(np.array(numbers), rel=1e-9)
