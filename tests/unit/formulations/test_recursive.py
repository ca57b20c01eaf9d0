"""The compiled recursion among the formulations."""

from __future__ import annotations

import numpy as np

from jourdain.formulations import Recursive


def test_it_asks_the_system(moving, rng):
    system, q, v, vdot, t = moving
    tau, wrenches = rng.normal(size=len(v)), rng.normal(size=(4, 6))
    same, loaded = Recursive(), {"wrenches": wrenches}
    pairs = [
        (same.mass_matrix(system, q, t), system.mass_matrix(q, t)),
        (
            same.accelerations(system, q, v, tau, t, **loaded),
            system.forward_dynamics(q, v, tau, t, **loaded),
        ),
        (
            same.inverse_dynamics(system, q, v, vdot, t, **loaded),
            system.inverse_dynamics(q, v, vdot, t, **loaded),
        ),
        (
            same.loads(system, q, v, vdot, t, **loaded),
            system.loads(q, v, vdot, t, **loaded).interaction,
        ),
    ]
    for ours, systems in pairs:
        np.testing.assert_array_equal(ours, systems)
