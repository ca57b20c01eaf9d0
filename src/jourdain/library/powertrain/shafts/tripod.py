"""The tripod joint between two bodies in space: three feet, each a line on a line (4.F61)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jourdain import math
from jourdain.model.laws.equal import Equal
from jourdain.model.measures.measure import FrameField, Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

FEET = 3


class FeetOffTracks(Measure):
    """Distances between the three arms of a spider and their tracks in the housing.

    An arm is a line through the centre of the spider, e; a track is parallel to the axis m of the
    housing. They meet where (p − q) · (e × m) = 0.

    Parameters
    ----------
    housing, spider : Frame
        Both with their axes along x; the first arm and the first track are along y.
    radius : float [m]
        Distance of the tracks from the axis of the housing.
    """

    housing: FrameField
    spider: FrameField
    radius: NumberField
    size = FEET
    labels = ("1", "2", "3")

    def value(self, at: Any) -> Any:
        """The three distances."""
        turned, place = at.relative(self.spider, self.housing)
        found = []
        for k in range(FEET):
            around = 2.0 * math.pi * k / FEET
            c, s = float(math.cos(around)), float(math.sin(around))
            arm = turned @ math.vector(0.0, c, s)
            y, z = place[1] - self.radius * c, place[2] - self.radius * s
            across = math.hypot(arm[1], arm[2])
            found.append((arm[1] * z - arm[2] * y) / across)
        return math.vector(*found)


class TripodJoint(Part):
    """A tripod joint: three arms of a spider slide in tracks of a housing (4.F61).

    Both frames have their shafts along x. It takes three of six freedoms: two tilts and the way
    along the housing remain, and the centre of the spider runs on a circle of the radius
    r (1/cos α − 1)/2, three times a turn, where the spider is tilted by α.

    Parameters
    ----------
    housing, spider : Frame or Body
        Frame with the tracks, and frame with the arms.
    radius : float [m]
        Distance r of the tracks from the axis.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("drive", gravity=(0, 0, 0))
    >>> bodies = [model.add_body(n, jd.Inertia(1.0, moments=(0.1, 0.1, 0.1))) for n in "ab"]
    >>> _ = model.add_joint("a", model.world, bodies[0], jd.Revolute("x"))
    >>> _ = model.add_joint("b", model.world, bodies[1], jd.Free())
    >>> joint = model.add("tripod", pt.TripodJoint(*bodies, radius=0.02))
    >>> push = model.add_connection("push", jd.Coordinate("a.angle"), jd.Force(0.2))
    >>> float(jd.simulate(model, 1.0)["a.rate"][-1].round(6))  # both turn as one
    1.0
    """

    housing: FrameField
    spider: FrameField
    radius: NumberField

    def __post_init__(self) -> None:
        feet = FeetOffTracks(self.housing, self.spider, self.radius)
        for end in ("housing", "spider"):
            object.__setattr__(self, end, getattr(feet, end))
        check.number(self.radius, "radius of TripodJoint", positive=True, unit="m")

    def build(self, group: Group) -> Mapping[str, Any]:
        """A constraint for each foot."""
        feet = FeetOffTracks(self.housing, self.spider, self.radius)
        group.add_connection("feet", feet, Equal())
        return {"housing": self.housing, "spider": self.spider}

    def results(self, name: str) -> Mapping[str, Result]:
        """Forces of the feet, forward on the spider."""
        return {
            f"force_{k}": Result("N", f"force of foot {k} of {name}", (f"{name}.feet.force.{k}",))
            for k in range(1, FEET + 1)
        }
