"""FMUs do what `simulate` does: judged by fmpy, which is another program."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.testing import random_model
from jourdain.testing.states import random_state

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
fmi3 = pytest.importorskip("fmpy.fmi3")
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None and shutil.which("gcc") is None, reason="no linker"
)
TOLERANCE = 2e-6  # relative, of runs at 1e-8 whose steps end at other times


def pendulum() -> jd.Model:
    model = jd.Model("pendulum")
    length = jd.Parameter("length", 1000.0, "mm")
    bob = model.add_body("bob", jd.solid.ball(mass=jd.Parameter("mass", 2.0, "kg"), radius=0.1))
    model.add_joint("hinge", model.world, bob.at(0, 0, length), jd.Revolute("y"))
    return model


def crane() -> jd.Model:
    """A jib that turns as it is told, with a load on a spring."""
    model = jd.Model("crane")
    jib = model.add_body("jib", jd.solid.rod(mass=1.0, end=(0.3, 0, 0)))
    load = model.add_body("load", jd.solid.box(mass=2.0, size=(0.1, 0.2, 0.9)))
    turning = {"angle": lambda t: 2 * t + jd.math.sin(t)}
    model.add_joint("slew", model.world, jib, jd.Revolute("z"), driven=turning)
    model.add_joint("swing", jib.at(0.3, 0, 0), load.at(0.02, 0.03, 0.45), jd.Spherical())
    tail = jd.Distance(load.at(0, 0, -0.2), model.world.at(1, 0, 0))
    model.add_connection("tail", tail, jd.Spring(30.0, free=0.5))
    model.add_frame("corner", load.at(0.1, 0.1, 0.1))
    return model


def four_bar(end=0.3) -> jd.Model:
    model = jd.Model("four_bar")
    lengths = {"crank": 0.3, "coupler": 0.9, "rocker": 0.6}
    bodies = {n: model.add_body(n, jd.solid.rod(mass=x, end=(x, 0, 0))) for n, x in lengths.items()}
    crank, coupler, rocker = bodies.values()
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("first", crank.at(end, 0, 0), coupler, jd.Revolute("y"))
    model.add_joint("second", coupler.at(0.9, 0, 0), rocker.at(0.6, 0, 0), jd.Revolute("y"))
    model.add_joint("last", model.world.at(0.8, 0, 0), rocker, jd.Revolute("y"))
    return model


class Lift(jd.Part):
    """A motor on a screw, with the current as a state and the voltage as an input."""

    frame: jd.Frame

    def build(self, group):
        table = group.add_body("table", jd.solid.box(mass=3.0, size=(0.3, 0.3, 0.02)))
        guide = group.add_joint("guide", self.frame, table, jd.Prismatic("z"))
        group.add_coordinate("motor", inertia=1e-4)
        motor = jd.Motor(constant=0.05, resistance=1.0, inductance=5e-3)
        group.add_connection("drive", jd.Coordinate(group.path("motor")), motor)
        screw = jd.Coordinate(guide) - 1e-3 * jd.Coordinate(group.path("motor"))
        group.add_connection("screw", screw, jd.Equal())
        return {"table": table}


def two_lifts() -> jd.Model:
    model = jd.Model("two lifts")
    model.add("left", Lift(model.world))
    model.add("right", Lift(model.world.at(1, 0, 0)))
    return model


def assert_same(result, solution):
    """Every recorded output is that of the solution."""
    for name in result.dtype.names[1:]:
        wanted = np.asarray(solution[name].values)
        size = max(1.0, np.abs(wanted).max())
        np.testing.assert_allclose(
            result[name], wanted, rtol=0, atol=TOLERANCE * size, err_msg=name
        )


def written(folder, model, **wishes):
    path = jd.write_fmu(model, Path(folder, f"{model.name.replace(' ', '_')}.fmu"), **wishes)
    assert validation.validate_fmu(str(path)) == []
    return str(path)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    outputs = ["hinge.angle", "hinge.rate", "bob.position", "energy.kinetic"]
    inputs, folder = ["hinge.rate"], tmp_path_factory.mktemp("fmu")
    return written(folder, pendulum(), inputs=inputs, outputs=outputs, start={"hinge.angle": 0.3})


def test_parameters_and_start_values_are_set_before_the_start(file):
    start, parameters = {"hinge.angle": 1.5, "hinge.rate": 2.0}, {"length": 0.4, "mass": 3.0}
    result = fmpy.simulate_fmu(
        file, stop_time=2.0, output_interval=0.01, start_values={**start, **parameters}
    )
    assert_same(
        result, jd.simulate(pendulum(), 2.0, start=start, parameters=parameters, sample=0.01)
    )


@pytest.mark.parametrize(
    ("model", "start", "outputs"),
    [
        (
            four_bar, {"main.angle": 0.4, "main.rate": 5.0},
            ["main.force", "second.force", "last.angle", "last.rate", "coupler.velocity"],
        ),
        (
            crane, {"swing.angular_velocity": (0.3, 1.0, 0.1)},
            ["swing.orientation", "swing.angular_velocity", "swing.angular_acceleration",
             "slew.angle", "slew.rate", "slew.angular_acceleration", "slew.applied_torque",
             "slew.torque", "tail.value", "tail.rate", "tail.force", "tail.energy",
             "corner.position", "corner.velocity", "corner.acceleration",
             "load.angular_velocity", "load.angular_acceleration_world", "energy.total"],
        ),
    ],
)  # fmt: skip
def test_outputs_are_results(tmp_path, model, start, outputs):
    path = written(tmp_path, model(), start=start, outputs=outputs)
    result = fmpy.simulate_fmu(path, stop_time=2.0, output_interval=0.01)
    solution = jd.simulate(model(), 2.0, start=start, sample=0.01)
    columns = [c for name in outputs for c in solution.channel(name).columns]
    assert set(result.dtype.names) == {"time", *columns}
    assert_same(result, solution)


def test_part_with_states_and_inputs(tmp_path):
    model, dt = two_lifts(), 0.01
    outputs = ["left.guide.position", "right.drive.current", "right.screw.force"]
    inputs = {"left.drive.voltage": None, "right.drive.voltage": lambda t: 3.0 * jd.math.sin(9 * t)}
    path = written(tmp_path, model, inputs=inputs, outputs=outputs)
    times = np.arange(0, 1.0 + dt / 2, dt)
    voltage = np.where(times < 0.5, 4.0, -2.0)
    signals = np.array(
        list(zip(times, voltage, strict=True)), [("time", float), ("left.drive.voltage", float)]
    )
    result = fmpy.simulate_fmu(path, stop_time=1.0, output_interval=dt, input=signals)
    steps = jd.Sampled(lambda t: float(voltage[round(t / dt)]), period=dt)
    inputs |= {"left.drive.voltage": steps}
    assert_same(result, jd.simulate(model, 1.0, inputs=inputs, sample=times))


def test_fixed_steps_give_the_same_bits_whatever_the_step_of_the_other_program(tmp_path):
    path = written(tmp_path, pendulum(), start={"hinge.angle": 1.0}, method=jd.RungeKutta4(1e-3))
    fine, coarse = (
        fmpy.simulate_fmu(path, stop_time=1.0, output_interval=h) for h in (0.001, 0.05)
    )
    sol = jd.simulate(pendulum(), 1.0, start={"hinge.angle": 1.0}, method=jd.RungeKutta4(1e-3))
    for result in (fine, coarse):
        np.testing.assert_allclose(result["hinge.angle"][-1], sol.final["hinge.angle"], atol=1e-12)


@pytest.mark.slow
def test_loops_close_with_other_lengths_or_say_that_they_cannot(tmp_path):
    model, given = four_bar(jd.Parameter("end", 0.3, "m")), {"end": 0.25}
    path = written(tmp_path, model, start={"main.angle": 0.4})
    there = jd.assemble(model, {"main.angle": 0.4}, parameters=given)
    system = jd.compile(model)
    start = dict(zip(system.names.q, there.q.tolist(), strict=True))
    result = fmpy.simulate_fmu(
        path, stop_time=1.0, output_interval=0.01, start_values=start | given
    )
    state = there.q, there.v
    assert_same(result, jd.simulate(model, 1.0, start=state, parameters=given, sample=0.01))
    with pytest.raises(fmpy.fmi1.FMICallException, match="fmi3ExitInitializationMode"):
        fmpy.simulate_fmu(path, start_values={"end": 25.0})


@pytest.mark.slow
def test_a_start_at_another_time(tmp_path):
    path = written(tmp_path, crane(), outputs=["slew.angle", "load.position"])
    result = fmpy.simulate_fmu(path, start_time=3.0, stop_time=4.0, output_interval=0.01)
    assert_same(result, jd.simulate(crane(), (3.0, 4.0), sample=0.01))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_random_machines(tmp_path, seed):
    flexible = 0.5 if seed % 4 == 3 else 0.0
    model = random_model(
        seed, 4, parameters=seed % 2 == 0, n_coordinates=seed % 3, flexible=flexible
    )
    system = jd.compile(model)
    start = random_state(system, np.random.default_rng(seed))[:2]
    solution = jd.simulate(system, 0.2, start=start, sample=0.01)
    words = ("orientation", "power", "momentum", "centre_of_mass")  # what an FMU does not have
    names = [n for n in solution.names() if not any(word in n for word in words)]
    chosen = np.random.default_rng(seed).permutation(names)[:15].tolist()
    path = None
    while path is None:
        try:
            path = written(tmp_path, model, start=start, outputs=chosen)
        except jd.ModelError as error:  # of drives along quaternions and the like
            refused = str(error).split("'")[1]
            if "cannot be an output" not in str(error):
                raise
            if not model.joints[refused.partition(".")[0]].driven:
                raise
            chosen.remove(refused)
    assert_same(fmpy.simulate_fmu(path, stop_time=0.2, output_interval=0.01), solution)


@pytest.mark.slow
def test_stiff_systems_take_their_implicit_method_along(tmp_path):
    model = jd.Model("stiff")
    model.add_coordinate("x", inertia=1e-6, unit="m")
    model.add_coordinate("y", inertia=1.0, unit="m")
    both = jd.Coordinate("x") - jd.Coordinate("y")
    model.add_connection("oil", both, jd.Spring(1e3) + jd.Damper(1e3))
    model.add_connection("spring", jd.Coordinate("y"), jd.Spring(10.0))
    start = {"y": 0.1, "x": 0.1}
    solution = jd.simulate(model, 20.0, start=start, sample=0.1)
    assert "Radau5" in str(solution)
    path = written(tmp_path, model, start=start, stop=20.0)
    assert_same(fmpy.simulate_fmu(path, stop_time=20.0, output_interval=0.1), solution)


# -- instances ------------------------------------------------------------------------------------


class Driver:
    """Instances of one FMU, led by hand."""

    def __init__(self, path, folder):
        self.description = fmpy.read_model_description(path)
        self.references = {x.name: x.valueReference for x in self.description.modelVariables}
        self.folder = fmpy.extract(path, str(folder))

    def instance(self, name, **start):
        fmu = fmi3.FMU3Slave(
            guid=self.description.guid, unzipDirectory=self.folder, instanceName=name,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
        )  # fmt: skip
        fmu.instantiate()
        self.begin(fmu, **start)
        return fmu

    def begin(self, fmu, **start):
        for key, value in start.items():
            self.set(fmu, key.replace("__", "."), value)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()

    def set(self, fmu, name, value):
        fmu.setFloat64([self.references[name]], [value])

    def get(self, fmu, name):
        return fmu.getFloat64([self.references[name]])[0]

    def run(self, fmu, t, t_end, dt=0.01):
        angles = []
        for k in range(round((t_end - t) / dt)):
            fmu.doStep(currentCommunicationPoint=t + k * dt, communicationStepSize=dt)
            angles.append(self.get(fmu, "hinge.angle"))
        return np.array(angles)


@pytest.fixture
def driver(file, tmp_path):
    return Driver(file, tmp_path)


def test_two_instances_do_not_know_of_each_other(driver):
    alone = driver.instance("alone", hinge__angle=0.5)
    wanted = driver.run(alone, 0.0, 1.0)
    one, two = driver.instance("one", hinge__angle=0.5), driver.instance("two", length=0.2)
    found = []
    for k in range(100):
        found.append(driver.run(one, 0.01 * k, 0.01 * k + 0.01)[0])
        driver.run(two, 0.01 * k, 0.01 * k + 0.01)
    np.testing.assert_array_equal(found, wanted)
    for fmu in (alone, one, two):
        fmu.freeInstance()


def test_reset_forgets_everything(driver):
    fmu = driver.instance("it", hinge__angle=0.5, length=0.4)
    driver.set(fmu, "hinge.applied_torque", 3.0)
    first = driver.run(fmu, 0.0, 0.5)
    fmu.reset()
    assert driver.get(fmu, "length") == 1.0
    assert driver.get(fmu, "hinge.angle") == 0.3
    assert driver.get(fmu, "hinge.applied_torque") == 0.0
    driver.begin(fmu, hinge__angle=0.5, length=0.4)
    driver.set(fmu, "hinge.applied_torque", 3.0)
    np.testing.assert_array_equal(driver.run(fmu, 0.0, 0.5), first)
    fmu.freeInstance()


def test_states_are_stored_and_set_also_in_another_instance(driver):
    fmu, other = driver.instance("it", hinge__angle=0.5), driver.instance("other")
    driver.run(fmu, 0.0, 0.2)
    state = fmu.getFMUState()
    data = fmu.serializeFMUState(state)
    first = driver.run(fmu, 0.2, 0.7)
    fmu.setFMUState(state)
    np.testing.assert_array_equal(driver.run(fmu, 0.2, 0.7), first)
    moved = other.deserializeFMUState(data)
    other.setFMUState(moved)
    fmu.freeFMUState(state)
    fmu.freeInstance()
    np.testing.assert_array_equal(driver.run(other, 0.2, 0.7), first)
    other.freeInstance()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda d, fmu: d.set(fmu, "length", 2.0),
        lambda d, fmu: d.set(fmu, "hinge.angle", 2.0),
        lambda d, fmu: d.set(fmu, "bob.position.x", 2.0),
        lambda d, fmu: d.set(fmu, "hinge.applied_torque", np.nan),
        lambda d, fmu: fmu.getFloat64([999]),
        lambda d, fmu: fmu.getInt32([0]),
        lambda d, fmu: fmu.doStep(5.0, 0.1),
        lambda d, fmu: fmu.doStep(0.0, -0.1),
        lambda d, fmu: fmu.enterInitializationMode(),
    ],
)
def test_what_another_program_may_not_do_is_refused(driver, wrong):
    fmu = driver.instance("it")
    with pytest.raises(fmpy.fmi1.FMICallException):
        wrong(driver, fmu)
    fmu.freeInstance()


def test_file_holds_a_description_and_a_library(file):
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    assert names[0] == "modelDescription.xml"
    assert names[1].startswith("binaries/")
    assert Path(file).stat().st_size < 200_000
