"""Kinematics of the bent-axis piston machine: rods between a tilted flange and a drum (4.F62)."""

from __future__ import annotations

from typing import Any

from jourdain import math
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, record


@record()
class BentAxis:
    """Rods of a bent-axis machine, each with a ball on the flange and a piston in the drum.

    The axis of the drum is x; the flange is tilted by the swivel angle α about z. A rod goes from
    the piston, at the distance h along the drum, to the flange: r_TF = h + r_K + l_K.

    Parameters
    ----------
    flange, drum : float [m]
        Radii r_TF and r_K of the circles of balls and pistons.
    rod : float [m]
        Length l_K of a rod.
    """

    flange: NumberField
    drum: NumberField
    rod: NumberField

    def __post_init__(self) -> None:
        for name in ("flange", "drum", "rod"):
            check.number(getattr(self, name), f"{name} of BentAxis", positive=True, unit="m")

    def ball(self, flange: Any, swivel: Any) -> Any:
        """Centre of a ball on the flange at its angle, in the frame of the drum's axis [m]."""
        r, c, s = self.flange, math.cos(flange), math.sin(flange)
        return math.vector([r * c * math.sin(swivel), r * c * math.cos(swivel), r * s])

    def tilt(self, flange: Any, drum: Any, swivel: Any) -> tuple[Any, Any]:
        """Angles β, radial, and γ, tangential, of a rod against the drum's axis [rad] (5.94).

        Parameters
        ----------
        flange, drum : float [rad]
            Angles φ_TF of its ball and φ_K of its piston.
        swivel : float [rad]
            Angle α between the axes.
        """
        _, y, z = (self.ball(flange, swivel)[k] for k in range(3))
        c, s = math.cos(drum), math.sin(drum)
        gamma = math.asin((z * c - y * s) / self.rod)
        beta = math.asin((self.drum - y * c - z * s) / (self.rod * math.cos(gamma)))
        return beta, gamma

    def height(self, flange: Any, drum: Any, swivel: Any) -> Any:
        """Place h of a piston along the drum [m] (5.95); the chamber grows where it falls."""
        beta, gamma = self.tilt(flange, drum, swivel)
        return self.ball(flange, swivel)[0] + self.rod * math.cos(beta) * math.cos(gamma)

    def direction(self, flange: Any, drum: Any, swivel: Any) -> Any:
        """Direction of the force of a rod on the flange, in the frame of the drum's axis (5.96)."""
        beta, gamma = self.tilt(flange, drum, swivel)
        along, radial = -math.cos(beta) * math.cos(gamma), -math.sin(beta) * math.cos(gamma)
        c, s, tangential = math.cos(drum), math.sin(drum), math.sin(gamma)
        return math.vector([along, radial * c - tangential * s, radial * s + tangential * c])

    def arms(self, flange: Any, drum: Any, swivel: Any) -> tuple[Any, Any]:
        """Torques about the axes of flange and drum for each Newton in a rod [m] (4.F63).

        Their sum is −cos β cos γ dh/dφ where both turn together: the power of the pressure.
        """
        e, r = self.direction(flange, drum, swivel), self.ball(flange, swivel)
        axis = math.vector([math.cos(swivel), -math.sin(swivel), 0.0])
        _, gamma = self.tilt(flange, drum, swivel)
        return math.dot(math.cross(r, e), axis), -self.drum * math.sin(gamma)

    def stroke(self, swivel: Any) -> Any:
        """Stroke of a piston in one turn [m]: 2 r_TF sin α where drum and flange agree."""
        return 2.0 * self.flange * math.sin(swivel)
