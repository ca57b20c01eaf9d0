"""Lowest modes of large machines against closed forms."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.vibration.large_modes import large_modes


def test_free_torsional_chain():
    """V1 with 1500 shafts: one free motion, then 2 sin(kπ/2n)."""
    n = 1500
    model = jd.Model("chain")
    for k in range(n):
        model.add_coordinate(f"s{k}", 1.0)
    places = [jd.Coordinate(f"s{k}") for k in range(n)]
    for k in range(n - 1):
        model.add_connection(f"c{k}", places[k + 1] - places[k], jd.Spring(1.0))
    modes = jd.eigenmodes(model, count=12)
    expected = 2 * np.sin(np.arange(12) * np.pi / (2 * n))
    np.testing.assert_allclose(2 * np.pi * modes.frequencies, expected, atol=9e-9)
    assert len(modes.free_motions) == 1
    np.testing.assert_allclose(list(modes[0].shape.values()), 1.0, atol=1e-6)
    assert "free motion" in str(modes)


def hanging(n):
    """V19: n equal masses on massless rods, one metre long in all."""
    model = jd.Model("hanging chain")
    carrier = model.world
    for k in range(n):
        ball = model.add_body(f"m{k}", jd.solid.point(1.0, at=(0, 0, -1.0 / n)))
        model.add_joint(f"pin_{k}", carrier, ball, jd.Revolute("y"))
        carrier = ball.at(0, 0, -1.0 / n)
    return model


@pytest.mark.parametrize("n", [3, 60])
def test_hanging_chain(n):
    zeros = np.polynomial.laguerre.lagroots([0.0] * n + [1.0]) if n < 20 else None
    if zeros is None:  # those of the Jacobi matrix of Laguerre's polynomials
        k = np.arange(n)
        zeros = np.linalg.eigvalsh(np.diag(2.0 * k + 1) + np.diag(k[1:], 1) + np.diag(k[1:], -1))
    expected = np.sqrt(9.81 * n * np.sort(zeros))[: min(n, 10)]
    system = jd.compile(hanging(n))
    q = np.zeros(n)
    found = large_modes(system, q, 0.0, np.zeros(0), min(n, 10))
    np.testing.assert_allclose(2 * np.pi * found.frequencies, expected, rtol=1e-9)
    if n == 3:
        np.testing.assert_allclose(expected, [3.49803448, 8.21709626, 13.60562692], rtol=1e-8)


def test_motion_and_options():
    system = jd.compile(hanging(3))
    mode = large_modes(system, np.zeros(3), 0.0, np.zeros(0), 2)[0]
    sol = mode.motion(0.2)
    assert float(np.abs(sol.q).max()) == pytest.approx(0.2)
    assert sol.time[-1] == pytest.approx(1.0 / mode.frequency)
    page = jd.animate(mode)
    assert "0.5567" in page.title


def test_modes_that_come_twice():
    """Two equal oscillators: the same frequency twice."""
    model = jd.Model("twins")
    for name in ("a", "b", "c", "d", "e", "f"):
        model.add_coordinate(name, 2.0)
        model.add_connection(
            f"s_{name}", jd.Coordinate(name), jd.Spring(18.0 if name < "c" else 50.0)
        )
    found = large_modes(jd.compile(model), np.zeros(6), 0.0, np.zeros(0), 3)
    np.testing.assert_allclose(2 * np.pi * found.frequencies, [3.0, 3.0, 5.0], rtol=1e-9)


def ladder(n):
    """Posts that hang on one beam, joined by bars: a row of parallelograms."""
    model, frames = jd.Model("ladder"), []
    for k in range(n + 1):
        post = model.add_body(f"post_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -1)))
        model.add_joint(f"top_{k}", model.world.at(k, 0, 0), post, jd.Revolute("y"))
        frames.append(post.at(0, 0, -1))
    for k in range(n):
        bar = model.add_body(f"bar_{k}", jd.solid.rod(mass=0.5, end=(1, 0, 0)))
        model.add_joint(f"left_{k}", frames[k], bar, jd.Revolute("y"))
        model.add_joint(f"right_{k}", frames[k + 1], bar.at(1, 0, 0), jd.Revolute("y"))
    return model


@pytest.mark.slow
def test_many_loops_by_default():
    """160 parallelograms, 480 of whose rows repeat others: one freedom, and its frequency."""
    n = 160
    (mode,) = jd.eigenmodes(ladder(n), count=1)
    square = 9.81 * ((n + 1) / 2 + n * 0.5) / ((n + 1) / 3 + n * 0.5)
    assert (2 * np.pi * mode.frequency) ** 2 == pytest.approx(square, rel=1e-8)


def net(n):
    """Balls on springs in a square net whose border is the world; each may turn and move."""
    model = jd.Model("net", gravity=(0, 0, 0))
    balls = {}
    for i in range(n):
        for k in range(n):
            body = model.add_body(f"b_{i}_{k}", jd.solid.ball(mass=1.0, radius=0.1))
            model.add_joint(f"j_{i}_{k}", model.world.at(i, k, 0), body, jd.Prismatic("z"))
            balls[i, k] = body
    for i in range(-1, n):
        for k in range(-1, n):
            for a, b in (((i, k), (i + 1, k)), ((i, k), (i, k + 1))):
                if a not in balls and b not in balls:
                    continue
                ends = [
                    balls[x].at(0, 0, 0) if x in balls else model.world.at(*x, 0) for x in (a, b)
                ]
                law = jd.Spring(50.0, free=0.5)
                model.add_connection(f"s_{a}_{b}".replace("-", "m"), jd.Distance(*ends), law)
    return model


def test_a_net_of_springs_between_bodies():
    """Tension T = 25 N at length 1: ω² = T (4 − 2 cos α − 2 cos β)."""
    n = 18
    found = jd.eigenmodes(net(n), count=4).eigenvalues.imag ** 2
    angles = np.pi * np.arange(1, n + 1) / (n + 1)
    wave = 2 - 2 * np.cos(angles)
    expected = np.sort((25.0 * (wave[:, None] + wave[None, :])).ravel())[:4]
    np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_what_turns_is_not_taken_for_rest(monkeypatch):
    """The spin of a rotor splits its modes, so the sparse way is not gone."""
    own = sys.modules["jourdain.analysis.vibration.eigenmodes"]
    monkeypatch.setattr(own, "_LARGE", 2)
    model = jd.Model("rotor", gravity=(0, 0, 0))
    frame = model.add_body("frame", jd.Inertia(0.0))
    rotor = model.add_body("rotor", jd.Inertia(1.0, (0, 0, 0), np.diag([0.025, 0.025, 0.04])))
    model.add_joint("tilt", model.world, frame, jd.Universal("x", "y"))
    model.add_joint("spin", frame, rotor, jd.Revolute("z"))
    for k in (1, 2):
        model.add_connection(f"s{k}", jd.Coordinate(f"tilt.angle_{k}"), jd.Spring(900.0))
    system = jd.compile(model)
    rest = jd.equilibrium(system, speeds={"spin.rate": 100.0})
    modes = jd.eigenmodes(system, rest, count=4)
    swinging = np.sort([m.eigenvalue.imag for m in modes if m.eigenvalue.imag > 1.0])
    np.testing.assert_allclose(swinging[:2], [125.912602819740, 285.912602819740], rtol=1e-8)
