"""Where massless nodes are at the start."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.assembly.settle import settled

PLANE = jd.Prismatic("x") * jd.Prismatic("y")


def strings(free, start, ends=((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0))):
    """A knot between strings to fixed points, beside a body that is there to move."""
    model = jd.Model("strings", gravity=(0, 0, 0))
    model.add_coordinate("idle", 1.0)
    knot = jd.Node("knot", start, kind=PLANE)
    law = jd.Spring(100.0, free=free)
    legs = {
        f"s{k}": (jd.Distance(model.world.at(x, y, 0), knot), law) for k, (x, y) in enumerate(ends)
    }
    model.add_connection("net", jd.Composite(legs, nodes=[knot]))
    return jd.compile(model)


def energy(q, free, ends=((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0))):
    return 50.0 * sum((np.linalg.norm(q - e) - free) ** 2 for e in ends)


def test_equilibrium_is_a_minimum_of_the_energy():
    system = strings(0.5, (0.3, 0.4))
    place = settled(system, system.state()[0])[-2:]
    least = energy(place, 0.5)
    for step in 1e-4 * np.eye(2):
        assert energy(place + step, 0.5) > least
        assert energy(place - step, 0.5) > least


def test_slack_strings_are_left_for_the_stable_side():
    """Struts of 1.5 m between points 2 m apart: the middle is unstable, the search leaves it."""
    system = strings(1.5, (0.05, -1e-3), ends=((-1.0, 0.0), (1.0, 0.0)))
    place = settled(system, system.state()[0])[-2:]
    assert place == pytest.approx((0.0, -np.sqrt(1.25)), abs=1e-9)


def test_the_start_chooses_the_side():
    system = strings(1.5, (0.05, 1e-3), ends=((-1.0, 0.0), (1.0, 0.0)))
    assert settled(system, system.state()[0])[-1] == pytest.approx(np.sqrt(1.25), abs=1e-9)


def test_values_of_the_user_are_where_the_search_begins():
    system = strings(1.5, (0.05, 1e-3), ends=((-1.0, 0.0), (1.0, 0.0)))
    q, _ = system.state({"net.knot.position_2": -0.3})
    assert settled(system, q)[-1] == pytest.approx(-np.sqrt(1.25), abs=1e-9)


def test_models_without_composites_stay_as_they_are():
    model = jd.Model("plain")
    model.add_coordinate("shaft", 1.0)
    q = np.array((0.3,))
    assert settled(jd.compile(model), q) is q


def test_inputs_take_part():
    model = jd.Model("press")
    model.add_coordinate("rod", 1.0, unit="m")
    laws = {"coil": jd.Spring(100.0), "cylinder": jd.Actuator(1e-3) + jd.Spring(300.0)}
    model.add_connection("press", jd.in_series(jd.Coordinate("rod"), **laws))
    system = jd.compile(model)
    q = settled(system, system.state()[0], extra=np.array((4e4,)))
    assert q[-1] == pytest.approx(40.0 / 400.0)
