import numpy as np
import pytest

import jourdain as jd
from jourdain.testing import random_loop_model


def test_equal_seeds_give_equal_machines():
    one, two = random_loop_model(5, 4), random_loop_model(5, 4)
    assert one[0] == two[0]
    assert one[1:] == two[1:]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_loops_are_closed_where_it_says(seed):
    model, start, t = random_loop_model(seed, 4, 2)
    assert {"loop_1", "loop_2"} <= set(model.joints)
    system = jd.compile(model)
    assert len(system.topology.cuts) == 2
    q = np.array([start[name] for name in system.names.q])
    errors = system.answers("position_errors", q, np.zeros(len(system.names.v)), t=t)
    assert np.abs(errors).max() < 1e-14 * 100


def test_closing_kinds_may_be_chosen():
    model, _, _ = random_loop_model(1, 4, closing=[jd.Spherical()])
    assert model.joints["loop_1"].kind == jd.Spherical()


def test_without_room_for_a_loop_there_is_none():
    """A single hinge has no freedom left for a loop."""
    model, _, _ = random_loop_model(1, 1, kinds=[jd.Revolute("x")], closing=[jd.Revolute("z")])
    assert list(model.joints) == ["joint_1"]
