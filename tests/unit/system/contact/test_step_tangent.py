from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.contact import step_tangent
from jourdain.system.contact.step_kernels import StepKernels


@pytest.fixture(scope="module")
def system():
    """A chain that a spring ties to the world, and a coordinate apart: colours are shared."""
    model, before = jd.Model("tied"), None
    for k, axis in enumerate("yzy"):
        body = model.add_body(f"body_{k}", jd.solid.box(mass=1.0, size=(0.3, 0.1, 0.2)))
        frame = model.world if before is None else before.at(0.3, 0, 0)
        model.add_joint(f"joint_{k}", frame, body, jd.Revolute(axis))
        before = body
    model.add_coordinate("apart", 2.0)
    tie = jd.Distance(model.world.at(0.2, 1, 0.3), before.at(0.1, 0, 0))
    model.add_connection("tie", tie, jd.Spring(300.0, free=0.5) + jd.Damper(2.0))
    model.add_connection("other", jd.Coordinate("apart"), jd.Spring(5.0) + jd.Damper(0.5))
    return jd.compile(model)


def tangents(system, monkeypatch, cost):
    monkeypatch.setattr(step_tangent, "ENTRIES_COST", cost)
    kernels = StepKernels(system, {}, {})
    assert kernels.tangent.is_by_entries == (cost > 0)
    q, v = np.array([0.3, -0.4, 0.7, 0.1]), np.array([1.0, -2.0, 0.5, 3.0])
    given = q, v, np.zeros(0), 0.0, np.zeros(0), np.zeros(kernels._x["asked"].numel())
    full = [np.zeros((4, 4)), np.zeros((4, 4))]
    for whole, values in zip(full, kernels.tangents(*given), strict=True):
        for (i, k), x in zip(kernels.tangent.places, values, strict=True):
            whole[i, k] = whole[k, i] = x
    return kernels, given, full


def test_directions_give_what_entries_give(system, monkeypatch):
    _, _, by_entries = tangents(system, monkeypatch, 10**6)
    kernels, given, by_directions = tangents(system, monkeypatch, 0)
    np.testing.assert_allclose(by_directions, by_entries, rtol=0, atol=1e-12)
    np.testing.assert_allclose(kernels.tangents(*given), kernels.tangents(*given), rtol=0, atol=0)
    assert by_entries[0][3, 3] == pytest.approx(5.0)
    assert kernels.tangent._colours.size2() == 3  # of four velocities
    for name, varies in (("q", True), ("v", True), ("t", False), ("p", False)):
        assert kernels.tangent.varies(kernels._x[name]) == varies


def test_they_are_differences_of_the_forces(system, monkeypatch):
    kernels, (q, v, *rest), (K, C) = tangents(system, monkeypatch, 0)
    law = kernels._kernel(force=kernels._found(kernels.terms.law_force)[0])
    h = 1e-4 * np.eye(4)
    wanted = [
        -np.array([(law(q + d * a, v + d * b, *rest)[0] - law(q - d * a, v - d * b, *rest)[0])
                   for d in h]).T / 2e-4
        for a, b in ((1.0, 0.0), (0.0, 1.0))
    ]  # fmt: skip
    for found, A in zip((K, C), wanted, strict=True):
        np.testing.assert_allclose(found, 0.5 * (A + A.T), atol=1e-5)
