"""The solution as a user meets it."""

import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

import jourdain as jd
from jourdain.results import Event, Moment, Solution, Statistics


def test_labelled_arrays_tell_unit_and_meaning(swing):
    angle = swing["hinge.angle"]
    assert isinstance(angle, xr.DataArray)
    assert angle.dims == ("time",)
    assert angle.attrs == {"units": "rad", "long_name": "angle of hinge"}
    np.testing.assert_array_equal(angle, swing.q[:, 0])
    force = swing["hinge.force"]
    assert force.dims == ("time", "axis")
    assert force.axis.values.tolist() == ["x", "y", "z"]
    assert swing["body.orientation"].dims == ("time", "quaternion")
    np.testing.assert_array_equal(swing["hinge.force.z"], force.sel(axis="z"))


def test_several_names_give_a_dataset(swing):
    data = swing[["hinge.angle", "energy.total"]]
    assert list(data.data_vars) == ["hinge.angle", "energy.total"]
    assert data.attrs["model"] == "pendulum"


def test_data_holds_the_coordinates(swing):
    assert list(swing.data.data_vars) == [
        "hinge.angle",
        "hinge.rate",
        "hinge.angular_acceleration",
        "hinge.applied_torque",
    ]
    assert swing.data is swing.data


def test_shapes_do_not_depend_on_counts(swing):
    one = Solution(swing.system, swing.time[:1], swing.q[:1], swing.v[:1])
    for name in swing.names():
        assert one[name].dims == swing[name].dims, name
        assert one[name].shape == (1, *swing[name].shape[1:]), name


def test_no_samples_are_no_special_case(swing):
    none = Solution(swing.system, [], swing.q[:0], swing.v[:0])
    for name in swing.names():
        assert none[name].shape == (0, *swing[name].shape[1:]), name
    assert repr(none) == "<solution of 'pendulum': 0 samples>"


def test_accelerations_follow_from_forces_unless_given(swing):
    own = Solution(swing.system, swing.time, swing.q, swing.v, tau=np.ones_like(swing.v))
    expected = swing.system.forward_dynamics(swing.q, swing.v, np.ones_like(swing.v))
    np.testing.assert_array_equal(own.vdot, expected)
    given = Solution(swing.system, swing.time, swing.q, swing.v, np.zeros_like(swing.v))
    assert not np.any(given.values("hinge.angular_acceleration"))


def test_results_cannot_be_overwritten_by_accident(swing):
    with pytest.raises(ValueError, match=r"read-only|view"):
        swing["hinge.angle"][0] = 3.0
    q = np.array(swing.q)
    Solution(swing.system, swing.time, q, swing.v)
    q[0, 0] = 1.0  # the array of the caller stays as it was


def test_the_final_state_starts_another_run(swing, integrate):
    t = swing.time
    first = integrate(swing.system, {"hinge.angle": 1.1, "hinge.rate": -0.4}, t[:26])
    second = integrate(swing.system, first.final, t[25:])
    np.testing.assert_allclose(second.q[-1], swing.q[-1], atol=1e-11)
    assert set(swing.final) == {"hinge.angle", "hinge.rate"}


def test_final_states_hold_vectors_by_components(mixture):
    q, v = mixture.system.state(mixture.final)
    np.testing.assert_array_equal(q, mixture.q[-1])
    np.testing.assert_array_equal(v, mixture.v[-1])


def test_one_time_or_many(swing):
    moment = swing.at(0.123)
    assert isinstance(moment, Moment)
    many = swing.at([0.123, 0.2])
    assert isinstance(many, Solution)
    assert many.values("hinge.angle")[0] == moment.values("hinge.angle")


def test_tables(mixture):
    table = mixture.to_pandas()
    assert table.index.name == "time"
    assert len(table) == len(mixture.time)
    np.testing.assert_array_equal(table["ball.position.z"], mixture.values("ball.position.z"))
    chosen = mixture.to_pandas("hinge.force", "energy.total")
    assert list(chosen) == ["hinge.force.x", "hinge.force.y", "hinge.force.z", "energy.total"]


def test_names_can_be_asked_for(swing):
    assert "hinge.angle" in swing
    assert "hinge.force.x" in swing
    assert "hinge.angel" not in swing


def test_large_systems_have_the_same_channels(integrate):
    """Looped code serves all channels as straight-line code does."""
    model = jd.testing.random_model(3, 4)
    both = []
    for execution in (jd.Looped(), jd.Plain()):
        system = jd.compile(model, execution=execution)
        states = [jd.testing.random_state(system, k) for k in range(2)]
        q, v, vdot, _ = (np.array(x) for x in zip(*states, strict=True))
        both.append(Solution(system, (0.0, 0.1), q, v, vdot))
    assert both[0].names() == both[1].names()
    for name in both[0].names():
        found, expected = (sol.values(name) for sol in both)
        if name.endswith(".orientation") and name not in both[0].data:
            found, expected = np.abs(found), np.abs(expected)  # a sign is free
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * scale, err_msg=name)


def test_plain_values_need_no_labels(pendulum):
    """Reading numbers does not load xarray, so that short programs stay quick."""
    code = """
import sys, numpy as np, jourdain as jd
from jourdain.results import Solution
model = jd.Model("ball")
model.add_body("ball", jd.solid.ball(1.0, 0.1))
system = jd.compile(model, execution=jd.Plain())
q, v = system.state()
sol = Solution(system, [0.0], [q], [v])
sol.values("ball.position"), sol.values("energy.total"), str(sol), sol.final
sys.exit("xarray" in sys.modules or "pandas" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_was_given_is_kept(swing):
    event = Event("low", 0.2, swing.q[3], swing.v[3])
    statistics = Statistics("Dop853()", steps=12)
    sol = Solution(
        swing.system, swing.time, swing.q, swing.v,
        events=[event], statistics=statistics, inputs={"hinge.angle": 1.0},
    )  # fmt: skip
    assert sol.events == (event,)
    assert sol.statistics is statistics
    assert sol.model == swing.model
    assert sol.has_model
    assert sol.why_without_model == ""
