"""Symmetric eigensolvers against the general one on random machines."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.vibration.conservative import of_matrices
from jourdain.analysis.vibration.deflation import deflated


def net(seed, kind):
    """Masses and springs: a row in any order, a net, one that is free, one that falls over."""
    rng = np.random.default_rng(seed)
    model, n = jd.Model(kind), 6
    for k in range(n):
        model.add_coordinate(f"x{k}", rng.uniform(0.5, 3.0), unit="m")
    order = rng.permutation(n)
    pairs = list(itertools.pairwise(order))
    if kind != "row":
        pairs += [tuple(rng.choice(n, 2, replace=False)) for _ in range(3)]
    for k, (i, j) in enumerate(pairs):
        apart = jd.Coordinate(f"x{i}") - rng.uniform(0.5, 1.5) * jd.Coordinate(f"x{j}")
        if kind == "free":
            apart = jd.Coordinate(f"x{i}") - jd.Coordinate(f"x{j}")
        model.add_connection(f"s{k}", apart, jd.Spring(rng.uniform(10.0, 90.0)))
    if kind == "falls":
        model.add_connection("against", jd.Coordinate("x2"), jd.Spring(-500.0))
    return model


@pytest.mark.parametrize("kind", ["row", "net", "free", "falls"])
@pytest.mark.parametrize("seed", range(3))
def test_of_nets(seed, kind):
    system = jd.compile(net(seed, kind))
    modes = jd.eigenmodes(system)
    lin = jd.linearize(system)
    other = deflated(lin.A)
    assert modes.n_zeros == other.n_zeros
    upper = other.values[other.values.imag >= -1e-9 * np.abs(other.values)]
    found = modes.eigenvalues[modes.eigenvalues != 0.0]
    apart = np.abs(np.sort_complex(np.round(found, 9)) - np.sort_complex(np.round(upper, 9)))
    assert apart.max() < 1e-7
    for mode in modes:
        np.testing.assert_allclose(
            lin.A @ mode.vector, mode.eigenvalue * mode.vector, atol=1e-8 * np.abs(lin.A).max()
        )
        if mode.left is not None:
            residual = mode.left.conj() @ lin.A - mode.eigenvalue * mode.left.conj()
            assert np.abs(residual).max() < 1e-8 * np.abs(lin.A).max() * np.abs(mode.left).max()
            assert np.vdot(mode.left, mode.vector) == pytest.approx(1.0)
    grows = kind == "falls"
    assert (modes.eigenvalues.real.max() > 1e-6) == grows
    real = jd.eigenmodes(system, damped=False)
    assert len(real) == 6
    np.testing.assert_allclose(
        np.unique(real.frequencies.round(7)), np.unique(modes.frequencies.round(7))
    )


def test_of_linear_equations_and_of_machines_agree():
    system = jd.compile(net(1, "net"))
    quick, slow = jd.eigenmodes(system), jd.eigenmodes(jd.linearize(system))
    np.testing.assert_allclose(quick.eigenvalues, slow.eigenvalues, atol=1e-9)
    first = jd.eigenmodes(system, count=2)
    assert len(first) == len(list(first)) == 2
    np.testing.assert_allclose(first.frequencies, quick.frequencies[:2])


def test_chain_of_pendulums_stands_and_hangs():
    """A mass matrix that is full: hanging rods swing, standing ones fall both ways."""
    model, carrier = jd.Model("rods"), None
    for k in range(4):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.25)))
        model.add_joint(f"pin_{k}", carrier or model.world, rod, jd.Revolute("y"))
        carrier = rod.at(0, 0, -0.25)
    system = jd.compile(model)
    hangs = jd.eigenmodes(system)
    assert all(mode.is_oscillating for mode in hangs)
    stands = jd.eigenmodes(system, {"pin_0.angle": np.pi})
    np.testing.assert_allclose(
        np.sort(stands.eigenvalues.real)[4:], np.sort(hangs.eigenvalues.imag), rtol=1e-9
    )


def test_parameters_and_positions_count():
    model = jd.Model("soft")
    model.add_coordinate("x", 1.0, unit="m")
    stiffness = jd.Parameter("k", 4.0, unit="N/m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(stiffness))
    system = jd.compile(model)
    for k in (4.0, 9.0, 4.0):
        (value,) = jd.eigenmodes(system, parameters={"k": k}).eigenvalues
        assert value == pytest.approx(1j * np.sqrt(k))
    with pytest.raises(jd.ModelError, match="no equilibrium"):
        jd.eigenmodes(system, {"x": 0.5})


def test_skew_stiffness_is_refused():
    assert of_matrices(np.eye(2), np.array([[2.0, 1.0], [0.0, 2.0]])) is None
    assert of_matrices(np.diag([1.0, -1.0]), np.eye(2)) is None
