"""Gap between two contours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.contours.contour import Contour
from jourdain.model.contours.pairs import ContactPoint, find_pair
from jourdain.model.contours.pairs.tangents import tangents
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check


class Gap(Measure):
    """Distances [m] between two contours at their candidate contact points; negative for overlap.

    A positive force on it pushes the two apart.

    Parameters
    ----------
    a, b : Contour
        The two contours, on two different bodies.

    Examples
    --------
    >>> from jourdain.model import Model
    >>> from jourdain.model.contours import HalfSpace, Sphere
    >>> from jourdain.model.measures import Gap
    >>> from jourdain.spatial import solid
    >>> model = Model("one")
    >>> ball = model.add_body("ball", solid.ball(mass=1.0, radius=0.1))
    >>> Gap(HalfSpace(model.world), Sphere(ball, 0.1)).n_points
    1
    """

    a: Contour
    b: Contour

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, contour in (("a", self.a), ("b", self.b)):
            if not isinstance(contour, Contour):
                raise ModelError(
                    f"Gap: {name} is {check.shown(contour)}: give a contour such as "
                    "jd.Sphere(body, 0.1) or jd.HalfSpace(model.world)."
                )
        if self.a.frame.body == self.b.frame.body:
            raise ModelError(
                f"Gap: both contours, {type(self.a).__name__} and {type(self.b).__name__}, are on "
                f"body {self.a.frame.body!r}. A contact needs two bodies: change one of them."
            )
        find_pair(self.a, self.b)

    @property
    def n_points(self) -> int:
        """Number of candidate contact points."""
        return find_pair(self.a, self.b).n_points(self.a, self.b)

    @property
    def size(self) -> int:  # type: ignore[override]
        """One gap for each point."""
        return self.n_points

    @property
    def parameters(self) -> dict[str, str]:
        """Names and units of contact parameters that simulations carry as states; mostly none."""
        count = find_pair(self.a, self.b).n_parameters
        return {f"contact_{k + 1}": "1" for k in range(count)}

    def points(self, at: Any) -> list[ContactPoint]:
        """Candidate contact points, ``n_points`` of them."""
        if self.parameters and getattr(at, "contact", None) is not None:
            return self.near(at, at.contact)[0]
        poses = at.pose(self.a.frame), at.pose(self.b.frame)
        return find_pair(self.a, self.b).points(self.a, self.b, *poses)

    def near(self, at: Any, c: Any) -> tuple[list[ContactPoint], Any]:
        """Contact points and contact parameters, from parameters nearby."""
        poses = at.pose(self.a.frame), at.pose(self.b.frame)
        near: Any = find_pair(self.a, self.b).near
        return near(self.a, self.b, *poses, c)  # type: ignore[no-any-return]

    def value(self, at: Any) -> Any:
        """Gaps at the points."""
        return math.vector([point.gap for point in self.points(at)])

    def contacts(self, at: Any, turns: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """Gap, and sliding velocity of b against a along two tangents, of every point.

        With ``turns`` also the angular velocity of b against a [rad/s]: about the tangents for
        "rolling", about the normal for "drilling".
        """
        found = []
        for point in self.points(at):
            across = tangents(point.normal)
            slip = _velocity(at, self.b, point.point_b) - _velocity(at, self.a, point.point_a)
            axes = {"rolling": across, "drilling": (point.normal,)}
            turning = ([math.dot(axis, self._spin(at)) for axis in axes[turn]] for turn in turns)
            found.append((point.gap, [math.dot(t, slip) for t in across], *turning))
        return found

    def _spin(self, at: Any) -> Any:
        return at.twist(self.b.frame)[0] - at.twist(self.a.frame)[0]


def _velocity(at: Any, contour: Contour, point: Any) -> Any:
    """Velocity of the material point of a contour's body at a place in the world."""
    w, v = at.twist(contour.frame)
    return v + math.cross(w, point - at.pose(contour.frame)[1])
