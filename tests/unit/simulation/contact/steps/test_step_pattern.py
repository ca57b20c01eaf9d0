"""Pattern of a step's matrix: which rows fill which columns."""

import numpy as np

import jourdain as jd
from jourdain.simulation.contact.steps.step_pattern import integers, listed, step_pattern
from jourdain.system.contact.step_kernels import step_kernels


def test_lists_one_behind_the_other():
    starts, items = listed([[1, 2], [], [3]])
    assert starts.tolist() == [0, 2, 2, 3]
    assert items.tolist()[:3] == [1, 2, 3]
    assert integers([]).dtype == np.int64


def test_springs_join_what_masses_leave_apart():
    model = jd.Model("three", gravity=(0, 0, 0))
    for name in "abc":
        model.add_coordinate(name, 1.0)
    model.add_connection("spring", jd.Coordinate("a") - jd.Coordinate("b"), jd.Spring(1.0))
    model.add_connection("dry", jd.Coordinate("c"), jd.Interval(1.0))
    kernels = step_kernels(jd.compile(model), {}, {})
    for with_tangent, count in ((True, 2), (False, 3)):
        factor, fields = step_pattern(kernels, 3, 0, 1, with_tangent=with_tangent)
        roots = {int(fields["root"][fields["place"][k]]) for k in range(3)}
        assert len(roots) == count
        assert len(factor["column_row"]) - 1 == 3 - count
