"""What contacts and dry friction ask of a mechanism: rows, responses, indicators, forces.

With W the rows of all gaps and sliding velocities, and M_c⁻¹ the response of the machine whose
bilateral constraints hold,

    u̇ = W dv/dt + w̄ = G λ + (W dv/dt|₀ + w̄),   u⁺ = u⁻ + G Λ,   G = W M_c⁻¹ Wᵀ      (CT-2)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import casadi as ca

from jourdain.equations.constraints.augmented import factors
from jourdain.equations.constraints.constrained import Constrained, asks
from jourdain.equations.contact.contact_points import UNSEEN, PointEquations
from jourdain.equations.quantities import Level, column_quantity, matrix_quantity
from jourdain.model.elements import WORLD


class InContact(Constrained):
    """Constrained tree with contacts and dry friction."""

    @column_quantity(Level.FORCE)
    def vdot(self) -> Any:
        """Accelerations."""
        return self._solved[0]

    @column_quantity(Level.FORCE)
    def multipliers(self) -> Any:
        """Forces λ of all constraint rows."""
        return self._solved[1]

    def _resolved(self, expression: Any) -> Any:
        """Expression with the multipliers that laws ask for put in."""
        known = list(self._unknown.values())
        if not asks(expression, known):
            return expression
        found = [
            self.multipliers[self._places[name]] + self._given_force(name) for name in self._unknown
        ]
        return ca.substitute(expression, ca.vertcat(*known), ca.vertcat(*found))

    def _holding_forces(self) -> list[tuple[Any, Any]]:
        """Forces by which contact points are held: of gaps, and of contact points that stick."""
        pairs = []
        for x in self.contact_points if self.has_modes else ():
            if x.normal is not None:
                pairs.append(
                    (x.normal, x.normal_force(self.multiplier_symbols[x.name]) - x.given_force)
                )
            if x.tangential is not None:
                force = self.multipliers[self._places[f"{x.name} sticking"]]
                pairs.append((x.tangential, x.sticks * force))
        return pairs

    @cached_property
    def _quantities(self) -> list[Any]:
        return [q for x in self.contact_points for q in x.quantities]

    @column_quantity(Level.POSITION)
    def gaps(self) -> Any:
        """Gaps of all contact points; zero where there is none."""
        none = ca.SX(0)
        parts = [
            none if x.normal is None or x.normal.value is None else x.normal.value
            for x in self.contact_points
        ]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def contact_rates(self) -> Any:
        """Rows u: rate of the gap, then sliding velocity, of every contact point."""
        return ca.vertcat(*(q.rate for q in self._quantities)) if self._quantities else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def contact_bias(self) -> Any:
        """Rates of the rows at zero accelerations, w̄."""
        return ca.vertcat(*(q.bias for q in self._quantities)) if self._quantities else ca.SX(0, 1)

    @column_quantity(Level.FORCE)
    def capacities(self) -> Any:
        """Two numbers per contact point: friction coefficients or capacities of both tangents."""
        return self._pairs([x.capacity for x in self.contact_points])

    @column_quantity(Level.FORCE)
    def static_capacities(self) -> Any:
        """The same while contact points stick."""
        return self._pairs([x.holds for x in self.contact_points])

    @column_quantity(Level.FORCE)
    def locks(self) -> Any:
        """Number per contact point that is above zero while it locks; zero of what is no lock."""
        parts = [ca.SX(0) if x.lock is None else x.lock for x in self.contact_points]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    def _pairs(self, found: list[Any]) -> Any:
        parts = [ca.repmat(x, 2 // x.numel(), 1) for x in found]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    @matrix_quantity(Level.POSITION)
    def contact_jacobian(self) -> Any:
        """Rows W (n_rows, n_v)."""
        rows = [self._column(row).T for row in self.rows_of(self._quantities)[0]]
        return ca.densify(ca.vertcat(*rows)) if rows else ca.SX(0, self.layout.n_v)

    @matrix_quantity(Level.POSITION)
    def contact_response_jacobian(self) -> Any:
        """Rows (M_c⁻¹ Wᵀ)ᵀ: velocities caused by unit impulses (n_rows, n_v)."""
        bilateral = self.lasting
        held, sizes = self.rows_of(bilateral)
        factored = factors(self, held, sizes, len(held))
        still = [ca.SX(0)] * sum(b.n for b in bilateral)
        rows = [
            self._column(factored.accelerations(row, still)[0]).T
            for row in self.rows_of(self._quantities)[0]
        ]
        return ca.densify(ca.vertcat(*rows)) if rows else ca.SX(0, self.layout.n_v)

    @cached_property
    def _contact_names(self) -> set[str]:
        return {name for x in self.contact_points for name in (x.name, f"{x.name} sticking")}

    @column_quantity(Level.FORCE)
    def contact_forces(self) -> Any:
        """Per contact point three numbers: normal force, friction forces along both tangents."""
        parts = []
        for x in self.contact_points:
            normal = x.normal_force(self.multiplier_symbols[x.leans_on]) if x.leans_on else ca.SX(0)
            parts += [normal, self._friction(x)]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    @column_quantity(Level.FORCE)
    def contact_powers(self) -> Any:
        """Power of the force along every row u [W], negative where it takes energy; of drives."""
        parts: list[Any] = []
        for k, x in enumerate(self.contact_points):
            first = 3 * k + (x.normal is None)
            parts.append(self.contact_forces[first : 3 * k + 1 + x.n_tangents])
        forces = ca.vertcat(*parts) if parts else ca.SX(0, 1)
        return ca.vertcat(self.contact_rates * forces, -ca.dot(forces, self.contact_drift))

    @column_quantity(Level.POSITION)
    def contact_drift(self) -> Any:
        """Rows u at zero velocities v: what drives and time make of them."""
        return ca.substitute(self.contact_rates, self.v, ca.SX.zeros(self.v.shape))

    @column_quantity(Level.FORCE)
    def contact_loads(self) -> Any:
        """Resultant force (3,) [N] on the second contour in world axes, of every contact."""
        parts = []
        for c in self.parts.between_contours:
            gap: Any = c.measure
            first, second = gap.a.frame.body, gap.b.frame.body
            body, sign = (first, -1.0) if second == WORLD else (second, 1.0)
            force = ca.SX.zeros(3)
            for quantity, given in self._given_forces_of(c):
                force += quantity.bodies[body][:, 3:6].T @ given
            parts.append(sign * force)
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    def _friction(self, x: PointEquations) -> Any:
        if x.tangential is None:
            return ca.SX.zeros(2)
        sliding = x.sliding_force(self.multiplier_symbols.get(x.leans_on or ""))
        force = x.sticks * self.multipliers[self._places[f"{x.name} sticking"]] + sliding
        return force if x.n_tangents == 2 else ca.vertcat(force, 0.0)

    @column_quantity(Level.FORCE)
    def indicators(self) -> Any:
        """Per contact point two numbers that fall through zero when its mode ends.

        First: the gap while open, the normal force while closed. Second: the friction reserve while
        sticking, the speed along the direction of its mode while sliding; of a lock what tells that
        it opens or closes. The mode adds a slack.
        """
        parts = []
        forces = self.contact_forces
        for k, x in enumerate(self.contact_points):
            normal, friction = forces[3 * k], forces[3 * k + 1 : 3 * k + 3]
            first = ca.SX(1)
            if x.normal is not None:
                gap = x.normal.rate if x.normal.value is None else x.normal.value
                first = ca.if_else(x.is_closed > 0.5, normal, gap) + x.mode[4]
            parts += [first, self._friction_indicator(x, normal, friction)]
        return self._resolved(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    def _friction_indicator(self, x: PointEquations, normal: Any, friction: Any) -> Any:
        if x.tangential is None:
            return ca.SX(1)
        if x.lock is not None:
            slack = ca.if_else(x.mode[5] >= UNSEEN, 0.0, x.mode[5])
            return ca.if_else(x.is_held, x.lock, -x.lock) + slack
        limit = x.holds if x.leans_on is None else x.holds * normal
        n = x.n_tangents
        if limit.numel() == 2:
            reserve = 1.0 - ca.sqrt(ca.sumsqr(friction / ca.fmax(limit, 1e-300)))
        else:
            reserve = limit - (ca.fabs(friction[0]) if n == 1 else ca.sqrt(ca.sumsqr(friction)))
        slip = x.tangential.rate
        speed = slip * x.mode[2] if n == 1 else ca.dot(slip, x.mode[2:4])
        sliding = ca.if_else(x.sticks > 0.5, reserve, speed) + x.mode[5]
        if x.leans_on is None:
            return sliding
        return ca.if_else(ca.fmax(x.is_closed, x.mode[7]) > 0.5, sliding, 1.0)
