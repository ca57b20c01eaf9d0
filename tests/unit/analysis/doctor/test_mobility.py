from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.doctor.mobility import Mobility, rank_of


def slider(scale):
    """Slider-crank of any size: its numbers in natural units do not depend on it."""
    model = jd.Model("slider")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(scale, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(3 * scale, 0, 0)))
    piston = model.add_body("piston", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(scale, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(3 * scale, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    return jd.compile(model)


def mobility(system, **at):
    found = jd.assemble(system, at)
    return Mobility(system, found.q, 0.0, system.parameter_array(None))


def test_rank_of_singular_values():
    assert rank_of(np.array([2.0, 1.0, 1e-12])) == 2
    assert rank_of(np.zeros(3)) == 0
    assert rank_of(np.zeros(0)) == 0


@pytest.fixture(scope="module")
def at_work():
    return mobility(slider(1.0), **{"main.angle": 0.7})


def test_motions_satisfy_the_constraints(at_work):
    m = at_work
    assert (m.rank, m.n_dof, m.n_redundant, m.n_positions) == (2, 1, 3, 1)
    assert m.P @ m.motions == pytest.approx(np.zeros((5, 1)), abs=1e-14)
    assert m.repeats.T @ m.P == pytest.approx(np.zeros((3, 3)), abs=1e-14)


def test_condition_of_a_choice(at_work):
    m = at_work
    system, z = m.system, m.motions[:, 0]
    k = system.names.v.index("main.rate")
    assert m.condition(["main.rate"]) == pytest.approx(np.linalg.norm(z) / abs(z[k]))
    assert m.condition(["main.rate", "wrist.rate"]) == np.inf
    assert m.condition(m.proposal()) <= min(m.condition([name]) for name in system.names.v)


def test_the_slider_is_no_choice_at_its_dead_point():
    m = mobility(slider(1.0), **{"main.angle": 0.0})
    assert m.n_dof == 1
    assert m.condition(["guide.velocity"]) > 1e6
    assert m.condition(["main.rate"]) < 10


def test_numbers_do_not_depend_on_the_size(at_work):
    small = mobility(slider(1e-3), **{"main.angle": 0.7})
    assert small.ratio == pytest.approx(at_work.ratio, rel=1e-9)
    assert small.length == pytest.approx(1e-3 * at_work.length)
    assert small.condition(["guide.velocity"]) == pytest.approx(
        at_work.condition(["guide.velocity"])
    )


def test_a_machine_without_constraints_has_no_rows():
    model = jd.Model("ball")
    model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    system = jd.compile(model)
    m = Mobility(system, system.state()[0], 0.0, system.parameter_array(None))
    assert (m.n_rows, m.n_dof, m.n_positions, m.ratio, m.length) == (0, 6, 6, 1.0, 1.0)


def test_what_cannot_be_driven_is_proposed_last():
    """A ball joint has no coordinate whose rate its angular velocity is; the slide has one."""
    model = jd.Model("rod on slides")
    slides = [model.add_body(f"slide_{axis}", jd.solid.ball(1.0, 0.1)) for axis in "xy"]
    rod = model.add_body("rod", jd.solid.rod(1.0, (1.0, 1.0, 0)))
    for axis, slide in zip("xy", slides, strict=True):
        model.add_joint(
            axis, model.world.at(*(0.5 * (axis == a) for a in "xyz")), slide, jd.Prismatic(axis)
        )
    model.add_joint("near", slides[0], rod, jd.Spherical())
    model.add_joint("far", slides[1], rod.at(0.5, 0.5, 0), jd.Spherical())
    system = jd.compile(model)
    at = jd.assemble(system)
    found = Mobility(system, at.q, 0.0, system.parameter_array(None)).proposal()
    assert len(found) == 2  # along the slides, and the spin of the rod about itself
    assert {name.partition(".")[2] for name in found} & {"velocity"}
