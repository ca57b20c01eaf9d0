"""`linearize_along`: linear equations that change in time, along a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.linear.linearize import linearize
from jourdain.errors import ModelError
from jourdain.results import Solution

_GAUSS = np.sqrt(3.0) / 6.0  # distance of the points of Gauss from the middle of a step


@dataclass(frozen=True, repr=False)
class LinearizedRun:
    """Linear equations dx/dt = A(t) x + B(t) u, y = C(t) x + D(t) u along a run.

    x are small differences from the run, in independent coordinates that are the same at all times.
    Made by `jd.linearize_along`.

    Parameters
    ----------
    time : (n,) [s]
        Times.
    moments : tuple of Linearization
        The equations of each.
    """

    time: Any
    moments: tuple[Linearization, ...]

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return self.moments[0].states

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.moments[0].inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return self.moments[0].outputs

    @property
    def A(self) -> Any:  # noqa: N802
        """State matrices (n, n_states, n_states)."""
        return np.array([own.A for own in self.moments])

    @property
    def B(self) -> Any:  # noqa: N802
        """Input matrices (n, n_states, n_inputs)."""
        return np.array([own.B for own in self.moments])

    @property
    def C(self) -> Any:  # noqa: N802
        """Output matrices (n, n_outputs, n_states)."""
        return np.array([own.C for own in self.moments])

    @property
    def feedthrough(self) -> Any:
        """Outputs by inputs (n, n_outputs, n_inputs)."""
        return np.array([own.feedthrough for own in self.moments])

    def transition(self) -> Any:
        """Matrices (n, n_states, n_states) that take differences at the start to each time.

        Magnus' method of fourth order: between times A is a cubic spline, and each step is
        expm((A₁ + A₂) h/2 − [A₁, A₂] √3 h²/12) with A at the two points of Gauss.
        """
        k, n = len(self.states), len(self.time)
        found = np.empty((n, k, k))
        found[0] = np.eye(k)
        if not k:
            return found
        slope = CubicSpline(self.time, self.A.reshape(n, -1))
        for i, h in enumerate(np.diff(self.time)):
            middle = self.time[i] + 0.5 * h
            one, two = (slope(middle + s * _GAUSS * h).reshape(k, k) for s in (-1.0, 1.0))
            turn = one @ two - two @ one
            whole = 0.5 * h * (one + two) - np.sqrt(3.0) / 12.0 * h**2 * turn
            found[i + 1] = expm(whole) @ found[i]
        return found

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s"
        return f"<linear equations along a run: {len(self.states)} states, {span}>"


def linearize_along(
    solution: Solution,
    times: Iterable[float] | None = None,
    *,
    inputs: Any = None,
    outputs: Any = None,
    coordinates: Sequence[str] = (),
) -> LinearizedRun:
    """Linear equations along a run, A(t), B(t), C(t), D(t), in the same coordinates at all times.

    Parameters
    ----------
    solution : Solution
        The run, without impacts and changes of contacts between the times.
    times : iterable of float [s]
        When; by default the samples of the run, which should be close enough for a cubic spline.
    inputs : mapping or iterable of str
        Inputs as in `simulate` (functions become part of the machine), and names of those that may
        vary, as in `linearize`.
    outputs, coordinates
        As in `linearize`; by default the independent coordinates of the first moment.

    Returns
    -------
    LinearizedRun
        Matrices over time, and the transition from the start.

    Raises
    ------
    ModelError
        If the times are none of the run, or contacts change between them.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("mass")
    >>> _ = model.add_coordinate("x", 1.0)
    >>> _ = model.add_connection("spring", jd.Coordinate("x"), jd.Spring(lambda x: 3.0 * x**3))
    >>> run = jd.simulate(model, 1.0, start={"x": 1.0}, sample=0.01)
    >>> jd.linearize_along(run).A[0].round(6).tolist()
    [[0.0, 1.0], [-9.0, 0.0]]
    """
    if not isinstance(solution, Solution) or not solution.has_model:
        raise ModelError("linearize_along needs a solution of jd.simulate.")
    grid = np.unique(np.asarray(list(solution.time if times is None else times), dtype=float))
    low, high = float(solution.time[0]), float(solution.time[-1])
    if len(grid) < 2 or grid[0] < low - 1e-12 or grid[-1] > high + 1e-12:
        raise ModelError(f"times must be at least two between {low:g} and {high:g} s.")
    known = solution.parameters
    own = {k: known[k] for k in solution.system.names.parameters if k in known} or None
    given: dict[str, Any] = {"inputs": inputs, "outputs": outputs, "parameters": own}
    moments: list[Linearization] = []
    for t in grid.tolist():
        named = coordinates if not moments else _positions(moments[0])
        about: Any = solution.at(float(t))
        lin = linearize(solution.system, about, coordinates=named, moving=True, **given)
        if moments and lin.states != moments[0].states:
            raise ModelError(
                f"at t = {t:.6g} s the independent states are {', '.join(lin.states)}, before "
                f"{', '.join(moments[0].states)}: contacts have changed, or the coordinates become "
                "dependent there. Next: end before, or name coordinates that stay independent."
            )
        moments.append(lin)
    return LinearizedRun(grid, tuple(moments))


def _positions(lin: Linearization) -> list[str]:
    n, states = len(lin.tangent.positions), len(lin.system.description.parts.states)
    own = set(lin.system.names.q[len(lin.system.names.q) - states :]) if states else set()
    return [name for name in lin.states[:n] if name not in own]
