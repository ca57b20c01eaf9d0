"""Modes of vibration with names: frequency, damping, shapes, and who takes part in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.vibration import shares
from jourdain.analysis.vibration.mode_list import ModeList
from jourdain.results import Solution
from jourdain.system import System

_OVERDAMPED = 1e-9  # imaginary part, as part of the size, that counts as none
_TURN = 0.25  # largest step [rad] of a coordinate that is drawn
_PART = 0.1  # largest motion of a body that is drawn, as part of the machine


@dataclass(frozen=True, repr=False)
class Mode:
    """One mode of vibration, or one free motion.

    Parameters
    ----------
    lin : Linearization
        Linear equations that it belongs to.
    number : int
        Place among the modes, from 0.
    eigenvalue : complex [1/s]
        Eigenvalue with imaginary part ≥ 0; zero for a free motion.
    vector : (n_states,) complex
        Shape, the largest component of positions real and 1.
    left : (n_states,) complex or None
        Left vector with yᴴ x = 1; None for free motions.
    """

    lin: Linearization
    number: int
    eigenvalue: complex
    vector: Any
    left: Any

    @property
    def system(self) -> System:
        """The compiled machine."""
        return self.lin.system

    @property
    def is_free_motion(self) -> bool:
        """Whether nothing drives it back: a rigid-body motion."""
        return self.left is None

    @property
    def is_oscillating(self) -> bool:
        """Whether it swings; else it creeps back, grows or stays."""
        return abs(self.eigenvalue.imag) > _OVERDAMPED * abs(self.eigenvalue)

    @property
    def frequency(self) -> float:
        """Undamped frequency |λ|/2π [Hz]."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damped_frequency(self) -> float:
        """Frequency Im λ/2π [Hz] of the swinging."""
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Damping ratio −Re λ/|λ|; NaN for free motions."""
        size = abs(self.eigenvalue)
        return 0.0 - self.eigenvalue.real / size if size else float("nan")

    @property
    def time_constant(self) -> float:
        """Time [s] in which it falls to 1/e; negative where it grows."""
        real = self.eigenvalue.real
        return -1.0 / real if real else float("inf")

    @cached_property
    def shape(self) -> dict[str, complex]:
        """Components of all coordinates, dependent ones too, by name."""
        steps = self.lin.tangent.T_positions_whole @ self.vector
        return dict(zip(self.lin.tangent.steps.names, steps.tolist(), strict=True))

    @cached_property
    def participation(self) -> dict[str, float]:
        """Share of each state, |x_k y_k|, by name; they need not add up to one."""
        if self.left is None:
            return {}
        parts = np.abs(self.vector * self.left.conj())
        return dict(zip(self.lin.states, parts.tolist(), strict=True))

    @cached_property
    def kinetic_energy(self) -> dict[str, float]:
        """Share of the kinetic energy by body and scalar coordinate."""
        return shares.kinetic(self.lin, self.vector)

    @cached_property
    def kinetic_energy_by_part(self) -> dict[str, float]:
        """Share of the kinetic energy by part or group: of all that ``box.…`` names, as ``box``."""
        found: dict[str, float] = {}
        for name, share in self.kinetic_energy.items():
            part = name.partition(".")[0]
            found[part] = found.get(part, 0.0) + share
        return found

    @cached_property
    def potential_energy(self) -> dict[str, float]:
        """Share of the potential energy by connection and flexible body, of what they store."""
        return shares.potential(self.lin, self.vector)

    @cached_property
    def damping_by_element(self) -> dict[str, float]:
        """Part of −Re λ [1/s] that each connection causes (LI-8); negative ones feed the motion."""
        return shares.damping(self.lin, self.vector, self.eigenvalue)

    def motion(
        self, amplitude: float | None = None, *, periods: float = 1.0, frames: int = 60
    ) -> Solution:
        """One or more periods of the mode as a solution, for `jd.animate`, `jd.plot`, `jd.render`.

        Parameters
        ----------
        amplitude : float
            Factor of the vector; by default so large that it is seen well.
        periods : float
            How many; the decay is left out.
        frames : int
            Samples of a period.
        """
        lin, steps = self.lin, self.lin.tangent.steps
        eta = lin.tangent.T_positions_whole @ self.vector
        eta = eta * (self._amplitude(eta) if amplitude is None else amplitude)
        rate = abs(self.eigenvalue.imag) if self.is_oscillating else 0.0
        time = np.linspace(0.0, periods, int(frames * periods) + 1)
        phases = np.exp(2j * np.pi * time)
        at, system = lin.point.at, lin.system
        rest = np.zeros_like(at.v)
        q = []
        for phase in phases:
            moved = steps.moved(at.q, (eta * phase).real)
            q.append(system.project(moved, rest, at.t, parameters=at.p)[0])
        clock = time * (2.0 * np.pi / rate if rate else 1.0)
        still = np.zeros((len(time), len(at.v)))
        parameters = dict(zip(system.names.parameters, at.p.tolist(), strict=True))
        return Solution(system, clock, q, still, still, parameters=parameters)

    def _amplitude(self, eta: Any) -> float:
        """Factor with which the largest motion is seen well."""
        units = np.array([unit == "m" for unit in self.lin.tangent.steps.units])
        poses = self.lin.system.poses(
            self.lin.point.at.q, self.lin.point.at.t, parameters=self.lin.point.at.p
        )
        places = np.asarray(poses)[..., :3, 3].reshape(-1, 3)
        size = float(np.ptp(np.vstack([places, np.zeros(3)]), axis=0).max()) or 1.0
        turn = np.abs(eta[~units]).max(initial=0.0) / _TURN
        shift = np.abs(eta[units]).max(initial=0.0) / (_PART * size)
        return float(1.0 / max(turn, shift, 1e-300))

    def __repr__(self) -> str:
        return f"<mode {self.number}: {self._words}>"

    @property
    def _words(self) -> str:
        if self.is_free_motion:
            return "free motion"
        if self.is_oscillating:
            return f"{self.frequency:.6g} Hz, damping ratio {self.damping_ratio:.4g}"
        return (
            f"{'decays' if self.eigenvalue.real < 0 else 'grows'}, {self.eigenvalue.real:.6g} 1/s"
        )

    def __str__(self) -> str:
        lines = [f"mode {self.number} of {self.lin.system.model.name!r}: {self._words}"]
        shown = sorted(self.shape.items(), key=lambda item: -abs(item[1]))[:8]
        lines += [f"  {name:<28} {_complex(x)}" for name, x in shown if abs(x) > 1e-6]
        for word, table in (
            ("kinetic energy", self.kinetic_energy),
            ("potential energy", self.potential_energy),
        ):
            parts = sorted(table.items(), key=lambda item: -item[1])[:4]
            text = ", ".join(f"{name} {100 * x:.1f} %" for name, x in parts if x > 1e-3)
            lines += [f"  {word}: {text}"] if text else []
        return "\n".join(lines)


def _complex(x: complex) -> str:
    size, angle = abs(x), np.degrees(np.angle(x))
    return f"{size: .5f}  {angle: 7.1f}°"


class OnDemand(Sequence[Mode]):
    """Modes that are made when one is asked for, for all of them belong together.

    Parameters
    ----------
    n : int
        How many.
    linearise : function
        Gives the linear equations.
    make : function
        Gives the modes from them.
    """

    def __init__(
        self,
        n: int,
        linearise: Callable[[], Linearization],
        make: Callable[[Linearization], Sequence[Mode]],
    ) -> None:
        self._n, self._linearise, self._make = n, linearise, make

    @cached_property
    def lin(self) -> Linearization:
        """Linear equations."""
        return self._linearise()

    @cached_property
    def _all(self) -> tuple[Mode, ...]:
        return tuple(self._make(self.lin)[: self._n])

    @overload
    def __getitem__(self, k: int) -> Mode: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[Mode, ...]: ...
    def __getitem__(self, k: Any) -> Any:
        return self._all[k]

    def __len__(self) -> int:
        return self._n


@dataclass(frozen=True, repr=False)
class Modes(ModeList[Mode]):
    """Modes of a machine: free motions first, then by frequency. Made by `jd.eigenmodes`.

    Parameters
    ----------
    modes : OnDemand
        The modes.
    eigenvalues : (n,) complex [1/s]
        Eigenvalues; of pairs the one with positive imaginary part.
    n_zeros : int
        Zero eigenvalues with their multiplicity: two for a free motion at rest, one for a
        nonholonomic row.
    """

    modes: OnDemand
    eigenvalues: Any
    n_zeros: int

    @property
    def lin(self) -> Linearization:
        """Linear equations."""
        return self.modes.lin

    def __repr__(self) -> str:
        return f"<{len(self)} modes of {self.lin.system.model.name!r}>"

    def __str__(self) -> str:
        lines = [f"modes of {self.lin.system.model.name!r}"]
        lines.append("  no  frequency [Hz]  damping ratio  most motion")
        for mode in self.modes:
            most = max(mode.shape, key=lambda name: abs(mode.shape[name]), default="")
            first = "free motion" if mode.is_free_motion else f"{mode.frequency:.6g}"
            ratio = "" if mode.is_free_motion else f"{mode.damping_ratio:.4g}"
            if not mode.is_free_motion and not mode.is_oscillating:
                ratio = "decays" if mode.eigenvalue.real < 0 else "grows"
            lines.append(f"  {mode.number:2d}  {first:>14}  {ratio:>13}  {most}")
        return "\n".join(lines)
