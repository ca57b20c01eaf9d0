"""What a mesh measures: the way of both wheels along the line of action, and both flanks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth, involute
from jourdain.model.elements import Frame
from jourdain.model.joints import Revolute
from jourdain.model.measures.measure import Measure
from jourdain.model.reference import reference
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.model import Model

ALONG = 0.9
"""Cosine of the angle between a hinge and the axis of teeth, below which it is another axis."""


class ShaftLine(Measure):
    """Way along the line of action of wheels on shafts, x = r_a φ_a + r_b φ_b + ζ tan β_b − e.

    Positive x presses the front flanks on each other: those ahead while a turns forward (GM-1).

    Parameters
    ----------
    a, b : Measure [rad]
        Angles of the wheels, both counted about the same axis.
    teeth : Teeth
        Their teeth.
    phase : float
        Shift Δx of the mesh in base pitches.
    slide : Measure [m], optional
        Place ζ of b along the axis, less that of a.
    error : function, optional
        Deviation e of the flanks [m] over x in base pitches.
    """

    a: Measure
    b: Measure
    teeth: Teeth
    phase: float = 0.0
    slide: Measure | None = None
    error: Callable[..., Any] | None = None

    def place(self, at: Any) -> Any:
        """Place of the mesh along the path of contact, in base pitches from its start."""
        return self.teeth.base_radii[0] / self.teeth.pitch * self.a.value(at) - self.phase

    def value(self, at: Any) -> Any:
        """Way x [m]."""
        r_a, r_b = self.teeth.base_radii
        x = r_a * self.a.value(at) + r_b * self.b.value(at)
        if self.slide is not None:
            x = x + float(math.tan(self.teeth.base_helix)) * self.slide.value(at)
        return x if self.error is None else x - self.error(self.place(at))

    def closing(self, at: Any) -> Any:
        """By how much the axes are too close [m]: nothing on shafts."""
        return 0.0


class WheelLine(Measure):
    """Way along the line of action of two wheels on bodies, exact for any place of the axes (GM-2).

    Both turn relative to the line of their centres. Wheel a has the middle of a tooth on the x-axis
    of its frame; wheel b stands so that it meshes with the same play on both flanks where the model
    is in its reference position, or by ``offset``.

    Parameters
    ----------
    a, b : Frame
        Centres of the wheels, which turn about z.
    teeth : Teeth
        Their teeth.
    offset : float [rad], optional
        z_a ψ_a + z_b ψ_b where both flanks have the same play.
    error : function, optional
        Deviation of the flanks [m] over x in base pitches.
    rim : Rim, optional
        Elastic rim of wheel b.
    """

    a: Frame
    b: Frame
    teeth: Teeth
    offset: float | None = None
    error: Callable[..., Any] | None = None
    rim: Any = None

    def completed(self, model: Model) -> Measure:
        """The same with the offset of the reference position."""
        for end in (self.a, self.b):
            require_axis(model, end)
        if self.offset is not None:
            return self
        values = {name: p.value for name, p in model.parameters.items()}
        offset = float(self._turned(reference(model, values)))
        return WheelLine(self.a, self.b, self.teeth, offset, self.error, self.rim)

    def place(self, at: Any) -> Any:
        """Place of the mesh along the path of contact, in base pitches from its start."""
        t, turn = self.teeth, self._angles(at)[0]
        return (t.approach + t.base_radii[0] * (turn + t.half_tooth)) / t.pitch

    def value(self, at: Any) -> Any:
        """Way x [m], between half a pitch before and behind."""
        t, turned = self.teeth, self._turned(at) - (self.offset or 0.0)
        inside = math.atan2(math.sin(turned), math.cos(turned))
        along = float(math.tan(t.base_helix)) * at.relative(self.b, self.a)[1][2]
        x = t.pitch / (2.0 * math.pi) * inside + along
        if self.rim is not None:  # forward along the circumference, as a turned wheel b
            turn = math.copysign(math.cos(t.working_angle), t.base_radii[1])
            x = x + float(turn) * self._moved(at)[1]
        return x if self.error is None else x - self.error(self.place(at))

    def closing(self, at: Any) -> Any:
        """By how much the axes are too close, along both lines of action [m] (GM-3)."""
        r = at.relative(self.b, self.a)[1]
        base = sum(self.teeth.base_radii)
        cosine = abs(base) / math.sqrt(r[0] * r[0] + r[1] * r[1])
        working = math.acos(math.minimum(cosine, 1.0 - 1e-9))
        closed = base * (involute(self.teeth.working_angle) - involute(working))
        if self.rim is None:
            return closed
        outward = math.copysign(math.sin(self.teeth.working_angle), self.teeth.base_radii[1])
        return closed + float(outward) * self._moved(at)[0]

    def _moved(self, at: Any) -> tuple[Any, Any]:
        """Way of the rim of b at the mesh, outward and forward (4.F53)."""
        moved: tuple[Any, Any] = self.rim.displacement(-self._angles(at)[1], at)
        return moved

    def _angles(self, at: Any) -> tuple[Any, Any]:
        """Angles of the marks on both wheels, counted from the direction to the pitch point."""
        R, r = at.relative(self.b, self.a)
        back = -(R.T @ r)  # the axis of a in the axes of b
        outer = 1.0 if self.teeth.teeth[1] > 0 else -1.0
        toward = math.atan2(outer * r[1], outer * r[0])
        return -toward, -math.atan2(back[1], back[0])

    def _turned(self, at: Any) -> Any:
        a, b = self._angles(at)
        return self.teeth.teeth[0] * a + self.teeth.teeth[1] * b


def _numbers(rotation: Any) -> Any:
    return np.array([[nominal(x) for x in row] for row in rotation], dtype=float)


def require_axis(model: Model, wheel: Frame) -> None:
    """Refuse a wheel that is hinged about another axis than that of its teeth.

    Raises
    ------
    ModelError
        If its body hangs on a hinge across the z-axis of the frame.
    """
    own = [j for j in model.joints.values() if j.child.body == wheel.body]
    kind: Any = own[0].kind if len(own) == 1 else None
    if not isinstance(kind, Revolute):
        return
    joint, axis = own[0], np.array(list(math.axis_vector(kind.axis)))
    hinge = _numbers(joint.child.rotation) @ axis
    if abs(hinge @ _numbers(wheel.rotation)[:, 2]) < ALONG:
        raise ModelError(
            f"the wheel {wheel.body!r} of a Mesh turns about an axis of its joint {joint.name!r} "
            "that is not the z-axis of its frame, around which its teeth are. Give a frame whose z "
            "lies along the axis, such as wheel.at(rotation=jd.rotation_y(jd.math.pi / 2)) for x."
        )


class FlankDepth(Measure):
    """How deep a flank is in the other: below zero it has play (GM-3).

    Parameters
    ----------
    line : ShaftLine or WheelLine
        Way along the line of action.
    side : {1, -1}
        Front flank or back flank.
    play : float [m]
        Play of that flank where x is zero.
    """

    line: Any
    side: float
    play: Any

    def completed(self, model: Model) -> Measure:
        """The same with the line as it is in the model."""
        return FlankDepth(self.line.completed(model), self.side, self.play)

    def place(self, at: Any) -> Any:
        """Place along the path of contact of this flank, which is mirrored for the back flank."""
        place, teeth = self.line.place(at), self.line.teeth
        if self.side > 0.0:
            return place
        return 2.0 * (teeth.approach + teeth.base_radii[0] * teeth.half_tooth) / teeth.pitch - place

    def value(self, at: Any) -> Any:
        """Depth [m]."""
        return self.side * self.line.value(at) + self.line.closing(at) - self.play
