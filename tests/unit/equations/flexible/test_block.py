"""Integrals of a flexible body against sums over its points (FB-4 to FB-7)."""

from types import SimpleNamespace

import numpy as np

import jourdain as jd
from jourdain.equations.flexible.block import Block
from jourdain.model.flexible.beam_shapes import BeamShapes
from jourdain.model.flexible.integrals import integrals


def _block(points, d, rate, w):
    none = np.zeros(0)
    own = SimpleNamespace(q=d, v=rate, w=w, e=none, e1=none, e2=none)
    block = Block(integrals(points))
    block.deform(own)
    own.p, own.p_e = block.bias(own)
    own.p = own.p + np.concatenate([np.cross(w, own.J @ w), np.cross(w, np.cross(w, own.h))])
    return own


def _summed(points, d, rate, w):
    """The same, point by point, with velocities and accelerations of each."""
    n = len(d)
    J, h, C, p, p_e = np.zeros((3, 3)), np.zeros(3), np.zeros((6, n)), np.zeros(6), np.zeros(n)
    for mass, place in points:
        r = place.x + place.A @ d + 0.5 * np.einsum("aij,i,j", place.B, d, d)
        phi = place.A + place.B @ d
        a = np.cross(w, np.cross(w, r)) + 2.0 * np.cross(w, phi @ rate)
        a = a + np.einsum("aij,i,j", place.B, rate, rate)
        J += mass * (r @ r * np.eye(3) - np.outer(r, r))
        h += mass * r
        C += mass * np.vstack([np.cross(r, phi.T).T, phi])
        p += mass * np.concatenate([np.cross(r, a), a])
        p_e += mass * phi.T @ a
    return SimpleNamespace(J=J, h=h, C=C, p=p, p_e=p_e)


def test_block_is_that_of_the_points_to_its_order():
    rng = np.random.default_rng(1)
    section = jd.flexible.Section(5.0, 7.0, 3.0, 4.0, 2.0, (0.02, 0.01, 0.015))
    fields = ("y", "z", "twist", "stretch")
    solid = jd.flexible.beam(0.9, section, modes=8, fields=fields, functions=2)
    points = BeamShapes(solid).points()
    d, rate, w = rng.normal(size=8), rng.normal(size=8), rng.normal(size=3)
    errors = {name: [] for name in ("J", "h", "C", "p", "p_e")}
    for size in (1e-2, 1e-3):
        made, summed = (f(points, size * d, size * rate, w) for f in (_block, _summed))
        for name, own in errors.items():
            own.append(np.abs(getattr(made, name) - getattr(summed, name)).max())
    orders = {"J": 3, "h": 3, "C": 2, "p": 3, "p_e": 2}
    for name, (large, small) in errors.items():
        assert small < 3.0 * 10.0 ** -orders[name] * large + 1e-15, name
