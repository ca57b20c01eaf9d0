"""Energy balance and quaternions."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.audit import _work, energy_balance, quaternion_error


def test_a_conservative_run_balances(swing):
    balance = energy_balance(swing)
    assert balance.work == 0.0
    assert balance.work_error == 0.0
    assert abs(balance.residual) < 1e-11
    assert balance.exchanged == pytest.approx(np.ptp(swing.values("energy.kinetic")), rel=1e-9)


def test_inputs_and_drives_balance(mixture):
    balance = energy_balance(mixture)
    assert abs(balance.work) > 0.05
    assert abs(balance.residual) < 2 * balance.work_error < 1e-3 * balance.exchanged
    assert balance.largest < 2 * balance.work_error


def test_a_wrong_run_does_not_balance(swing):
    drift = np.linspace(0.0, 0.01, len(swing.time))[:, None]
    wrong = Solution(swing.system, swing.time, swing.q, swing.v * (1 + drift), swing.vdot)
    assert abs(energy_balance(wrong).residual) > 1e-3


def shaft(t, torque):
    """A shaft of inertia one under a torque that is constant between the times."""
    model = jd.Model("shaft")
    model.add_coordinate("shaft", 1.0)
    system = jd.compile(model, execution=jd.Plain())
    t, torque = np.asarray(t, dtype=float), np.asarray(torque, dtype=float)
    rate = np.concatenate(([0.0], np.cumsum(np.diff(t) * torque[:-1])))
    return Solution(system, t, np.zeros((len(t), 1)), rate[:, None], tau=torque[:, None])


def test_doubled_times_keep_jumps_apart():
    """Switched off at 0.5 s: the power jumps from 1 W to none, the work is 0.5 J."""
    sol = shaft((0.0, 0.25, 0.5, 0.5, 0.75, 1.0), (2.0, 2.0, 2.0, 0.0, 0.0, 0.0))
    balance = energy_balance(sol)
    assert balance.work == pytest.approx(0.5)
    assert balance.residual == pytest.approx(0.0, abs=1e-15)


def test_a_jump_between_samples_is_told_as_uncertain():
    sol = shaft((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (2.0, 2.0, 2.0, 0.0, 0.0, 0.0))
    balance = energy_balance(sol)
    assert abs(balance.residual) > 0.01
    assert balance.work_error > abs(balance.residual)


@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_a_jump_at_the_last_sample_before_a_doubled_time_is_told_as_uncertain(n):
    """Both values at a jump are those after it: the last interval before it counts half of them."""
    t = np.concatenate([np.linspace(0.0, 1.0, n), [1.0, 2.0]])
    torque = np.where(t < 1.0, 2.0, 0.0)
    balance = energy_balance(shaft(t, torque))
    assert abs(balance.residual) > 0.01
    assert balance.work_error > abs(balance.residual)


@pytest.mark.parametrize("later", [0.0, 6e-15])
def test_what_was_supplied(later):
    """2 N m on inertia 1 for 1 s, then -2 N m, found within rounding: 2 J are given, taken back."""
    sol = shaft((0.0, 0.5, 1.0, 1.0 + later, 1.5, 2.0), (2.0, 2.0, 2.0, -2.0, -2.0, -2.0))
    balance, rounding = energy_balance(sol), 1e-15 + 8.0 * later
    assert balance.supplied == pytest.approx(2.0)
    assert balance.work == pytest.approx(0.0, abs=rounding)
    assert balance.off == pytest.approx(0.0, abs=rounding)


def test_a_fall_supplies_its_weight(swing):
    """From rest the pendulum may move with what it falls."""
    potential = swing.values("energy.potential")
    fallen = potential[0] - potential.min()
    supplied = energy_balance(swing).supplied
    assert supplied == pytest.approx(fallen + swing.values("energy.kinetic")[0])


def test_work_is_of_order_four():
    def error(n):
        x = np.linspace(0.0, 1.0, n)
        t = (x + 0.5 * x**2) / 1.5
        return abs(_work(t, np.exp(t))[-1] - (np.e - 1.0))

    errors = np.array([error(n) for n in (11, 21, 41, 81)])
    assert errors[0] < 1e-4
    assert np.all(np.log2(errors[:-1] / errors[1:]) > 3.7)


def test_one_sample_balances():
    assert energy_balance(shaft((1.0,), (2.0,))).residual == 0.0


def test_quaternions_off_unit_length_are_found(mixture, swing):
    assert quaternion_error(swing) is None
    assert quaternion_error(mixture) < 1e-11
    q = np.array(mixture.q)
    q[5, 3:7] *= 1.001
    wrong = Solution(mixture.system, mixture.time, q, mixture.v, mixture.vdot)
    assert quaternion_error(wrong) == pytest.approx(0.001)
