"""Dependent coordinates that follow from independent ones, against the projection of all."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

TIGHT = jd.Dop853(rtol=1e-10, atol=1e-11)


def linkage(lengths):
    """Four-bar linkage with spatial hinges: three rows of the loop repeat others."""
    model = jd.Model("linkage")
    place = model.world.at()
    for name, length in zip(("crank", "coupler", "rocker"), lengths[:3], strict=True):
        bar = model.add_body(name, jd.solid.rod(mass=1.0, end=(length, 0, 0)))
        model.add_joint(f"{name}_pin", place, bar, jd.Revolute("y"))
        place = bar.at(length, 0, 0)
    model.add_joint("pivot", place, model.world.at(lengths[3], 0, 0), jd.Revolute("y"))
    return model


def four_bar():
    near = {"coupler_pin.angle": np.radians(60), "rocker_pin.angle": np.radians(111)}
    system = jd.compile(linkage((1.0, 3.0, 2.5, 3.0)))
    return system, jd.assemble(system, {"crank_pin.rate": 6.0}, near=near), 4.0


def slider_crank():
    model = jd.Model("slider-crank")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    piston = model.add_body("piston", jd.solid.ball(mass=0.4, radius=0.04))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    system = jd.compile(model)
    start = {"main.angle": 0.4, "main.rate": 20.0}
    return system, jd.assemble(system, start, near={"guide.position": 0.4}), 1.0


def spatial_linkage():
    """Hinge, ball, ball, hinge: no plane, quaternions, and a coupler that spins."""
    model = jd.Model("rssr")
    crank, coupler, rocker = (
        model.add_body(name, jd.solid.box(mass=1.0, size=(l, 0.1, 0.2), at=(l / 2, 0, 0)))
        for name, l in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5))
    )
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("first", crank.at(1, 0, 0), coupler, jd.Spherical())
    model.add_joint("second", coupler.at(3, 0, 0), rocker.at(2.5, 0, 0), jd.Spherical())
    turned = model.world.at(2.5, 0.8, 0.3, rotation=jd.rotation_x(0.7))
    model.add_joint("pivot", turned, rocker, jd.Revolute("y"))
    system = jd.compile(model, cut="second")
    return system, jd.assemble(system, {"main.rate": 3.0}), 2.0


def rolling_coin():
    """A coin on a plane: one row holds a position, three hold velocities only."""
    model = jd.Model("coin")
    solid = jd.solid.cylinder(mass=2.0, radius=0.3, length=0.02, axis="y")
    coin = model.add_body("coin", solid)
    turning = jd.Revolute("z") * jd.Revolute("x") * jd.Revolute("y")
    place = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")
    model.add_joint("free", model.world, coin, place * turning)
    model.add_connection("on", jd.DiscHeight(coin, model.world, 0.3), jd.Equal())
    model.add_connection("roll", jd.Rolling(coin, model.world, 0.3), jd.Equal())
    system = jd.compile(model)
    start = {"free.angle_2": 0.2, "free.rate_1": 0.5, "free.rate_3": 6.0}
    return system, jd.assemble(system, start, near={"free.position_3": 0.3}), 2.0


def geared():
    """Loop whose coordinate is geared to a shaft and driven by a law with a state."""
    model = linkage((0.5, 1.5, 1.25, 1.5))
    model.add_coordinate("shaft", 0.3)
    ratio = jd.Coordinate("shaft") - 3.0 * jd.Coordinate("crank_pin.angle")
    model.add_connection("gear", ratio, jd.Equal())
    motor = jd.Motor(constant=0.4, resistance=1.0, inductance=0.1, voltage=20.0)
    model.add_connection("motor", jd.Coordinate("shaft"), motor)
    near = {"coupler_pin.angle": np.radians(60), "rocker_pin.angle": np.radians(111)}
    system = jd.compile(model)
    return system, jd.assemble(system, {"crank_pin.angle": 0.0}, near=near), 2.0


MACHINES = [four_bar, slider_crank, spatial_linkage, rolling_coin, geared]


def errors(sol):
    names = "position_errors", "velocity_errors"
    return [np.abs(sol.system.answers(n, sol.q, sol.v, t=sol.time)).max() for n in names]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda f: f.__name__)
def test_both_ways_agree(machine):
    """The same motion, and constraints of position and velocity within 1e-10."""
    system, start, t = machine()
    one, two = (
        jd.simulate(system, t, start=start, method=TIGHT, constraints=way, sample=t / 50)
        for way in (jd.Projection(), jd.Partition())
    )
    scale = np.maximum(1.0, np.abs(one.v).max(axis=0))
    np.testing.assert_allclose(two.q, one.q, atol=2e-7)
    np.testing.assert_allclose(two.v / scale, one.v / scale, atol=2e-7)
    assert max(errors(two)) < 1e-10
    assert np.abs(one.q - one.q[0]).max() > 0.5
    assert one.statistics.partition_changes is None
    assert np.abs(two.q - one.q).max() > 0.0


INTEGRATORS = [
    jd.Dopri5(rtol=1e-8, atol=1e-9), jd.RungeKutta4(1e-3), jd.SemiImplicitEuler(1e-3),
    *(
        pytest.param(x, marks=pytest.mark.slow)
        for x in (jd.Radau5(rtol=1e-8, atol=1e-9), jd.Gauss4(1e-3), jd.GeneralizedAlpha(1e-3))
    ),
]  # fmt: skip


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: type(x).__name__)
def test_every_integrator_holds_constraints(integrator):
    system, start, _ = four_bar()
    partition = jd.Partition()
    sol = jd.simulate(system, 1.0, start=start, method=integrator, constraints=partition)
    assert max(errors(sol)) < 1e-10


@pytest.mark.parametrize("keep", [0.1, 1.0])
def test_the_choice_changes_through_dead_points(keep):
    """No bar of 2, 2.5, 2 between pivots 3.5 apart can turn fully: each angle has dead points."""
    system = jd.compile(linkage((2.0, 2.5, 2.0, 3.5)))
    near = {"coupler_pin.angle": 1.0, "rocker_pin.angle": 1.2}
    start = jd.assemble(system, {"crank_pin.angle": -1.0, "crank_pin.rate": 12.0}, near=near)
    one, two = (
        jd.simulate(system, 4.0, start=start, method=TIGHT, constraints=way, sample=0.01)
        for way in (jd.Projection(), jd.Partition(keep))
    )
    for name in ("crank_pin.rate", "pivot.rate"):
        assert np.sum(np.diff(np.sign(two.values(name))) != 0) > 4
    assert two.statistics.partition_changes > 4
    np.testing.assert_allclose(two.q, one.q, atol=1e-6)
    assert max(errors(two)) < 1e-10
    assert np.ptp(two.values("energy.total")) < 1e-6


def test_independent_coordinates_are_not_touched():
    """A long step with a large error: only dependent coordinates move, the crank does not."""
    system, start, _ = four_bar()
    free = {}
    for way in (jd.Projection(), jd.Partition()):
        sol = jd.simulate(system, 0.05, start=start, method=jd.SemiImplicitEuler(0.05),
                          constraints=way, sample=[0.0, 0.05])  # fmt: skip
        vdot = system.forward_dynamics(start.q, start.v)
        v = start.v + 0.05 * vdot
        q = start.q[: len(v)] + 0.05 * v
        free[type(way)] = np.abs(sol.q[-1][: len(v)] - q)
    assert free[jd.Partition].min() < 1e-15
    assert free[jd.Projection].min() > 1e-6


def test_a_run_is_resumed_with_its_partition():
    system, start, _ = four_bar()
    options = {"method": TIGHT, "sample": 0.1}
    partition = jd.Partition(0.5)
    half = jd.simulate(system, 0.5, start=start, constraints=partition, **options)
    whole = jd.simulate(system, 1.0, resume=half, sample=0.1)
    once = jd.simulate(system, 1.0, start=start, constraints=partition, **options)
    np.testing.assert_array_equal(whole.q, once.q)
    with pytest.raises(jd.ModelError, match=r"keeps its constraints by Partition\(keep=0.5\)"):
        jd.simulate(system, 1.0, resume=half, constraints=jd.Projection())


def test_a_drive_that_moves_the_constraints():
    """A string that is wound up: the value that is held changes with time."""
    model = jd.Model("winch")
    bob = model.add_body("bob", jd.solid.ball(1.5, 0.05))
    model.add_joint("move", model.world, bob, jd.Prismatic("x") * jd.Prismatic("z"))
    length = jd.Equal(lambda t: 1.0 + 0.2 * jd.sin(3.0 * t))
    model.add_connection("string", jd.Distance(model.world, bob), length)
    start = {"move.position_1": 0.8, "move.position_2": -0.6}
    one, two = (
        jd.simulate(model, 4.0, start=start, method=TIGHT, constraints=way)
        for way in (jd.Projection(), jd.Partition())
    )
    np.testing.assert_allclose(two.q, one.q, atol=1e-8)
    assert max(errors(two)) < 1e-10
    assert two.statistics.partition_changes > 0


def test_a_partition_is_compiled_once_and_serves_looped_systems():
    """The elimination is dense; the state equation may be in loops."""
    model = linkage((1.0, 3.0, 2.5, 3.0))
    near = {"coupler_pin.angle": np.radians(60), "rocker_pin.angle": np.radians(111)}
    runs = []
    for execution in (jd.Unrolled(), jd.Looped()):
        system = jd.compile(model, execution=execution)
        start = jd.assemble(system, {"crank_pin.rate": 6.0}, near=near)
        options = {"method": TIGHT, "constraints": jd.Partition(), "sample": 0.1}
        runs.append(jd.simulate(system, 1.0, start=start, **options))
        assert system.partition_kernel(0) is system.partition_kernel(0)
    np.testing.assert_allclose(runs[1].q, runs[0].q, atol=1e-8)
    assert max(errors(runs[1])) < 1e-10
