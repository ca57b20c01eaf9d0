"""Numbers of the state update of a method: where a step takes forces, and how it moves on."""

from __future__ import annotations

from dataclasses import dataclass

from jourdain.simulation.methods import MoreauJean, NonsmoothAlpha
from jourdain.system.contact.step_kernels import StepKernels

Stepping = MoreauJean | NonsmoothAlpha


@dataclass(frozen=True)
class Update:
    """Numbers of (TS-2), (TS-5) and (TS-8); names as in the record `Step`.

    Parameters
    ----------
    theta : float [1]
        Point of the step where forces are taken.
    part, rate_at, way_at : float [1]
        Part of these forces in the change of velocities, and of it in velocities and positions at
        that point.
    is_alpha : bool
        Whether accelerations are averaged.
    alpha_m, alpha_f, gamma : float [1]
        Numbers of these averages.
    way_left : float [1]
        Part of the way in a step that corrections of positions may leave.
    """

    theta: float
    part: float
    rate_at: float
    way_at: float
    is_alpha: bool = False
    alpha_m: float = 0.0
    alpha_f: float = 0.0
    gamma: float = 1.0
    way_left: float = 1e-5

    def is_exact_at_once(self, kernels: StepKernels) -> bool:
        """Whether forces that are linear need no rounds."""
        if self.is_alpha:
            return not kernels.is_timed and not kernels.tangent.places and not kernels.feels_speed
        return self.theta == 0.5 or not kernels.is_timed


def update_of(method: Stepping) -> Update:
    """State update of a method."""
    if isinstance(method, MoreauJean):
        theta = method.theta
        return Update(theta, 1.0, theta, theta * theta)
    a_m, a_f, gamma, beta = method.numbers
    g = gamma * (1.0 - a_f) / (1.0 - a_m)
    return Update(1.0, g, 1.0, beta / gamma, True, a_m, a_f, gamma, 1e-10)
