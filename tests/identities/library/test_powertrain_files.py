"""Files hold drive trains of every part whose fields have a form: read back, they run the same."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import FormatError
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt
from jourdain.model.parts.registry import PARTS

RECORDS = {"Plates", "Stribeck", "Blades", "GearSet", "ShiftElement", "FreewheelElement", "Circuit"}
RECORDS |= {"GearPair", "DogElement"}
RECORDS |= {"GasCycle"}


def machine():
    model = jd.Model("machine", gravity=(0, 0, 0))
    names = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o")
    s = {name: model.add(name, pt.Shaft(0.1 + 0.01 * k)).angle for k, name in enumerate(names)}
    tube = model.add("tube", pt.ElasticShaft(0.1, 3e3, discs=3))
    rod = model.add("rod", pt.ConsistentShaft(0.1, 3e3, lehr=0.02))
    model.add("gear", pt.Gear(s["a"], s["b"], -2.0))
    teeth = {"teeth": (30.0, 60.0), "spin": 1e-3, "mass": 0.1, "radius": 0.05}
    model.add("set", pt.PlanetarySet(s["b"], s["c"], s["d"], **teeth))
    sizes = {"teeth": (34.0, 28.0, 78.0), "planet_teeth": (22.0, 20.0), "spin": (1e-3, 1e-3)}
    model.add("double", pt.Ravigneaux(s["d"], s["e"], s["f"], s["g"], **sizes, orbit=1e-3))
    model.add("axle", pt.Differential(s["f"], s["h"], s["i"], ratio=3.0, friction=1.0))
    plates = pt.Plates(0.01, 0.05, 4, pt.Stribeck(0.14, 0.1, 5.0), static=0.15, pressure=2e5)
    model.add("wet", pt.Clutch(s["h"], s["j"], plates))
    model.add("dry", pt.Clutch(s["i"], s["k"], jd.Ramp(0.0, 0.1, 0.0, 20.0)))
    model.add("brake", pt.Brake(s["c"], 5.0))
    model.add("hub", pt.OneWayClutch(s["j"], s["l"]))
    model.add("stop", pt.OneWayClutch(None, s["m"]))
    model.add("dogs", pt.DogClutch(s["k"], s["m"]))
    model.add("one", pt.Coupling(s["l"], tube.a, 500.0, damping=1.0, play=0.01))
    model.add("two", pt.ElastomerCoupling(tube.b, rod.a, 780.0, slope=621.4))
    model.add("ring", pt.TorsionalDamper(rod.b, 0.01, 400.0, damping=0.1))
    add_car(model, s["n"], s["o"])
    add_shafts(model)
    return model


def add_shafts(model):
    names = ("p", "q", "r", "s", "t", "u")
    at = {name: model.add(name, pt.Shaft(0.2)).angle for name in names}
    ritz = model.add("ritz", pt.RitzShaft(0.1, 3e3, 3, lehr=0.02, places={"cam": 0.4}))
    shapes = {"a": (0.5, 0.5), "b": (0.5, -0.5)}
    train = model.add("train", pt.ModalTrain(shapes, (0.0, 10.0)))
    model.add("cross", pt.CardanJoint(at["p"], at["q"], 0.3, 0.1))
    ends = {"stiffness": 500.0, "damping": 0.1, "inertias": (0.01, 0.02)}
    model.add("long", pt.CardanShaft(at["q"], ritz.a, (0.2, 0.3), **ends))
    table = jd.Table((0.0, 2.0, 4.0, 6.28), (0.0, 0.01, 0.002, 0.0))
    model.add("load", pt.AngleLoad(at["p"], table))
    model.add("pump", pt.SpeedLoad(at["q"], jd.Table((0.0, 100.0), (0.0, 5.0))))
    model.add("valve", pt.CamFollower(at["r"], table, stiffness=2e4, preload=100.0))
    model.add("engine_2", pt.Cylinders(at["t"], 0.08, 0.09, 0.15, pt.GasCycle(), mass=0.5))
    model.add("last", pt.Coupling(ritz.cam, train.a, 300.0))
    sizes = ((30.0, 90.0), (1e-4, 1e-4))
    model.add("rigid", pt.PowerSplit(at["r"], at["s"], *sizes, 0.5, ring_inertia=0.1))
    oil = pt.Circuit(hy.Fluid(), 1e-3, leakage=1e-12)
    model.add(
        "oily",
        pt.HydrostaticDrive(
            at["t"], at["u"], (1e-4, 2e-4), jd.Ramp(0.0, 1.0, 0.0, 1.0), circuit=oil
        ),
    )
    bodies = [model.add_body(f"body_{k}", jd.Inertia(1.0, moments=(0.1,) * 3)) for k in (1, 2)]
    for k, (body, kind) in enumerate(zip(bodies, (jd.Revolute("x"), jd.Free()), strict=True)):
        model.add_joint(f"joint_{k}", model.world, body, kind)
    model.add("tripod", pt.TripodJoint(*bodies, 0.02))


def add_car(model, engine, pump):
    torque = jd.Map((0.0, 1.0), (0.0, 600.0), ((-20.0, -60.0), (200.0, 200.0)))
    loss = jd.Table((0.0, 600.0), (0.0, 10.0))
    model.add("engine", pt.Engine(engine, torque, throttle=jd.Ramp(0.0, 1.0, 0.0, 1.0), loss=loss))
    maps = jd.Table((0.0, 0.8, 1.0), (150.0, 140.0, 0.0)), jd.Table((0.0, 0.85), (2.0, 1.0))
    box = pt.Transmission(
        shafts={"sun": 0.01, "ring": 0.02, "carrier": 0.03, "lay": 0.01},
        sets={
            "set": pt.GearSet("sun", "ring", "carrier", teeth=(30, 60)),
            "pair": pt.GearPair("carrier", "lay", ratio=-2.0),
        },
        elements={
            "B": pt.ShiftElement("ring", capacity=100.0),
            "C": pt.ShiftElement("sun", "carrier"),
            "F": pt.FreewheelElement(None, "ring"),
            "P": pt.DogElement("lay"),
        },
        gears={1: {"B"}, 2: {"C"}, "coast": {"F"}},
        input="sun",
        output="carrier",
    )
    built = model.add("box", box)
    model.add(
        "converter", pt.TorqueConverter(engine, built.sun, *maps, reference=200.0, lockup=1.0)
    )
    model.add("car", pt.Vehicle(built.carrier, 1500.0, 0.3, 2e4, 50.0, rolling=0.01, brake=10.0))
    stator, other = (model.add(name, pt.Shaft(0.02)).angle for name in ("stator", "other"))
    blades = pt.Blades((0.11, 0.06, 0.07), (0.0, -2.0, 1.9), (-1.0, 0.8, -0.2), area=0.012)
    oil = {"oil": (0.01, 0.01, 0.01), "design": (1e-4, 0.0, 0.0)}
    model.add("flow", pt.StreamTubeConverter(pump, other, stator, blades, 0.3, **oil))


def test_files_hold_every_part(tmp_path):
    model = machine()
    made = {type(built.part) for built in model.parts.values()}
    used = {one.__name__ for one in made if "powertrain" in one.__module__} | RECORDS
    assert {n.removeprefix("powertrain.") for n in PARTS if n.startswith("powertrain.")} == used
    jd.write_model(model, tmp_path / "machine.toml")
    text = (tmp_path / "machine.toml").read_text(encoding="utf-8")
    outer = [name for name in model.parts if "." not in name]
    assert text.count('part = "powertrain.') == len(outer)
    read = jd.read_model(tmp_path / "machine.toml")
    assert list(read.parts) == list(model.parts)
    start = {"a.speed": 50.0, "c.speed": 5.0, "g.speed": 3.0, "n.speed": 90.0, "o.speed": 50.0}
    start |= {"p.speed": 5.0, "r.speed": 8.0, "t.speed": 4.0, "joint_0.rate": 3.0}
    runs = [jd.simulate(m, 0.02, sample=1e-3, start=start) for m in (model, read)]
    for name in runs[0].names():
        np.testing.assert_array_equal(*(sol.values(name) for sol in runs))


def test_fields_that_are_nothing_are_inputs_in_files_too(tmp_path):
    """Where a field has a default, nothing must be written: it makes an input."""
    model = jd.Model("car", gravity=(0, 0, 0))
    crank, turbine, wheel = (model.add(n, pt.Shaft(1.0)).angle for n in ("crank", "turbine", "w"))
    stall, gain = jd.Table((0.0, 1.0), (150.0, 0.0)), jd.Table((0.0, 0.9), (2.0, 1.0))
    oil = pt.TorqueConverter(crank, turbine, stall, gain, reference=200.0, lockup=None)
    model.add("oil", oil)
    model.add("gear", pt.Gear(turbine, wheel, 8.0))
    model.add("car", pt.Vehicle(wheel, 1400.0, 0.31, brake=None))
    jd.write_model(model, tmp_path / "car.toml")
    read = jd.read_model(tmp_path / "car.toml")
    inputs = {"oil.lockup.capacity": jd.Ramp(0.2, 0.4, 0.0, 300.0), "car.brake.capacity": 20.0}
    runs = [jd.simulate(m, 0.5, start={"crank.speed": 90.0}, inputs=inputs) for m in (model, read)]
    np.testing.assert_array_equal(*(run.values("car.speed") for run in runs))
    assert runs[0].values("oil.lockup.heat")[-1] > 0.0
    text = (tmp_path / "car.toml").read_text(encoding="utf-8").replace("true", "1")
    (tmp_path / "car.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match="none"):
        jd.read_model(tmp_path / "car.toml")
