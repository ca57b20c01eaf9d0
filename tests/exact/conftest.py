"""Time integration of systems for tests against closed solutions."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp


class Motion:
    """Solution of a system: state at any time of the interval."""

    def __init__(self, solution, n_q):
        self._solution, self._n_q = solution, n_q

    def at(self, t):
        """Coordinates and velocities at one time."""
        y = self._solution.sol(t)
        return y[: self._n_q], y[self._n_q :]

    @property
    def events(self):
        return self._solution.t_events


@pytest.fixture(scope="session")
def integrate():
    """Integrate a system by an eighth-order Runge-Kutta method with an error of about 1e-12."""

    def run(system, q, v, end, *, tau=None, wrenches=None, events=None):
        n_q = len(q)

        def rates(t, y):
            q, v = y[:n_q], y[n_q:]
            load = None if wrenches is None else wrenches(t, q, v)
            force = None if tau is None else tau(t, q, v)
            vdot = system.forward_dynamics(q, v, force, t, wrenches=load)
            return np.concatenate((system.coordinate_rates(q, v, t), vdot))

        solution = solve_ivp(
            rates,
            (0.0, end),
            np.concatenate((q, v)),
            "DOP853",
            rtol=1e-12,
            atol=1e-13,
            dense_output=True,
            events=events,
        )
        assert solution.success
        return Motion(solution, n_q)

    return run


@pytest.fixture(scope="session")
def linearised():
    """Matrix of the linearised equations of motion d(q, v)/dt = f(q, v) about a state."""
    step = 1e-3  # of the six-point difference: error h⁶/140 · |d⁷f|, rounding 2 eps/h
    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}

    def matrix(system, q, v):
        n_q, state = len(q), np.concatenate((q, v))

        def rates(y):
            vdot = system.forward_dynamics(y[:n_q], y[n_q:])
            return np.concatenate((system.coordinate_rates(y[:n_q], y[n_q:]), vdot))

        columns = []
        for unit in step * np.eye(len(state)):
            pairs = (
                w * (rates(state + k * unit) - rates(state - k * unit)) for k, w in weights.items()
            )
            columns.append(sum(pairs) / step)
        return np.array(columns).T

    return matrix
