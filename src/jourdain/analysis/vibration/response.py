"""`frequency_response`: the answer of a machine to harmonic excitation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import schur, solve_triangular

from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.linear.linearize import linearize
from jourdain.analysis.progress import tells_phases
from jourdain.errors import ModelError, unknown_name

if TYPE_CHECKING:
    import xarray as xr

_POINTS = 400
_BESIDE = np.concatenate([-np.geomspace(0.01, 20.0, 25)[::-1], [0.0], np.geomspace(0.01, 20.0, 25)])


@dataclass(frozen=True, repr=False)
class Response:
    """Complex answers of outputs to unit harmonic inputs. Made by `jd.frequency_response`.

    Parameters
    ----------
    lin : Linearization
        Linear equations.
    frequencies : (n,) [Hz]
        Frequencies.
    inputs : tuple of str
        Names of the inputs; a driven coordinate is one.
    values : (n, n_outputs, n_inputs) complex
        Answers: size and phase against the input.
    """

    lin: Linearization
    frequencies: Any
    inputs: tuple[str, ...]
    values: Any

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return self.lin.outputs

    def __getitem__(self, pair: str | tuple[str, str]) -> Any:
        """Answer (n,) of an output to an input, ``response["tip.position", "motor.angle"]``."""
        output, source = pair if isinstance(pair, tuple) else (pair, None)
        if f"{output}.value" in self.outputs:
            output = f"{output}.value"
        if output not in self.outputs:
            raise unknown_name("output", output, self.outputs, "this response")
        return self.values[:, self.outputs.index(output), self._input(source)]

    def _input(self, name: str | None) -> int:
        if name is None:
            if len(self.inputs) != 1:
                raise ModelError(f"name one of the inputs: {', '.join(self.inputs)}.")
            return 0
        if name not in self.inputs:
            raise unknown_name("input", name, self.inputs, "this response")
        return self.inputs.index(name)

    def transmissibility(self, output: str, reference: str, source: str | None = None) -> Any:
        """Ratio (n,) of two outputs that are answers to one input."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._of(output, source) / self._of(reference, source)

    def _of(self, output: str, source: str | None) -> Any:
        return self[output] if source is None else self[output, source]

    def peaks(self, output: str, source: str | None = None) -> list[tuple[float, float]]:
        """Frequencies [Hz] and sizes of the local maxima of an answer."""
        size = np.abs(self._of(output, source))
        inner = (size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])
        return [(float(self.frequencies[k]), float(size[k])) for k in np.flatnonzero(inner) + 1]

    @cached_property
    def data(self) -> xr.DataArray:
        """Answers with labels: frequency, output, input."""
        import xarray as xr  # noqa: PLC0415

        names = {"output": list(self.outputs), "input": list(self.inputs)}
        clock = ("frequency", self.frequencies, {"units": "Hz"})
        dims = ("frequency", "output", "input")
        return xr.DataArray(self.values, dims=dims, coords={"frequency": clock, **names})

    def __repr__(self) -> str:
        low, high = self.frequencies[[0, -1]] if len(self.frequencies) else (0.0, 0.0)
        name = self.lin.system.model.name
        return f"<frequency response of {name!r}: {low:.4g} to {high:.4g} Hz>"


@tells_phases
def frequency_response(
    model: Any,
    frequencies: Any = None,
    *,
    about: Any = None,
    inputs: Any = None,
    outputs: Iterable[str] | None = None,
    **options: Any,
) -> Response:
    """Answer of a machine to small harmonic inputs about a state.

        G(iω) = C (iω − A)⁻¹ B + D                                               (LI-10)

    Parameters
    ----------
    model : Model, System or Linearization
        The machine, or its linear equations with their inputs and outputs.
    frequencies : array [Hz]
        Where; by default a grid over all modes, finer around them.
    about, inputs, outputs, **options
        As in `linearize`.

    Returns
    -------
    Response
        Complex answers by names.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("oscillator")
    >>> _ = model.add_coordinate("x", 2.0, unit="m")
    >>> _ = model.add_connection("spring", jd.Coordinate("x"), jd.Spring(500.0))
    >>> response = jd.frequency_response(model, [0.0], inputs=["x"], outputs=["x.value"])
    >>> abs(response["x.value"]).round(9)
    array([0.002])
    """
    if isinstance(model, Linearization):
        lin = model
    else:
        lin = linearize(model, about, inputs=inputs, outputs=outputs, **options)
    if not lin.inputs:
        raise ModelError(
            'a frequency response needs an input, such as inputs=["main.angle"]: a force along a '
            "coordinate, an input of a law, or a driven coordinate."
        )
    grid = _grid(lin) if frequencies is None else np.atleast_1d(np.asarray(frequencies, float))
    if grid.ndim != 1 or not np.all(np.isfinite(grid)) or np.any(grid < 0.0):
        raise ModelError("frequencies are numbers in Hz that are finite and not negative.")
    plain = _answers(lin, 2.0 * np.pi * grid)
    n_forces = len(lin.point.graph.free)
    forces, drives = plain[..., :n_forces], plain[..., n_forces:]
    s = (2j * np.pi * grid)[:, None, None]
    whole = drives[..., 0::3] + s * drives[..., 1::3] + s**2 * drives[..., 2::3]
    names = (*lin.point.graph.free, *lin.driven)
    return Response(lin, grid, names, np.concatenate([forces, whole], axis=2))


def _answers(lin: Linearization, omega: Any) -> Any:
    """Answers at frequencies [rad/s], by one Schur form and triangular systems."""
    T, Q = schur(lin.A, output="complex")
    B, C, D = Q.conj().T @ lin.B, lin.C @ Q, lin.feedthrough
    found = np.empty((len(omega), *D.shape), dtype=complex)
    unit = np.eye(len(T))
    for k, w in enumerate(omega):
        matrix = 1j * w * unit - T
        size = max(float(np.abs(T).max(initial=0.0)), abs(w), 1e-300)
        if len(T) and np.abs(np.diagonal(matrix)).min() <= 1e-15 * size:
            found[k] = np.where(np.abs(lin.C @ lin.B) >= 0.0, np.inf, 0.0)
            continue
        found[k] = C @ solve_triangular(matrix, B) + D
    return found


def _grid(lin: Linearization) -> Any:
    """Frequencies [Hz] over all modes, finer around them."""
    values = lin.eigenvalues
    sizes = np.abs(values) / (2.0 * np.pi)
    sizes = sizes[sizes > 1e-6 * sizes.max(initial=0.0)]
    if not len(sizes):
        return np.geomspace(0.01, 100.0, _POINTS)
    wide = np.geomspace(0.1 * sizes.min(), 10.0 * sizes.max(), _POINTS)
    swinging = values[values.imag > 1e-9 * np.abs(values)]
    beside = [
        np.abs(x) / (2 * np.pi) + _BESIDE * max(abs(x.real), 1e-4 * abs(x)) / (2 * np.pi)
        for x in swinging
    ]
    grid = np.concatenate([wide, *beside])
    return np.unique(grid[(grid >= wide[0]) & (grid <= wide[-1])])
