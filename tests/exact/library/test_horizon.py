"""Dynamic programming against a direct solution and Ipopt, on random data (4.F46, 4.V25)."""

import casadi as ca
import numpy as np
import pytest

from jourdain.errors import ModelError
from jourdain.library.powertrain.shifting.horizon import Horizon

K, N, SIZE, INPUTS, OUTPUTS = 12, 6, 5, 2, 2


def random_horizon(rng, **more):
    def draw(*shape):
        return rng.normal(size=shape)

    turn = np.linalg.qr(draw(K + N, SIZE, SIZE))[0]
    root = draw(K, INPUTS, INPUTS)
    return Horizon(
        A=turn * rng.uniform(0.7, 1.1, (K + N, 1, 1)), B=draw(K, SIZE, INPUTS),
        e=draw(K + N, SIZE), C=draw(K + N + 1, OUTPUTS, SIZE), g=draw(K + N + 1, OUTPUTS),
        D=0.3 * draw(K, OUTPUTS, INPUTS), R=root @ root.transpose(0, 2, 1) + np.eye(INPUTS),
        wanted=draw(K, INPUTS), end=(draw(SIZE), 0.7), weight=0.8, **more,
    )  # fmt: skip


def program(own, x):
    """Cost and what shall vanish, as expressions of all inputs."""
    u = ca.SX.sym("u", INPUTS, K)
    cost, x = 0, ca.DM(x)
    for k in range(K + N + 1):
        y = ca.DM(own.C[k]) @ x + ca.DM(own.g[k])
        if k < K:
            y = y + ca.DM(own.D[k]) @ u[:, k]
            away = u[:, k] - ca.DM(own.wanted[k])
            cost = cost + away.T @ ca.DM(own.R[k]) @ away
        cost = cost + (1.0 if k < K else own.weight) * ca.sumsqr(y)
        if k == K:
            end = ca.DM(own.end[0]).T @ x - own.end[1]
        if k < K + N:
            x = ca.DM(own.A[k]) @ x + ca.DM(own.e[k])
            x = x + ca.DM(own.B[k]) @ u[:, k] if k < K else x
    return ca.vec(u), cost, end


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_direct_solution(seed):
    """Inputs of the normal equations, to 1e-9; the end is met."""
    rng = np.random.default_rng(seed)
    own, x = random_horizon(rng), rng.normal(size=SIZE)
    u, cost, end = program(own, x)
    H, slope = ca.hessian(cost, u)
    row = ca.jacobian(end, u)
    parts = ca.Function("parts", [u], [H, slope, row, end])(np.zeros(K * INPUTS))
    H, slope, row, end = (np.array(part) for part in parts)
    whole = np.block([[H, row.T], [row, np.zeros((1, 1))]])
    direct = np.linalg.solve(whole, np.concatenate([-slope[:, 0], -end[0]]))[:-1]
    plan = own.solve(x)
    np.testing.assert_allclose(plan.inputs.ravel(), direct, atol=1e-9 * np.abs(direct).max())
    assert own.end[0] @ plan.states[-1] == pytest.approx(own.end[1], abs=1e-9)
    np.testing.assert_allclose(own.gradient(plan), 0.0, atol=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_bounds_equal_those_of_ipopt(seed):
    rng = np.random.default_rng(100 + seed)
    low, high = -rng.uniform(0.2, 1.0, (K, INPUTS)), rng.uniform(0.2, 1.0, (K, INPUTS))
    own, x = random_horizon(rng, bounds=(low, high)), rng.normal(size=SIZE)
    u, cost, end = program(own, x)
    options = {"print_time": False, "ipopt": {"print_level": 0, "tol": 1e-12, "sb": "yes"}}
    solver = ca.nlpsol("s", "ipopt", {"x": u, "f": cost, "g": end}, options)
    found = solver(x0=np.zeros(K * INPUTS), lbx=low.ravel(), ubx=high.ravel(), lbg=0, ubg=0)
    if not solver.stats()["success"]:
        with pytest.raises(ModelError, match=r"the end may lie out of reach|do not reach the end"):
            own.solve(x)
        return
    plan = own.solve(x)
    np.testing.assert_allclose(plan.inputs.ravel(), np.array(found["x"])[:, 0], atol=2e-6)
    assert (plan.inputs >= low - 1e-9).all()
    assert (plan.inputs <= high + 1e-9).all()


def test_an_end_out_of_reach():
    own = random_horizon(np.random.default_rng(3))
    still = Horizon(**{**own.__dict__, "B": 0.0 * own.B})
    with pytest.raises(ModelError, match="do not reach the end of the horizon"):
        still.solve(np.zeros(SIZE))
