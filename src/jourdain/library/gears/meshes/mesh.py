"""The mesh of two wheels, on shafts or on bodies (5.F15, 4.F47, 4.F48)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.library.gears.geometry.teeth import Teeth
from jourdain.library.gears.meshes.contact import (
    Ideal,
    ToothContact,
    require_contact,
    require_repeating,
)
from jourdain.library.gears.meshes.line import FlankDepth, ShaftLine, WheelLine
from jourdain.library.gears.sets.elastic_ring import Rim
from jourdain.library.powertrain.angles import hold_angles
from jourdain.model.elements import Body, CoordinateElement, Frame, JointElement
from jourdain.model.measures.measure import Measure
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, Takes, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group
    from jourdain.model.parts.part import Samples

Zero = Literal["middle", "front", "back"]
_PARTS = {"middle": (0.5, 0.5), "front": (0.0, 1.0), "back": (1.0, 0.0)}


class Mesh(Part):
    """Two wheels that mesh (5.F15, 4.F48), at one of three levels (4.F47).

    On shafts the angles count about the same axis, so that two outer wheels turn against each
    other; with all angles zero the teeth stand as ``zero`` says. On bodies the wheels turn about
    the z-axes of their frames and may move in their bearings and on a carrier: both lines of action
    follow. There the teeth are in the middle of the play in the model's reference position.

    The front flanks are those ahead while wheel a turns forward. Their force, along the line of
    action in the transverse plane, is positive, that of the back flanks negative.

    Parameters
    ----------
    a, b : Measure, Frame or Body
        Angles of two shafts; or two bodies or frames, z along the axes.
    teeth : Teeth
        Geometry; a may be the outer wheel in a ring.
    contact : Ideal, Rigid or Elastic
        How the teeth answer.
    backlash : float [m]
        Whole play s along the line of action: that along the pitch circle times cos α.
    zero : {"middle", "front", "back"}
        What touches with all angles zero, on shafts.
    phase : float
        Shift Δx of the stiffness, see `Teeth.phase`, on shafts; on bodies it follows.
    error : function, optional
        Deviation of the flanks [m] over x in base pitches: transmission error without load.
    slide : Measure [m], optional
        On shafts: place of b along the axis less that of a; feels the axial force.
    rim : Rim, optional
        On bodies: elastic rim of wheel b, the port of an `ElasticRing`.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import gears, powertrain as pt
    >>> model = jd.Model("pair", gravity=(0, 0, 0))
    >>> a, b = (model.add(n, pt.Shaft(J)).angle for n, J in (("a", 1e-3), ("b", 4e-3)))
    >>> teeth = gears.Teeth((20, 30), module=3e-3)
    >>> soft = gears.Elastic(3e8, gears.Lehr(0.2, (1e-3, 4e-3)))
    >>> mesh = model.add("mesh", gears.Mesh(a, b, teeth, soft, backlash=1e-4))
    >>> push = model.add_connection("push", a, jd.Force(10.0))
    >>> hold = model.add_connection("hold", b, jd.Equal())
    >>> still = jd.equilibrium(model)
    >>> f"{1e6 * 0.028191 * still['a.angle']:.2f} µm"  # half of the play and 10/0.028191/3e8
    '51.18 µm'
    """

    a: Takes[Measure | CoordinateElement | JointElement | Frame | Body, Any]
    b: Takes[Measure | CoordinateElement | JointElement | Frame | Body, Any]
    teeth: Teeth
    contact: ToothContact = Ideal()
    backlash: NumberField = preset(default=0.0)
    zero: Zero = "middle"
    phase: NumberField = preset(default=0.0)
    error: Callable[..., Any] | None = None
    slide: Measure | None = None
    rim: Rim | None = None

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            if isinstance(getattr(self, name), Body):
                object.__setattr__(self, name, getattr(self, name).at())
        if self.is_spatial:
            if not isinstance(self.a, Frame) or not isinstance(self.b, Frame):
                raise ModelError(
                    f"Mesh joins {check.shown(self.a)} and {check.shown(self.b)}: give two angles, "
                    "or two bodies or frames."
                )
            if self.slide is not None or self.phase != 0.0 or self.zero != "middle":
                raise ModelError(
                    "Mesh of bodies has a slide, a phase or a zero: they follow from where the "
                    "bodies are. Leave them out."
                )
        else:
            hold_angles(self, "a", "b")
            if self.rim is not None:
                raise ModelError("Mesh of shafts has a rim: its waves need bodies. Give frames.")
        if not isinstance(self.teeth, Teeth):
            raise ModelError(
                f"teeth of Mesh is {check.shown(self.teeth)}: give gears.Teeth((20, 30), 3e-3)."
            )
        check.number(self.backlash, "backlash of Mesh", nonnegative=True, unit="m")
        require_contact(self.contact, self.backlash, "Mesh")
        require_repeating(self.error, "error of Mesh")
        if self.zero not in _PARTS:
            raise ModelError(
                f"zero of Mesh is {check.shown(self.zero)}: give 'middle', 'front' or 'back'."
            )
        if not -1.0 <= check.number(self.phase, "phase of Mesh") <= 1.0:
            raise ModelError(
                f"phase of Mesh is {self.phase:g}: it counts base pitches, give 0 to 1, such as "
                "teeth.phase(toward=0.3)."
            )

    @property
    def is_spatial(self) -> bool:
        """Whether the wheels are bodies."""
        return isinstance(self.a, Frame) or isinstance(self.b, Frame)

    @property
    def line(self) -> ShaftLine | WheelLine:
        """Way along the line of action."""
        if self.is_spatial:
            return WheelLine(self.a, self.b, self.teeth, None, self.error, self.rim)
        return ShaftLine(self.a, self.b, self.teeth, self.phase, self.slide, self.error)

    def plays(self) -> tuple[Any, Any]:
        """Play of the front flank and of the back flank with all angles zero [m]."""
        front, back = _PARTS[self.zero]
        return front * self.backlash, back * self.backlash

    def build(self, group: Group) -> Mapping[str, Any]:
        """The connections of the contact."""
        line, (front, back) = self.line, self.plays()
        flanks = (("front", FlankDepth(line, 1.0, front)), ("back", FlankDepth(line, -1.0, back)))
        self.contact.add_to(group, line, flanks)
        return {"a": self.a, "b": self.b}

    def results(self, name: str) -> Mapping[str, Result]:
        """Tooth force, its parts and torques, which flank carries, transmission error."""
        names, force = self.contact.force(name)
        arms, lean = self.teeth.base_radii, float(math.tan(self.teeth.base_helix))

        def times(factor: float) -> Callable[..., Any]:
            return lambda *x: factor * force(*x)

        made = {
            "force": Result("N", f"tooth force of {name} along the line of action", names, force),
            "axial_force": Result("N", f"force of {name} on a along the axis", names, times(lean)),
            "flank": Result(
                "1",
                f"flank of {name} that carries: 1 front, -1 back, 0 none",
                names,
                lambda *x: np.sign(force(*x)),
            ),
        }
        for end, arm in zip("ab", arms, strict=True):
            text = f"torque of {name} on {end}"
            made[f"torque_{end}"] = Result("N m", text, names, times(-arm))
        return made | self._error(name)

    def doubts(self, name: str, values: Samples) -> Iterable[str]:
        """Wheels on bodies that stand too far apart for their teeth to touch."""
        if not self.is_spatial or isinstance(self.contact, Ideal):
            return
        names, sign = self._flanks(name)
        depth = sign * sum(np.asarray(values(n)) for n in names)
        opened = -0.5 * (depth + sum(map(nominal, self.plays())))
        apart = np.flatnonzero(opened > 0.5 * self.teeth.pitch)
        if len(apart):
            k = int(apart[0])
            yield (
                f"the wheels of the mesh {name!r} are too far apart at t = "
                f"{values.time(names[0])[k]:.4g} s: their play is {2e3 * opened[k]:.3g} mm, more "
                f"than a pitch of {1e3 * self.teeth.pitch:.3g} mm, so no tooth carries. Put their "
                f"axes {1e3 * self.teeth.axis_distance:.4g} mm apart, or give Teeth this distance."
            )

    def _flanks(self, name: str) -> tuple[tuple[str, str], float]:
        """Names of how deep both flanks are, and the sign with which they tell it."""
        word = "value" if not self.contact.force(name)[0][0].endswith("normal_force") else "gap"
        return (f"{name}.front.{word}", f"{name}.back.{word}"), 1.0 if word == "value" else -1.0

    def _error(self, name: str) -> dict[str, Result]:
        text = f"transmission error of {name} along the line of action, deflection and play"
        if isinstance(self.contact, Ideal):
            return {"transmission_error": Result("m", text, (f"{name}.teeth.value",))}
        names, sign = self._flanks(name)
        front, back = map(nominal, self.plays())
        return {
            "transmission_error": Result(
                "m", text, names, lambda f, b: 0.5 * (sign * (f - b) + front - back)
            )
        }
