"""Frames to second order: what is left out falls with the cube of the deformation."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.model.flexible.beam import Beam
from jourdain.model.flexible.place import Place

_SIZES = (1e-1, 1e-2)


def random_place(rng, n=3):
    B, T2 = rng.normal(size=(2, 3, n, n))
    symmetric = [x + x.transpose(0, 2, 1) for x in (B, T2)]
    A, T = rng.normal(size=(2, 3, n))
    return Place(rng.normal(size=3), A, symmetric[0], T, symmetric[1])


def _pose(place, d):
    r, turn = (
        first @ d + 0.5 * np.einsum("aij,i,j", second, d, d)
        for first, second in ((place.A, place.B), (place.T, place.T2))
    )
    return Rotation.from_rotvec(turn).as_matrix(), place.x + r


def _falls_with_the_cube(errors):
    return errors[1] < 2e-3 * errors[0]


@pytest.mark.parametrize("seed", range(3))
def test_frames_beside_and_seen_from_others(seed):
    rng = np.random.default_rng(seed)
    one, other = random_place(rng), random_place(rng)
    offset, d = rng.normal(size=3), rng.normal(size=3)
    beside, seen = [], []
    for size in _SIZES:
        (R, r), (R0, r0) = _pose(one, size * d), _pose(other, size * d)
        R1, r1 = _pose(one.beside(offset), size * d)
        beside.append(np.abs(r1 - r - R @ offset).max() + np.abs(R1 - R).max())
        R1, r1 = _pose(one.seen_from(other), size * d)
        seen.append(np.abs(r1 - R0.T @ (r - r0)).max() + np.abs(R1 - R0.T @ R).max())
    assert _falls_with_the_cube(beside)
    assert _falls_with_the_cube(seen)


def test_a_beam_bends_as_its_curvatures_say():
    """R' = R κ, r' = R (1 + u') e_x with κ = (α', −w'', v'') (FB-3)."""
    section = jd.flexible.Section(1.0, 2.0, 3.0, 4.0, 1.0, (0.1, 0.1, 0.1))
    fields = ("y", "z", "twist", "stretch")
    solid = jd.flexible.beam(1.3, section, modes=8, fields=fields, functions=2)
    place = solid.elasticity.place((1.3, 0.0, 0.0))
    d = np.random.default_rng(3).normal(size=8)
    errors = []
    for size in _SIZES:
        R, r = _integrated(solid, size * d)
        R1, r1 = _pose(place, size * d)
        errors.append(np.abs(r1 - r).max() + np.abs(R1 - R).max())
    assert _falls_with_the_cube(errors)


def _integrated(solid: Beam, d):
    """Tip of the beam from its curvatures, by integration along it."""
    step = 1e-4

    def curvature(x):
        near = [solid.elasticity.place((x + k * step, 0.0, 0.0)) for k in (-1, 0, 1)]
        A, T = (np.array([getattr(p, name) @ d for p in near]) for name in ("A", "T"))
        turns = (T[2] - T[0]) / (2.0 * step)  # α', −w'', v''
        return turns, (A[2, 0] - A[0, 0]) / (2.0 * step)

    def rates(x, y):
        R = y[:9].reshape(3, 3)
        kappa, stretch = curvature(np.clip(x, step, solid.length - step))
        K = np.array([[0, -kappa[2], kappa[1]], [kappa[2], 0, -kappa[0]], [-kappa[1], kappa[0], 0]])
        return np.concatenate([(R @ K).ravel(), R[:, 0] * (1.0 + stretch)])

    start = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
    end = solve_ivp(rates, (0.0, solid.length), start, rtol=1e-9, atol=1e-11, max_step=0.05).y[
        :, -1
    ]
    return end[:9].reshape(3, 3), end[9:]
