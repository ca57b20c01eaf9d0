"""The linear bearing of eight coefficients (5.F20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.library.bearings.rolling import bearing_results, hold_frames
from jourdain.model.laws.damper import Damper
from jourdain.model.laws.spring import Spring
from jourdain.model.measures.measure import FrameField
from jourdain.model.measures.relative import Relative
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import RowsField, TripleField, preset

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group


class LinearBearing(Part):
    """A bearing by eight coefficients about its working point, −ζ = C γ + D γ̇ (5.F20).

    The stiffness of an oil film is not symmetric: it may drive the journal round (oil whip).
    `JournalBearing.working_point` gives the coefficients for a load and a speed.

    Parameters
    ----------
    a, b : Frame or Body
        Sleeve and journal; z is the axis.
    stiffness, damping : (2, 2) [N/m, N s/m]
        Matrices C and D in the x- and y-axes of the sleeve.
    load : (float, float) [N]
        Force on the journal in the working point, where both axes coincide.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import bearings
    >>> model = jd.Model("rotor", gravity=(0, 0, 0))
    >>> rotor = model.add_body("rotor", jd.solid.ball(mass=2.0, radius=0.05))
    >>> joint = model.add_joint("plane", model.world, rotor, jd.Planar("z"))
    >>> film = bearings.LinearBearing(
    ...     model.world, rotor, [[2e6, 1e6], [-1e6, 2e6]], [[200.0, 0.0], [0.0, 200.0]]
    ... )
    >>> bearing = model.add("bearing", film)
    >>> rest = jd.equilibrium(model)
    >>> rest.is_stable  # the film whips: 1e6 > 200 √(2e6/2)
    False
    """

    a: FrameField
    b: FrameField
    stiffness: RowsField
    damping: RowsField = preset(default=((0.0, 0.0), (0.0, 0.0)))
    load: TripleField = preset(default=(0.0, 0.0))

    def __post_init__(self) -> None:
        hold_frames(self)
        for name in ("stiffness", "damping"):
            given = np.asarray(getattr(self, name), dtype=object)
            if given.shape != (2, 2):
                raise ModelError(
                    f"{name} of LinearBearing is {check.shown(getattr(self, name))}: give two rows "
                    "of two numbers, ((2e6, 1e6), (-1e6, 2e6))."
                )
            rows = tuple(
                tuple(check.number(x, f"{name} of LinearBearing") for x in row) for row in given
            )
            object.__setattr__(self, name, rows)
        if len(self.load) != 2:
            raise ModelError(f"load of LinearBearing is {check.shown(self.load)}: give (x, y) [N].")
        object.__setattr__(self, "load", tuple(check.number(x, "load") for x in self.load))

    def build(self, group: Group) -> Mapping[str, Any]:
        """Spring and damper with matrices."""
        law = Spring(self.stiffness, preload=tuple(-x for x in self.load)) + Damper(self.damping)
        group.add_connection("film", Relative(self.a, self.b, "x y"), law)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Force and displacement from the working point."""
        return bearing_results(name, "film")
