"""Steps of semi-implicit Euler as one compiled kernel."""

from __future__ import annotations

from functools import partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.repeated import repeated_core
from jourdain.equations.recursion.kinematics import RATES
from jourdain.system.execution import symbolic
from jourdain.system.questions.dynamics import FORWARD
from jourdain.system.system import System


def steps_kernel(system: System) -> Kernel:
    """Compile ``v <- v + dt dv/dt``, ``q <- q + dt Y₁ v``, ``t <- t + dt``, repeated.

    Pointers of the kernel: q, v, tau, t, p, dt, steps, stride → q, v, t, where ``stride`` is the
    number of forces from one step to the next (0 to hold them).
    """
    inputs, state = _step(system)
    sizes = [(name, x.numel()) for name, x in inputs.items()]
    return Kernel(
        partial(repeated_core, inputs, state, "tau"),
        4,
        [*sizes, ("steps", 1), ("stride", 1)],
        [(name, (x.numel(),)) for name, x in state.items()],
        work_size=sum(x.numel() for x in state.values()),
    )


def _step(system: System) -> tuple[dict[str, Any], dict[str, Any]]:
    """Symbols of a step and the next state."""
    d = system.description
    inputs, outputs = symbolic(FORWARD, d)
    inputs["dt"] = ca.SX.sym("dt")
    v = inputs["v"] + inputs["dt"] * outputs["vdot"]
    rate_inputs, rates = symbolic(RATES, d)
    given = [inputs["q"], v, inputs["t"], inputs["p"]]
    f = ca.Function("rates", [rate_inputs[n] for n in ("q", "v", "t", "p")], [rates["qdot"]])
    q = inputs["q"] + inputs["dt"] * f(*given)
    return inputs, {"q": q, "v": v, "t": inputs["t"] + inputs["dt"]}
