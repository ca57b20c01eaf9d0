"""Coordinates of joints as channels."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.channels.catalogue import column_names


@pytest.mark.parametrize(
    ("columns", "attribute"), [("q", "q"), ("v", "v"), ("vdot", "vdot"), ("tau", "tau")]
)
def test_every_column_has_its_channel(mixture, columns, attribute):
    names = column_names(mixture.system)[columns]
    assert len(names) == getattr(mixture, attribute).shape[1]
    for k, name in enumerate(names):
        np.testing.assert_array_equal(mixture.values(name), getattr(mixture, attribute)[:, k])


def test_units_come_from_the_kinds(mixture):
    units = {name: mixture.channel(name).unit for name in mixture.names()}
    assert units["hinge.angle"] == "rad"
    assert units["hinge.rate"] == "rad/s"
    assert units["hinge.angular_acceleration"] == "rad/s^2"
    assert units["hinge.applied_torque"] == "N m"
    assert units["spin.velocity"] == "m/s"
    assert units["spin.applied_force"] == "N"
    assert units["elbow.orientation"] == "1"


def test_axes_are_told_where_kinds_lay_them_down(mixture):
    axes = {name: mixture.channel(name).axes for name in mixture.names()}
    assert axes["ball.velocity"] == "world"
    assert axes["ball.angular_velocity"] == "body"
    assert axes["elbow.angular_velocity"] == "child frame"
    assert axes["hinge.angle"] == ""


def test_some_axes_only():
    """A planar joint has the two components that its plane has."""
    model = jd.Model("table")
    puck = model.add_body("puck", jd.solid.ball(1.0, 0.1))
    model.add_joint("plane", model.world, puck, jd.Planar("y"))
    system = jd.compile(model, execution=jd.Plain())
    q, v = system.state({"plane.position.z": 2.0, "plane.position.x": 3.0})
    sol = Solution(system, [0.0], [q], [v])
    position = sol["plane.position"]
    assert position.dims == ("time", "axis_zx")
    assert position.sel(axis_zx="x").values == [3.0]
    assert sol["puck.position"].sel(axis="x").values == [3.0]


def test_a_user_kind_has_the_same_channels():
    class Slider(jd.Joint):
        coordinates = {"travel": "m"}

        def pose(self, q, t):
            return np.eye(3), (q[0], 0, 0)

    model = jd.Model("user")
    block = model.add_body("block", jd.solid.ball(2.0, 0.1))
    model.add_joint("track", model.world, block, Slider())
    system = jd.compile(model, execution=jd.Plain())
    sol = Solution(system, [0.0], [[0.1]], [[0.2]], tau=[[6.0]])
    assert sol.values("track.travel") == [0.1]
    assert sol.values("track.travel_rate") == [0.2]
    assert sol.values("track.travel_acceleration") == pytest.approx([3.0])
    assert sol.values("track.travel_force") == [6.0]
    assert sol.channel("track.travel_force").unit == "N"
