"""The woodpecker toy of Pfeiffer (Mechanical System Dynamics, 3.4.5).

A sleeve hangs loosely on a pole; a woodpecker hangs on the sleeve by a spring. The toy comes down
the pole by swinging: the sleeve jams and slides, the beak hits. Small angles, no horizontal motion:

    q = (y, φ_M, φ_S): height of the sleeve, angles of sleeve and woodpecker        (3.177)
"""

from __future__ import annotations

from jourdain.model import Model
from jourdain.model.laws import Coulomb, Equal, Law, Newton, Poisson, Spring
from jourdain.model.measures import Coordinate, Formula, Touch

SLEEVE_MASS, SLEEVE_INERTIA = 0.0003, 5.0e-9  # [kg], [kg m^2]
BIRD_MASS, BIRD_INERTIA = 0.0045, 7.0e-7
STIFFNESS, GRAVITY = 0.0056, 9.81  # [N m/rad], [m/s^2]
POLE_RADIUS, SLEEVE_RADIUS, SLEEVE_HEIGHT = 0.0025, 0.0031, 0.0058  # [m]; half the height
TO_SPRING, TO_BIRD, BEAK_HEIGHT, BEAK_LENGTH = 0.010, 0.015, 0.02, 0.0201  # [m]


def woodpecker(
    friction: float = 0.3, restitution: float = 0.5, impact: Newton | Poisson | None = None
) -> Model:
    """Build the woodpecker toy.

    Coordinates: ``height`` [m], ``sleeve`` and ``bird`` [rad]; contacts: ``beak``, ``lower`` and
    ``upper`` edge of the sleeve. The mass of the woodpecker moves with
    ``y + l_M φ_M + l_G φ_S``, a coordinate of its own that is held there.

    Parameters
    ----------
    friction : float
        Coefficient of friction of all contacts.
    restitution : float
        Of the beak; the sleeve does not rebound.
    impact : Newton or Poisson
        Law of impact; by default Poisson's with plain friction.

    Examples
    --------
    >>> from jourdain.library import woodpecker
    >>> list(woodpecker().connections)
    ['carried', 'weight', 'bird_weight', 'spring', 'beak', 'lower', 'upper']
    """
    law = Poisson() if impact is None else impact
    model = Model("woodpecker", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("height", SLEEVE_MASS, unit="m")
    model.add_coordinate("sleeve", SLEEVE_INERTIA)
    model.add_coordinate("bird", BIRD_INERTIA)
    model.add_coordinate("bird_height", BIRD_MASS, unit="m")
    y, sleeve, bird = (Coordinate(name) for name in ("height", "sleeve", "bird"))
    carried = Coordinate("bird_height") - y - TO_SPRING * sleeve - TO_BIRD * bird
    model.add_connection("carried", carried, Equal())
    model.add_connection("weight", y, _weight(SLEEVE_MASS))
    model.add_connection("bird_weight", Coordinate("bird_height"), _weight(BIRD_MASS))
    model.add_connection("spring", bird - sleeve, Spring(STIFFNESS))
    play = SLEEVE_RADIUS - POLE_RADIUS
    reach = TO_SPRING + TO_BIRD - BEAK_LENGTH - POLE_RADIUS
    gaps = {
        "beak": Formula(lambda at: reach - BEAK_HEIGHT * at.coordinate("bird")),
        "lower": Formula(lambda at: play + SLEEVE_HEIGHT * at.coordinate("sleeve")),
        "upper": Formula(lambda at: play - SLEEVE_HEIGHT * at.coordinate("sleeve")),
    }
    at_beak = y + TO_SPRING * sleeve + (TO_BIRD - BEAK_LENGTH) * bird
    at_sleeve = y + SLEEVE_RADIUS * sleeve
    for name, gap in gaps.items():
        is_beak = name == "beak"
        contact = Coulomb(friction, restitution if is_beak else 0.0, impact=law)
        model.add_connection(name, Touch(gap, at_beak if is_beak else at_sleeve), contact)
    return model


def _weight(mass: float) -> Law:
    return Law(lambda x: -mass * GRAVITY + 0.0 * x, potential=lambda x: mass * GRAVITY * x)
