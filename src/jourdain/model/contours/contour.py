"""The contour: the outline of a body where it can touch another one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, is_dataclass
from inspect import isroutine
from typing import Any, ClassVar, TypeAlias, dataclass_transform

from jourdain.errors import ModelError
from jourdain.model.elements import Body, Frame
from jourdain.model.texts.phrases import phrase
from jourdain.spatial import check
from jourdain.spatial.annotations import Takes, preset
from jourdain.spatial.solid import Shape

PlaceField: TypeAlias = Takes[Frame | Body, Frame]
"""Field that takes a frame or a body, and holds a frame."""


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
class _Frozen(type):
    """Class of classes that become frozen dataclasses."""

    def __init__(cls, *arguments: Any, **kwargs: Any) -> None:
        super().__init__(*arguments, **kwargs)
        dataclass(frozen=True, repr=False)(cls)  # type: ignore[arg-type]


class Contour(metaclass=_Frozen):
    """Outline of a body, in the axes of a frame on it. Subclass it to make your own.

    The contract:

    1. Fields are annotated like those of a dataclass, after ``frame``; subclasses become frozen
       dataclasses by themselves. A field may be a number, a `Parameter`, a text, a function or a
       tuple of these. ``dimensions`` names those that are lengths: contours that differ in these
       alone share their compiled formulas.
    2. Optional: ``surface(p)`` returns the signed distance [m] of a point from the outline,
       negative inside, and the outward unit normal there: what contacts with points and spheres
       need, ``add_pair(Kind, Sphere, ball.sphere)``.
    3. Optional: ``extremes(direction)`` returns the points, always ``n_extremes`` of them, that
       can be furthest along a unit vector. Each is fixed to the body, or is furthest of all
       points of a smooth edge or surface: what contacts with half-spaces need,
       ``add_pair(HalfSpace, Kind, half_space.points, half_space.count)``.
    4. Optional: ``reach`` tells how far it reaches from the origin of the frame, so that bodies far
       away need no look; ``shapes`` says what to draw.

    All in the axes of the frame and with the functions of `jourdain.math`; decide by `where`.
    Two contours touch if there is a formula for the pair; see `jourdain.model.contours.pairs`.

    Parameters
    ----------
    frame : Frame or Body
        Where the outline sits.
    """

    frame: PlaceField
    dimensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        frame: Any = self.frame
        frame = frame.at() if isinstance(frame, Body) else frame
        if not isinstance(frame, Frame):
            raise ModelError(
                f"{type(self).__name__} is on {check.shown(frame)}: its first argument is a body, "
                "or a frame such as body.at(0.1, 0, 0); the ground is model.world."
            )
        object.__setattr__(self, "frame", frame)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What to draw, in the axes of the body; nothing for a contour without extent."""
        return ()

    @property
    def reach(self) -> Any:
        """Largest distance [m] of its points from the origin of its frame."""
        return math.inf

    @property
    def n_extremes(self) -> int:
        """Number of points that ``extremes`` gives; zero if it has none."""
        return 0

    def extremes(self, direction: Any) -> tuple[Any, ...]:
        """Points [m] that can be furthest along a unit vector."""
        return ()

    def surface(self, p: Any) -> tuple[Any, Any]:
        """Signed distance [m] of a point and outward normal."""
        raise NotImplementedError(f"contour {type(self).__name__} has no surface(p)")

    def __repr__(self) -> str:
        """Show functions by name, so that a contour reads the same in every process."""
        names: list[str] = [f.name for f in fields(self)] if is_dataclass(self) else []
        own = {name: getattr(self, name) for name in names}
        shown = (f"{k}={x.__name__ if isroutine(x) else repr(x)}" for k, x in own.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        """Short form, for reports."""
        return phrase(self)
