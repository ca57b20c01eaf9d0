"""Functions traced on symbols."""

import numpy as np

from jourdain import math
from jourdain.equations.tracing.traced_values import traced_values


def test_the_graph_gives_the_numbers():
    kinds = []

    def function(a, b):
        kinds.append(math.is_symbolic(a, b))
        return [math.sin(a) * b, math.dot(b, b), (a, 2.0)]

    b = np.array((1.0, 2.0, 3.0))
    found = traced_values(function, 0.5, b)
    assert kinds == [True]
    for x, y in zip(found, (np.sin(0.5) * b, (14.0,), (0.5, 2.0)), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-15)


def test_without_arguments():
    assert traced_values(lambda: [3.0])[0].tolist() == [3.0]
