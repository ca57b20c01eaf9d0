from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.solvers import Problem, Status, all_integrators
from jourdain.system.state import state_kernel, tangent_kernel

EVERY = pytest.mark.parametrize("integrator", all_integrators(), ids=lambda x: type(x).__name__)


@pytest.fixture(scope="module")
def problem():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    system = jd.compile(model)
    none = np.zeros(0)
    return Problem(
        state_kernel(system, {}, {}), None, [], [], [], none, none,
        lambda: tangent_kernel(system, {}, {}),
    )  # fmt: skip


def finish(run):
    status = Status.PAUSED
    while status == Status.PAUSED:
        status = run.advance(10_000)
    assert status == Status.FINISHED
    return run


def begin(problem, integrator, end):
    run = integrator.start(problem, np.array([1.0, 0.0]), 0.0, end, np.array([end]))
    run.continue_to(end, is_end=True)
    return run


@EVERY
def test_the_mark_lies_before_the_step_that_the_end_cuts(problem, integrator):
    run = finish(begin(problem, integrator, 0.505))
    assert run.t == 0.505
    t = run.mark.arrays["dp"][0]
    assert t < 0.505
    assert run.mark.n_samples == 0
    assert t + run.mark.arrays["dp"][2] >= 0.505 * (1 - 1e-12)  # its step would have gone beyond


@EVERY
def test_from_the_mark_a_run_goes_on_as_if_there_were_no_end(problem, integrator):
    whole = finish(begin(problem, integrator, 1.0))
    mark = finish(begin(problem, integrator, 0.505)).mark
    other = begin(problem, integrator, 1.0)
    other.restore(mark.arrays)
    other.continue_to(1.0, is_end=True)
    finish(other)
    np.testing.assert_array_equal(whole.w[:2], other.w[:2])
    assert whole.counts == other.counts


@EVERY
def test_chunks_change_nothing(problem, integrator):
    whole, chunks = finish(begin(problem, integrator, 0.5)), begin(problem, integrator, 0.5)
    while chunks.advance(1) == Status.PAUSED:
        pass
    np.testing.assert_array_equal(whole.w[:2], chunks.w[:2])
    assert whole.counts == chunks.counts


def test_a_memory_of_another_size_is_refused(problem):
    run = begin(problem, jd.Dop853(), 1.0)
    with pytest.raises(ValueError, match="'w' has another size"):
        run.restore({**run.memory().arrays, "w": np.zeros(2)})
    with pytest.raises(ValueError, match="'pivots' has another size"):
        begin(problem, jd.Radau5(), 1.0).restore(
            {
                n: a
                for n, a in begin(problem, jd.Radau5(), 1.0).memory().arrays.items()
                if n != "pivots"
            }
        )


def test_held_inputs_start_the_next_step_afresh(problem):
    run = finish(begin(problem, jd.Radau5(), 0.5))
    run.hold(np.zeros(0))
    arrays = run.memory().arrays
    begun = begin(problem, jd.Radau5(), 0.5).memory().arrays
    flags = [15, 21, 22]  # first rate, Jacobian, last step
    np.testing.assert_array_equal(arrays["ip"][flags], begun["ip"][flags])
