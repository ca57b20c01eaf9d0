"""Adding elements by name: what a model and its groups have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, overload

from jourdain.errors import ModelError
from jourdain.model.adding_states import AddingStates
from jourdain.model.armature import armatures
from jourdain.model.checks.validation import kind_mistake
from jourdain.model.composites.composite import Composite, CompositeElement
from jourdain.model.connection import Connection, connect, members_of, with_inner_units
from jourdain.model.connection_array import ConnectionArray, connection_array
from jourdain.model.contact_group import ContactGroup, can_meet, contact_group
from jourdain.model.contours.contour import Contour
from jourdain.model.drive import drive, drives
from jourdain.model.elements import Body, CoordinateElement, Frame, JointElement
from jourdain.model.flexible.solid import FlexibleSolid
from jourdain.model.joints.joint import Joint
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Coulomb, SetValued, Unilateral
from jourdain.model.measures.gap import Gap
from jourdain.model.measures.measure import Measure
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Number, Numbers
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.solid import Solid


class Adding(AddingStates):
    """Elements are added by names that begin with the name of the group, if it is one."""

    def add_body(
        self,
        name: str,
        solid: Solid | Inertia | FlexibleSolid | None = None,
        *,
        colour: str = "",
        opacity: float = 1.0,
    ) -> Body:
        """Add a body.

        Parameters
        ----------
        name : str
            Name of the body.
        solid : Solid, Inertia or FlexibleSolid
            What it is made of, for example ``jd.solid.box(...)`` or ``jd.flexible.beam(...)``, in
            the axes of the body.
        colour : str, optional
            Colour ``"#rrggbb"`` in pictures and on pages; by default that of its shapes, or one
            in turn.
        opacity : float
            From above 0 to 1 in pictures: below one the body is seen through.
        """
        full = self._take(name, "body")
        look: dict[str, Any] = {
            "colour": check.colour(colour, f"the colour of body {full!r}") if colour else "",
            "opacity": check.share(opacity, f"opacity of body {full!r}"),
        }
        if isinstance(solid, FlexibleSolid):
            self._elements._bodies[full] = added = Body(full, solid.inertia, (), solid, **look)
            return added
        if not isinstance(solid, Solid | Inertia):
            given = "nothing" if solid is None else check.shown(solid)
            raise ModelError(
                f"body {full!r} needs a solid or an inertia, but got {given}. "
                "Give it one, for example jd.solid.rod(mass=1.0, end=(0.3, 0, 0)) or "
                "jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)); a massless body has "
                "jd.Inertia(mass=0.0)."
            )
        made = Solid(solid) if isinstance(solid, Inertia) else solid
        self._elements._bodies[full] = added = Body(full, made.inertia, made.shapes, **look)
        return added

    def add_joint(
        self,
        name: str,
        parent: Body | Frame | str,
        child: Body | Frame | str,
        kind: Joint,
        *,
        driven: Mapping[str, Numbers | Function] | None = None,
        armature: Number | Mapping[str, Number] | None = None,
    ) -> JointElement:
        """Add a joint between two bodies.

        Its coordinates measure the motion of the child frame relative to the parent frame.

        Parameters
        ----------
        name : str
            Name of the joint.
        parent, child : Body, Frame or str
            The two ends: a body, ``body.at(x, y, z)``, or the name of a body or a frame.
        kind : Joint
            Motion it allows, for example ``jd.Revolute("z")``.
        driven : mapping of str to number or function, optional
            Coordinates, or groups of them such as ``"orientation"``, that are held at a number
            or follow a function of time, for example ``{"angle": lambda t: 2.0 * t}``.
        armature : float or Parameter, or mapping of str to them [kg m^2, kg], optional
            Inertia of a rotor that turns with the coordinate: n² J of a motor with inertia J
            behind a gear of ratio n. One number for a joint of one coordinate, else by name,
            ``{"angle_1": 0.02}``. It resists accelerations of the coordinate and nothing else:
            it has no weight, and no gyroscopic effect on the bodies.
        """
        full = self._take(name, "joint")
        what = f"joint {full!r}"
        ends = self._frame(parent, f"{what}: the parent"), self._frame(child, f"{what}: the child")
        if ends[0].body == ends[1].body:
            raise ModelError(
                f"{what} joins body {ends[0].body!r} to itself. A joint needs two bodies: "
                "change its parent or its child."
            )
        mistake = kind_mistake(kind)
        if mistake:
            raise ModelError(f"{what}: {mistake}")
        more = drives(kind, driven, what), armatures(kind, armature, what)
        self._elements._joints[full] = added = JointElement(full, *ends, kind, *more)
        return added

    def add_coordinate(
        self,
        name: str,
        inertia: Number,
        *,
        unit: str = "rad",
        driven: Number | Function | None = None,
    ) -> CoordinateElement:
        """Add a scalar coordinate that has an inertia: a shaft's rotation, the flow in a line.

        Parameters
        ----------
        name : str
            Name of the coordinate; its velocity is ``name.rate``.
        inertia : float [kg m^2, kg, ...]
            Inertia that belongs to it: half of it times the squared rate is the kinetic energy.
        unit : str
            Unit of the coordinate.
        driven : number or function of time, optional
            Holds or prescribes the coordinate.
        """
        full = self._take(name, "coordinate")
        what = f"coordinate {full!r}"
        given = None if driven is None else drive(driven, f"{what}: the driven value")
        self._elements._coordinates[full] = added = CoordinateElement(full, inertia, unit, given)
        return added

    @overload
    def add_connection(self, name: str, measure: Composite) -> CompositeElement: ...
    @overload
    def add_connection(
        self, name: str, measure: Measure, law: ForceLaw | Equal | SetValued | Function
    ) -> Connection: ...
    def add_connection(
        self, name: str, measure: Measure | Composite, law: Any = None
    ) -> Connection | CompositeElement:
        """Add a connection: a measure between frames, and the law of the force that answers.

        Parameters
        ----------
        name : str
            Name of the connection.
        measure : Measure or Composite
            What is measured, for example ``jd.Distance(crank.at(0.1, 0, 0), model.world)``.
            A composite has laws of its own.
        law : ForceLaw, Equal or SetValued
            How the force answers, for example ``jd.Spring(1e3, free=0.2) + jd.Damper(5.0)``,
            ``jd.Equal(0.3)`` for a constraint, or ``jd.Unilateral()`` for a stop. A function of
            the value and the rate of the measure is taken as `jourdain.Law`.
        """
        full, own = self._take(name, "connection"), self._elements
        composite = None
        if isinstance(measure, Composite):
            tables = own.movable, own._coordinates
            measure = with_inner_units(measure, *tables, f"connection {full!r}")
            composite = CompositeElement(full, measure)
        if composite is None:
            made = {full: connect(full, measure, law, own.movable, own._coordinates)}
        else:
            made = members_of(composite, law, own._bodies, own.movable, own._coordinates)
        for frame in dict.fromkeys(f for c in made.values() for f in c.measure.frames):
            self._frame(frame, f"connection {full!r}: a frame of the measure")
        own._connections |= made
        own._composites |= {} if composite is None else {full: composite}
        return composite or made[full]

    def add_connections(
        self,
        name: str,
        measures: Iterable[Measure],
        law: ForceLaw | Equal | SetValued | Function,
    ) -> ConnectionArray:
        """Add many connections of one kind under one name: teeth, rollers, bristles.

        Results have a dimension ``element``, counted from 0:
        ``sol["teeth.force"].sel(element=17)``.

        Parameters
        ----------
        name : str
            Name of the array; its members are the connections ``name.0``, ``name.1``, …
        measures : iterable of Measure
            What is measured: one or more measures of one class, size and unit.
        law : ForceLaw, Equal or SetValued
            How each force answers; the same law for all.

        Raises
        ------
        ModelError
            If there is no measure, or if they are of several kinds.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("mat")
        >>> plate = model.add_body("plate", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
        >>> places = [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
        >>> heights = [jd.Relative(model.world, plate.at(x, y, 0), "z") for x, y in places]
        >>> len(model.add_connections("mat", heights, jd.Spring(100.0) + jd.Damper(2.0)))
        4
        """
        full, own = self._take(name, "connection"), self._elements
        array, made = connection_array(full, measures, law, own.movable, own._coordinates)
        for frame in dict.fromkeys(f for c in made.values() for f in c.measure.frames):
            self._frame(frame, f"connections {full!r}: a frame of the measures")
        own._connections |= made
        own._arrays[full] = array
        return array

    def add_contact(
        self, name: str, a: Contour, b: Contour, law: ForceLaw | Equal | SetValued | Function
    ) -> Connection:
        """Add a contact between two contours: a connection that measures their `Gap`.

        Parameters
        ----------
        name : str
            Name of the connection.
        a, b : Contour
            The two outlines, for example ``jd.HalfSpace(model.world)`` and
            ``jd.Sphere(ball, radius=0.1)``. Velocities and forces are those of b against a.
        law : law of contact, ForceLaw or Equal
            How the force answers, for example ``jd.Coulomb(friction=0.4)``.
        """
        try:
            gap = Gap(a, b)
        except ModelError as error:
            ends = [getattr(getattr(x, "frame", None), "body", None) for x in (a, b)]
            hint = ""
            if ends[0] != ends[1] and can_meet(a, b):
                group = f"model.add_contacts({name!r}, [a, b], law, with_joined=True)"
                hint = f" In a group, which is stepped over in time, they meet: {group}."
            raise ModelError(f"contact {self.path(name)!r}: {error}{hint}") from None
        return self.add_connection(name, gap, law)

    def add_contacts(
        self,
        name: str,
        contours: Iterable[Contour] | Mapping[str, Iterable[Contour]],
        law: Coulomb | Unilateral | Mapping[tuple[str, str], Coulomb | Unilateral],
        *,
        with_joined: bool = False,
    ) -> ContactGroup:
        """Add contacts of many bodies: every pair of contours on different bodies may touch.

        For piles: the cost grows with the contacts that are near, not with the pairs.

        Parameters
        ----------
        name : str
            Name of the group.
        contours : sequence of Contour, or mapping of str to sequence of Contour
            Outlines of bodies and of the world; by the names of their kinds, such as materials,
            where pairs have laws of their own.
        law : Coulomb or Unilateral, or mapping of (str, str) to Coulomb or Unilateral
            Law of all contacts of the group, or of pairs of kinds; pairs without one do not touch.
        with_joined : bool
            Whether two bodies that a joint connects may touch too.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("rink")
        >>> puck, ball = (
        ...     model.add_body(n, jd.solid.ball(mass=0.2, radius=0.04)) for n in ("puck", "ball")
        ... )
        >>> contours = {"ice": [jd.HalfSpace(model.world)], "rubber": [jd.Sphere(puck, 0.04)]}
        >>> contours["wood"] = [jd.Sphere(ball, 0.04)]
        >>> slippery, rough = jd.Coulomb(friction=0.05), jd.Coulomb(friction=0.6)
        >>> laws = {("ice", "rubber"): slippery, ("ice", "wood"): slippery}
        >>> group = model.add_contacts("rink", contours, laws | {("rubber", "wood"): rough})
        >>> len(group.laws)
        3
        """
        full = self._take(name, "contact group")
        added = contact_group(full, contours, law, with_joined)
        for contour in added.contours:
            self._frame(contour.frame, f"contacts {full!r}: a contour")
        self._elements._contacts[full] = added
        return added

    def add_frame(self, name: str, frame: Frame | Body | str) -> Frame:
        """Name a frame, so that results and joints can refer to it.

        Parameters
        ----------
        name : str
            Name of the frame.
        frame : Frame, Body or str
            The place, for example ``body.at(0.3, 0, 0)``.
        """
        full = self._take(name, "frame")
        self._elements._frames[full] = added = self._frame(frame, f"frame {full!r}: the place")
        return added
