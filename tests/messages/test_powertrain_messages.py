"""What a user of `jourdain.library.powertrain` reads when something is wrong."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import AssemblyError, ModelError
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt

A, B = jd.Coordinate("a"), jd.Coordinate("b")
SIZES = ((30, 90), (1e-4, 1e-4))


@pytest.mark.parametrize("make", [
    lambda bend: pt.CardanJoint(A, B, bend),
    lambda bend: pt.CardanShaft(A, B, (0.2, bend)),
])  # fmt: skip
@pytest.mark.parametrize("bend", [0.5 * np.pi, 1.6, 90.0])
def test_cardan_angles_of_ninety_degrees(make, bend):
    with pytest.raises(ModelError, match=r"bends? of Cardan.* degrees\): at 90 degrees a Cardan"):
        make(bend)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: pt.CardanJoint(A, B, -0.1), "bend of CardanJoint"),
    (lambda: pt.CardanShaft(A, B, 0.2), "bends of CardanShaft is .*give two numbers"),
    (lambda: pt.CardanShaft(A, B, (0.2, 0.2)).stiffness_at(0.0), "CardanShaft has no stiffness"),
    (lambda: pt.RitzShaft(1.0, 1.0, 0), "shapes of RitzShaft is 0: give their number, 1 or more"),
    (lambda: pt.RitzShaft(1.0, 1.0, places={"cam": 1.5}), "place 'cam' of RitzShaft is 1.5"),
    (lambda: pt.RitzShaft(1.0, 1.0, section=lambda s: s - 0.5).modes(), "must be above zero"),
    (lambda: pt.RitzShaft(1.0, 1.0, (np.ones_like,)).modes(), "shapes of RitzShaft depend on each"),
    (lambda: pt.ModalTrain({"a": (1.0,)}, (0.0, 5.0)), "ModalTrain has 2 frequencies"),
    (lambda: pt.TripodJoint(jd.Model("m").world, jd.Model("m").world, -1.0), "radius of Tripod"),
    (lambda: pt.HydrostaticDrive(A, B, 1e-4), "displacements of HydrostaticDrive is 0.0001"),
    (lambda: pt.HydrostaticDrive(A, B, (1e-4, 1e-4), 2.0), "pump_setting .* is 2: give -1 to 1"),
    (lambda: pt.HydrostaticDrive(A, B, (1e-4, 1e-4), None), "an input or a signal, but its oil"),
    (lambda: pt.HydrostaticDrive(A, B, (1e-4, 1e-4), 0.0, 0.0), "both settings .* are 0"),
    (lambda: pt.HydrostaticDrive(A, B, (1e-4, 1e-4), motors=0), "motors of HydrostaticDrive is 0"),
    (lambda: pt.HydrostaticDrive(A, B, (1e-4, 1e-4), circuit=3), "give pt.Circuit"),
    (lambda: pt.Circuit(3, 1e-3), "fluid of Circuit is 3"),
    (lambda: pt.Circuit(hy.Fluid(), -1e-3), "volume of Circuit"),
    (lambda: pt.PowerSplit(A, B, *SIZES, gears=(1.0, 0.0, 1.0)), "gears of PowerSplit is 0"),
    (lambda: pt.PowerSplit(A, B, *SIZES, gears=(1.0,)), "give the ratios of sun, pump"),
    (lambda: pt.PowerSplit(A, B, *SIZES, np.sin).ratio(), "pump_setting of PowerSplit is no num"),
])  # fmt: skip
def test_parts_tell_what_is_wrong(make, text):
    with pytest.raises(ModelError, match=text):
        make()


TORQUE = jd.Map((0.0, 1.0), (0.0, 600.0), ((-20.0, -60.0), (200.0, 200.0)))
MAPS = (jd.Table((0.0, 0.8, 1.0), (150.0, 140.0, 0.0)), jd.Table((0.0, 0.85), (2.0, 1.0)))


def around(low, high, outside="hold"):
    return jd.Table((low, 0.5 * (low + high), high), (0.0, 1.0, 0.0), outside=outside)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: pt.Vehicle(A, 0.0, 0.3), "mass of Vehicle .*0"),
    (lambda: pt.Vehicle(A, 1000.0, 0.0), "radius of Vehicle .*0"),
    (lambda: pt.TorqueConverter(A, B, jd.Table((0.3, 1.0), (150.0, 0.0)), MAPS[1], 200.0),
     "torque of TorqueConverter begins at ν = 0.3, .* outside of its map"),
    (lambda: pt.TorqueConverter(A, B, MAPS[0], jd.Table((0.2, 0.9), (2.0, 1.0)), 200.0),
     "ratio of TorqueConverter begins at ν = 0.2"),
    (lambda: pt.TorqueConverter(A, B, jd.Table((0.0, 0.9), (150.0, 90.0)), MAPS[1], 200.0),
     "90 N m at equal speeds"),
    (lambda: pt.GasCycle(compression=0.9), "compression of GasCycle is 0.9: give more than 1"),
    (lambda: pt.Cylinders(A, 0.08, 0.09, 0.04, pt.GasCycle()), "rod of Cylinders is 0.04 m, not"),
    (lambda: pt.Cylinders(A, 0.08, 0.09, 0.15, 3.0), "pressure of Cylinders is 3"),
    (lambda: pt.Cylinders(A, 0.08, 0.09, 0.15, pt.GasCycle(), ()), "firing of Cylinders"),
    (lambda: pt.AngleLoad(A, 3.0), "torque of AngleLoad is 3.*give a function of the angle"),
    (lambda: pt.AngleLoad(A, around(-180.0, 180.0)), "from -180 to 180 rad, but the angle is coun"),
    (lambda: pt.AngleLoad(A, around(0.0, 4.0, "repeat")), "from 0 to 4 rad and repeats, but no wh"),
    (lambda: pt.CamFollower(A, around(0.0, 3.0), 0.1), "lift of CamFollower is a linear table"),
    (lambda: pt.CamFollower(A, np.sqrt), "lift of .* is 0 m where a turn begins, but 2.507 m wh"),
    (lambda: pt.SpeedLoad(A, 3.0), "torque of SpeedLoad is 3.*give a function of the speed"),
    (lambda: pt.CamFollower(A, 0.01), "lift of CamFollower is 0.01"),
    (lambda: pt.Driver(20.0, "car", "engine", gain=-1.0), "gain of Driver"),
    (lambda: pt.Vehicle(A, 1000.0, 0.3, slope=5.0), "slope of Vehicle is 5 rad, steeper than"),
    (lambda: pt.Engine(A, TORQUE, throttle=1.2), "throttle of Engine is 1.2, but its map goes"),
    (lambda: pt.Engine(A, TORQUE, 0.5, 30.0), "intervention of Engine is 30: give the part"),
    (lambda: pt.Plates(0.01, 0.1, 2.5, 0.1), "surfaces of Plates is 2.5: give their number"),
    (lambda: pt.Gear(A, A, 2.0), "a and b of Gear are both the angle 'a': give those of two"),
    (lambda: pt.Clutch(A, A, 2.0), "a and b of Clutch are both the angle 'a'"),
    (lambda: pt.OneWayClutch(A, A), "a and b of OneWayClutch are both"),
    (lambda: pt.Differential(A, B, B), "left and right of Differential are both the angle 'b'"),
    (lambda: pt.PlanetarySet(A, B, A, (30, 60)), "sun and carrier of PlanetarySet are both"),
])  # fmt: skip
def test_machines_tell_what_is_wrong(make, text):
    with pytest.raises(ModelError, match=text):
        make()


def test_two_gears_at_once_name_the_elements_that_fight():
    with pytest.raises(ModelError, match="gear 1 of Transmission: the elements B, C fight"):
        pt.Transmission(
            shafts={"sun": 0.01, "ring": 0.02, "carrier": 0.03},
            sets={"set": pt.GearSet("sun", "ring", "carrier", teeth=(30, 60))},
            elements={"B": pt.ShiftElement("ring"), "C": pt.ShiftElement("sun", "carrier")},
            gears={1: {"B", "C"}}, input="sun", output="carrier",
        )  # fmt: skip


def test_two_plain_gears_that_fight_are_named():
    model = jd.Model("box", gravity=(0, 0, 0))
    a, b = (model.add(name, pt.Shaft(1.0)).angle for name in "ab")
    model.add("first", pt.Gear(a, b, 3.0))
    model.add("second", pt.Gear(a, b, 2.0))
    model.add("idle", pt.Gear(b, model.add("c", pt.Shaft(1.0)).angle, 2.0))
    text = r"'first\.mesh', 'second\.mesh' fight\. It is not free: leave it out"
    with pytest.raises(AssemblyError, match=text):
        jd.simulate(model, 0.1, start={"a.speed": 1.0})


def test_a_part_in_the_place_of_its_angle():
    model = jd.Model("box")
    shaft = model.add("main", pt.Shaft(1.0))
    with pytest.raises(ModelError, match=r"give the angle of a shaft, such as main\.angle\.$"):
        pt.Gear(shaft, B, 2.0)


def test_too_few_revolutions_for_an_irregularity():
    model = jd.Model("slow", gravity=(0, 0, 0))
    model.add("shaft", pt.Shaft(1.0))
    sol = jd.simulate(model, 0.1, start={"shaft.speed": 1.0})
    with pytest.raises(ModelError, match=r"turns 0\.0159155 revolutions in the run, of which 2"):
        pt.speed_irregularity(sol, "shaft.speed")


def test_trains_without_modes():
    model = jd.Model("one")
    model.add("a", pt.Shaft(1.0))
    with pytest.raises(ModelError, match="modal_train: 3 modes of 'one', which has 1"):
        pt.modal_train(model, {"a": "a.angle"}, 3)
    model.add("e", pt.Engine(jd.Coordinate("a.angle"), lambda a, w: 0.0 * w, throttle=0.0))
    with pytest.raises(ModelError, match="modal_train: 'one' has states"):
        pt.modal_train(model, {"a": "a.angle"}, 1)
