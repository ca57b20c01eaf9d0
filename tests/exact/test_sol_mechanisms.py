"""Mobility of the mechanisms of Sol's thesis (V1, V2, V7, V18), with numbers computed apart."""

from __future__ import annotations

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal
from jourdain.model.measures import Formula

Y = jd.Revolute("y")
BALL = jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1))


def angles(lengths, lx, ly=0.0):
    """Four-bar by the absolute angles of its bars from the y axis (5.1.1)."""
    model = jd.Model("angles")
    names = ["q1", "q2", "q3"]
    for name in names:
        model.add_coordinate(name, 1.0)

    def ends(at):
        q = [at.coordinate(name) for name in names]
        return jd.math.vector(
            sum(l * jd.sin(x) for l, x in zip(lengths, q, strict=True)),
            sum(l * jd.cos(x) for l, x in zip(lengths, q, strict=True)),
        )

    model.add_connection("loop", Formula(ends, size=2), Equal((lx, ly)))
    return model


def pins(lengths, lx):
    """Four-bar with spatial pins; absolute angles against the x axis are sums of the joints'."""
    model = jd.Model("pins")
    bars = [
        model.add_body(name, jd.solid.rod(mass=1.0, end=(l, 0, 0)))
        for name, l in zip(("crank", "coupler", "rocker"), lengths, strict=True)
    ]
    model.add_joint("main", model.world, bars[0], Y)
    model.add_joint("first", bars[0].at(lengths[0], 0, 0), bars[1], Y)
    model.add_joint("second", bars[1].at(lengths[1], 0, 0), bars[2], Y)
    model.add_joint("pivot", bars[2].at(lengths[2], 0, 0), model.world.at(lx, 0, 0), Y)
    return model


def named(degrees, names=("q1", "q2", "q3")):
    return dict(zip(names, np.radians(degrees), strict=True))


DEAD = (51.3751671269, 51.3751671269, -177.1340160174)


def test_the_dead_point_has_full_rank_and_an_unsuitable_choice():
    model = angles((1.0, 3.0, 2.5), 3.0)
    at = {f"{k}.value": x for k, x in named(DEAD).items()}
    found = jd.structure(model, at=at, driven="q3").findings
    assert found.singular_values == pytest.approx((3.69973, 1.60062), abs=1e-5)
    assert (found.n_dof, found.n_dof_nearby, found.n_redundant) == (1, 1, 0)
    assert found.is_dead_point
    assert not found.is_change_point
    assert "driving q3: unsuitable, the motion is not determined here" in str(found)
    other = jd.structure(model, at=at, driven=["q1"]).findings
    assert not other.is_dead_point
    assert other.choice_condition < 10
    assert "driving q1: suitable" in str(other)


def test_the_change_point_has_two_freedoms():
    model = angles((1.0, 3.0, 1.0), 3.0)
    at = {f"{k}.value": x for k, x in named((90, 90, -90)).items()}
    found = jd.structure(model, at=at).findings
    assert found.singular_values == pytest.approx((11**0.5, 0.0), abs=1e-12)
    assert (found.n_dof, found.n_dof_nearby) == (2, 1)
    assert found.is_change_point
    assert "change point: the freedoms are 2 here, 1 nearby" in str(found)


def test_four_bar_with_spatial_pins():
    found = jd.structure(pins((1.0, 3.0, 2.5), 3.0), at={"main.angle": 0.0}).findings
    assert (found.n_rows, found.n_redundant, found.n_dof) == (5, 3, 1)
    assert sum(x > 1e-9 for x in found.singular_values) == 2
    assert found.repeated == ((("main", "first", "second", "pivot"), 3),)
    for joint in ("main", "first", "second", "pivot"):
        own = {n.partition(".")[2] for n in found.not_unique if n.startswith(joint)}
        assert own == {"torque.x", "torque.z", "force.y"}
        assert f"{joint}.force.x" in found.unique


def test_four_bar_with_balls_at_the_coupler_has_unique_loads():
    """Pin, ball, ball, pin of parallel axes: Grübler is right, the coupler spins."""
    model = jd.Model("rssr")
    crank, coupler, rocker = (
        model.add_body(name, jd.solid.box(mass=1.0, size=(l, 0.1, 0.1), at=(l / 2, 0, 0)))
        for name, l in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5))
    )
    model.add_joint("main", model.world, crank, Y)
    model.add_joint("first", crank.at(1, 0, 0), coupler, jd.Spherical())
    model.add_joint("second", coupler.at(3, 0, 0), rocker.at(2.5, 0, 0), jd.Spherical())
    model.add_joint("pivot", model.world.at(3, 0, 0), rocker, Y)
    found = jd.structure(model).findings
    assert (found.n_dof, found.n_redundant, found.not_unique) == (2, 0, ())


def bennett():
    a, alpha, beta = 1.0, 0.6, 1.1
    b = a * np.sin(beta) / np.sin(alpha)
    model = jd.Model("bennett")
    links = [model.add_body(f"link_{k}", BALL) for k in (1, 2, 3)]
    turn = {"alpha": jd.rotation_x(alpha), "beta": jd.rotation_x(beta)}
    Z = jd.Revolute("z")
    model.add_joint("j1", model.world, links[0], Z)
    model.add_joint("j2", links[0].at(a, 0, 0, rotation=turn["alpha"]), links[1], Z)
    model.add_joint("j3", links[1].at(b, 0, 0, rotation=turn["beta"]), links[2], Z)
    end = model.world.at(-b, 0, 0, rotation=jd.rotation_x(-beta))
    model.add_joint("j4", links[2].at(a, 0, 0, rotation=turn["alpha"]), end, Z)
    return model


def test_bennett_linkage_moves_against_gruebler():
    theta = dict(zip(("j1", "j2", "j3", "j4"), (0.8, -3.41827384, -0.8, -2.86491147), strict=True))
    at = {f"{name}.angle": x for name, x in theta.items()}
    report = jd.structure(bennett(), at=at)
    found = report.findings
    assert report.grubler == -2
    assert (found.n_dof, found.n_dof_nearby, found.n_redundant) == (1, 1, 3)
    assert found.repeated == ((("j1", "j2", "j3", "j4"), 3),)
    assert not found.problems


def test_a_bar_between_two_balls_repeats_its_length():
    """Ball–bar–ball between fixed points: one row too many, the spin is left (V7)."""
    model = jd.Model("strut")
    bar = model.add_body("bar", jd.solid.cylinder(mass=1.0, radius=0.1, length=2.0, axis="x"))
    model.add_joint("left", model.world.at(-1, 0, 0), bar.at(-1, 0, 0), jd.Spherical())
    model.add_joint("right", model.world.at(1, 0, 0), bar.at(1, 0, 0), jd.Spherical())
    found = jd.structure(model).findings
    assert (found.n_rows, found.n_redundant, found.n_dof) == (3, 1, 1)
    assert found.repeated == ((("left", "right"), 1),)
    assert found.not_unique == ("left.force.x", "right.force.x")
    assert "left.force.z" in found.unique


def test_three_equal_cranks():
    """A parallelogram with a third crank: it repeats, once more than a plane loop does (V18)."""
    model = jd.Model("cranks")
    coupler = model.add_body("coupler", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
    for k in range(3):
        crank = model.add_body(f"crank_{k}", jd.solid.rod(mass=1.0, end=(0, 0, 1)))
        model.add_joint(f"foot_{k}", model.world.at(k, 0, 0), crank, Y)
        model.add_joint(f"head_{k}", crank.at(0, 0, 1), coupler.at(k, 0, 0), Y)
    found = jd.structure(model).findings
    assert (found.n_rows, found.n_redundant, found.n_dof) == (10, 7, 1)
    assert all(n == 3 for _, n in found.repeated)
    assert {name for names, _ in found.repeated for name in names} == set(model.joints)


def test_two_windows_name_the_loops_that_repeat():
    """N-four-bar of IFToMM, N = 2: one freedom, three rows too many in each window."""
    model, before = jd.Model("windows"), None
    for k in range(3):
        post = model.add_body(f"post_{k}", jd.solid.rod(mass=1.0, end=(0, 0, 1)))
        model.add_joint(f"foot_{k}", model.world.at(k, 0, 0), post, Y)
        if before is not None:
            beam = model.add_body(f"beam_{k}", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
            model.add_joint(f"left_{k}", before.at(0, 0, 1), beam, Y)
            model.add_joint(f"right_{k}", beam.at(1, 0, 0), post.at(0, 0, 1), Y)
        before = post
    found = jd.structure(model).findings
    assert (found.n_dof, found.n_redundant) == (1, 6)
    assert found.repeated == (
        (("foot_0", "foot_1", "left_1", "right_1"), 3),
        (("foot_1", "foot_2", "left_2", "right_2"), 3),
    )
    flat = {f"{joint}.angle": 0.5 * np.pi for joint in ("foot_0", "foot_1", "foot_2")}
    flat |= {f"left_{k}.angle": -0.5 * np.pi for k in (1, 2)}
    there = jd.structure(model, at=flat).findings
    assert there.is_change_point


def test_graph_of_figure_4_1():
    """Sol's example of a graph (V1): ball cut, ten coordinates, three rows."""
    model = jd.Model("graph")
    b1, b2, b3, b4, _ = (model.add_body(f"b{k}", BALL) for k in range(1, 6))
    model.add_joint("a1", model.world.at(0.6, 1.2, 0.3), b1.at(0.4, 0.3, 0), jd.Spherical())
    model.add_joint("a2", b1, b2.at(0.2, 0.9, 0.1), jd.Revolute("x"))
    model.add_joint("a3", b3, b2, jd.Revolute("y"))
    model.add_joint("a4", b3, b4, jd.Prismatic("x"))
    model.add_joint("a5", model.world, b3, jd.Prismatic("z"))
    report = jd.structure(model)
    assert [loop.cut for loop in report.loops] == ["a1"]
    assert (report.n_freedoms, report.n_rows, report.free_bodies) == (10, 3, ("b5",))
    assert (report.findings.n_dof, report.findings.n_redundant) == (7, 0)


TABLE = """
0    60.6553252000  171.1426403148  -0.0547905487   0.3722178615  -0.2294677342  -0.1613410362
30   56.9998578617  180.3668708309  -0.1973441344   0.2174365435  -0.3253934487  -0.4515677828
90   34.2288663278  172.8192442185  -0.5           -0.5            0.0944911183  -0.5102520386
150  18.7866471599  142.1536601292   0.0544869915  -0.3602936864   0.5229579672   0.3967836332
270  51.3751671269  138.5091831443   0.25           0.25          -0.1658324202   0.2346685192
"""
OURS = ("angle", "rate", "angular_acceleration")


def absolute(sol):
    """Angles of coupler and rocker from the y axis of Sol, their rates and accelerations."""
    columns = []
    for quantity in OURS:
        main, first, second = (
            sol[f"{name}.{quantity}"].values for name in ("main", "first", "second")
        )
        columns += [main + first, main + first + second]
    columns[:2] = [np.degrees(x) + 90.0 for x in columns[:2]]
    return np.array(columns).T


@pytest.fixture(scope="module")
def four_bar():
    return pins((1.0, 3.0, 2.5), 3.0)


MODE = {"first.angle": np.radians(60), "second.angle": np.radians(111)}


def crank(turns):
    return {"main.angle": lambda t: t - np.pi / 2}, (0.0, 2 * np.pi * turns)


def test_table_of_the_four_bar(four_bar):
    table = np.array([line.split() for line in TABLE.split("\n")[1:-1]], dtype=float)
    drive, span = crank(1)
    sol = jd.kinematics(four_bar, span, driven=drive, near=MODE, sample=np.radians(table[:, 0]))
    assert absolute(sol)[:, :2] == pytest.approx(table[:, 1:3], abs=6e-11)
    assert absolute(sol)[:, 2:] == pytest.approx(table[:, 3:], abs=6e-11)


def test_many_turns_on_one_branch(four_bar):
    drive, span = crank(20)
    sol = jd.kinematics(four_bar, span, driven=drive, near=MODE, sample=np.pi / 6)
    turns = absolute(sol)[:-1].reshape(20, 12, 6)
    assert turns == pytest.approx(np.broadcast_to(turns[0], turns.shape), abs=1e-11)
    assert sol.statistics.rejected < sol.statistics.steps


def test_the_mirrored_mode(four_bar):
    found = jd.assemble(
        four_bar,
        {"main.angle": 0.0},
        near={"first.angle": np.radians(50), "second.angle": np.radians(-120)},
    )
    sums = np.cumsum([found["main.angle"], found["first.angle"], found["second.angle"]])
    assert np.degrees(sums[1:]) + 90 == pytest.approx([145.7711336722, 7.1807557815], abs=1e-9)


@pytest.mark.parametrize(("sign", "side"), [(1.0, 2.0), (-1.0, 4.0)])
def test_a_drive_stops_at_its_dead_point(four_bar, sign, side):
    """Crank and coupler in one line, folded or stretched: triangle of their length, 3 and 2.5."""
    begin = np.radians(81.1426403148)  # of the rocker against the line of the fixed pivots
    limit = np.arccos((2.5**2 + 3.0**2 - side**2) / (2 * 2.5 * 3.0))
    drive = {"pivot.angle": lambda t: -begin + sign * t}
    near = MODE | {"main.angle": -np.pi / 2}
    with pytest.raises(jd.IntegrationError, match=r"a dead point\.") as caught:
        jd.kinematics(four_bar, 10.0, driven=drive, near=near, sample=0.01)
    when = float(re.search(r"stops at t = ([\d.]+) s", str(caught.value))[1])
    assert when == pytest.approx(abs(begin - limit), abs=1e-6)
    found = caught.value.solution
    assert 0 < when - found.time[-1] < 0.01
    assert not found.statistics.is_complete


def test_a_change_point_is_passed_smoothly():
    """A parallelogram stays one through the flat positions, sampled right there."""
    model = pins((1.0, 3.0, 1.0), 3.0)
    start = {"first.angle": -0.3, "second.angle": 0.3 + np.pi}
    sol = jd.kinematics(
        model, 8.0, driven={"main.angle": lambda t: 0.3 - t}, near=start, sample=0.1
    )
    assert sol.time[3] == pytest.approx(0.3)
    along = sol["main.angle"].values + sol["first.angle"].values
    assert along == pytest.approx(np.zeros_like(along), abs=1e-9)


def test_bennett_keeps_its_relation():
    """Opposite angles are equal, and tan θ₁/2 tan θ₂/2 stays."""
    near = dict(zip(("j2", "j3", "j4"), (-3.41827384, -0.8, -2.86491147), strict=True))
    sol = jd.kinematics(
        bennett(),
        2.0,
        driven={"j1.angle": lambda t: 0.8 + t},
        near={f"{name}.angle": x for name, x in near.items()},
        sample=0.1,
    )
    one, two = (np.tan(sol[f"{name}.angle"].values / 2) for name in ("j1", "j2"))
    assert one * two == pytest.approx(np.full_like(one, one[0] * two[0]), rel=1e-10)
    opposite = sol["j3.angle"].values + sol["j1.angle"].values
    assert np.cos(opposite) == pytest.approx(np.ones_like(opposite), abs=1e-12)
