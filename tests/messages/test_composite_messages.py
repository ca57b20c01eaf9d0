"""What users read when composite connections are wrong, or lose their equilibrium."""

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import AssemblyError, IntegrationError, ModelError, SingularSystemError

MODEL = jd.Model("machine", gravity=(0, 0, 0))
ROD = MODEL.add_body("rod", jd.Inertia(1.0, moments=(1.0, 1.0, 1.0)))
WORLD = MODEL.world
KNOT = jd.Node("knot", (0.5, 0.5, 0.0))
LINE = jd.Distance(ROD, KNOT)
LEG = (LINE, jd.Spring(10.0))
PLANE = jd.Prismatic("x") * jd.Prismatic("y")


def added(**options):
    """Try a composite in a copy of the model."""
    return MODEL.copy().add_connection("star", jd.Composite(**options))


WRONG = [
    (
        lambda: jd.Node("knot", on=3),
        "node 'knot' hangs on 3: give a body, a frame such as body.at(0.1, 0, 0), or another node.",
    ),
    (
        lambda: jd.Node("knot", kind=3),
        "node 'knot': its kind is 3. Give a joint kind, for example jd.Revolute(\"z\").",
    ),
    (
        lambda: jd.Node("knot", start=(1.0, 2.0)),
        "node 'knot' has 2 start values, but the coordinates position.x, position.y, position.z: "
        "give one for each.",
    ),
    (
        lambda: jd.Node("knot", kind=jd.Spherical()),
        "node 'knot': the velocities of its kind Spherical are not the rates of its coordinates. "
        "Use a kind with angles, such as jd.Gimbal().",
    ),
    (
        lambda: jd.Node("knot", jd.Parameter("a", 0.3), kind=jd.Revolute("z")),
        "start of node 'knot' is a: start values cannot depend on parameters. Give a number here, "
        "and others as the start of a run.",
    ),
    (lambda: jd.Node("a.b"), "node name 'a.b' contains a dot"),
    (
        lambda: jd.Composite([LEG], nodes=[KNOT]),
        "Composite has the members",
    ),
    (
        lambda: jd.Composite({"leg": LINE}, nodes=[KNOT]),
        ": give a measure and a law, such as (jd.Distance(body, node), jd.Spring(1e3)).",
    ),
    (
        lambda: jd.Composite({"leg": (LINE, "spring")}, nodes=[KNOT]),
        "give one such as jd.Spring(1e3), jd.Equal(...) or jd.Interval(10.0).",
    ),
    (
        lambda: jd.Composite({"leg": LEG}, nodes=["knot"]),
        "Composite has 'knot' among its nodes: give jd.Node(\"name\", start=(x, y, z)).",
    ),
    (
        lambda: jd.Composite({"knot": LEG}, nodes=[KNOT]),
        "Composite has 'knot' twice: nodes, coordinates and members have different names, because "
        "results are addressed by them.",
    ),
    (
        lambda: jd.Composite({"leg": LEG}),
        "Composite has no nodes and no coordinates between its members: add the members as "
        "connections of their own.",
    ),
    (
        lambda: jd.Composite({"leg": LEG}, nodes=[KNOT], start={"knot": 1.0}),
        "Composite has a start value of 'knot', which is none of its coordinates (none). Nodes "
        "have start values of their own.",
    ),
    (
        lambda: jd.in_series(jd.Relative(WORLD, ROD), a=jd.Spring(1.0), b=jd.Spring(1.0)),
        "give one with a single component, such as jd.Distance(a, b) or jd.Relative(a, b, 'x').",
    ),
    (
        lambda: jd.in_series(LINE, a=jd.Spring(1.0)),
        "in_series has 1 laws: give two or more by name, such as spring=jd.Spring(1e3), "
        "oil=jd.Damper(20.0).",
    ),
    (
        lambda: MODEL.copy().add_connection("star", jd.Composite({"a": LEG}, [KNOT]), jd.Equal()),
        ["connection 'star' has a composite", "the law Equal(): leave it out."][0],
    ),
    (
        lambda: added(members={"a": LEG}, nodes=[KNOT, jd.Node("rod")]),
        "connection 'star' has a node 'rod', but the model has a body of that name. Give the node "
        "another name, so that measures can tell them apart.",
    ),
    (
        lambda: added(members={"a": LEG}, nodes=[jd.Node("late", on=KNOT), KNOT]),
        "connection 'star': node 'late' hangs on node 'knot', which does not stand before it. "
        "Change the order of the nodes, so that they form a tree.",
    ),
    (
        lambda: added(
            members={"a": (jd.Coordinate("kont.position.x"), jd.Spring(1.0))}, nodes=[KNOT]
        ),
        "no coordinate 'kont.position.x' in connection 'star.a'.",
    ),
]


@pytest.mark.parametrize(("call", "text"), WRONG, ids=range(len(WRONG)))
def test_wrong_composites(call, text):
    with pytest.raises(jd.JourdainError, match=re.escape(text)):
        call()


def test_a_composite_that_fails_leaves_the_model_as_it_was():
    model, other = MODEL.copy(), jd.Model("other")
    stranger = other.add_body("stranger", jd.Inertia(1.0))
    members = {"a": (jd.Distance(stranger, KNOT), jd.Spring(1.0))}
    with pytest.raises(ModelError, match="belongs to another model"):
        model.add_connection("star", jd.Composite(members, nodes=[KNOT]))
    assert model == MODEL


def moving(members, nodes, feet=((0.0, 0.0), (1.0, 0.0), (0.2, 0.9))):
    """Masses in a plane with a composite; members are functions of the bodies."""
    model = jd.Model("moving", gravity=(0, 0, 0))
    bodies = []
    for k, (x, y) in enumerate(feet):
        bodies.append(model.add_body(f"m{k}", jd.solid.ball(mass=1.0, radius=0.1)))
        model.add_joint(f"plane{k}", model.world.at(x, y, 0), bodies[k], PLANE)
    made = {f"leg_{k}": part(bodies[k]) for k, part in enumerate(members)}
    model.add_connection("star", jd.Composite(made, nodes=nodes))
    return model


def legs(*laws, node=KNOT):
    return [lambda b, law=law: (jd.Distance(b, node), law) for law in laws]


def test_an_internal_coordinate_without_stiffness():
    """One leg leaves the node free to swing; the message names it, at the start of a run too."""
    model = moving(legs(jd.Spring(10.0, free=0.2)), [KNOT])
    text = (
        r"connection 'star': its internal coordinates? .*'star\.knot\.position\.[xyz]'.* no stiff"
    )
    with pytest.raises(SingularSystemError, match=text):
        jd.assemble(model)
    with pytest.raises(SingularSystemError, match="add a part that holds it"):
        jd.simulate(model, 1.0)


def test_an_internal_coordinate_that_enters_nothing():
    part = {"a": (jd.Coordinate("x"), jd.Spring(1.0))}
    model = MODEL.copy()
    model.add_connection("loose", jd.Composite(part, coordinates={"x": "m", "idle": "m"}))
    text = "connection 'loose': its internal coordinate 'loose.idle' has no stiffness, so nothing"
    with pytest.raises(SingularSystemError, match=text):
        jd.assemble(model)


def test_dampers_on_some_parts_of_a_node():
    laws = (jd.Spring(10.0, free=0.2), jd.Damper(1.0))
    text = "damping along some directions only, here.*put a damper beside every part or none"
    with pytest.raises(SingularSystemError, match=re.compile(text, re.DOTALL)):
        jd.simulate(moving(legs(*laws), [KNOT]), 1.0)


def test_two_rods_do_not_place_a_ball():
    text = "connection 'star': its internal coordinates? .*'star.knot.position.[xyz]'"
    with pytest.raises(SingularSystemError, match=text):
        jd.assemble(moving(legs(jd.Equal(0.7), jd.Equal(0.7)), [KNOT]))


def test_a_node_that_starts_where_a_leg_begins():
    node = jd.Node("knot", (0.0, 0.0), kind=PLANE)
    model = moving(legs(*[jd.Spring(10.0, free=0.1)] * 3, node=node), [node])
    text = r"give no numbers at star\.knot\.position_1 = 0, .*Give its nodes start values elsewhere"
    with pytest.raises(AssemblyError, match=re.compile(text, re.DOTALL)):
        jd.assemble(model)


def test_rods_that_cannot_all_hold_a_node():
    node = jd.Node("knot", (0.5, 0.3), kind=PLANE)
    model = moving(legs(jd.Equal(0.1), jd.Equal(0.1), node=node), [node])
    with pytest.raises(AssemblyError, match="connection 'star': no equilibrium of its members was"):
        jd.assemble(model)


def test_parts_that_hold_a_velocity():
    roll = {"a": (jd.Rolling(KNOT, WORLD, 0.1), jd.Equal()), "b": LEG}
    model = MODEL.copy()
    model.add_connection("star", jd.Composite(roll, nodes=[KNOT]))
    text = "connection 'star.a': a member of a composite holds .*, which has only a rate. Hold pos"
    with pytest.raises(ModelError, match=text):
        jd.assemble(model)


def test_a_node_that_snaps_through():
    """Masses that fly together push the node out of its equilibrium."""
    node = jd.Node("knot", (0.4, 0.4), kind=PLANE)
    model = moving(
        legs(*[jd.Spring(k, free=0.3) for k in (100.0, 200.0, 300.0)], node=node), [node]
    )
    text = r"nodes of 'star' lost their equilibrium and jumped|equilibrium of its members ends"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(model, 1.0)
    assert len(caught.value.solution.time) > 1


def test_a_state_next_to_a_snap():
    """Springs pushed together in a line: the node is about to leave it."""
    node = jd.Node("knot", (0.0, 1e-9), kind=PLANE)
    model = moving(legs(*[jd.Spring(100.0, free=1.0)] * 2, node=node), [node], ((-1, 0), (1, 0)))
    system = jd.compile(model)
    q, v = system.state({"star.knot.position_2": 0.0})
    from jourdain.system.checks.faults import lost_balance

    error = lost_balance(system.mechanism, q, 0.3, limit=1e-3)
    text = "connection 'star': the equilibrium of its members ends at t = 0.3 s: 'star.knot."
    assert str(error).startswith(text)
    assert lost_balance(system.mechanism, q + np.eye(len(q))[-1] * 0.5, 0.3, limit=1e-3) is None


def test_rates_that_dampers_do_not_tell():
    """A cubic damper under a large force: Newton's method from rest takes too many steps."""
    model = jd.Model("drive")
    model.add_coordinate("shaft", 1.0)
    laws = {"coil": jd.Spring(1e4), "oil": jd.Damper(jd.Polynomial((0.0, 1e-6, 0.0, 1e3)))}
    model.add_connection("coupling", jd.in_series(jd.Coordinate("shaft"), **laws))
    text = "connection 'coupling.coil': the rates at which the dampers of its composite balance"
    with pytest.raises(IntegrationError, match=text):
        jd.simulate(model, 1.0, start={"shaft.value": 1.0})


def test_nodes_are_not_partitioned():
    model = moving(legs(*[jd.Spring(10.0)] * 3), [KNOT])
    with pytest.raises(ModelError, match="has composite connections, whose massless nodes are not"):
        jd.simulate(model, 0.1, constraints=jd.Partition())


@pytest.mark.parametrize("laws", [("spring", "slider"), ("slider", "spring")])
def test_dry_friction_in_series_is_told_to_be_a_jenkins_element(laws):
    model = jd.Model("m")
    model.add_coordinate("x", 1.0)
    given = {"spring": jd.Spring(1.0), "slider": jd.Interval(1.0)}
    series = jd.in_series(jd.Coordinate("x"), **{name: given[name] for name in laws})
    text = rf"'strut.slider' is a contact.* at '{laws[1]}_elongation', which has no.*jd.Jenkins"
    with pytest.raises(jd.ModelError, match=text):
        model.add_connection("strut", series)
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    stop = {"leg": (jd.Distance(ball, KNOT), jd.Unilateral())}
    with pytest.raises(jd.ModelError, match=rf"'strut.leg' .* at '{KNOT.name}', which has no mass"):
        model.add_connection("strut", jd.Composite(stop, nodes=[KNOT]))
