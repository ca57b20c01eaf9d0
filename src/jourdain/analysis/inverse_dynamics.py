"""Forces of chosen coordinates that cause a given motion, loops and redundant drives included.

dv/dt(u) = dv/dt(0) + A u,   least ‖W u‖ with dv/dt(u) = dv/dt               (KI-3)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import Assembly, assemble
from jourdain.analysis.driving import velocity_name
from jourdain.analysis.given_motion import accelerate, samples_of
from jourdain.analysis.progress import tells_phases
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError, SingularSystemError, unknown_name
from jourdain.model.model import Model
from jourdain.results import Solution, Statistics
from jourdain.system import System, compile
from jourdain.system.checks.faults import no_numbers
from jourdain.system.state import forces_kernel

_NEWTON = 20
_SAME = 1e-8  # part of the accelerations by which they may differ from the given ones
_RANK = 1e-10


@tells_phases
def inverse_dynamics(
    model: Model | System,
    motion: Solution | Assembly | Mapping[str, Any],
    *,
    actuated: str | Iterable[str],
    accelerations: Mapping[str, float] | None = None,
    inputs: Mapping[str, Any] | None = None,
    weights: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Solution:
    """Forces that chosen coordinates must get for a machine to move as given.

    Loops need no care. With more forces than degrees of freedom, those of the least weighted sum
    of squares are taken.

    Parameters
    ----------
    model : Model or System
        The machine, without drives of the actuated coordinates.
    motion : Solution, Assembly or mapping
        The motion: a solution of the same machine, also of `jourdain.kinematics` with drives; or
        one state, an assembly or values by name, which are assembled.
    actuated : str or iterable of str
        Coordinates that forces act along, or inputs of laws: ``["main.angle"]``.
    accelerations : mapping
        Of one state: second rates of coordinates, of cut joints too, by their names: as many as
        there are degrees of freedom, or more that agree. The others follow from the constraints;
        what is left free gets the least.
    inputs : mapping
        Other forces and inputs of laws, as in `jourdain.simulate`.
    weights : mapping of str to float
        How unwelcome a force is, by the name of its coordinate; default 1.
    parameters : mapping
        Values of parameters; default: those of the solution, else nominal.

    Returns
    -------
    Solution
        The motion with these forces: ``sol["main.applied_torque"]``, and the loads they cause.

    Raises
    ------
    ModelError
        If the accelerations contradict the constraints; the loops are named.
    SingularSystemError
        If these forces cannot cause the motion.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("arm")
    >>> arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    >>> _ = model.add_joint("main", model.world, arm, jd.Revolute("y"))
    >>> sol = jd.inverse_dynamics(model, {"main.angle": 0.0}, actuated="main.angle")
    >>> float(sol["main.applied_torque"][0])  # holds the weight: z is up, the torque acts about y
    -4.905
    """
    if not isinstance(model, Model | System):
        raise ModelError(f"cannot load {model!r:.60}; give a jd.Model or a compiled system.")
    system = model if isinstance(model, System) else compile(model)
    if parameters is None and isinstance(motion, Solution):
        parameters = motion.parameters
    names = (actuated,) if isinstance(actuated, str) else tuple(dict.fromkeys(actuated))
    if isinstance(motion, Solution):
        if accelerations is not None:
            raise ModelError("accelerations belong to one state; a solution has its own.")
        time, q, v, vdot = samples_of(motion, system)
    else:
        if not isinstance(motion, Mapping):
            raise ModelError(
                f"motion is {motion!r:.60}; give a solution, an assembly, or values by name."
            )
        state = motion if isinstance(motion, Assembly) else None
        state = assemble(system, motion, parameters=parameters) if state is None else state
        time, q, v = np.array([state.t]), state.q[np.newaxis], state.v[np.newaxis]
        vdot = accelerate(system, state, accelerations or {}, parameters)[np.newaxis]
    forces = _Forces(system, names, dict(weights or {}), dict(inputs or {}), parameters)
    tau, extra = forces.for_motion(time, q, v, vdot)
    return Solution(
        system, time, q, v, vdot, tau, extra,
        statistics=Statistics(method="inverse dynamics", t_end_wanted=float(time[-1])),
        parameters=system.parameters_in_si(parameters),
    )  # fmt: skip


class _Forces:
    """Actuated coordinates of a system."""

    def __init__(
        self,
        system: System,
        names: tuple[str, ...],
        weights: dict[str, float],
        inputs: dict[str, Any],
        parameters: Any,
    ) -> None:
        self.system, self.names, self.inputs = system, names, inputs
        self.p = system.one_parameter_set(parameters)
        self._n = len(system.names.v)
        self._places = [self._place(name) for name in names]
        self._weights = np.ones(len(names))
        for name, weight in weights.items():
            if name not in names:
                raise unknown_name("weighted force", name, names, "actuated")
            if not float(weight) > 0.0:
                raise ModelError(f"the weight of {name!r} is {weight!r}; give a positive number.")
            self._weights[names.index(name)] = float(weight)

    def _place(self, name: str) -> int:
        """Index of a force: those of the tree first, then those of cut joints and inputs."""
        extras = self.system.extra_indices
        if name in extras:
            return self._n + extras[name]
        return self.system.force_index(velocity_name(self.system, name))

    def for_motion(self, time: Any, q: Any, v: Any, vdot: Any) -> tuple[Any, Any]:
        """Forces along the tree's velocities, and along cut joints with inputs of laws (KI-3)."""
        given = self._given(time, q, v)
        self._require_numbers(time, q, v, self._answer(time, q, v, given))
        u = np.zeros((len(time), len(self.names)))
        size = np.abs(vdot).max(axis=1) + np.abs(self._answer(time, q, v, given)).max(axis=1)
        rest = np.zeros_like(vdot)
        for _ in range(_NEWTON):
            now = self._with(given, u)
            before = self._answer(time, q, v, now)
            rest = vdot - before
            columns = [
                self._answer(time, q, v, self._with(now, unit)) - before
                for unit in np.eye(len(self.names))
            ]
            A = np.stack(columns, axis=-1) if columns else np.zeros((*vdot.shape, 0))
            step = _least(A / self._weights, rest) / self._weights
            u = u + step
            rest = vdot - self._answer(time, q, v, self._with(given, u))
            if np.all(np.abs(step).max(axis=1, initial=0.0) <= 1e-12 * np.abs(u).max(initial=1.0)):
                break
        self._require(time, rest, size)
        total = self._with(given, u)
        return total[:, : self._n], total[:, self._n :]

    def _given(self, time: Any, q: Any, v: Any) -> Any:
        """Forces of the inputs (n, n_v + n_extra)."""
        if not self.inputs:
            return np.zeros((len(time), self._n + len(self.system.extra_names)))
        p = np.broadcast_to(self.p, (len(time), len(self.p)))
        kernel = forces_kernel(self.system, self.inputs, {})
        return np.hstack(kernel(q, v, np.zeros((len(time), 0)), time, p))

    def _with(self, forces: Any, u: Any) -> Any:
        total = forces.copy()
        total[:, self._places] += u
        return total

    def _answer(self, time: Any, q: Any, v: Any, forces: Any) -> Any:
        """Accelerations that forces cause."""
        tau, extra = forces[:, : self._n], forces[:, self._n :]
        if not self.system.has_connections:
            return self.system.forward_dynamics(q, v, tau, time, parameters=self.p)
        return self.system.answers(Mechanism.vdot, q, v, tau, time, extra=extra, parameters=self.p)

    def _require_numbers(self, time: Any, q: Any, v: Any, vdot: Any) -> None:
        """Refuse a motion in which a connection has no numbers."""
        bad = np.flatnonzero(~np.isfinite(vdot).all(axis=1))
        if len(bad):
            k = int(bad[0])
            raise no_numbers(self.system.mechanism, q[k], v[k], float(time[k]), self.p)

    def _require(self, time: Any, rest: Any, size: Any) -> None:
        """Refuse a motion that the forces cannot cause."""
        off = np.abs(rest).max(axis=1, initial=0.0)
        worst = int(np.argmax(off / (size + 1e-300)))
        if off[worst] > _SAME * size[worst]:
            k = int(np.argmax(np.abs(rest[worst])))
            names, units = self.system.names.v, self.system.names.v_units
            raise SingularSystemError(
                f"model {self.system.model.name!r}: forces along "
                f"{', '.join(map(repr, self.names)) or 'no coordinate'} cannot cause the motion at "
                f"t = {time[worst]:.6g} s: the rate of {names[k]!r} stays off by "
                f"{rest[worst, k]:.3g} {units[k]}^2. Likely causes: fewer forces than degrees of "
                "freedom, a dead point, or accelerations that the constraints do not allow."
            )


def _least(A: Any, right: Any) -> Any:
    """Least-norm solutions of many small systems."""
    if not A.shape[-1] or not A.shape[-2]:
        return np.zeros((len(A), A.shape[-1]))
    return np.einsum("nij,nj->ni", np.linalg.pinv(A, rcond=_RANK), right)
