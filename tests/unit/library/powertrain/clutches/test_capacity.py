"""Capacities of clutches from torque, pressure and hydraulic nodes."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt

SIZES = {"area": 0.01, "radius": 0.1, "surfaces": 4}


def test_plates():
    plates = pt.Plates(**SIZES, friction=pt.Stribeck(0.14, 0.1, 5.0), static=0.16, spring=500.0)
    assert plates.torque(4e4, 0.0) == 0.0
    assert plates.torque(1e5, 0.0) == pytest.approx(0.14 * 500.0 * 0.4)
    assert plates.torque(1e5, -1e3) == pytest.approx(0.1 * 500.0 * 0.4)
    assert plates.holding(1e5) == pytest.approx(0.16 * 500.0 * 0.4)
    assert pt.Plates(**SIZES, friction=0.1).holding(1e5) == pytest.approx(0.1 * 1000.0 * 0.4)


def test_pressure_of_a_hydraulic_node():
    """A clutch on a volume that fills: it slips less and less, as p(t) A μ r n."""
    model, fluid = jd.Model("m", gravity=(0, 0, 0)), hy.Fluid(air=0.0, bulk_modulus=1e9)
    one = model.add("one", pt.Shaft(1.0))
    oil = model.group("oil")
    T, chamber = oil.add("T", hy.Tank(fluid)), oil.add("chamber", hy.Volume(fluid, 1e-3))
    oil.add("source", hy.FlowSource(T, chamber, 1e-7))  # 1e5 Pa/s
    plates = pt.Plates(**SIZES, friction=0.1, pressure=chamber)
    model.add("brake", pt.Brake(one.angle, plates))
    sol = jd.simulate(model, 1.0, start={"one.speed": 50.0})
    np.testing.assert_allclose(sol.values("brake.capacity"), 40.0 * sol.time, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(sol.values("one.speed"), 50.0 - 20.0 * sol.time**2, rtol=1e-6)


@pytest.mark.parametrize(
    ("capacity", "inputs"),
    [
        (None, {"brake.capacity": lambda t: 40.0}),
        (pt.Plates(**SIZES, friction=0.1), {"brake.pressure": lambda t: 1e5}),
        (pt.Plates(**SIZES, friction=0.1, pressure=1e5), None),
        (jd.Polynomial((40.0,)), None),
        (jd.Signal("coordinate", "other", factor=40.0), None),
    ],
    ids=["capacity", "pressure", "number", "function", "signal"],
)
def test_every_source_gives_the_same(capacity, inputs):
    model = jd.Model("m", gravity=(0, 0, 0))
    one = model.add("one", pt.Shaft(1.0))
    model.add_coordinate("other", 1.0, driven=1.0)
    model.add("brake", pt.Brake(one.angle, capacity))
    sol = jd.simulate(model, 0.5, start={"one.speed": 10.0}, inputs=inputs)
    assert sol.events[0].time == pytest.approx(0.25, rel=1e-9)
    assert sol.values("brake.heat")[-1] == pytest.approx(50.0, rel=1e-9)
    np.testing.assert_allclose(sol.values("brake.capacity"), 40.0)


def test_static_friction_holds_more():
    """At rest up to μ_static F r n, then it slips at μ(0) F r n."""
    model = jd.Model("m", gravity=(0, 0, 0))
    one = model.add("one", pt.Shaft(1.0))
    model.add(
        "brake", pt.Brake(one.angle, pt.Plates(**SIZES, friction=0.1, static=0.15, pressure=1e5))
    )
    model.add_connection("push", one.angle, jd.Force(lambda t: 100.0 * t))
    sol = jd.simulate(model, 1.0)
    assert sol.events[-1].time == pytest.approx(0.6, rel=1e-8)
    speed = 50.0 * (1.0 - 0.36) - 40.0 * 0.4
    assert sol.final["one.angle.rate"] == pytest.approx(speed, rel=1e-8)
    assert (np.abs(sol.values("brake.torque")) <= sol.values("brake.capacity") + 1e-9).all()


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: pt.Plates(**SIZES, friction=0.2, static=0.1), "static=0.1, less than"),
        (lambda: pt.Plates(**SIZES | {"area": 0.0}, friction=0.2), "area of Plates"),
        (lambda: pt.Stribeck(0.1, 0.1, 0.0), "speed of Stribeck"),
        (lambda: pt.Clutch(jd.Coordinate("a"), jd.Coordinate("b"), -1.0), "capacity of Clutch"),
    ],
)
def test_wrong_input(made, text):
    with pytest.raises(ModelError, match=text):
        made()


def test_a_name_is_no_pressure():
    with pytest.raises(ModelError, match=r"is 'chamber': give .*circuit as `add` returned it"):
        pt.Plates(**SIZES, friction=0.1, pressure="chamber")


def test_other_parts_are_no_pressure():
    model = jd.Model("m")
    shaft = model.add("shaft", pt.Shaft(1.0))
    with pytest.raises(ModelError, match=r"is the part 'shaft' \(Shaft\): give a node"):
        pt.Plates(**SIZES, friction=0.1, pressure=shaft)
