"""Connections and cut joints of a mechanism: measures, forces and loads on the bodies.

F = law(x, ẋ, s, w, t)                                                  (CN-4)
wrench on a body Σ Jᵀ F,   force along a coordinate Σ (∂ẋ/∂ċ)ᵀ F          (CN-5)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.connections.answer import Answer
from jourdain.equations.connections.asked_forces import Found
from jourdain.equations.connections.eliminated import Eliminated, eliminate
from jourdain.equations.connections.inner import Inner
from jourdain.equations.connections.law_view import Known, LawView, Placeholders
from jourdain.equations.connections.scene import Actual, Quantity, Scene, Traced
from jourdain.equations.connections.traces import Traces
from jourdain.equations.constraints.cut_joints import CutJoint, close, motion_of
from jourdain.equations.constraints.held import hold, is_kinked
from jourdain.equations.contact.contact_points import MODE, PointEquations, point_equations
from jourdain.equations.parts import contact_leads, point_names
from jourdain.equations.quantities import Level, column_quantity
from jourdain.equations.recursion.tree_motion import TreeMotion
from jourdain.model.connection import Connection
from jourdain.model.elements import with_values
from jourdain.model.laws import Dry, Equal, Locked, SetValued
from jourdain.model.names import owned
from jourdain.spatial.parameter import values_in_force


class Connected(TreeMotion):
    """Tree with its connections and cut joints."""

    @cached_property
    def cut_joints(self) -> list[CutJoint]:
        """Cut joints."""
        actual = Actual(self.body_motions, {}, self.t)
        cut_joints, start = [], 0
        for cut in self.parts.cuts:
            n = len(motion_of(cut).free)
            q = self._q_c[start : start + n, :]
            cut_joints.append(close(cut, self.values, q, actual, ()))
            start += n
        return cut_joints

    @cached_property
    def coordinates(self) -> dict[str, tuple[Any, Any, Any]]:
        """Values, rates and second rates of all coordinates, of cut joints too."""
        found = dict(self._tree_coordinates)
        start = 0
        for cut in self.cut_joints:
            names = list(cut.element.kind.coordinates)
            for k, place in enumerate(cut.motion.free):
                found[f"{cut.element.name}.{names[place]}"] = (
                    self._q_c[start + k], cut.rates[k], cut.second[k],
                )  # fmt: skip
            start += len(cut.motion.free)
        return found

    @cached_property
    def multiplier_symbols(self) -> dict[str, Any]:
        """Symbols of the multipliers that laws may ask for, one column for each constraint."""
        held = self.parts.held
        named = {c.name: ca.SX.sym(f"force of {c.name}", c.measure.size) for c in held}
        return named | self.normal_forces | self._sticking

    @cached_property
    def _sticking(self) -> dict[str, Any]:
        """Symbols of the forces that hold places of dry friction, where they have modes."""
        dry = [c for c in self.parts.set_valued if isinstance(c.law, Dry)]
        names = {
            f"{name} sticking": 1 if isinstance(c.law, Locked) else c.measure.size
            for c in (dry if self.has_modes else ())
            for name in point_names(c)
        }
        return {name: ca.SX.sym(name, n) for name, n in names.items()}

    @cached_property
    def normal_forces(self) -> dict[str, Any]:
        """Symbols of the normal forces of contacts; what is given where contacts are open."""
        names = [
            name
            for c in self.parts.set_valued
            for name in (() if isinstance(c.law, Dry) else point_names(c))
        ]
        if not self.has_modes:
            places = {name: 3 * k for k, name in enumerate(self.parts.contact_names)}
            return {name: self._given_contact_forces[places[name]] for name in names}
        return {name: ca.SX.sym(f"force of {name}") for name in names}

    @cached_property
    def _known(self) -> Known:
        """What laws may ask for."""
        connections, inside = self.parts.connections, self.parts.inside
        sizes = {c.name: c.measure.size for c in connections if _has_one_force(c)}
        outside = {c.name for c in self.parts.held} - inside
        given = {
            n: x for n, x in self.multiplier_symbols.items() if n in outside
        } | self.normal_forces
        forces = Placeholders(sizes | dict.fromkeys(self.normal_forces, 1), given, "force")
        multipliers = {n: x for n, x in self.multiplier_symbols.items() if n not in self._sticking}
        names = (list(self.coordinates), self.parts.states, self.parts.inputs)
        rates = Placeholders(dict.fromkeys(self.parts.states, 1), {}, "rate")
        return Known(*names, multipliers, forces, rates)

    @cached_property
    def _actual(self) -> Actual:
        """Expressions of everything that measures and laws look at."""
        names, inputs = self.parts.states, self.parts.inputs
        states = dict(zip(names, ca.vertsplit(self._s), strict=True)) if names else {}
        given = dict(zip(inputs, ca.vertsplit(self._w), strict=True)) if inputs else {}
        rates = self._known.state_rates
        given_rates = dict(zip(self.parts.rated, ca.vertsplit(self._w_rates), strict=True))
        return Actual(
            self.body_motions, self.coordinates, self.t, states, given, rates, given_rates
        )

    @cached_property
    def _found(self) -> Found:
        """Answers, composites and contacts with all forces put in that laws ask for."""
        inside = {name: a for e in self._composites.values() for name, a in e.answers.items()}
        smooth = [c for c in self.parts.connections if not isinstance(c.law, SetValued)]
        answers = {c.name: inside[c.name] if c.name in inside else self._answer(c) for c in smooth}
        found = Found(answers, self._composites, self._traced_points)
        return found.with_asked(self._known, self.parts, self._friction_of)

    def _friction_of(self, point: PointEquations) -> Any:
        """Friction of a place of dry friction, given from outside or by its mode."""
        if self.has_modes:
            held = self.multiplier_symbols[f"{point.name} sticking"]
            return point.sticks * held + point.sliding_force(None)
        k = self.parts.contact_names.index(point.name)
        return self._given_contact_forces[3 * k + 1 : 3 * k + 1 + point.n_tangents]

    @property
    def contact_points(self) -> list[PointEquations]:
        """Contacts, stops and places of dry friction."""
        return self._found.contact_points

    @property
    def answers(self) -> dict[str, Answer]:
        """Connections by name; forces of laws are functions of the multipliers they ask for."""
        return self._found.answers

    @property
    def eliminated(self) -> dict[str, Eliminated]:
        """Composite connections by name."""
        return self._found.composites

    @cached_property
    def _traced_points(self) -> list[PointEquations]:
        """Contacts, stops and places of dry friction, with symbols for forces of others."""
        actual = self._actual
        found: list[PointEquations] = []
        for c in self.parts.set_valued:
            n, start = len(contact_leads(c)), MODE * len(found)
            mode = self.mode[start : start + MODE * n, :]
            view = LawView(c, self._known, actual)
            with values_in_force(self.values):
                pairs = self._traces.pairs(c, actual, self._contact_of(c))
                found += point_equations(c, self.values, pairs, mode, view)
        return found

    @cached_property
    def feels_contacts(self) -> list[str]:
        """Connections whose laws ask for forces of contacts, where contacts are open."""
        forces = {name: a.force for name, a in self.answers.items()}
        forces |= {x.connection.name: x.capacity + ca.sum1(x.holds) for x in self.contact_points}
        return [name for name, f in forces.items() if ca.depends_on(f, self._given_contact_forces)]

    def _given_forces(self) -> list[tuple[Quantity, Any]]:
        """Forces of contact points that are given from outside."""
        return [pair for c in self.parts.set_valued for pair in self._given_forces_of(c)]

    def _given_forces_of(self, c: Connection) -> list[tuple[Quantity, Any]]:
        """Forces of the contact points of one connection that are given from outside."""
        pairs = []
        for k, x in enumerate(self.contact_points):
            if x.connection.name != c.name:
                continue
            force = self._given_contact_forces[3 * k : 3 * k + 3]
            if x.normal is not None:
                pairs.append((x.normal, force[0]))
            if x.tangential is not None:
                pairs.append((x.tangential, force[1 : 1 + x.n_tangents]))
        return pairs

    def _sliding(self) -> list[tuple[Quantity, Any]]:
        """Sliding friction of all contact points, and normal forces that their modes give."""
        every = self.contact_points if self.has_modes else ()
        normals: list[tuple[Quantity, Any]] = [
            (x.normal, x.given_force) for x in every if x.normal is not None
        ]
        return normals + [
            (x.tangential, x.sliding_force(self.multiplier_symbols.get(x.leans_on or "")))
            for x in every
            if x.tangential is not None
        ]

    @cached_property
    def _traces(self) -> Traces:
        """Measures and laws, traced once for all connections of one form."""
        return Traces(self._known, self.coordinates, self.values)

    def _answer(self, c: Connection) -> Answer:
        where = f"connection {c.name!r}"
        with values_in_force(self.values):
            quantity, shared = self._traces.measured(c, self._actual, self._contact_of(c))
            if isinstance(c.law, Equal):
                held = hold(quantity, c.law, self.values, self.t, where, self.kinks)
                force, kinked = self.multiplier_symbols[c.name], is_kinked(c.law, self.values)
                return Answer(held, force, ca.SX(0), ca.SX(0), [], has_kinks=kinked)
            return shared.answer(c, quantity, self._actual, self.kinks)

    @cached_property
    def _composites(self) -> dict[str, Eliminated]:
        """Composite connections by name, with symbols for forces of others."""
        actual = self._actual
        found, start = {}, len(self.parts.states) - len(self.parts.internal)
        for element in self.parts.composites:
            names = list(element.coordinates)
            parts = [c for c in self.parts.connections if c.name in element.inner_names]
            own = [self._own[c.name] for c in parts]
            s, w = (ca.vertcat(*column) for column in zip(*own, strict=True))
            held = {
                c.name: self.multiplier_symbols[c.name]
                for c in parts
                if c.name in self.multiplier_symbols
            }
            own_names = {k: x for k, x in self._known.multipliers.items() if k not in held}
            known = dataclasses.replace(self._known, multipliers=own_names)
            with values_in_force(self.values):
                inner = Inner(names, parts, self.values, known)
                found[element.name] = eliminate(
                    inner, f"connection {element.name!r}", self._s[start : start + len(names), :],
                    inner.arguments(actual, s, w), held if element.is_kinematic else None,
                )  # fmt: skip
            start += len(names)
        return found

    @cached_property
    def _own(self) -> dict[str, tuple[Any, Any]]:
        """States and inputs of the law of each connection."""
        found, start = {}, 0
        for c in self.parts.connections:
            end = start + len(c.law.inputs)
            own = self._s[self.parts.state_places[c.name][0], :]
            found[c.name], start = (own, self._w[start:end, :]), end
        return found

    @cached_property
    def state_rates(self) -> Any:
        """Rates of states of laws and contact parameters, then of internal coordinates."""
        rates: list[Any] = []
        for c in self.parts.connections:
            rates += self.answers[c.name].state_rates if c.name in self.answers else []
            rates += [self._followed[c.name].rate] if c.name in self._followed else []
        rates += [e.rates for e in self.eliminated.values()]
        return ca.vertcat(*rates) if rates else ca.SX(0, 1)

    def _contact_of(self, c: Connection) -> Any:
        """Contact parameters of a measure as they are carried; None where it has none."""
        is_followed = bool(c.measure.parameters)
        return self._s[self.parts.state_places[c.name][1], :] if is_followed else None

    @cached_property
    def _followed(self) -> dict[str, Quantity]:
        """Contact parameters that fit the poses, and their rates (CP-3), by connection."""
        actual = Actual(self.body_motions, self.coordinates, self.t)
        found = {}
        for c in self.parts.followed:
            scene = Scene((), f"connection {c.name!r}")
            with values_in_force(self.values):
                measure: Any = with_values(c.measure, self.values)
                value = measure.near(scene, self._contact_of(c))[1]
            found[c.name] = Traced(scene, value, scene.rate(value)).at(actual)
        return found

    @column_quantity(Level.POSITION)
    def contact_parameters(self) -> Any:
        """Contact parameters of all connections that carry them, as they fit the poses."""
        values = [quantity.value for quantity in self._followed.values()]
        return ca.vertcat(*values) if values else ca.SX(0, 1)

    def _given(self) -> list[tuple[Quantity, Any]]:
        """Measures and forces that follow from laws."""
        pairs = [
            (a.quantity, a.force)
            for n, a in self.answers.items()
            if n not in self.multiplier_symbols
        ]
        more = [(a.quantity, a.given) for a in self.answers.values() if a.given is not None]
        return [*pairs, *more]

    @cached_property
    def applied(self) -> tuple[Any, Any]:
        """Wrenches (6 n_bodies) and forces along the tree's velocities of all laws (CN-4)."""
        wrench, tau = self.loads_of([*self._given(), *self._sliding(), *self._given_forces()])
        for cut, forces in zip(self.cut_joints, self._cut_forces, strict=True):
            wrench += self.wrenches_through(cut, cut.S_plus.T @ forces)
        return wrench, tau

    @cached_property
    def _cut_forces(self) -> list[Any]:
        """Forces along the free velocities of each cut joint."""
        ends = np.cumsum([0, *(len(c.motion.free_columns) for c in self.cut_joints)])
        return [self._tau_c[a:b, :] for a, b in pairwise(ends)]

    def loads_of(self, pairs: Sequence[tuple[Quantity, Any]]) -> tuple[Any, Any]:
        """Wrenches on the bodies and forces along velocities that belong to measures."""
        wrench, tau = ca.SX.zeros(6 * self.layout.n_bodies), ca.SX.zeros(self.layout.n_v)
        for quantity, force in pairs:
            for name, J in quantity.bodies.items():
                at = 6 * self._body_index[name]
                wrench[at : at + 6] += quantity.reached(J.T @ force)
            for name, J in quantity.coordinates.items():
                along = quantity.reached(J.T @ force)
                if name in self._tree_coordinates:
                    for k, slope in self.along_velocities(name).items():
                        tau[k] += slope * along
                else:
                    cut, row = self.cut_row(name)
                    wrench += self.wrenches_through(cut, row.T @ along)
        return wrench, tau

    def cut_row(self, name: str) -> tuple[CutJoint, Any]:
        """Cut joint of a coordinate, and the row that gives its rate from relative velocity."""
        joint, own = owned(name, {c.element.name for c in self.cut_joints})
        cut = next(c for c in self.cut_joints if c.element.name == joint)
        place = list(cut.element.kind.coordinates).index(own)
        return cut, cut.back[cut.motion.free.index(place), :]

    def wrenches_through(self, cut: CutJoint, on_child: Any) -> Any:
        """Wrenches on all bodies of a load on the child of a cut joint and its counterpart."""
        wrench = ca.SX.zeros(6 * self.layout.n_bodies)
        for body, J in cut.velocity.bodies.items():
            at = 6 * self._body_index[body]
            wrench[at : at + 6] += J.T @ on_child
        return wrench

    @cached_property
    def _body_index(self) -> dict[str, int]:
        return {link.name: i for link, i in zip(self.links, self.layout.body, strict=True)}


def _has_one_force(c: Connection) -> bool:
    """Whether a connection has one force under its own name, contacts left out."""
    if isinstance(c.law, Locked):
        return c.measure.size == 1
    return not isinstance(c.law, SetValued) or isinstance(c.law, Dry)
