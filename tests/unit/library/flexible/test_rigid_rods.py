"""6.F20: loads in cross-sections of rigid rods, against bodies that are cut by hand."""

import numpy as np
import pytest

import jourdain as jd


def test_a_rod_that_spins_up():
    """6.T6: ρA α (L−x)² (2L+x)/6 and the mass at the tip; tension ρA Ω² (L²−x²)/2."""
    alpha, speed, mass, tip = 2.0, 3.0, 0.5, 0.2
    model = jd.Model("arm", gravity=(0.0, 0.0, 0.0))
    arm = model.add_body("arm", jd.solid.rod(mass, (1.0, 0, 0)))
    drive = {"angle": lambda t: speed * t + 0.5 * alpha * t**2}
    model.add_joint("hub", model.world, arm, jd.Revolute("z"), driven=drive)
    load = model.add_body("load", jd.Inertia(mass=tip))
    model.add_joint("grip", arm.at(1.0, 0, 0), load, jd.Fixed())
    sol = jd.simulate(model, 1e-3)
    x = np.array([0.7, 0.0, 0.3, 1.0])
    found = jd.flexible.section_loads(sol, "arm", x)
    moment = mass * alpha * (1.0 - x) ** 2 * (2.0 + x) / 6.0 + tip * alpha * (1.0 - x)
    tension = mass * speed**2 * (1.0 - x**2) / 2.0 + tip * speed**2
    assert found.torque.sel(axis="z")[0].values == pytest.approx(-moment, rel=1e-9, abs=1e-12)
    assert found.force.sel(axis="x")[0].values == pytest.approx(tension, rel=1e-9)


def _four_bar(is_cut):
    """Closed loop with a spring and a damper on a rod that lies askew."""
    model = jd.Model("four_bar")
    crank = model.add_body("crank", jd.solid.rod(1.0, (0, 0, 0.2)))
    lever = model.add_body("lever", jd.solid.rod(1.5, (0, 0, 0.4)))
    start, end = np.array([0.5, 0.0, 0.2]), np.array([0.0, 0.0, 0.0])
    at = 0.3 * np.linalg.norm(end - start)
    middle = start + 0.3 * (end - start)
    if is_cut:
        near = model.add_body("near", jd.solid.rod(0.6, tuple(middle), tuple(start)))
        rod = model.add_body("rod", jd.solid.rod(1.4, tuple(end), tuple(middle)))
        model.add_joint("cut", near.at(*middle), rod.at(*middle), jd.Fixed())
    else:
        near = rod = model.add_body("rod", jd.solid.rod(2.0, tuple(end), tuple(start)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("a", crank.at(0, 0, 0.2), rod, jd.Revolute("y"))
    model.add_joint("b", near.at(0.5, 0, 0.2), lever.at(0, 0, 0.4), jd.Revolute("y"))
    model.add_joint("foot", model.world.at(0.5, 0, 0), lever, jd.Revolute("y"))
    far = model.world.at(0.2, 0, 1.0)
    model.add_connection("s", jd.Distance(rod.at(0.1, 0.05, 0.04), far), jd.Spring(80.0, free=0.3))
    model.add_connection("d", jd.Distance(near.at(0.45, 0, 0.18), far), jd.Damper(3.0))
    return model, at


def test_a_rod_in_a_loop():
    """Loads of the joint between two rods, in their axes, are those in the cross-section of one."""
    start = {"main.rate": 4.0}
    whole, cut = (
        jd.simulate(_four_bar(x)[0], 0.1, start=start, sample=[0.0, 0.05, 0.1])
        for x in (False, True)
    )
    at = _four_bar(False)[1]
    found = jd.flexible.section_loads(whole, "rod", [at, 0.01])
    load = cut.trajectory.loads["cut"]
    along = np.array([-0.5, 0.0, -0.2]) / np.hypot(0.5, 0.2)
    assert found.force.sel(axis="x")[:, 0].values == pytest.approx(-load[:, 3:] @ along, rel=1e-6)
    torque = found.torque.sel(axis="y")[:, 0].values
    size = np.abs(load[:, :3]).max()
    assert np.linalg.norm(found.torque[:, 0], axis=-1) == pytest.approx(
        np.linalg.norm(load[:, :3], axis=-1), rel=1e-6
    )
    assert np.abs(torque) == pytest.approx(np.abs(load[:, 1]), abs=1e-6 * size)


def test_places_beyond_the_rod_are_refused():
    model = jd.Model("rigid")
    model.add_joint("hub", model.world, model.add_body("rod", jd.solid.rod(1.0, (1, 0, 0))),
                    jd.Revolute("y"))  # fmt: skip
    sol = jd.simulate(model, 1e-3)
    with pytest.raises(jd.ModelError, match="beyond it: give places from 0 to 1 m"):
        jd.flexible.section_loads(sol, "rod", [0.5, 1.2])
