"""Forward dynamics of long chains beside Drake's MultibodyPlant, and the largest difference.

Both are called from Python at one state that has just been set; ours includes its call (some 3 us).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from contest import Chain

SIZES = (100, 1000)
REPEATS = 50


def drake(chain: Chain) -> Callable[[Any], Any]:
    """Accelerations of Drake as a function of the state."""
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import (
        FixedOffsetFrame,
        RevoluteJoint,
        RotationalInertia,
        SpatialInertia,
    )

    plant = MultibodyPlant(0.0)
    inboard = plant.world_body()
    for k in range(chain.n):
        moments = RotationalInertia(*chain.moments)
        com = np.array(chain.com)
        inertia = SpatialInertia.MakeFromCentralInertia(chain.mass(k), com, moments)
        body = plant.AddRigidBody(f"body{k}", inertia)
        place = RigidTransform(np.array(chain.place(k)))
        frame = plant.AddFrame(FixedOffsetFrame(f"frame{k}", inboard.body_frame(), place))
        axis = np.eye(3)[k % 3]
        plant.AddJoint(RevoluteJoint(f"joint{k}", frame, body.body_frame(), axis))
        inboard = body
    plant.Finalize()
    context = plant.CreateDefaultContext()

    def accelerations(state: Any) -> Any:
        plant.SetPositionsAndVelocities(context, state)
        return plant.EvalTimeDerivatives(context).CopyToVector()[chain.n :]

    return accelerations


def best(function: Callable[[], Any]) -> float:
    """Shortest of some calls [us]."""
    took = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()
        took.append(time.perf_counter() - begin)
    return 1e6 * min(took)


def main() -> None:
    import jourdain as jd

    for n in SIZES:
        chain = Chain(n)
        try:
            theirs = drake(chain)
        except ImportError as missing:
            print(f"Drake is not there: {missing}")
            return
        state = np.random.default_rng(0).uniform(-1, 1, 2 * n)
        q, v = state[:n], state[n:]
        own = jd.compile(chain.model()).forward_dynamics
        expected, found = own(q, v), theirs(state)
        apart = np.abs(found - expected).max() / np.abs(expected).max()
        ours_took, took = best(lambda: own(q, v)), best(lambda: theirs(state))  # noqa: B023
        print(
            f"{n:>5} joints: Jourdain {ours_took:.1f} us, Drake {took:.1f} us, "
            f"{took / ours_took:.1f} times; they differ by {apart:.0e}"
        )


if __name__ == "__main__":
    main()
