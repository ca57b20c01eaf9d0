"""Files hold circuits of every part whose fields have a form: read back, they run the same."""

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.model.parts.registry import PARTS

FLUID = hy.Fluid(air=0.003)
RECORDS = {"Fluid", "BallSeat", "Edge"}
IN_OTHER_TESTS = {"Motor", "ServoValve", "ReducingValve"}  # fields as those of others


def machine():
    model = jd.Model("machine", gravity=(0, 0, 0))
    for name, unit in (("ram", "m"), ("tip", "m"), ("wheel", "rad"), ("shaft", "rad")):
        model.add_coordinate(name, 2.0, unit=unit)
    ram, tip, wheel, shaft = map(jd.Coordinate, ("ram", "tip", "wheel", "shaft"))
    oil = model.group("oil")
    T, S = oil.add("T", hy.Tank(FLUID)), oil.add("S", hy.PressureSource(FLUID, 5e6))
    P = oil.add("P", hy.Volume(FLUID, 3e-4, start=2e6))
    A, B = (oil.add(n, hy.Volume(FLUID, 2e-4)) for n in "AB")
    c = oil.add("c", hy.Accumulator(FLUID, gas=1e-3, precharge=1e6))
    a, v = oil.add("a", hy.Junction(FLUID)), oil.add("v", hy.CavitatingJunction(FLUID))
    oil.add("inlet", hy.Orifice(S, P, area=1e-5))
    oil.add("check", hy.CheckValve(P, c, area=1e-5, cracking=1e5))
    oil.add("relief", hy.ReliefValve(P, T, cracking=4e6, slope=1e-10))
    oil.add("valve", hy.DirectionalValve(P, A, B, T, 1e-5, 0.5, overlap=0.1, centre="float"))
    oil.add("ram", hy.Cylinder(A, B, ram, (1e-3, 8e-4), (-0.1, 0.3), friction=20.0))
    oil.add("leak", hy.Leakage(A, B, 1e-12))
    oil.add("film", hy.Gap(A, B, 0.02, 1e-5, 0.03, 0.2, ram))
    oil.add("source", hy.FlowSource(T, P, 1e-6))
    oil.add("hose", hy.Line(P, a, length=1.0, diameter=0.01, roughness=1e-5))
    oil.add("pipe", hy.ElasticLine(a, v, 5.0, 0.01, 5, stations={"middle": 0.5}))
    oil.add("back", hy.Line(v, T, length=1.0, diameter=0.01))
    oil.add("pump", hy.Pump(T, P, wheel, 1e-5, setting=0.5, friction=0.1))
    oil.add("pistons", hy.PistonMachine(T, P, shaft, 0.3, area=1e-4, flange=0.03, rod=0.06))
    edges = {"edge": hy.Edge(P, T, 1e-3, opens=1e-4)}
    faces = [(P, 1e-4)]
    oil.add("pilot", hy.SpoolValve(0.1, edges, faces, (0.0, 1e-3), 1e5, 100.0, damping=50.0))
    ball = {"seat": hy.BallSeat(2e-3, 0.8), "lift": 3e-4, "mass": 1e-3, "damping": 0.5}
    oil.add("ball", hy.BallCheckValve(c, T, **ball | {"preload": 20.0}))
    sizes = {"diameter": 0.015, "gap": 6e-5, "length": 0.02, "limits": (-0.01, 0.02)}
    oil.add("tensioner", hy.ChainTensioner(S, T, tip, **sizes, volume=3e-6, ball=ball))
    return model


def test_files_hold_every_part(tmp_path):
    model = machine()
    used = {type(built.part).__name__ for built in model.parts.values()} | RECORDS
    known = {name.removeprefix("hydraulics.") for name in PARTS if name.startswith("hydraulics.")}
    assert known - used == IN_OTHER_TESTS
    jd.write_model(model, tmp_path / "machine.toml")
    read = jd.read_model(tmp_path / "machine.toml")
    assert list(read.parts) == list(model.parts)
    runs = [jd.simulate(m, 0.02, sample=1e-3) for m in (model, read)]
    for name in ("ram", "oil.P.pressure", "oil.pipe.pressure_middle", "oil.tensioner.force"):
        np.testing.assert_array_equal(*(sol.values(name) for sol in runs))
    assert runs[0].values("oil.pistons.flow_b").std() > 0.0
