"""What identities share: sizes, slopes, and names of discrepancies."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.bodies import Bodies
from jourdain.analysis.proof.case import Case


@pytest.fixture
def case():
    model = jd.Model("arm")
    upper = model.add_body("upper", jd.solid.rod(1.0, (0.5, 0, 0)))
    lower = model.add_body("lower", jd.solid.rod(1.0, (0.5, 0, 0)))
    model.add_coordinate("shaft", jd.Parameter("J", 0.3))
    model.add_joint("elbow", lower.at(0, 0, 0), upper.at(0.5, 0, 0), jd.Revolute("y"))
    model.add_joint("shoulder", model.world, upper, jd.Revolute("y"))
    system = jd.compile(model, execution=jd.Plain())
    q, v, vdot = np.array((0.2, 0.5, 0.0)), np.array((1.0, -2.0, 3.0)), np.array((0.5, 1.0, -1.0))
    order = ("upper", "lower")
    return Case(system, system, Bodies(model), q, v, vdot, 0.0, v[::-1], order)


def test_names(case):
    assert case.by_velocity((1.0, -3.0, 2.0)) == {
        "elbow.rate": 1.0,
        "shoulder.rate": 3.0,
        "shaft.rate": 2.0,
    }
    assert list(case.by_body(np.array(((1.0, 0.0), (2.0, -5.0)))).items()) == [
        ("upper", 1.0),
        ("lower", 5.0),
    ]
    np.testing.assert_array_equal(case.rotors, (0.0, 0.0, 0.3))


def test_columns_are_the_mass_matrix(case):
    np.testing.assert_allclose(case.columns, case.M, atol=1e-12)


def test_errors_of_accelerations_count_as_forces(case):
    off = case.accelerations + np.array((0.0, 0.0, 1.0))
    found = case.acceleration_error(off)
    assert found["shaft.rate"] == pytest.approx(0.3 / case.sizes[2], rel=1e-9)
    assert found["elbow.rate"] < 1e-14


def test_slopes(case):
    def place(poses, twists, shapes):
        return poses[1, :3, 3]

    rate = case.motion[1][1, 3:]
    assert np.all(case.slope_error(place, rate, 1.0) < 1e-10)
    wrong = case.slope_error(place, rate + np.array((0.1, 0, 0)), 1.0)
    np.testing.assert_allclose(wrong, (0.1, 0, 0), atol=1e-10)
