"""Poses as tuples: agreement with numpy, and short expressions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jourdain.spatial import pose
from jourdain.spatial.parameter import Parameter

entries = st.sampled_from([0.0, 1.0, -1.0]) | st.floats(-10, 10)
vectors = st.tuples(entries, entries, entries)
matrices = st.tuples(vectors, vectors, vectors)
LENGTH = Parameter("length", 0.3, "m")


@given(matrices, matrices, vectors, vectors)
def test_arithmetic_agrees_with_numpy(A, B, a, b):
    close = {"rtol": 1e-13, "atol": 1e-12}
    np.testing.assert_allclose(pose.product(A, B), np.array(A) @ B, **close)
    np.testing.assert_allclose(pose.moved_point(a, b, A), np.array(A) @ a + b, **close)
    np.testing.assert_allclose(pose.dot(a, b), np.dot(a, b), **close)
    np.testing.assert_allclose(pose.along(a, 0.5, b), np.array(a) + 0.5 * np.array(b), **close)
    np.testing.assert_allclose(pose.difference(a, b), np.subtract(a, b), **close)
    np.testing.assert_array_equal(pose.transpose(A), np.transpose(A))


def test_expressions_stay_short():
    place = (LENGTH, 0.0, 0.0)
    assert pose.moved_point(place, pose.ORIGIN, pose.IDENTITY) == place
    assert pose.difference(place, place) == pose.ORIGIN
    assert pose.difference(place, pose.ORIGIN) == place
    assert str(pose.along(place, 0.5, place)[0]) == "length + (0.5 * length)"
    assert pose.total([]) == 0.0
