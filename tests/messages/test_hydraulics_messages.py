"""What users read when a circuit is wrong."""

import re
import warnings

import pytest

import jourdain as jd
from jourdain.errors import AssemblyError, IntegrationError, ModelError
from jourdain.library import hydraulics as hy

FLUID = hy.Fluid()


@pytest.fixture
def oil():
    model = jd.Model("machine")
    model.add_coordinate("ram", 1.0, unit="m")
    return model.group("oil")


@pytest.fixture
def tank(oil):
    return oil.add("T", hy.Tank(FLUID))


RAM = jd.Coordinate("ram")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda T: hy.Volume(FLUID, 0.0), r"volume of Volume is 0 m\^3: it must be.*hy.Junction"),
        (
            lambda T: hy.Tank(FLUID, None),
            r"pressure of Tank is None: give a number, 0.0 .*open tank",
        ),
        (lambda T: hy.Tank(FLUID, lambda t: t), r"pressure of Tank is .*hy.PressureSource"),
        (lambda T: hy.Volume(3.0, 1.0), r"fluid of Volume is 3.0: give hy.Fluid"),
        (lambda T: hy.Tank(FLUID, "low"), r"pressure of Tank is 'low'"),
        (lambda T: hy.Fluid(air=1.0), r"air of Fluid is 1: give from 0 to below 1"),
        (lambda T: hy.Fluid(density=0.0), r"density of Fluid is 0: it must be positive"),
        (lambda T: hy.standard_oil("HLP46"), r"no oil 'HLP46'.*Did you mean 'HLP 46'\?"),
        (lambda T: hy.standard_oil("HLP 46", 200.0), r"is 200 °C: give -40 to 150"),
        (lambda T: hy.Oil(6e-6, 46e-6, 870.0), r"oil gets thinner as it gets hot. Exchange them"),
        (lambda T: hy.Line(T, "A", length=1.0, diameter=0.1), r"b of Line is 'A': give a node"),
        (lambda T: hy.Line(T, T, length=1.0, diameter=0.0), r"diameter of Line is 0 m"),
        (lambda T: hy.Orifice(T, T, area=-1.0), r"area of Orifice is -1 m\^2"),
        (
            lambda T: hy.Orifice(T, T, lambda at: at.t, length=0.1),
            r"a length and a variable area: give the section",
        ),
        (lambda T: hy.CheckValve(T, T), r"area of CheckValve is 0: it must be positive"),
        (
            lambda T: hy.ReliefValve(T, T, cracking=1.0, slope=1.0, length=1.0),
            r"section of ReliefValve is 0: it must be positive",
        ),
        (lambda T: hy.Pump(T, T, "shaft", 1e-5), r"shaft of Pump is 'shaft': give the angle"),
        (lambda T: hy.Motor(T, T, RAM, 0.0), r"displacement of Motor is 0 m\^3"),
        (lambda T: hy.Pump(T, T, RAM, 1.0, 1.5), r"setting of Pump is 1.5: give -1 to 1"),
        (lambda T: hy.Cylinder(None, None, RAM, (1.0, 1.0)), r"Cylinder has no node"),
        (lambda T: hy.Cylinder(T, None, "ram", (1.0, 1.0)), r"measure of Cylinder is 'ram'"),
        (lambda T: hy.Cylinder(T, None, RAM, 1.0), r"areas of Cylinder are 1.0: give two"),
        (
            lambda T: hy.Cylinder(T, None, RAM, (1.0, 1.0), limits=(0.2, 0.1)),
            r"stroke of Cylinder is -0.1 m: it must be positive",
        ),
        (
            lambda T: hy.Cylinder(T, None, RAM, (1.0, 1.0), leakage=1.0),
            r"a leakage and one node: give both",
        ),
    ],
)
def test_bad_values(tank, make, text):
    with pytest.raises(ModelError, match=text):
        make(tank)


def test_a_chamber_that_could_vanish(oil):
    B = oil.add("B", hy.Volume(FLUID, 1e-4))
    with pytest.raises(ModelError, match=r"chamber b belongs to the volume 'oil.B'.*limits="):
        hy.Cylinder(None, B, RAM, (0.0, 1e-3))


def test_a_junction_in_the_air(oil):
    oil.add("a", hy.Junction(FLUID))
    with pytest.raises(ModelError, match=r"junction 'oil.a' hangs in the air"):
        oil._elements.validate()


@pytest.mark.parametrize("make", [hy.Junction, hy.CavitatingJunction])
def test_a_line_in_the_air(oil, tank, make):
    a, b = (oil.add(n, make(FLUID)) for n in "ab")
    oil.add("hose", hy.Line(a, b, length=1.0, diameter=0.01))
    text = r"'oil.hose' hangs in the air between the junctions 'oil.a' and 'oil.b'.*hy.Tank"
    with pytest.raises(ModelError, match=text):
        jd.simulate(oil._elements, 0.1)
    oil.add("more", hy.Line(tank, a, length=1.0, diameter=0.01))  # a plugged line is legal
    assert jd.simulate(oil._elements, 0.01).values("oil.b.pressure")[-1] == pytest.approx(
        0.0, abs=1e-6
    )


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-4)], ids=str)
def test_a_piston_that_leaves_its_cylinder(oil, tank, method):
    """It is pushed in until the oil of its chamber is gone."""
    A = oil.add("A", hy.Volume(FLUID, 1e-5))
    oil.add("jet", hy.Orifice(A, tank, area=1e-5))
    oil.add("cylinder", hy.Cylinder(A, None, RAM, (1e-3, 0.0)))
    oil._elements.add_connection("push", RAM, jd.Force(-2000.0))
    text = r"'oil.A.node' at t = 0.1.*the volume 'oil.A' has come down to zero: a piston.*limits="
    with pytest.raises(IntegrationError, match=re.compile(text, re.DOTALL)) as caught:
        jd.simulate(oil._elements, 1.0, start={"ram": 0.05}, method=method)
    assert caught.value.solution.values("ram")[-1] == pytest.approx(-0.01, abs=2e-3)


@pytest.mark.parametrize(
    ("node", "remedy"),
    [
        (hy.Volume(hy.Fluid(air=0.0), 1e-3), r"some air, such as hy.Fluid\(air=0.005\)"),
        (hy.Junction(FLUID), r"Take hy.CavitatingJunction\(fluid\)"),
    ],
)
@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3)], ids=str)
def test_oil_in_tension(oil, tank, node, remedy, method):
    """Its pressure is told with where and what to do; with air, or a void, nothing is told."""
    text = (
        r"pressure of 'oil.A' falls to -\d.* bar, below that of the vapour, -1.013 bar.*" + remedy
    )
    for own in (node, hy.Volume(FLUID, 1e-3), hy.CavitatingJunction(FLUID)):
        model = jd.Model("pulled")
        group = model.group("oil")
        T, A = group.add("T", hy.Tank(FLUID)), group.add("A", own)
        group.add("hose", hy.Line(T, A, length=2.0, diameter=0.01))
        group.add("pull", hy.FlowSource(A, T, lambda t: 2e-3 * t))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            jd.simulate(model, 0.5, method=method)
        assert len(told) == (own is node)
        assert own is not node or re.search(text, str(told[0].message))
        assert own is not node or told[0].filename == __file__


@pytest.mark.parametrize("begin", [-0.2, 0.3])
def test_a_piston_that_starts_outside_its_stroke(oil, tank, begin):
    oil.add("cylinder", hy.Cylinder(tank, None, RAM, (1e-3, 0.0), limits=(0.0, 0.1)))
    with pytest.raises(
        AssemblyError, match=r"'oil.cylinder.stop_\w+' overlaps by 0.2 m at the start"
    ):
        jd.simulate(oil._elements, 1.0, start={"ram": begin})


def test_a_flow_without_inertia_at_a_junction(oil, tank):
    a = oil.add("a", hy.Junction(FLUID))
    oil.add("jet", hy.Orifice(tank, a, area=1e-6))
    with pytest.raises(ModelError, match=r"'oil.jet' has no inertia.*length=0.05.*hy.Volume"):
        oil._elements.validate()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda T: hy.Gap(T, T, 1e-2, 0.0, 0.02), r"height of Gap is 0 m"),
        (lambda T: hy.Gap(T, T, 1e-2, 1e-5, 0.02, 1.5), r"eccentricity of Gap is 1.5: give 0 to 1"),
        (lambda T: hy.Gap(T, T, 1e-2, 1e-5, 0.02, wall=1), r"wall of Gap is 1: give a measure"),
        (
            lambda T: hy.Gap(T, T, 1e-2, 1e-5, lambda at: 0.1, column=True),
            r"a column and a variable length.*column=False",
        ),
        (lambda T: hy.ServoValve(T, T, T, T, 0.0), r"area of ServoValve is 0 m\^2"),
        (
            lambda T: hy.DirectionalValve(T, T, T, T, 1.0, centre="tndem"),
            r"centre of DirectionalValve is 'tndem'.*Did you mean 'tandem'\?",
        ),
        (
            lambda T: hy.DirectionalValve(T, T, T, 3, 1.0),
            r"T of DirectionalValve is 3: give",
        ),
        (lambda T: hy.ReducingValve(T, T, T, 0.0, 1.0), r"setting of ReducingValve is 0 Pa"),
        (lambda T: hy.Edge(T, T, 1.0, side=2), r"side of Edge is 2: give 1 or -1"),
        (
            lambda T: hy.SpoolValve(1.0, {"a": 3}, [], (0.0, 1.0)),
            r"edge 'a' of SpoolValve is 3: give hy.Edge",
        ),
        (lambda T: hy.SpoolValve(1.0, {}, [], (1.0, 0.0)), r"stroke of SpoolValve is -1 m"),
        (lambda T: hy.ElasticLine(T, T, 1.0, 0.01, 3), r"functions of ElasticLine is 3: give 4"),
        (
            lambda T: hy.ElasticLine(T, T, jd.Parameter("l", 1.0, "m"), 0.01),
            r"a parameter among its sizes.*build a line for each value",
        ),
        (
            lambda T: hy.ElasticLine(T, T, 1.0, 0.01, stations={"end": 2.0}),
            r"station 'end' of ElasticLine is 2: give a part of its length",
        ),
        (lambda T: hy.hydraulic_frequencies(3), r"hydraulic_frequencies got 3: give a model"),
    ],
)
def test_bad_values_of_valves_and_gaps(tank, make, text):
    with pytest.raises(ModelError, match=text):
        make(tank)


PISTONS = {"area": 3e-4, "flange": 0.05, "rod": 0.1}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"shaft": "motor"}, r"shaft of PistonMachine is 'motor': give the angle"),
        ({"swivel": 25.0}, r"swivel of PistonMachine is 25 rad: give less than a right angle"),
        ({"pistons": 2}, r"pistons of PistonMachine is 2: give 3 or more"),
        ({"rod": 0.0}, r"rod of BentAxis is 0 m"),
        ({"a": 3}, r"a of PistonMachine is 3: give a node"),
    ],
)
def test_bad_values_of_piston_machines(tank, change, text):
    fields = {"a": tank, "b": tank, "shaft": RAM, "swivel": 0.4, **PISTONS} | change
    with pytest.raises(ModelError, match=text):
        hy.PistonMachine(**fields)


def test_a_setting_that_a_junction_cannot_see(oil, tank):
    a = oil.add("a", hy.Junction(FLUID))
    oil.add("hose", hy.Line(a, tank, length=1.0, diameter=0.01))
    oil.add("pump", hy.Pump(tank, a, RAM, 1e-5, lambda at: at.state("oil.pump.passed.volume")))
    text = r"'oil.a.node': its measure asks for the state 'oil.pump.passed.volume'.*a coordinate"
    with pytest.raises(ModelError, match=text):
        jd.simulate(oil._elements, 0.1)


def test_a_command_that_looks_at_the_machine(oil, tank):
    """It is a function of time; a formula sees coordinates and states."""
    P, A, B = (oil.add(n, hy.Volume(FLUID, 1e-4)) for n in "PAB")
    far = lambda at: at.coordinate("ram")  # noqa: E731
    oil.add("valve", hy.DirectionalValve(P, A, B, tank, 1e-5, command=far))
    text = r"command fails: .*'coordinate'.*function of time alone.*jd.Formula\(lambda at: ...\)"
    with pytest.raises(ModelError, match=text):
        oil._elements.validate()


def test_a_gap_without_viscosity(oil):
    T = oil.add("T", hy.Tank(hy.Fluid(viscosity=0.0)))
    with pytest.raises(ModelError, match=r"Gap is filled with a fluid without viscosity"):
        hy.Gap(T, T, 1e-2, 1e-5, 0.02)


SEAT = hy.BallSeat(2.5e-3, 0.8)
TENSIONER = {"diameter": 0.015, "gap": 6e-5, "length": 0.02}


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda T: hy.BallSeat(2.5e-3, 45.0), r"angle of BallSeat is 45 rad: give less than a rig"),
        (lambda T: hy.BallCheckValve(T, T, 0.1, 3e-4), r"seat of BallCheckValve is 0.1: give hy.B"),
        (
            lambda T: hy.BallCheckValve(T, T, SEAT, 3e-4),
            r"a ball without mass, and its damping is zero.*mass=5e-4.*hy.CheckValve",
        ),
        (lambda T: hy.BallCheckValve(T, T, SEAT, 0.0, mass=1.0), r"lift of BallCheckValve is 0 m"),
        (
            lambda T: hy.ChainTensioner(T, T, "piston", **TENSIONER),
            r"measure of ChainTensioner is 'piston': give the way",
        ),
        (
            lambda T: hy.ChainTensioner(T, T, RAM, **TENSIONER, ball=SEAT),
            r"ball of ChainTensioner is BallSeat.*give the fields of its check valve",
        ),
        (
            lambda T: hy.ChainTensioner(T, T, RAM, **TENSIONER, start=1e5),
            r"a start pressure, and its chamber no volume.*volume=2e-6",
        ),
    ],
)
def test_bad_values_of_ball_valves_and_tensioners(tank, make, text):
    with pytest.raises(ModelError, match=text):
        make(tank)
