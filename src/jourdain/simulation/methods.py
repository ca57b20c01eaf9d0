"""Methods for motion with contact: strategy objects for `simulate`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jourdain.errors import ModelError
from jourdain.solvers import Dop853, Integrator, Method, Radau5
from jourdain.solvers.ode.implicit import alpha_numbers
from jourdain.spatial import check


@dataclass(frozen=True)
class EventDriven(Method):
    """From event to event, exactly: for few contacts.

    Impacts, detachments, slips and sticks are located to rounding, and the phases between them are
    integrated by a method of high order.

    Parameters
    ----------
    integrator : Integrator
        Method for the smooth phases.
    rest_speed : float [m/s]
        Rebounds slower than this count as none; where impacts accumulate (Zeno), the rest of the
        sequence is left out.
    stiff : Integrator, optional
        Method that takes over from `Dop853` as soon as stability alone keeps the steps of a phase
        short; None lets it go on.
    """

    integrator: Integrator = field(default_factory=lambda: Dop853(rtol=1e-10))
    rest_speed: float = 1e-7
    stiff: Integrator | None = field(default_factory=lambda: Radau5(rtol=1e-8))

    def __post_init__(self) -> None:
        _require_numbers(self, "rest_speed")
        if not isinstance(self.integrator, Integrator) or not self.rest_speed > 0.0:
            raise ModelError(
                f"EventDriven has integrator={self.integrator!r:.60} and rest_speed="
                f"{self.rest_speed!r}: give a method such as jd.Dop853(rtol=1e-9), and a positive "
                "speed."
            )
        if not (self.stiff is None or isinstance(self.stiff, Integrator)):
            raise ModelError(
                f"stiff of EventDriven is {self.stiff!r:.60}: give a method such as "
                "jd.Radau5(rtol=1e-8), or None to keep the integrator."
            )


@dataclass(frozen=True)
class MoreauJean(Method):
    """Time stepping of Moreau and Jean: for many contacts.

    Impacts happen at the ends of steps; events of the user are found within them.

    Each step solves for the impulses of all closed contacts together, so that their velocities at
    its end obey their laws. Errors fall with the square of the step while contacts last, and with
    the step over impacts. Where contacts meet that follow Poisson's law, its two phases come first,
    and the forces of the step keep the velocities that it leaves. A step that finds no solution is
    halved (``sol.statistics.rejected`` counts them).

    Parameters
    ----------
    dt : float [s]
        Step.
    theta : float
        Where forces are taken, 0 (start of the step, explicit) to 1 (its end, implicit); 0.5 keeps
        energy best.
    corrects_positions : bool
        Whether contacts that last are kept at a gap of zero, to rounding, and where they stick in
        their place; others that overlap after a step are moved apart, and the energy that this
        takes comes from their own motion, as far as that goes. In groups 1e-8 m are left. Without
        it, contacts overlap by about the way of half a step.
    tolerance : float [m/s]
        Of groups of contacts: error of the contact equations up to which sweeps go on. Bodies in
        contact that are slower than this, or than the error that is left up to a thousand times
        this, are at rest, exactly.
    iterations : int
        Of groups of contacts: most sweeps over all contacts.
    """

    dt: float
    theta: float = 0.5
    corrects_positions: bool = True
    tolerance: float = 1e-6
    iterations: int = 200

    def __post_init__(self) -> None:
        _require_numbers(self, "dt", "theta", "tolerance", "iterations")
        if not self.dt > 0.0 or not 0.0 <= self.theta <= 1.0:
            raise ModelError(
                f"MoreauJean has dt={self.dt!r} s and theta={self.theta!r}: give a positive step "
                "and 0 ≤ theta ≤ 1."
            )
        if not self.tolerance > 0.0 or not self.iterations >= 1:
            raise ModelError(
                f"MoreauJean has tolerance={self.tolerance!r} m/s and iterations="
                f"{self.iterations!r}: give positive numbers."
            )


@dataclass(frozen=True)
class NonsmoothAlpha(Method):
    """Time stepping of order two while contacts last, and over single impacts.

    Generalised-α for the motion that forces cause, and impulses of contacts and constraints beside
    it; positions and velocities of closed contacts are held to rounding. Contacts that close within
    a step rebound as from when they closed; the order is one where impacts interact or accumulate,
    and where normals turn on the way, as of balls that meet off their centres.
    Slip that turns or reverses within a step is followed. Forces at samples are those of their
    time, of order two while a contact goes on as it was. A step that finds no solution is halved.

    Parameters
    ----------
    dt : float [s]
        Step.
    rho : float [1]
        Factor by which a vibration that is much faster than the step shrinks per step: 1 keeps it,
        0 removes it at once.
    """

    dt: float
    rho: float = 0.8

    def __post_init__(self) -> None:
        _require_numbers(self, "dt", "rho")
        if not self.dt > 0.0 or not 0.0 <= self.rho <= 1.0:
            raise ModelError(
                f"NonsmoothAlpha has dt={self.dt!r} s and rho={self.rho!r}: give a positive step "
                "and 0 ≤ rho ≤ 1."
            )

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Coefficients α_m, α_f, γ and β (Chung & Hulbert 1993)."""
        return alpha_numbers(self.rho)


def _require_numbers(method: Any, *names: str) -> None:
    for name in names:
        check.number(getattr(method, name), f"{name} of {type(method).__name__}")
