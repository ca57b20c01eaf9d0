"""A solution at one time."""

import numpy as np
import pytest

from jourdain.errors import UnknownNameError
from jourdain.results.moment import State


def test_values_have_no_time_dimension(mixture):
    moment = mixture.at(0.21)
    assert moment.time == 0.21
    angle = moment["hinge.angle"]
    assert angle.dims == ()
    assert float(angle) == moment.values("hinge.angle")
    assert float(angle["time"]) == 0.21
    assert angle.attrs["units"] == "rad"
    assert moment["elbow.force"].dims == ("axis",)
    assert moment["elbow.force"].sel(axis="x") == moment.values("elbow.force")[0]
    assert set(moment[["hinge.angle", "energy.total"]].data_vars) == {"hinge.angle", "energy.total"}


def test_its_state_starts_a_run(mixture):
    moment = mixture.at(0.21)
    q, v = mixture.system.state(moment.state)
    assert q == pytest.approx(moment.solution.q[0])
    assert v == pytest.approx(moment.solution.v[0])
    assert repr(moment) == "<solution of 'mixture' at 0.21 s>"


def test_state_by_vectors():
    state = State({"a.position.x": 1.0, "a.position.y": 2.0, "a.velocity.x": 3.0, "w.value": 4.0})
    np.testing.assert_array_equal(state["a.position"], [1.0, 2.0])
    assert state["w"] == state["w.value"] == 4.0
    assert dict(state) == {**state}
    for name in ("a", "a.pos", "b.position"):
        with pytest.raises(UnknownNameError, match=f"no coordinate '{name}' in this state"):
            state[name]
