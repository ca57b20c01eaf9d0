"""Cut joints as constraints."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.constraints.cut_joints import null_space


def test_null_space_is_sparse_and_complete():
    A = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 2.0, 0.0]])
    basis = null_space(A)
    assert basis.shape == (6, 4)
    np.testing.assert_array_equal(A @ basis, 0.0)
    assert np.linalg.matrix_rank(basis) == 4
    assert np.count_nonzero(basis) == 5


def test_null_space_of_dependent_rows():
    basis = null_space(np.array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0]]))
    assert basis.shape == (3, 2)


def closed(kind):
    """A free body on a cut joint."""
    model = jd.Model("closed")
    body = model.add_body("body", jd.solid.box(1.0, (0.1, 0.2, 0.3)))
    model.add_joint("joint", model.world, body, kind)
    model.add_joint("free", model.world, body, jd.Free())
    return jd.compile(model, cut="joint")


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        (jd.Fixed(), 6),
        (jd.Revolute("z"), 5),
        (jd.Spherical(), 3),
        (jd.Cylindrical("x"), 4),
        (jd.Free(), 0),
    ],
    ids=repr,
)
def test_constant_modes_give_as_many_rows_as_they_lock(kind, rows):
    system = closed(kind)
    assert system.constraint_rows["joint"] == slice(0, rows)


def test_error_is_the_displacement_in_the_axes_of_the_joint():
    """Turned by an angle about x: twice the tangent of half of it; shifted: as in child axes."""
    system = closed(jd.Revolute("z"))
    q, v = system.state({"joint.angle": np.pi / 2, "free.position": (0.0, 0.2, 0.1)})
    half = 0.5 * np.pi / 2
    turn = (np.cos(half), 0.0, 0.0, np.sin(half))
    q[3:7] = turn
    errors = system.answers("position_errors", q, v)
    np.testing.assert_allclose(errors, [0, 0, 0, 0.2, 0.0, 0.1], atol=1e-15)
    q[3:7] = np.cos(0.1), np.sin(0.1), 0.0, 0.0
    q[-1] = 0.0
    errors = system.answers("position_errors", q, v)
    np.testing.assert_allclose(errors[:3], [2 * np.tan(0.1), 0.0, 0.0], atol=1e-15)
