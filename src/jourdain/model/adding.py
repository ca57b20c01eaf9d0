"""Adding elements by name: what a model and its groups have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from jourdain.errors import ModelError
from jourdain.model.adding_states import AddingStates
from jourdain.model.armature import armatures
from jourdain.model.composite import Composite, CompositeElement
from jourdain.model.connection import Connection, connect, members_of
from jourdain.model.contact_group import ContactGroup, can_meet, contact_group
from jourdain.model.contours.contour import Contour
from jourdain.model.drive import drive, drives
from jourdain.model.elements import WORLD, Body, CoordinateElement, Frame, JointElement
from jourdain.model.holdings import GROUND, Elements
from jourdain.model.joints.joint import Joint
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Coulomb, SetValued, Unilateral
from jourdain.model.measures.gap import Gap
from jourdain.model.measures.measure import Measure
from jourdain.model.names import joined
from jourdain.model.part import BuiltPart, Part, require_part
from jourdain.model.places import frame_of
from jourdain.model.validation import kind_mistake
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Number, Numbers
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.solid import Solid

if TYPE_CHECKING:
    from jourdain.model.group import Group


class Adding(AddingStates, ABC):
    """Elements are added and found by names that begin with the name of the group, if it is one.

    Names inside measures, laws and functions are full names, as results have them.
    """

    @property
    @abstractmethod
    def _elements(self) -> Elements:
        """Tables of the model."""

    @property
    @abstractmethod
    def _prefix(self) -> str:
        """Full name of the group; empty for the model."""

    @property
    def world(self) -> Body:
        """The fixed ground, with z upwards as gravity has it by default."""
        return GROUND

    def path(self, name: str) -> str:
        """Full name of something in here: ``oil.path("hose")`` is ``"oil.hose"``."""
        return joined(self._prefix, name)

    def group(self, name: str) -> Group:
        """Group of elements: a view that puts its name before all that is added through it.

        The group is made when it is first asked for.

        Parameters
        ----------
        name : str
            Name of the group, without dots; groups lie in groups.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("press")
        >>> oil = model.group("oil")
        >>> shaft = oil.add_coordinate("shaft", inertia=0.1)
        >>> shaft.name
        'oil.shaft'
        """
        from jourdain.model.group import Group  # noqa: PLC0415

        full = self.path(check.name(name, "group"))
        self._elements._open_group(full)
        return Group(self._elements, full)

    @overload
    def add(self, name: str, part: Part) -> BuiltPart: ...
    @overload
    def add(self, name: str, part: Sequence[Part]) -> tuple[BuiltPart, ...]: ...
    def add(self, name: str, part: Part | Sequence[Part]) -> BuiltPart | tuple[BuiltPart, ...]:
        """Add a part: a reusable piece of machine, or an array of them.

        Parameters
        ----------
        name : str
            Name of the part; what it holds is called ``name.element``.
        part : Part or sequence of Part
            What to build. Those of a sequence are called ``name.0``, ``name.1``, and so on.

        Returns
        -------
        BuiltPart or tuple of BuiltPart
            Handles whose attributes are the ports: ``box.shaft``, ``cylinders[0].rod``.

        Raises
        ------
        ModelError
            If it is no part, or if it cannot be built; then the model stays as it was.
        """
        full = self._take(name, "part")
        if isinstance(part, list | tuple):
            for k, each in enumerate(part):
                require_part(f"{full}.{k}", each)
            return self._elements._build_array(full, part)
        require_part(full, part)
        return self._elements._build(full, part)  # type: ignore[arg-type]  # just checked

    def part(self, name: str) -> BuiltPart:
        """Part of that name."""
        return self._elements._find("part", self._elements.parts, self.path(name))

    def parameter(self, name: str, value: float, unit: str = "1") -> Parameter:
        """Parameter whose name begins with that of the group: ``oil.diameter``."""
        return Parameter(self.path(name), value, unit)

    def body(self, name: str) -> Body:
        """Body of that name, the world included."""
        return GROUND if name == WORLD else self._found("body", name)

    def joint(self, name: str) -> JointElement:
        """Joint of that name."""
        return self._found("joint", name)  # type: ignore[no-any-return]

    def coordinate(self, name: str) -> CoordinateElement:
        """Scalar coordinate of that name."""
        return self._found("coordinate", name)  # type: ignore[no-any-return]

    def connection(self, name: str) -> Connection:
        """Connection of that name."""
        return self._found("connection", name)  # type: ignore[no-any-return]

    def frame(self, name: str) -> Frame:
        """Frame of that name."""
        return self._found("frame", name)  # type: ignore[no-any-return]

    def add_body(self, name: str, solid: Solid | Inertia | None = None) -> Body:
        """Add a rigid body.

        Parameters
        ----------
        name : str
            Name of the body.
        solid : Solid or Inertia
            What it is made of, for example ``jd.solid.box(...)``, in the axes of the body.
        """
        full = self._take(name, "body")
        if not isinstance(solid, Solid | Inertia):
            given = "nothing" if solid is None else check.shown(solid)
            raise ModelError(
                f"body {full!r} needs a solid or an inertia, but got {given}. "
                "Give it one, for example jd.solid.rod(mass=1.0, end=(0.3, 0, 0)) or "
                "jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)); a massless body has "
                "jd.Inertia(mass=0.0)."
            )
        made = Solid(solid) if isinstance(solid, Inertia) else solid
        self._elements._bodies[full] = added = Body(full, made.inertia, made.shapes)
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
        composite = CompositeElement(full, measure) if isinstance(measure, Composite) else None
        if composite is None:
            made = {full: connect(full, measure, law, own._joints, own._coordinates)}
        else:
            made = members_of(composite, law, own._bodies, own._joints, own._coordinates)
        for frame in dict.fromkeys(f for c in made.values() for f in c.measure.frames):
            self._frame(frame, f"connection {full!r}: a frame of the measure")
        own._connections |= made
        own._composites |= {} if composite is None else {full: composite}
        return composite or made[full]

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

    def _found(self, word: str, name: str) -> Any:
        """Element of a kind by its name in here."""
        full = self.path(name) if isinstance(name, str) else name
        return self._elements._find(word, self._elements._tables()[word], full)

    def _take(self, name: str, word: str) -> str:
        """Full name for a new element, if it can have it."""
        full = self.path(check.name(name, word))
        self._elements._require_free(full, word)
        return full

    def _frame(self, place: Any, what: str) -> Frame:
        """Frame of a body, a frame or a name, all of this model."""
        return frame_of(self._elements, place, what)
