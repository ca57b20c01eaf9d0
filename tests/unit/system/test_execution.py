from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.kinematics import POSES
from jourdain.system.compiled import CompiledModel
from jourdain.system.description import Description
from jourdain.system.execution import Execution, symbolic


def test_executions_are_values():
    assert jd.Unrolled() == jd.Unrolled(lanes=4)
    assert jd.Looped(8) != jd.Looped(4)
    assert str(jd.Looped()) == "Looped(lanes=4, loops_constraints=True)"


def test_numbers_are_shared_by_loops_only():
    assert [e.share_code for e in (jd.Plain(), jd.Unrolled(), jd.Looped())] == [False, False, True]


def test_execution_is_a_contract():
    with pytest.raises(TypeError, match="abstract"):
        Execution()


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("kind", [jd.Unrolled, jd.Looped])
def test_lanes_make_no_difference(crane, kind, lanes, rng):
    plain = jd.compile(crane, execution=jd.Plain())
    system = jd.compile(crane, execution=kind(lanes))
    q, v, vdot = rng.normal(size=(9, 11)), rng.normal(size=(9, 10)), rng.normal(size=(9, 10))
    for got, wanted in zip(
        system.kinematics(q, v, vdot), plain.kinematics(q, v, vdot), strict=True
    ):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_symbolic_columns_have_the_sizes_of_the_arrays(crane):
    inputs, outputs = symbolic(POSES, Description(crane, share=False))
    assert {name: x.numel() for name, x in inputs.items()} == {"q": 11, "t": 1, "p": 2}
    assert {name: x.numel() for name, x in outputs.items()} == {"pose": 4 * 16}


def test_loops_keep_few_sets_of_constants(crane):
    system = jd.compile(crane, execution=jd.Looped())
    q, _ = system.state()
    for mass in np.linspace(1, 2, 50):
        system.poses(q, parameters={"mass": mass})
    (function,) = system.questions[CompiledModel].functions.values()
    assert len(function._bound) < 20


@pytest.mark.parametrize(("n", "expected"), [(20, None), (21, False), (600, False), (601, True)])
def test_large_systems_run_in_loops(n, expected):
    """Trees first, rows of closed loops last."""
    model = jd.Model("chain")
    place = model.world
    for k in range(n):
        body = model.add_body(f"link_{k}", jd.Inertia(mass=1.0, moments=(1, 1, 1)))
        model.add_joint(f"joint_{k}", place, body, jd.Revolute("y"))
        place = body.at(0.1, 0, 0)
    found = jd.compile(model).execution
    assert getattr(found, "loops_constraints", None) is expected
