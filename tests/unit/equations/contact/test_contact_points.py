"""Rows, indicators and forces of contacts as expressions, against numbers by hand."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.system.contact.kernels import ContactKernels

G, MASS = 9.81, 2.0
OPEN, STICK, SLIP = ((*mode, 0, 0, 0, 0) for mode in ((0, 0, 0, 0), (1, 1, 0, 0), (1, 0, 0.6, 0.8)))


@pytest.fixture(scope="module")
def kernels():
    """A point over a table, with elliptic friction along y in a second contact."""
    model = jd.Model("point", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "y", "z"):
        model.add_coordinate(name, MASS, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-MASS * G))
    model.add_connection("push", jd.Coordinate("x"), jd.Force(3.0))
    slip = jd.Formula(lambda at: (at.coordinate("x"), at.coordinate("y")), size=2)
    friction = (jd.Parameter("along", 0.5), jd.Parameter("across", 0.5))
    model.add_connection("table", jd.Touch(jd.Coordinate("z"), slip), jd.Coulomb(friction))
    return ContactKernels(jd.compile(model), {}, {}, {})


def at(kernel, mode, v=(0.0, 0.0, 0.0), z=0.0, p=(0.5, 0.5)):
    q = np.array([0.0, 0.0, z])
    return kernel(q, np.array(v, float), np.array(mode, float), 0.0, np.array(p, float))


def test_accelerations_by_mode(kernels):
    np.testing.assert_allclose(at(kernels.rates, OPEN)[1], [1.5, 0, -G], atol=1e-14)
    np.testing.assert_allclose(at(kernels.rates, STICK)[1], [0, 0, 0], atol=1e-14)
    slow = at(kernels.rates, SLIP, (0.6, 0.8, 0.0))[1]
    np.testing.assert_allclose(slow, [1.5 - 0.5 * G * 0.6, -0.5 * G * 0.8, 0], atol=1e-13)


def test_sliding_goes_on_through_zero_along_its_way(kernels):
    """Just after the speed has passed zero the force is as before: its root can be located."""
    for speed in (1e-3, 0.0, -1e-3):
        v = (0.6 * speed, 0.8 * speed, 0.0)
        forces = at(kernels.contact_forces, SLIP, v)[0]
        np.testing.assert_allclose(forces, MASS * G * np.array([1, -0.3, -0.4]), rtol=1e-12)
        assert at(kernels.indicators, SLIP, v)[0][1] == pytest.approx(speed, abs=1e-16)


def test_friction_in_an_ellipse_is_normal_to_its_level_line(kernels):
    mu = np.array([0.5, 0.25])
    slip = np.array([0.6, 0.8])
    forces = at(kernels.contact_forces, SLIP, (*slip, 0.0), p=mu)[0]
    expected = -MASS * G * mu**2 * slip / np.linalg.norm(mu * slip)
    np.testing.assert_allclose(forces[1:], expected, rtol=1e-12)
    assert np.linalg.norm(expected / (mu * MASS * G)) == pytest.approx(1.0)  # on the ellipse


def test_indicators(kernels):
    np.testing.assert_allclose(at(kernels.indicators, OPEN, z=0.3)[0], [0.3, 1.0])
    normal, reserve = at(kernels.indicators, STICK)[0]
    assert normal == pytest.approx(MASS * G)
    assert reserve == pytest.approx(1.0 - 3.0 / (0.5 * MASS * G))


def test_projection_brings_closed_contacts_back(kernels):
    dq, dv, errors = at(kernels.projection, STICK, (0.1, 0.2, 0.3), z=1e-3)
    np.testing.assert_allclose(dq, [0, 0, -1e-3], atol=1e-15)
    np.testing.assert_allclose(dv, [-0.1, -0.2, -0.3], atol=1e-14)
    assert errors[0] == pytest.approx(1e-3)
    dq, dv, _ = at(kernels.projection, OPEN, (0.1, 0.2, 0.3), z=1e-3)
    assert np.abs(dq).max() == 0.0
    assert np.abs(dv).max() == 0.0
