"""Compiled functions for groups of contacts: motion of the bodies, and laws of speeds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.model.laws.law import call
from jourdain.system.contact.step_kernels import StepKernels
from jourdain.system.mechanism import kernel

_TINY = 1e-12  # [m/s] keeps functions of speeds from zero


class BodyMotion:
    """Poses and twists of bodies, and twists for unit velocities.

    Parameters
    ----------
    kernels : StepKernels
        Functions of a step.
    names : sequence of str
        Bodies.
    """

    def __init__(self, kernels: StepKernels, names: Sequence[str]) -> None:
        g = kernels.graph
        numbers = {link.name: k for k, link in enumerate(g.links, 1)}
        frames, twists, columns = [], [], []
        self.columns: list[list[int]] = []
        for name in names:
            R, p, twist, _ = g.body_motions[name]
            frames += [ca.vec(R.T), p]
            twists.append(twist)
            places, moves = g.columns_moving(numbers[name], p)
            self.columns.append(list(places))
            columns.append(ca.vec(moves))
        found = kernels._found(*(ca.vertcat(ca.SX(0, 1), *x) for x in (frames, twists, columns)))
        self._kernels, self._expressions = kernels, found

    @cached_property
    def motion(self) -> Kernel:
        """Frames (12 each: rotation row by row, position) and twists (6 each)."""
        frames, twists, _ = self._expressions
        return self._kernels._kernel(frames=frames, twists=twists)

    @cached_property
    def jacobians(self) -> Kernel:
        """Twists for unit velocities (6 each), column by column."""
        return self._kernels._kernel(J=self._expressions[2])


def body_motion(kernels: StepKernels, names: Sequence[str]) -> BodyMotion:
    """Motion of bodies for the steps of a system; that of an earlier run is used again."""
    key = "bodies", *names
    if key not in kernels.patterns:
        kernels.patterns[key] = BodyMotion(kernels, names)
    found: BodyMotion = kernels.patterns[key]
    return found


def law_kernel(law: Any, what: str) -> Kernel:
    """Numbers of a law of contacts as a function of speeds: of sliding, approach, roll and spin.

    The numbers are friction along both tangents, sliding and sticking, restitution, rolling,
    drilling, and tangential restitution.
    """
    speeds = ca.SX.sym("speeds", 4)
    slip, approach, roll, spin = ca.vertsplit(speeds)

    def at(amount: Any, speed: Any) -> Any:
        return ca.SX(call(amount, speed) if callable(amount) else float(amount))

    with on_symbols(what):
        friction = law.friction
        pair = friction if isinstance(friction, tuple) else (friction, friction)
        sliding = [at(mu, slip) for mu in pair]
        held = [at(mu, ca.SX(_TINY)) for mu in static_pair(law)] if law.has_static else sliding
        e = at(law.restitution, approach)
        turning = [at(law.rolling, roll), at(law.drilling, spin)]
    numbers = ca.vertcat(*sliding, *held, e, *turning, law.tangential_restitution)
    return kernel({"speeds": speeds}, {"numbers": numbers})


def static_pair(law: Any) -> tuple[Any, Any]:
    """Static coefficients along both tangents."""
    static = law.static
    return static if isinstance(static, tuple) else (static, static)
