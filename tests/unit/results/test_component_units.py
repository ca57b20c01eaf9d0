"""Components of a measure by name, each with its own unit; the point a torque is about."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def bushed():
    model = jd.Model("bushed")
    box = model.add_body("box", jd.solid.box(2.0, (0.1, 0.2, 0.3)))
    stiffness = np.diag((1e3, 2e3, 3e3, 10.0, 20.0, 30.0))
    model.add_connection("bush", jd.Relative(model.world, box, "pose"), jd.Spring(stiffness))
    model.add_connection("guide", jd.Relative(model.world, box, "y rz"), jd.Damper((1.0, 2.0)))
    model.add_connection("turn", jd.Relative(model.world, box, "rotation"), jd.Damper(0.1))
    return jd.simulate(model, 0.02, start={"box.position": (0.01, 0, 0)})


def test_six_components_with_names_and_two_units(bushed):
    force = bushed["bush.force"]
    assert force.shape[1] == 6
    assert list(force[force.dims[1]].values) == ["x", "y", "z", "rx", "ry", "rz"]
    assert force.attrs["component_units"] == "N; N; N; N m; N m; N m"
    assert bushed["bush.force.x"].attrs["units"] == "N"
    assert bushed["bush.force.rx"].attrs["units"] == "N m"
    assert bushed["bush.value.ry"].attrs["units"] == "rad"
    assert bushed["bush.rate.ry"].attrs["units"] == "rad/s"
    assert float(bushed["bush.force.x"][0]) == pytest.approx(-10.0)
    assert bushed["guide.rate.rz"].attrs["units"] == "rad/s"
    assert "component_units" not in bushed["turn.value"].attrs
    assert bushed["turn.value.x"].attrs["units"] == "rad"


def test_files_keep_them(bushed, tmp_path):
    bushed.save(tmp_path / "run.nc")
    loaded = jd.load(tmp_path / "run.nc")
    assert loaded["bush.force.rx"].attrs == bushed["bush.force.rx"].attrs


def test_torques_tell_their_point():
    model = jd.Model("arm")
    arm = model.add_body("arm", jd.solid.rod(mass=2.0, start=(0.1, 0, 0), end=(0.5, 0, 0)))
    model.add_joint("hold", model.world, arm.at(0.1, 0, 0), jd.Fixed())
    sol = jd.simulate(model, 0.1)
    assert sol["hold.torque"].attrs["about"] == "origin of the child frame"
    assert sol["hold.torque.y"].attrs["about"] == "origin of the child frame"
    assert "about" not in sol["hold.force"].attrs
    assert float(sol["hold.torque.y"][0]) == pytest.approx(-2.0 * 9.81 * 0.2)
