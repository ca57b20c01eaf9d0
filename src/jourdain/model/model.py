"""The model: what a user writes. The only object that changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, overload

from jourdain.errors import ModelError
from jourdain.model.armature import armatures
from jourdain.model.composite import Composite, CompositeElement
from jourdain.model.connection import Connection, connect, parts_of
from jourdain.model.contact_group import ContactGroup, can_meet, contact_group
from jourdain.model.contours.contour import Contour
from jourdain.model.drive import drive, drives
from jourdain.model.elements import WORLD, Body, CoordinateElement, Frame, JointElement
from jourdain.model.holdings import Elements
from jourdain.model.joints.joint import Joint
from jourdain.model.laws.equal import Equal
from jourdain.model.laws.law import ForceLaw
from jourdain.model.laws.unilateral import Coulomb, SetValued, Unilateral
from jourdain.model.measures.gap import Gap
from jourdain.model.measures.measure import Measure
from jourdain.model.places import frame_of
from jourdain.model.summary import headline, html, summary
from jourdain.model.validation import kind_mistake, parameter_clashes, problems, used_parameters
from jourdain.spatial import check
from jourdain.spatial.annotations import Function, Number, Numbers, Triple
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.solid import Solid

_GROUND = Body(WORLD, Inertia(0.0))


class Model(Elements):
    """A machine: bodies, joints, scalar coordinates, connections and named frames.

    Elements are added by name, and are frozen once added. All names of a model are different,
    because results are addressed as ``element.quantity``. An ``add_…`` that fails leaves the
    model as it was.

    Parameters
    ----------
    name : str
        Name of the model.
    gravity : (3,) [m/s^2]
        Acceleration of free fall in the axes of the world.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> hinge = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> list(model.joints)
    ['hinge']
    """

    def __init__(self, name: str, gravity: Triple = (0.0, 0.0, -9.81)) -> None:
        super().__init__(check.name(name, "model"))
        self._gravity = check.vector(gravity, "gravity", "(0.0, 0.0, -9.81)")

    @property
    def gravity(self) -> tuple[Any, Any, Any]:
        """Acceleration of free fall in the axes of the world (3,) [m/s^2]."""
        return self._gravity

    @property
    def world(self) -> Body:
        """The fixed ground, with z upwards as gravity has it by default."""
        return _GROUND

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Parameters by name, in the order in which the elements use them.

        Raises
        ------
        ModelError
            If two parameters of one name differ in value or unit.
        """
        used = used_parameters(self)
        clashes = parameter_clashes(used)
        if clashes:
            raise ModelError(f"model {self._name!r}: " + "\n".join(clashes))
        return MappingProxyType({p.name: p for p in used})

    def body(self, name: str) -> Body:
        """Body of that name, the world included."""
        return _GROUND if name == WORLD else self._find("body", self._bodies, name)

    def joint(self, name: str) -> JointElement:
        """Joint of that name."""
        return self._find("joint", self._joints, name)

    def coordinate(self, name: str) -> CoordinateElement:
        """Scalar coordinate of that name."""
        return self._find("coordinate", self._coordinates, name)

    def connection(self, name: str) -> Connection:
        """Connection of that name."""
        return self._find("connection", self._connections, name)

    def frame(self, name: str) -> Frame:
        """Frame of that name."""
        return self._find("frame", self._frames, name)

    def add_body(self, name: str, solid: Solid | Inertia | None = None) -> Body:
        """Add a rigid body.

        Parameters
        ----------
        name : str
            Name of the body.
        solid : Solid or Inertia
            What it is made of, for example ``jd.solid.box(...)``, in the axes of the body.
        """
        self._take(name, "body")
        if not isinstance(solid, Solid | Inertia):
            given = "nothing" if solid is None else check.shown(solid)
            raise ModelError(
                f"body {name!r} needs a solid or an inertia, but got {given}. "
                "Give it one, for example jd.solid.rod(mass=1.0, end=(0.3, 0, 0)) or "
                "jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)); a massless body has "
                "jd.Inertia(mass=0.0)."
            )
        made = Solid(solid) if isinstance(solid, Inertia) else solid
        self._bodies[name] = added = Body(name, made.inertia, made.shapes)
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
        self._take(name, "joint")
        what = f"joint {name!r}"
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
        self._joints[name] = added = JointElement(name, *ends, kind, *more)
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
        self._take(name, "coordinate")
        what = f"coordinate {name!r}"
        given = None if driven is None else drive(driven, f"{what}: the driven value")
        self._coordinates[name] = added = CoordinateElement(name, inertia, unit, given)
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
        self._take(name, "connection")
        composite = CompositeElement(name, measure) if isinstance(measure, Composite) else None
        if composite is None:
            parts = {name: connect(name, measure, law, self._joints, self._coordinates)}
        else:
            parts = parts_of(composite, law, self._bodies, self._joints, self._coordinates)
        for frame in dict.fromkeys(f for part in parts.values() for f in part.measure.frames):
            self._frame(frame, f"connection {name!r}: a frame of the measure")
        self._connections |= parts
        self._composites |= {} if composite is None else {name: composite}
        return composite or parts[name]

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
            raise ModelError(f"contact {name!r}: {error}{hint}") from None
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
        self._take(name, "contact group")
        added = contact_group(name, contours, law, with_joined)
        for contour in added.contours:
            self._frame(contour.frame, f"contacts {name!r}: a contour")
        self._contacts[name] = added
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
        self._take(name, "frame")
        self._frames[name] = added = self._frame(frame, f"frame {name!r}: the place")
        return added

    def validate(self, parameters: Mapping[str, float] | None = None) -> None:
        """Check the whole model and report every problem at once.

        Parameters
        ----------
        parameters : mapping of str to float, optional
            Values of parameters to check with, instead of the nominal ones.

        Raises
        ------
        ModelError
            If there are problems; the text numbers them.
        UnknownNameError
            If a value is given for a parameter that the model does not have.
        """
        found = problems(self, parameters or {})
        if found:
            indented = (problem.replace("\n", "\n   ") for problem in found)
            lines = "".join(f"\n  {k}. {problem}" for k, problem in enumerate(indented, 1))
            count = f"{len(found)} problem{'s' * (len(found) > 1)}"
            raise ModelError(f"model {self._name!r} has {count}:{lines}")

    def copy(self) -> Model:
        """Model of the same content that can be changed on its own."""
        twin = Model(self._name, self._gravity)
        for own, new in zip(self._tables().values(), twin._tables().values(), strict=True):
            new.update(own)
        return twin

    def without(self, connections: Iterable[str]) -> Model:
        """Copy without some of the connections, by name."""
        twin = self.copy()
        for name in list(connections):
            self.connection(name)
            del twin._connections[name]
        return twin

    def __eq__(self, other: object) -> bool:
        """Tell whether two models have the same content in the same order."""
        if not isinstance(other, Model):
            return NotImplemented
        mine, theirs = (self._gravity, self._content()), (other._gravity, other._content())
        return bool(mine == theirs)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __str__(self) -> str:
        return summary(self)

    def __repr__(self) -> str:
        return f"<{headline(self)}>"

    def _repr_html_(self) -> str:
        """Table of its elements, in a notebook."""
        return html(self)

    def _frame(self, place: Any, what: str) -> Frame:
        """Frame of a body, a frame or a name, all of this model."""
        return frame_of(self, place, what)
