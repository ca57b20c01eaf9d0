"""Many short simulations at once: batches in SIMD lanes and threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.progress import tells_phases
from jourdain.codegen.kernel import Kernel
from jourdain.errors import ModelError
from jourdain.system.state import kept_under
from jourdain.system.step import steps_kernel
from jourdain.system.system import System


@tells_phases
def rollout(
    system: System,
    q: Any,
    v: Any,
    *,
    steps: int,
    dt: float,
    tau: Any = None,
    t: float = 0.0,
    parameters: Any = None,
    threads: int = 1,
) -> tuple[Any, Any]:
    """Advance many systems by semi-implicit Euler steps in machine code.

    Each step is ``v <- v + dt dv/dt(q, v, tau, t)``, ``q <- q + dt Y₁(q) v``, ``t <- t + dt``.

    Parameters
    ----------
    system : System
        The steps become straight-line code, which takes seconds to compile beyond 40 bodies.
    q : (..., n_q) [m, rad, 1]
        Start positions, one row per system.
    v : (..., n_v) [m/s, rad/s]
        Start velocities.
    steps : int
        Number of steps.
    dt : float [s]
        Step size.
    tau : (..., n_v) or (..., steps, n_v) [N, N m]
        Generalized forces, held or given for every step; default zero.
    t : float [s]
        Start time.
    parameters : mapping or (..., n_p)
        Values of parameters that differ from the nominal ones.
    threads : int
        Threads to share the systems.

    Returns
    -------
    q, v : (..., n_q), (..., n_v)
        Final states.

    Raises
    ------
    ModelError
        If the model has connections or closed loops.
    """
    if system.has_connections:
        raise ModelError(
            f"model {system.model.name!r} has connections or closed loops, which rollout leaves "
            "out. Use jd.simulate(model, t, method=jd.SemiImplicitEuler(dt))."
        )
    kernel = _kernel(system)
    n_v = len(system.names.v)
    forces = np.asarray(system.forces(tau), dtype=float)
    lead = np.broadcast_shapes(np.shape(q)[:-1], np.shape(v)[:-1])
    is_sequence = forces.ndim == len(lead) + 2 or (forces.ndim == 2 and not lead)
    if is_sequence and forces.shape[-2] != steps:
        raise ModelError(f"tau has {forces.shape[-2]} rows of forces for {steps} steps.")
    if is_sequence:
        forces = forces.reshape(*forces.shape[:-2], steps * n_v)
        kernel = kernel.resized("tau", steps * n_v)
    arguments = [q, v, forces, t, system.parameter_array(parameters), [dt], [float(steps)]]
    result = kernel.run(*arguments, [float(n_v if is_sequence else 0)], threads=threads)
    return result[0], result[1]


def _kernel(system: System) -> Kernel:
    kernel: Kernel = kept_under(system, "rollout", lambda: steps_kernel(system))
    return kernel
