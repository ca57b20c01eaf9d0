"""Linear equations with names and units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import solve_continuous_lyapunov

from jourdain.analysis.linear.contact_state import ContactState
from jourdain.analysis.linear.independent import Tangent
from jourdain.analysis.linear.outputs import Outputs
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import MissingExtraError, ModelError, unknown_name
from jourdain.spatial.check import vector
from jourdain.system import System

_SOFT = 1e-12  # part of the largest stiffness, or answer, that counts as none
_DRIVE_WORDS = ("", ".first_rate", ".second_rate")


@dataclass(frozen=True, repr=False)
class Linearization:
    """Linear equations dx/dt = A x + B u, y = C x + D u of a machine. Made by `jd.linearize`.

    Parameters
    ----------
    point : OperatingPoint
        What they are linear about.
    tangent : Tangent
        Independent steps, and how all others follow from them.
    A, B : arrays
        State equation, in the order of `states` and `inputs`.
    driven : tuple of str
        Driven coordinates among the inputs; each has three columns: value, first, second rate.
    outputs_of : Outputs
        Output equation.
    """

    point: OperatingPoint
    tangent: Tangent
    A: Any
    B: Any
    driven: tuple[str, ...]
    outputs_of: Outputs

    @property
    def system(self) -> System:
        """The compiled machine."""
        return self.point.system

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states: independent coordinates, states of elements, then velocities."""
        return self.tangent.names

    @property
    def state_units(self) -> tuple[str, ...]:
        """Units of the states."""
        return self.tangent.units

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs; a driven coordinate has one for each of its two rates, too."""
        return (*self.point.graph.free, *(f"{n}{w}" for n in self.driven for w in _DRIVE_WORDS))

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return self.outputs_of.names

    @property
    def output_units(self) -> tuple[str, ...]:
        """Units of the outputs."""
        return self.outputs_of.units

    @property
    def C(self) -> Any:  # noqa: N802
        """Outputs by states."""
        return self.outputs_of.C

    @property
    def feedthrough(self) -> Any:
        """Outputs by inputs."""
        return self.outputs_of.D

    @property
    def contacts(self) -> tuple[ContactState, ...]:
        """Contacts that are closed or stick and stay so, with their forces."""
        return self.point.contacts.held

    # -- equations of second order ----------------------------------------------------------------

    @property
    def _n(self) -> int:
        return len(self.tangent.positions)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the independent velocities that M, D, K and G belong to."""
        return self.states[self._n :]

    @cached_property
    def M(self) -> sparse.csr_array:  # noqa: N802
        """Mass matrix of the independent velocities."""
        at, N = self.point.at, self.tangent.N_v
        M = self.system.mass_matrix(at.q, at.t, parameters=at.p)
        return sparse.csr_array(_clean(N.T @ M @ N))

    @cached_property
    def _by_velocity(self) -> Any:
        return -self.M.toarray() @ self.A[self._n :, self._n :]

    @cached_property
    def D(self) -> sparse.csr_array:  # noqa: N802
        """Damping matrix: the symmetric part of what velocities cause."""
        F = self._by_velocity
        return sparse.csr_array(_clean(0.5 * (F + F.T)))

    @cached_property
    def G(self) -> sparse.csr_array:  # noqa: N802
        """Gyroscopic matrix: the skew part of what velocities cause."""
        F = self._by_velocity
        return sparse.csr_array(_clean(0.5 * (F - F.T)))

    @cached_property
    def K(self) -> sparse.csr_array:  # noqa: N802
        """Stiffness matrix, M dw/dt + (D + G) w + K x = …; columns: coordinates, then states."""
        return sparse.csr_array(_clean(-self.M.toarray() @ self.A[self._n :, : self._n]))

    # -- at a frame -------------------------------------------------------------------------------

    def mobility(self, frame: Any) -> Any:
        """Accelerations (6, 6) of a frame by loads on it, J M⁻¹ Jᵀ: turns first, world axes.

        Parameters
        ----------
        frame : Frame, Body or str
            Where; contacts and constraints hold.
        """
        J = self._frame_jacobian(frame)
        return J @ np.linalg.solve(self.M.toarray(), J.T)

    def compliance(self, frame: Any) -> Any:
        """Static displacements (6, 6) of a frame by loads on it, J K⁻¹ Jᵀ: turns first.

        Raises
        ------
        ModelError
            If the machine has free motions, or element states.
        """
        K, J = self.K.toarray(), self._frame_jacobian(frame)
        if K.shape[0] != K.shape[1]:
            raise ModelError(
                "a compliance needs as many coordinates as velocities: the machine has "
                "nonholonomic rows or element states."
            )
        sizes = np.linalg.svd(K, compute_uv=False)
        if not len(sizes) or sizes[-1] <= _SOFT * sizes[0]:
            raise ModelError(
                "the machine has a free motion, so a load moves it without end. Next: hold it, or "
                "look at jd.eigenmodes(lin).free_motions."
            )
        return J @ np.linalg.solve(K, J.T)

    def effective_mass(self, frame: Any, direction: Any) -> float:
        """Mass [kg] that a load on a frame feels along a direction (3,) of the world."""
        return self._along(self.mobility(frame), frame, direction)

    def effective_stiffness(self, frame: Any, direction: Any) -> float:
        """Stiffness [N/m] that a static load on a frame feels along a direction of the world."""
        return self._along(self.compliance(frame), frame, direction)

    def _along(self, response: Any, frame: Any, direction: Any) -> float:
        w = np.array(vector(direction, "direction"), dtype=float)
        size = float(np.linalg.norm(w))
        if not size > 0.0:
            raise ModelError("the direction is (0, 0, 0); give one that is not.")
        answer = float(w @ response[3:, 3:] @ w) / size**2
        if answer <= _SOFT * float(np.abs(response[3:, 3:]).max(initial=0.0)):
            raise ModelError(f"{frame!r:.60} cannot move along ({w[0]:g}, {w[1]:g}, {w[2]:g}).")
        return 1.0 / answer

    def _frame_jacobian(self, frame: Any) -> Any:
        at = self.point.at
        J = self.system.jacobian(frame, at.q, at.t, parameters=at.p)
        return np.asarray(J) @ self.tangent.N_v

    # -- other programs ---------------------------------------------------------------------------

    def to_scipy(self) -> Any:
        """`scipy.signal.StateSpace` of the equations."""
        from scipy.signal import StateSpace  # noqa: PLC0415

        return StateSpace(self.A, self.B, self.C, self.outputs_of.D)

    def to_control(self) -> Any:
        """``control.StateSpace`` of the equations, with names; needs the package ``control``.

        Raises
        ------
        MissingExtraError
            If it is not installed.
        """
        try:
            import control  # type: ignore[import-not-found]  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtraError(
                "to_control needs the package 'control': pip install control. "
                "lin.to_scipy() needs nothing more."
            ) from error
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        plain = {key: [n.replace(".", "_") for n in own] for key, own in names.items()}
        return control.ss(self.A, self.B, self.C, self.outputs_of.D, **plain)

    # -- what follows -----------------------------------------------------------------------------

    @cached_property
    def eigenvalues(self) -> Any:
        """Eigenvalues of A [1/s], by size."""
        found = np.linalg.eigvals(self.A)
        return found[np.argsort(np.abs(found), kind="stable")]

    def impulse_integrals(self, input: str | None = None) -> Any:
        """Integrals ∫ y yᵀ dt of the outputs after a unit impulse of an input, by Lyapunov's equation.

            A X + X Aᵀ + b bᵀ = 0,   ∫ y yᵀ dt = C X Cᵀ                          (LI-7)

        Parameters
        ----------
        input : str
            Name of the input; may be left out where there is one.

        Raises
        ------
        ModelError
            If a motion does not decay.
        """  # noqa: E501
        if input is None and len(self.inputs) != 1:
            raise ModelError(
                f"name one of the inputs: {', '.join(self.inputs) or 'there is none'}."
            )
        k = 0 if input is None else self.input_index(input)
        worst = max(self.eigenvalues.real, default=-1.0)
        if worst >= 0.0:
            raise ModelError(
                f"an eigenvalue has the real part {worst:.3g} 1/s: the answer to an impulse does "
                "not decay, so its integral is endless. Next: add damping, or hold free motions."
            )
        b = self.B[:, [k]]
        X = solve_continuous_lyapunov(self.A, -b @ b.T)
        return self.C @ X @ self.C.T

    def input_index(self, name: str) -> int:
        """Number of an input.

        Raises
        ------
        UnknownNameError
            If there is none of that name.
        """
        if name not in self.inputs:
            raise unknown_name("input", name, self.inputs, "these linear equations")
        return self.inputs.index(name)

    def __repr__(self) -> str:
        n = len(self.states)
        return f"<linear equations of {self.system.model.name!r}: {n} states>"

    def __str__(self) -> str:
        lines = [
            f"linear equations of {self.system.model.name!r} at t = {self.point.at.t:g} s",
            f"  states   {_listed(self.states, self.state_units)}",
            f"  inputs   {', '.join(self.inputs) or 'none'}",
            f"  outputs  {_listed(self.outputs, self.output_units)}",
        ]
        lines += [f"  contact  {x}" for x in self.contacts]
        return "\n".join(lines)


def _listed(names: Any, units: Any) -> str:
    pairs = zip(names, units, strict=True)
    return ", ".join(f"{n} [{u}]" if u else n for n, u in pairs) or "none"


def _clean(matrix: Any) -> Any:
    """Matrix without entries that are rounding."""
    size = np.abs(matrix).max(initial=0.0)
    return np.where(np.abs(matrix) > 1e-15 * size, matrix, 0.0)
