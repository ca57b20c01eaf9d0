from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.doctor.self_stress import SelfStress
from jourdain.model.laws import Equal
from jourdain.model.measures import Coordinate, Distance

Y = jd.Revolute("y")


def four_bar(order):
    """Four-bar with spatial pins, added in some order: another joint is cut."""
    model = jd.Model("four_bar")
    a, b, c = (
        model.add_body(name, jd.solid.box(mass=1.0, size=(l, 0.1, 0.2), at=(l / 2, 0.05, 0)))
        for name, l in (("a", 1.0), ("b", 3.0), ("c", 2.5))
    )
    ends = {
        "main": (model.world, a),
        "first": (a.at(1, 0, 0), b),
        "second": (b.at(3, 0, 0), c),
        "pivot": (c.at(2.5, 0, 0), model.world.at(3, 0, 0)),
    }
    for name in order:
        model.add_joint(name, *ends[name], Y)
    return jd.compile(model)


NAMES = ("main", "first", "second", "pivot")
RATES = {"main.angle": -1.2, "first.angle": 1.0, "second.angle": 1.8, "main.rate": 2.0}


def stress_of(system, start):
    found = jd.assemble(system, near=start)
    return found, SelfStress(Mobility(system, found.q, 0.0, system.parameter_array(None)))


def loads(system, at):
    q, v = system.state({k: at[k] for k in (*system.names.q,)})
    v = np.array([at[name] for name in system.names.v])
    return jd.Solution(system, [0.0], [q], [v])


def test_unique_loads_do_not_depend_on_the_cut_and_others_do():
    one = four_bar(NAMES)
    found, stress = stress_of(one, RATES)
    found = jd.assemble(one, {"main.angle": found["main.angle"], "main.rate": 2.0}, near=found)
    other = four_bar(("second", "pivot", "main", "first"))
    assert one.topology.cuts[0].name != other.topology.cuts[0].name
    both = loads(one, found), loads(other, found)
    size = max(float(np.abs(both[0][name]).max()) for name in stress.unique)
    for name in stress.unique:
        assert float(both[1][name][0]) == pytest.approx(float(both[0][name][0]), abs=1e-9 * size)
    apart = [abs(float(both[1][name][0] - both[0][name][0])) for name in stress.not_unique]
    assert max(apart) > 1e-3 * size


def test_states_of_self_stress_are_in_balance():
    """No force on a body: what its joints give adds up to nothing, about any point."""
    system = four_bar(NAMES)
    found, stress = stress_of(system, RATES)
    m = stress.mobility
    poses = system.poses(found.q)
    turn = {name: poses[k, :3, :3] for k, name in enumerate(system.names.bodies)}
    turn["world"] = np.eye(3)
    total = {name: np.zeros((6, 3)) for name in turn}
    for joint in system.model.joints.values():
        R = turn[joint.parent.body]
        torque, force = np.split(stress.loads[joint.name], 2)
        torque, force = m.length * R @ torque, R @ force
        point = system.point_of(poses, joint.child, m.p)
        load = np.vstack([torque + np.cross(point, force.T).T, force])
        total[joint.child.body] += load
        total[joint.parent.body] -= load
    for name in system.names.bodies:
        assert total[name] == pytest.approx(np.zeros((6, 3)), abs=1e-12)


def test_two_gears_in_parallel_repeat_each_other():
    model = jd.Model("gears")
    for name in ("a", "b"):
        model.add_coordinate(name, 1.0)
    ratio = Coordinate("a") - 2.0 * Coordinate("b")
    model.add_connection("front", ratio, Equal())
    model.add_connection("rear", ratio, Equal())
    _, stress = stress_of(jd.compile(model), {})
    assert stress.sets == ((("front", "rear"), 1),)
    assert stress.not_unique == ("front.force", "rear.force")


def test_a_held_coordinate_of_a_cut_joint_loads_it():
    """Piston and crank both held: the force along the guide can be any."""
    model = jd.Model("clamped")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
    model.add_joint("main", model.world, crank, Y)
    model.add_joint("pin", crank.at(1, 0, 0), rod, Y)
    model.add_joint("guide", model.world, rod.at(2, 0, 0), jd.Prismatic("x") * jd.Spherical())
    length = np.cos(0.5) + np.sqrt(4 - np.sin(0.5) ** 2)
    model.add_connection("clamp", Coordinate("guide.position"), Equal(length))
    model.add_connection("brake", Coordinate("main.angle"), Equal(0.5))
    system = jd.compile(model)
    assert system.topology.cuts[0].name == "guide"
    _, stress = stress_of(system, {"main.angle": 0.5})
    # besides, the pins hold the rod sideways as the guide does
    assert (stress.mobility.n_rows, stress.mobility.n_dof, stress.mobility.n_redundant) == (4, 0, 2)
    assert stress.sets == (
        (("main", "pin", "guide"), 1),
        (("main", "pin", "guide", "clamp", "brake"), 2),
    )
    own = {name for name in stress.not_unique if name.startswith(("guide", "clamp", "brake"))}
    assert own == {f"guide.force.{axis}" for axis in "xyz"} | {"clamp.force", "brake.force"}
    # the rod carries a force along itself
    force = stress.loads["guide"][3:]
    x, _, z = force[:, np.argmax(np.abs(force[0]))]
    assert abs(z / x) == pytest.approx(np.sin(0.5) / np.sqrt(4 - np.sin(0.5) ** 2))


def test_sets_are_minimal():
    """Two struts too many, each with its own partner, on one body held by a joint."""
    model = jd.Model("held")
    arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("hinge", model.world, arm, Y)
    below = model.world.at(1, 0, -1)
    model.add_connection("strut", Distance(arm.at(1, 0, 0), below), Equal(1.0))
    model.add_connection("twin", Distance(arm.at(1, 0, 0), below), Equal(1.0))
    model.add_connection("stay", Distance(arm.at(1, 0, 0), model.world.at(0, 0, 1)), Equal(2**0.5))
    _, stress = stress_of(jd.compile(model), {})
    assert stress.mobility.n_redundant == 2
    assert ("strut", "twin") in [names for names, _ in stress.sets]
    assert ("hinge", "strut", "stay") in [names for names, _ in stress.sets] or (
        "hinge", "twin", "stay",
    ) in [names for names, _ in stress.sets]  # fmt: skip
    assert all(n == 1 for _, n in stress.sets)
    assert "hinge.force.y" in stress.unique


def one_by_one(stress, kept):
    """Set with an element by leaving out the others, far ones first, one at a time."""
    states = np.eye(stress.loads[kept].shape[1])
    for name in stress._far_first(kept):
        load = stress.loads[name] @ states
        if name != kept and np.abs(load).max() > 1e-7:
            _, sizes, basis = np.linalg.svd(load)
            without = states @ basis[np.sum(sizes > 1e-7) :].T
            if without.shape[1] and np.abs(stress.loads[kept] @ without).max() > 1e-7:
                states = without
    carries = [n for n, load in stress.loads.items() if np.abs(load @ states).max() > 1e-7]
    return tuple(carries), states.shape[1]


def test_sets_are_those_of_leaving_out_one_by_one():
    """A ladder of windows, each held three times too often; struts across two of them besides."""
    model, before = jd.Model("ladder"), None
    for k in range(4):
        post = model.add_body(f"post_{k}", jd.solid.rod(mass=1.0, end=(0, 0, 1)))
        model.add_joint(f"foot_{k}", model.world.at(k, 0, 0), post, Y)
        if before is not None:
            beam = model.add_body(f"beam_{k}", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
            model.add_joint(f"left_{k}", before.at(0, 0, 1), beam, Y)
            model.add_joint(f"right_{k}", beam.at(1, 0, 0), post.at(0, 0, 1), Y)
        before = post
    for k in (0, 2):
        measure = Distance(model.world.at(k + 1, 0, 0), model.body(f"post_{k}").at(0, 0, 1))
        model.add_connection(f"strut_{k}", measure, Equal(2**0.5))
    _, stress = stress_of(jd.compile(model), {})
    assert stress.mobility.n_redundant == 10
    for kept in stress.loads:
        names, n = stress._minimal(kept)
        assert kept in names
        wanted, m = one_by_one(stress, kept)
        assert (len(names), n) == (len(wanted), m)
        if kept.startswith("strut"):
            assert names == wanted
