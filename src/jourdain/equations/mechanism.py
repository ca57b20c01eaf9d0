"""Equations of a tree with connections and closed loops, as one expression graph.

The state is z = [q; q_c; s] and v: coordinates of the tree, coordinates of the cut joints, states
of laws, and velocities of the tree.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from jourdain.equations.connections.scene import Quantity
from jourdain.equations.constraints.constrained import Block
from jourdain.equations.constraints.cut_joints import CutJoint
from jourdain.equations.constraints.multipliers import Row
from jourdain.equations.contact.contact_terms import InContact
from jourdain.equations.quantities import Level, column_quantity, matrix_quantity


class Mechanism(InContact):
    """Expressions of everything a system with connections and loops answers."""

    @column_quantity(Level.FORCE)
    def zdot(self) -> Any:
        """Rates of q, q_c and s."""
        cut = (c.rates for c in self.cut_joints)
        values = ca.vertcat(self.tree_rates, *cut, self.state_rates)
        return self._resolved(values)

    @column_quantity(Level.FORCE)
    def measured(self) -> Any:
        """Per connection: value, rate, force, energy and energy rate, one after the other."""
        parts = []
        for a in self.answers.values():
            q = a.quantity
            value = ca.SX.zeros(q.rate.numel()) if q.value is None else q.value
            parts += [value, q.rate, a.force, a.energy, a.energy_rate]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    @column_quantity(Level.FORCE)
    def internal(self) -> Any:
        """Internal coordinates of composites, refined, then their rates."""
        inner = self.eliminated.values()
        parts = [*(e.gamma for e in inner), *(e.rates for e in inner)]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    @column_quantity(Level.FORCE)
    def internal_steps(self) -> Any:
        """Change of the carried internal coordinates towards where they belong."""
        return ca.vertcat(ca.SX(0, 1), *(e.step for e in self.eliminated.values()))

    @column_quantity(Level.FORCE)
    def internal_residuals(self) -> Any:
        """What the search for internal coordinates takes to zero: forces, errors of members."""
        return ca.vertcat(ca.SX(0, 1), *(e.residual for e in self.eliminated.values()))

    @matrix_quantity(Level.FORCE)
    def internal_jacobian(self) -> Any:
        """Matrices that have to be regular, one for each composite, along the diagonal."""
        parts = [e.matrix for e in self.eliminated.values()]
        return ca.densify(ca.diagcat(*parts)) if parts else ca.SX(0, 0)

    @column_quantity(Level.POSITION)
    def row_errors(self) -> Any:
        """Position errors of all rows; zero for rows on velocity level only."""
        parts = [ca.SX.zeros(b.n) if b.error is None else b.error for b in self.blocks]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def row_biases(self) -> Any:
        """Accelerations γ of all rows at zero accelerations of the tree: P dv/dt + γ = 0."""
        parts = [block.bias for block in self.blocks]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @matrix_quantity(Level.POSITION)
    def squares_jacobian(self) -> Any:
        """Squared sizes of the entries of P before terms cancel (n_rows, n_v)."""
        return self._dense(self.rows[1])

    @matrix_quantity(Level.FORCE)
    def row_force_jacobian(self) -> Any:
        """Forces of all rows by their multipliers: 1, but of composites what nodes can carry."""
        F = ca.SX.eye(sum(block.n for block in self.blocks))
        for inner in self.eliminated.values():
            rows = [k for name in inner.held.get("rows", ()) for k in _listed(self._places[name])]
            if rows:
                F[rows, rows] = inner.held["P"]
        return ca.densify(F)

    @matrix_quantity(Level.POSITION)
    def body_jacobian(self) -> Any:
        """Derivatives of the rows by the twists of all bodies (n_rows, 6 n_bodies).

        Without what measures of tree coordinates add: their forces act inside a joint.
        """
        J = ca.SX(sum(block.n for block in self.blocks), 6 * self.layout.n_bodies)
        for block in self.blocks:
            rows = self._places[block.name]
            for name, own in block.bodies.items():
                at = 6 * self._body_index[name]
                J[rows, at : at + 6] += own
            for name, own in block.coordinates.items():
                if name not in self._tree_coordinates:
                    cut, back = self.cut_row(name)
                    for body, through in cut.velocity.bodies.items():
                        at = 6 * self._body_index[body]
                        J[rows, at : at + 6] += own @ (back @ through)
        return ca.densify(J)

    @matrix_quantity(Level.POSITION)
    def cut_jacobian(self) -> Any:
        """Derivatives of the rows by the relative velocities of all cut joints (n_rows, 6 n_cuts).

        In child components: a row with the force λ loads the child of a cut joint with Jᵀ λ.
        """
        J = ca.SX(sum(block.n for block in self.blocks), 6 * len(self.cut_joints))
        for k, cut in enumerate(self.cut_joints):
            J[self._places[cut.element.name], 6 * k : 6 * k + 6] = cut.W.T
        for block in self.blocks:
            for name, own in block.coordinates.items():
                if name not in self._tree_coordinates:
                    cut, back = self.cut_row(name)
                    at = 6 * self.cut_joints.index(cut)
                    J[self._places[block.name], at : at + 6] += own @ back
        return ca.densify(J)

    @column_quantity(Level.POSITION)
    def cut_coordinate_errors(self) -> Any:
        """Change of the coordinates of cut joints that brings them to where the bodies are."""
        parts = [cut.fit @ cut.error for cut in self.cut_joints]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @matrix_quantity(Level.POSITION)
    def cut_coordinate_jacobian(self) -> Any:
        """Change of the coordinates of cut joints by displacements along v (n_cut, n_v)."""
        return self.by_velocities(*((cut.fit, cut.velocity) for cut in self.cut_joints))

    @column_quantity(Level.POSITION)
    def assembly_errors(self) -> Any:
        """Position errors of rows that hold positions: of cut joints, then of held measures."""
        parts = [cut.W_place.T @ cut.error for cut in self.cut_joints]
        parts += [b.error for b in self.blocks[len(self.cut_joints) :] if b.error is not None]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @matrix_quantity(Level.POSITION)
    def assembly_jacobian(self) -> Any:
        """Derivatives of the assembly errors by displacements along v (n_rows, n_v)."""
        placed = ((cut.W_place.T, cut.velocity) for cut in self.cut_joints)
        held = [b for b in self.blocks[len(self.cut_joints) :] if b.error is not None]
        return self.by_velocities(*placed, *((ca.SX.eye(b.n), b) for b in held))

    @matrix_quantity(Level.POSITION)
    def cut_velocity_jacobian(self) -> Any:
        """Derivatives of the free velocities of cut joints by v (n, n_v)."""
        return self.by_velocities(*((cut.S_plus, cut.velocity) for cut in self.cut_joints))

    def by_velocities(self, *parts: tuple[Any, Quantity | Block]) -> Any:
        """Derivatives by v (n, n_v) of combinations A y of rates y, by the twists of bodies."""
        rows = [A @ self._dense(self.rows_of([y])[0]) for A, y in parts]
        return ca.densify(ca.vertcat(ca.SX(0, self.layout.n_v), *rows))

    @column_quantity(Level.VELOCITY)
    def cut_biases(self) -> Any:
        """Rates of the free velocities of cut joints at zero accelerations of the tree."""
        parts = [cut.S_plus @ cut.bias for cut in self.cut_joints]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def cut_velocities(self) -> Any:
        """Free velocities of cut joints."""
        parts = [cut.S_plus @ cut.gap_rate for cut in self.cut_joints]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.FORCE)
    def powers(self) -> Any:
        """Energy stored; power of laws beyond it, moving constraints, cut joints, contacts, drives.

        Power is what forces do on the moving bodies. Drives of the tree count their own part. That
        of contacts is what they take themselves; the last is what drives give through contacts.
        """
        stored, *powers = self._law_powers
        pairs = self._given_forces()
        contacting = sum((ca.dot(f, q.rate) for q, f in pairs), ca.SX(0))
        powers[1] += sum((ca.dot(f, self._felt_rate(q) - q.rate) for q, f in pairs), ca.SX(0))
        forces = ca.vertcat(*(f for _, f in pairs)) if pairs else ca.SX(0, 1)
        driving = -ca.dot(forces, self.contact_drift)
        return self._resolved(ca.vertcat(stored, *powers, contacting, driving))

    @property
    def _law_powers(self) -> list[Any]:
        """Energy stored; power of laws beyond it, of moving constraints, of cut joints."""
        stored, beyond, moving, applied = (ca.SX(0) for _ in range(4))
        for name, a in self.answers.items():
            power = ca.dot(a.force, self._felt_rate(a.quantity))
            if name in self.multiplier_symbols and a.given is None:  # held members carry laws too
                moving += power
            else:
                stored, beyond = stored + a.energy, beyond + power + a.energy_rate
        for cut, f in zip(self.cut_joints, self._cut_forces, strict=True):
            own = self.multipliers[self._places[cut.element.name]]
            G = cut.velocity.rate
            applied += ca.dot(f, cut.S_plus @ cut.gap_rate)
            moving += ca.dot(f, cut.S_plus @ (G - cut.gap_rate))
            moving += ca.dot(own, cut.W.T @ G) if own.numel() else ca.SX(0)
        return [stored, beyond, moving, applied]

    @column_quantity(Level.FORCE)
    def lasting_power(self) -> Any:
        """Power whose work is integrated with a run: of laws, inputs, and what is held.

        Of drives of scalar coordinates, too, but for contacts. Of other drives nothing.
        """
        total = sum(self._law_powers[1:]) + ca.dot(self.tau, self.v)
        for a in self.answers.values():
            for name, J in a.quantity.coordinates.items():
                if name in self._driven_names and name in self._scalars:
                    total -= ca.dot(J, a.force) * self._tree_coordinates[name][1]
        for link in self.links:
            if link.name in self._scalars and link.motion.driven:
                _, rate, acceleration = self._tree_coordinates[link.name]
                total += link.constants["J"][2, 2] * acceleration * rate
        return self._resolved(total)

    def _felt_rate(self, quantity: Quantity) -> Any:
        """Rate of a measure without what time itself does to it."""
        rate = ca.SX.zeros(quantity.rate.numel())
        for name, J in quantity.bodies.items():
            rate += J @ self.body_motions[name][2]
        for name, J in quantity.coordinates.items():
            if name in self._tree_coordinates:
                rate += J @ self.coordinates[name][1]
            else:
                cut, row = self.cut_row(name)
                rate += J @ (row @ cut.velocity.rate)
        return rate

    @column_quantity(Level.FORCE)
    def wrenches(self) -> Any:
        """Loads of all connections and cut joints on the bodies, world components (6 n_bodies)."""
        wrench, _ = self.applied
        held = ((n, a) for n, a in self.answers.items() if n in self.multiplier_symbols)
        pairs = [(a.quantity, a.force - (0 if a.given is None else a.given)) for _, a in held]
        pairs += self._holding_forces()
        held, _ = self.loads_of(pairs)
        wrench = self._resolved(wrench + held)
        for cut in self.cut_joints:
            on_child = cut.W @ self.multipliers[self._places[cut.element.name]]
            wrench += self.wrenches_through(cut, on_child)
        return wrench

    @column_quantity(Level.FORCE)
    def driven_forces(self) -> Any:
        """Forces that connections and contacts give along the driven coordinates of the tree."""
        total = {name: ca.SX(0) for name in self._driven_names}
        for quantity, force in self._acting():
            for name, J in quantity.coordinates.items():
                if name in total:
                    total[name] += ca.dot(J, force)
        return self._resolved(ca.vertcat(*total.values())) if total else ca.SX(0, 1)

    def _acting(self) -> list[tuple[Quantity, Any]]:
        """Measures and forces of laws, held measures, contacts and dry friction."""
        pairs = [(a.quantity, a.force) for a in self.answers.values()]
        return [*pairs, *self._sliding(), *self._holding_forces(), *self._given_forces()]

    @property
    def _driven_names(self) -> list[str]:
        """Driven coordinates of the tree, in the order of the drives."""
        found = {}
        for i, link in enumerate(self.links):
            names, start = list(link.joint.joint.kind.coordinates), self.layout.e_start[i]
            is_scalar = link.name in self._scalars
            for k, place in enumerate(link.motion.driven):
                full = link.name if is_scalar else f"{link.joint.name}.{names[place]}"
                found[start + k] = full
        return [found[k] for k in sorted(found)]

    @column_quantity(Level.FORCE)
    def cut_motion(self) -> Any:
        """Per cut joint: positions, velocities, accelerations, then [torque; force] on the child.

        The load acts at the child frame, in the axes of the parent frame.
        """
        parts = []
        for cut in self.cut_joints:
            moved = ca.SX.zeros(6)
            for name, J in cut.velocity.bodies.items():
                rows: list[Row] = [{} for _ in range(6)]
                self._add_body(name, J, rows, [{} for _ in range(6)])
                own = [sum((x * self.vdot[k] for k, x in row.items()), ca.SX(0)) for row in rows]
                moved += ca.vertcat(*own)
            acceleration = cut.acceleration + cut.spread @ (cut.S_plus @ moved)
            on_child = cut.W @ self.multipliers[self._places[cut.element.name]]
            on_child += self._applied_in(cut)
            load = ca.vertcat(cut.R @ on_child[:3], cut.R @ on_child[3:])
            parts += [cut.positions, cut.velocities, acceleration, load]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    def _applied_in(self, cut: CutJoint) -> Any:
        """Load on the child of forces along the coordinates of a cut joint."""
        total = cut.S_plus.T @ self._cut_forces[self.cut_joints.index(cut)]
        for quantity, force in self._acting():
            for name, J in quantity.coordinates.items():
                if name not in self._tree_coordinates:
                    other, row = self.cut_row(name)
                    total += row.T @ (J.T @ force) if other is cut else ca.SX.zeros(6)
        return self._resolved(total)


def _listed(place: slice) -> range:
    return range(place.start, place.stop)


# What brings a state back on the constraints.
CORRECTIONS = (
    Mechanism.position_correction,
    Mechanism.velocity_correction,
    Mechanism.largest_errors,
)
