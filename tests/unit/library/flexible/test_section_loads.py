"""Section loads along beams: closed forms, and the loads of joints at their ends."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd


@pytest.mark.parametrize("frame", ["end", "mean"])
def test_an_arm_that_spins_up(frame):
    """6.T6: ρA α (L−x)² (2L+x)/6 and the mass at the tip; tension ρA Ω² (L²−x²)/2."""
    alpha, speed, mass, tip = 2.0, 3.0, 0.5, 0.2
    model = jd.Model("arm", gravity=(0.0, 0.0, 0.0))
    section = jd.flexible.Section(1e6, 1e6, 1.0, 1.0, mass)
    beam = jd.flexible.beam(1.0, section, modes=2, fields=("y",), frame=frame, functions=4)
    arm = model.add_body("arm", beam)
    drive = {"angle": lambda t: speed * t + 0.5 * alpha * t**2}
    model.add_joint("hub", model.world, arm, jd.Revolute("z"), driven=drive)
    load = model.add_body("load", jd.Inertia(mass=tip))
    model.add_joint("grip", arm.at(1.0, 0, 0), load, jd.Fixed())
    rest = {"arm.elastic.y1": 0.0, "arm.elastic.y2": 0.0}
    for name in rest:  # so stiff that it does not vibrate
        model.add_connection(f"hold_{name[-1]}", jd.Coordinate(name), jd.Equal(0.0))
    sol = jd.simulate(model, 1e-3)
    x = np.array([0.0, 0.3, 0.7, 1.0])
    found = jd.flexible.section_loads(sol, "arm", x)
    moment = mass * alpha * (1.0 - x) ** 2 * (2.0 + x) / 6.0 + tip * alpha * (1.0 - x)
    tension = mass * speed**2 * (1.0 - x**2) / 2.0 + tip * speed**2
    assert found.torque.sel(axis="z")[0].values == pytest.approx(-moment, rel=1e-9, abs=1e-9)
    assert found.force.sel(axis="x")[0].values == pytest.approx(tension, rel=1e-9)


@pytest.mark.parametrize("fastened", [0.0, 1.0])
def test_loads_at_the_ends_are_those_of_the_joints(fastened):
    """At the root what the joint gives, for moving bent beams with damping and discs."""
    model = jd.Model("arm", gravity=(0.0, 1.0, -9.81))
    section = jd.flexible.Section(20.0, 10.0, 5.0, 1e4, 0.8, (0.01, 0.005, 0.005))
    disc = jd.flexible.Disc(0.6, 0.3, (0.01, 0.02, 0.02), offset=(0.01, 0.02))
    beam = jd.flexible.shaft(1.0, section, [disc], modes=3, functions=3, damping=0.02)
    arm = model.add_body("arm", beam)
    model.add_joint("hub", model.world, arm.at(fastened, 0, 0), jd.Revolute("y"))
    load = model.add_body("load", jd.solid.box(0.4, (0.1, 0.2, 0.1)))
    model.add_joint("grip", arm.at(1.0 - fastened, 0, 0), load, jd.Revolute("x"))
    start = {"hub.rate": 2.0, "grip.rate": 5.0, "arm.elastic.z1": 1e-3, "arm.elastic.y1_rate": 0.1}
    model.add_frame("root", arm.at(fastened, 0, 0))
    sol = jd.simulate(model, 0.01, start=start, sample=[0.0, 0.005, 0.01])
    found = jd.flexible.section_loads(sol, model.bodies["arm"], [0.0, 1.0])
    sign, root = (1.0, 0) if fastened == 0.0 else (-1.0, 1)
    force, torque = (sol[f"hub.{word}"].values for word in ("force", "torque"))
    at = Rotation.from_quat(np.roll(sol["root.orientation"].values, -1, axis=-1))
    # the hub holds the part before the cut at 0, the part beyond the cut at 1
    assert at.inv().apply(np.array(force)) == pytest.approx(
        -sign * found.force[:, root].values, rel=1e-6
    )
    # torques differ in the third order of the deformations, which the block leaves out
    assert at.inv().apply(np.array(torque)) == pytest.approx(
        -sign * found.torque[:, root].values, rel=1e-4, abs=5e-6
    )


def test_what_is_no_beam_is_named():
    model = jd.Model("rigid")
    model.add_joint("hub", model.world, model.add_body("rod", jd.solid.box(1.0, (1, 0.1, 0.1))),
                    jd.Revolute("y"))  # fmt: skip
    sol = jd.simulate(model, 1e-3)
    with pytest.raises(jd.ModelError, match="'rod' of model 'rigid' is no flexible beam"):
        jd.flexible.section_loads(sol, "rod", 0.0)
