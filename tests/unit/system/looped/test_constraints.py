"""Constrained motion in loops: what it covers, and what is left to straight-line code."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.constraint_sweep import CONSTRAINT_SWEEP
from jourdain.equations.tracing.constant_entries import known_entries
from jourdain.system.description import Description
from jourdain.system.looped.row_blocks import plain_coordinates, row_blocks
from jourdain.system.looped.row_cells import RowCells
from jourdain.system.state import state_kernel, state_symbols


@pytest.fixture
def four_bar():
    """Planar four-bar with a coupler whose length is a parameter, and a gear on its crank."""
    model = jd.Model("four bar", gravity=(0, -9.81, 0))
    reach = jd.Parameter("reach", 1.0, "m")
    bar = jd.Inertia(mass=1.0, com=(0.5, 0, 0), moments=(0.1, 0.1, 0.1))
    crank, coupler, rocker = (model.add_body(n, bar) for n in ("crank", "coupler", "rocker"))
    model.add_joint("a", model.world, crank, jd.Revolute("z"))
    model.add_joint("b", crank.at(0.4, 0, 0), coupler, jd.Revolute("z"))
    model.add_joint("d", model.world.at(1, 0, 0), rocker, jd.Revolute("z"))
    model.add_joint("c", coupler.at(reach, 0, 0), rocker.at(0.8, 0, 0), jd.Revolute("z"))
    model.add_coordinate("wheel", 0.2)
    gear = jd.Sum(((1.0, jd.Coordinate("a.angle")), (-2.0, jd.Coordinate("wheel"))))
    model.add_connection("gear", gear, jd.Equal())
    return model


def looped(model, **options):
    return jd.compile(model, execution=jd.Looped(), **options)


def is_looped(kernel):
    return kernel.extras_for is not None


START = {"a.angle": 1.2}


def test_motion_follows_parameters(four_bar):
    """Kernels bound to other parameters move as straight-line code does."""
    loops, straight = looped(four_bar), jd.compile(four_bar, execution=jd.Unrolled())
    assert is_looped(state_kernel(loops, {}, {}))
    ends = [
        jd.simulate(s, 0.3, start=START, parameters={"reach": 1.1}, sample=0.1).q[-1]
        for s in (loops, straight)
    ]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-8)
    other = jd.simulate(loops, 0.3, start=START, sample=0.1).q[-1]
    assert np.abs(other - ends[0]).max() > 1e-3


def test_inputs_and_laws(four_bar):
    """A torque of time on the crank and a spring between two bodies enter the loops."""
    crank, rocker = four_bar.bodies["crank"], four_bar.bodies["rocker"]
    ends = crank.at(0.2, 0, 0), rocker.at(0.2, 0, 0)
    four_bar.add_connection("spring", jd.Distance(*ends), jd.Spring(50.0, free=0.3))
    inputs = {"a.angle": lambda t: 2.0 * jd.sin(3.0 * t)}
    found = [
        jd.simulate(s, 0.2, start=START, inputs=inputs, sample=0.1)
        for s in (looped(four_bar), jd.compile(four_bar, execution=jd.Unrolled()))
    ]
    np.testing.assert_allclose(found[0].q[-1], found[1].q[-1], atol=1e-8)
    np.testing.assert_allclose(found[0].vdot[0], found[1].vdot[0], rtol=1e-9, atol=1e-9)


def test_forces_in_a_cut_joint_are_left_to_straight_line_code(four_bar):
    system = looped(four_bar, cut="c")
    assert not is_looped(state_kernel(system, {"c.angle": 1.0}, {}))
    assert is_looped(state_kernel(system, {"a.angle": 1.0}, {}))


def test_measures_of_a_cut_joint_are_left_to_straight_line_code(four_bar):
    stop = jd.Sum(((1.0, jd.Coordinate("c.angle")), (1.0, jd.Coordinate("a.angle"))))
    four_bar.add_coordinate("pointer", 0.1)
    four_bar.add_connection("sum", stop, jd.Damper(0.1))
    system = looped(four_bar, cut="c")
    assert not is_looped(state_kernel(system, {}, {}))
    held = jd.Sum(((1.0, jd.Coordinate("c.angle")), (1.0, jd.Coordinate("pointer"))))
    four_bar.add_connection("pointing", held, jd.Equal())
    assert not is_looped(looped(four_bar, cut="c").projection_kernel(0))


def test_laws_that_ask_for_forces_of_constraints_are_left_to_straight_line_code(four_bar):
    friction = jd.Law(lambda x, v, at: -0.1 * at.multiplier("gear") * jd.sin(v))
    four_bar.add_connection("friction", jd.Coordinate("a.angle"), friction)
    assert not is_looped(state_kernel(looped(four_bar), {}, {}))


def test_blocks_of_equal_kinds_share_code():
    """Ten cells: the code of the rows does not grow; planar rows of two entries each are left."""
    counts = []
    for n in (4, 10):
        d = Description(_cells(n), share=True)
        blocks = row_blocks(d, known_entries(CONSTRAINT_SWEEP, d.links))
        assert len(blocks) == n
        cells = RowCells(d, ("bias",), True)
        counts.append(len(cells.kinds.all))
        assert sum(x is not None for x in cells.cells("bias")) == 2 * n
    assert counts[0] == counts[1]


def _cells(n):
    model = jd.Model("cells")
    bar = jd.Inertia(mass=1.0, com=(0.5, 0, 0), moments=(0.1, 0.1, 0.1))
    cranks = [model.add_body(f"crank{k}", bar) for k in range(n + 1)]
    for k, crank in enumerate(cranks):
        model.add_joint(f"ground{k}", model.world.at(0.7 * k, 0, 0), crank, jd.Revolute("z"))
    for k in range(n):
        coupler = model.add_body(f"coupler{k}", bar)
        model.add_joint(f"left{k}", cranks[k].at(0.9, 0, 0), coupler, jd.Revolute("z"))
        end = cranks[k + 1].at(0.9, 0, 0)
        model.add_joint(f"right{k}", coupler.at(0.7, 0, 0), end, jd.Revolute("z"))
    return model


def test_plain_coordinates_are_those_with_velocities_as_rates(four_bar):
    ball = four_bar.add_body("ball", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    four_bar.add_joint("socket", four_bar.world, ball, jd.Spherical())
    d = Description(four_bar, share=True)
    found = plain_coordinates(d)
    assert {"a.angle", "wheel"} <= found.keys()
    assert not any(name.startswith("socket") for name in found)
    system = looped(four_bar)
    assert found["a.angle"] == (system.index("a.angle"), system.index("a.rate"))


def test_symbols_of_a_kernel(four_bar):
    system = looped(four_bar)
    kernel = state_kernel(system, {}, {})
    assert [name for name, _ in kernel.inputs] == list(state_symbols(system, 0))
    assert [name for name, _ in kernel.outputs] == ["qdot", "vdot"]
