"""Files hold gears of every part: read back, they run the same. Random trains at two levels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.library import bearings, gears
from jourdain.library import powertrain as pt
from jourdain.model.parts.registry import PARTS


def machine():
    model = jd.Model("machine", gravity=(0, 0, 0))
    s = [model.add(f"s{k}", pt.Shaft(1e-3 + 1e-4 * k)).angle for k in range(5)]
    teeth = gears.Teeth((20, 30), 3e-3, helix=0.2, width=0.02)
    lehr = gears.Lehr(0.1, (1e-3, 2e-3))
    series = gears.FourierStiffness(3e8, (2e7, 1e7), (0.1, 0.2))
    pairs = gears.ToothStiffness(2e8, teeth)
    model.add("one", gears.Mesh(s[0], s[1], teeth, gears.Elastic(series, lehr), 1e-4))
    model.add("two", gears.Mesh(s[1], s[2], teeth, gears.Elastic(pairs, 500.0, film=1e-5), 1e-4))
    model.add("three", gears.Mesh(s[2], s[3], teeth, gears.Ideal()))
    model.add("four", gears.Mesh(s[3], s[4], teeth, gears.Rigid(0.2), 1e-4))
    wheels = []
    for name, x in (("a", 0.0), ("b", gears.Teeth((20, 30), 3e-3).axis_distance)):
        wheels.append(model.add_body(name, jd.solid.cylinder(1.0, 0.03, 0.02, axis="z")))
        model.add_joint(f"{name}_hinge", model.world.at(x, 0, 0), wheels[-1], jd.Revolute("z"))
    model.add("five", gears.Mesh(*wheels, gears.Teeth((20, 30), 3e-3), gears.Elastic(1e8), 1e-4))
    return model


def test_files_hold_a_whole_gear(tmp_path):
    model = jd.Model("box", gravity=(0, 0, 0))
    numbers = gears.RavigneauxTeeth(35, 28, 25, 20, 2e-3, planets=1)
    model.add("gear", gears.RavigneauxGear(model.world, numbers, gears.Elastic(3e8), elastic=2))
    jd.write_model(model, tmp_path / "box.toml")
    assert 'part = "gears.RavigneauxGear"' in (tmp_path / "box.toml").read_text(encoding="utf-8")
    read = jd.read_model(tmp_path / "box.toml")
    assert read == model


def smooth():
    """Split wheel, spline, rim and bearings."""
    model = jd.Model("smooth", gravity=(0, 0, 0))
    s = [model.add(f"s{k}", pt.Shaft(1e-3)).angle for k in range(2)]
    teeth = gears.Teeth((20, 30), 3e-3)
    disc = jd.solid.cylinder(1.0, 0.03, 0.02, axis="z")
    wheel, ring = model.add_body("wheel", disc), model.add_body("ring", disc)
    model.add_joint("hinge", model.world, wheel, jd.Revolute("z"))
    split = gears.SplitWheel(s[0], s[1], teeth, gears.Elastic(1e8, 100.0), 1e-4, 1e-3, torque=1.0)
    model.add("split", split)
    model.add("spline", gears.Spline(model.world, wheel, 4, 0.03, 1e6, clearance=1e-4))
    rim = model.add("rim", gears.ElasticRing(0.2, 0.01, 0.02, waves=2)).rim
    inner = gears.Teeth((20, -60), 3e-3)
    model.add_joint("ring_hinge", model.world.at(inner.axis_distance, 0, 0), ring, jd.Revolute("z"))
    model.add("six", gears.Mesh(wheel, ring, inner, gears.Elastic(1e8), 1e-4, rim=rim))
    model.add_joint("free", model.world.at(1, 0, 0), add_rotor(model), jd.Free())
    return model


def add_rotor(model):
    """A rotor in all bearings, on a pad."""
    rotor = model.add_body("rotor", jd.solid.ball(mass=1.0, radius=0.1))
    ends = model.world.at(1, 0, 0), rotor
    model.add("roll", bearings.RollingBearing(*ends, 1e7, 10.0, clearance=1e-5))
    model.add("film", bearings.JournalBearing(*ends, 0.02, 0.01, 2e-5, 0.02))
    eight = ((1e5, 1e4), (-1e4, 1e5)), ((10.0, 0.0), (0.0, 10.0))
    model.add("eight", bearings.LinearBearing(*ends, *eight, load=(1.0, 2.0)))
    gap = jd.Relative(model.world.at(0, 0, -1e-4), rotor, "z")
    model.add("pad", bearings.HydrostaticPad(gap, 0.02, 1e-7, 0.02))
    return rotor


def classes(value, found):
    """Classes of the library in a part and its fields."""
    found.add(type(value).__name__)
    for field in getattr(value, "__dataclass_fields__", {}):
        inner = getattr(value, field)
        if type(inner).__module__.startswith("jourdain.library"):
            classes(inner, found)
    return found


def test_files_hold_every_part():
    used = set()
    for model in (machine(), smooth()):
        for built in model.parts.values():
            classes(built.part, used)
    ours = [n for n in PARTS if n.startswith(("gears.", "bearings."))]
    whole = {"RavigneauxGear", "RavigneauxTeeth"}  # have a test of their own
    assert {n.rpartition(".")[2] for n in ours} <= used | whole


@pytest.mark.parametrize("make", [machine, smooth])
def test_files_run_the_same(tmp_path, make):
    model = make()
    jd.write_model(model, tmp_path / "machine.toml")
    read = jd.read_model(tmp_path / "machine.toml")
    assert list(read.parts) == list(model.parts)
    start = {"s0.speed": 50.0}
    runs = [jd.simulate(m, 5e-3, sample=1e-4, start=start) for m in (model, read)]
    for name in runs[0].names():
        np.testing.assert_array_equal(*(sol.values(name) for sol in runs))


def deflected(numbers, torque, level):
    """Angles of a train at rest under a torque at its end: deflection F/c and half the play."""
    start, before = {}, 0.0
    force = torque / gears.Teeth((numbers[-1], 30), 2e-3).base_radii[0] * (-1.0) ** len(numbers)
    for k in range(len(numbers) - 1):
        teeth = gears.Teeth((numbers[k], numbers[k + 1]), 2e-3)
        x = force / 1e8 + math.copysign(0.5e-5, force) if level == "elastic" else 0.0
        before = (x - teeth.base_radii[0] * before) / teeth.base_radii[1]
        start[f"w{k + 1}.angle"] = before
        force = -force
    return start


sizes = st.lists(st.integers(17, 60), min_size=3, max_size=5)


@settings(max_examples=2, deadline=None)
@given(sizes, st.floats(5.0, 50.0), st.sampled_from([1.0, -1.0]))
def test_random_trains_carry_the_same_loads(numbers, torque, sign):
    """Held at one end, loaded at the other: ideal, elastic, and ideal gears of the power train."""
    found = {}
    for level in ("ideal", "elastic", "gear"):
        model = jd.Model("train", gravity=(0, 0, 0))
        at = [model.add(f"w{k}", pt.Shaft(1e-3)).angle for k in range(len(numbers))]
        for k in range(len(numbers) - 1):
            teeth = gears.Teeth((numbers[k], numbers[k + 1]), 2e-3)
            if level == "gear":
                model.add(f"m{k}", pt.Gear(at[k], at[k + 1], teeth.ratio))
            else:
                contact = gears.Ideal() if level == "ideal" else gears.Elastic(1e8, 300.0)
                model.add(f"m{k}", gears.Mesh(at[k], at[k + 1], teeth, contact, backlash=1e-5))
        model.add_connection("hold", at[0], jd.Equal())
        model.add_connection("load", at[-1], jd.Force(sign * torque))
        run = jd.simulate(model, 1e-5, start=deflected(numbers, sign * torque, level))
        names = [f"m{k}.torque_{e}" for k in range(len(numbers) - 1) for e in "ab"]
        found[level] = [run.values(n)[-1] for n in names]
    np.testing.assert_allclose(found["ideal"], found["gear"], rtol=1e-9)
    np.testing.assert_allclose(found["elastic"], found["ideal"], rtol=1e-6)


def test_levels_take_each_others_place():
    """`Model.replace` with another contact keeps what is joined to the shafts."""
    model = machine()
    old = model.part("one").part
    model.replace("one", gears.Mesh(old.a, old.b, old.teeth, gears.Rigid(), old.backlash))
    run = jd.simulate(model, 1e-3, start={"s0.speed": 50.0})
    assert run.values("one.transmission_error").max() == pytest.approx(0.5e-4, rel=1e-6)
