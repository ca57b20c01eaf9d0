"""Constraint rows of a mechanism, its accelerations and multipliers, and corrections of the state.

    M dv/dt + h = τ + Σ forces + Pᵀ λ                                         (CN-6)

with the rows P of cut joints (CL-2) and of measures that are held (`Equal`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import casadi as ca

from jourdain.equations.connections.connected import Connected
from jourdain.equations.connections.scene import Quantity
from jourdain.equations.constraints.augmented import factors
from jourdain.equations.constraints.multipliers import Factored, Row
from jourdain.equations.quantities import Level, column_quantity, matrix_quantity
from jourdain.equations.recursion import newton_euler
from jourdain.equations.recursion.articulated_body import FORWARD_LOADED
from jourdain.equations.recursion.sweeps import run

SMALL = 12  # velocity coordinates up to which composite bodies are faster
_NEXT, _LAST = [1, 2, 0], [2, 0, 1]  # axes of products of vectors
_NEWTON = 6  # steps for multipliers that laws ask for: one is exact for Coulomb's law


@dataclass(frozen=True)
class Block:
    """Constraint rows of one cut joint or held measure.

    Parameters
    ----------
    name : str
        Name of the joint or of the connection.
    n : int
        Number of rows.
    bodies, coordinates : mappings
        Derivatives of the rows by twists and by rates of coordinates.
    rate, bias : casadi.SX
        Rows on velocity level, and on acceleration level at zero accelerations.
    error : casadi.SX or None
        Rows on position level; None where there are none.
    parts : tuple or None
        Derivatives by twists of what the rows combine, and squared factors (n, n_parts) of it.
    """

    name: str
    n: int
    bodies: Mapping[str, Any]
    coordinates: Mapping[str, Any]
    rate: Any
    bias: Any
    error: Any
    parts: Any = None


class Constrained(Connected):
    """Tree with connections whose constraints hold."""

    leans_on_constraints = False  # some motion of the tree has no inertia; see `augmented`
    has_wide_inertias = False  # inertias differ by many orders; see `orthogonal`

    @cached_property
    def blocks(self) -> list[Block]:
        """Constraint rows, cut joints first."""
        blocks = []
        for cut in self.cut_joints:
            W = cut.W
            bodies = {name: W.T @ J for name, J in cut.velocity.bodies.items()}
            blocks.append(
                Block(cut.element.name, W.shape[1], bodies, {}, W.T @ cut.gap_rate,
                      W.T @ cut.bias, W.T @ cut.error,
                      (cut.velocity.bodies, cut.W_size))
            )  # fmt: skip
        for name, answer in self.answers.items():
            if name in self.multiplier_symbols:
                blocks.append(self._through_nodes(name) or _block(name, answer.quantity, 1.0))
        for x in self.contact_points if self.has_modes else ():
            if x.normal is not None:
                blocks.append(_block(x.name, x.normal, x.is_closed))
            if x.tangential is not None:
                slip = dataclasses.replace(x.tangential, value=None)
                blocks.append(_block(f"{x.name} sticking", slip, x.sticks))
        return blocks

    def _through_nodes(self, name: str) -> Block | None:
        """Rows that a held member of a kinematic composite leaves to the bodies (CN-9)."""
        for inner in self.eliminated.values():
            if name not in inner.held.get("rows", ()):
                continue
            own, P, size = inner.held["rows"][name], inner.held["P"], inner.held["size"]
            parts = [inner.answers[part].quantity for part in inner.held["rows"]]
            stacked = [_stacked(parts, table) for table in ("bodies", "coordinates")]
            bodies, outside = ({k: P[own, :] @ J for k, J in t.items()} for t in stacked)
            rate, bias, error = (
                P[own, :] @ ca.vertcat(*(getattr(q, level) for q in parts))
                for level in ("rate", "bias", "value")
            )
            sizes = None if outside else (stacked[0], size[own, :])
            return Block(name, own.stop - own.start, bodies, outside, rate, bias, error, sizes)
        return None

    @cached_property
    def rows(self) -> tuple[list[Row], list[Row]]:
        """Constraint Jacobian P by velocity coordinates, and squared sizes of its entries."""
        return self.rows_of(self.blocks)

    def rows_of(self, blocks: Sequence[Block | Quantity]) -> tuple[list[Row], list[Row]]:
        """Derivatives of the rates of some blocks by v, and squared sizes of the entries."""
        rows: list[Row] = []
        sizes: list[Row] = []
        for block in blocks:
            own: list[Row] = [{} for _ in range(block.rate.numel())]
            size: list[Row] = [{} for _ in range(block.rate.numel())]
            for name, J in block.bodies.items():
                self._add_body(name, J, own, size)
            for name, J in block.coordinates.items():
                self._add_coordinate(name, J, own, size)
            rows += own
            combined = block.parts if isinstance(block, Block) else None
            sizes += size if combined is None else self._sizes_of(*combined)
        return rows, sizes

    def _sizes_of(self, bodies: Mapping[str, Any], factors: Any) -> list[Row]:
        """Squared sizes of rows that combine others."""
        parts: list[Row] = [{} for _ in range(factors.shape[1])]
        for name, J in bodies.items():
            self._add_body(name, J, [{} for _ in parts], parts)
        places = sorted({k for part in parts for k in part})
        table = [[part.get(k, ca.SX(1, 1)) for k in places] for part in parts]
        if not places:
            return [{} for _ in range(factors.shape[0])]
        whole = factors @ ca.vertcat(*(ca.horzcat(*row) for row in table))
        sizes: list[Row] = []
        for row in ca.vertsplit(whole):
            size: Row = {}
            for k, entry in zip(places, ca.horzsplit(row), strict=True):
                _add(size, k, entry)
            sizes.append(size)
        return sizes

    def _add_body(self, name: str, J: Any, rows: list[Row], sizes: list[Row]) -> None:
        places, moves = self.columns_moving(self._link_numbers[name], self.body_motions[name][1])
        if not places:
            return
        entries = ca.vertsplit(J @ moves)
        squared = ca.vertcat(*(ca.sum1(part**2) for part in (moves[:3, :], moves[3:, :])))
        J_squared = ca.horzcat(*(ca.sum2(part**2) for part in (J[:, :3], J[:, 3:])))
        sizes_of = ca.vertsplit(J_squared @ squared)
        for row, size, entry, square in zip(rows, sizes, entries, sizes_of, strict=True):
            for k, x, y in zip(places, ca.horzsplit(entry), ca.horzsplit(square), strict=True):
                _add(row, k, x)
                _add(size, k, y)

    @cached_property
    def _link_numbers(self) -> dict[str, int]:
        return {link.name: k for k, link in enumerate(self.links, 1)}

    def columns_moving(self, number: int, p: Any) -> tuple[list[int], Any]:
        """Velocities between a body and the world, and the twists at p that they give (6, n)."""
        places, columns = list[int](), list[Any]()
        while number:
            link, own = self.links[number - 1], self._columns[number - 1]
            start = self.layout.v_start[(link.inboard if link.is_section else number) - 1]
            places, columns = [*places, *range(start, start + len(own))], columns + own
            number = link.inboard
        if not columns:
            return places, ca.SX(6, 0)
        whole = ca.densify(ca.horzcat(*columns))  # directions, velocities and where they hold
        w, arm = whole[:3, :], ca.repmat(p, 1, len(places)) - whole[6:, :]
        turned = w[_NEXT, :] * arm[_LAST, :] - w[_LAST, :] * arm[_NEXT, :]
        return places, ca.vertcat(w, whole[3:6, :] + turned)

    def _add_coordinate(self, name: str, J: Any, rows: list[Row], sizes: list[Row]) -> None:
        if name not in self._tree_coordinates:
            cut, back = self.cut_row(name)
            for body, own in cut.velocity.bodies.items():
                self._add_body(body, J @ (back @ own), rows, sizes)
            return
        for k, along in self.along_velocities(name).items():
            for i, row in enumerate(rows):
                entry = ca.SX(J[i, 0] * along)
                _add(row, k, entry)
                _add(sizes[i], k, entry * entry)

    @cached_property
    def bias_forces(self) -> Any:
        """Forces h with the loads of laws as external wrenches (n_v)."""
        wrench, tau = self.applied
        loads = wrench + self._external
        found = self._run(newton_euler.INVERSE_LOADED, vdot=self._at_rest, wrench=loads)["tau"]
        h = ca.SX.zeros(self.layout.n_v)
        for start, value in zip(self.layout.v_start, found, strict=True):
            column = ca.SX(value)
            h[start : start + column.numel()] = column
        return h - tau

    @cached_property
    def factored(self) -> Factored:
        """Mass matrix and constraint rows, factored."""
        return factors(self, *self.rows, sum(block.n for block in self.lasting))

    @property
    def lasting(self) -> list[Block]:
        """Blocks that always hold, which come first: cut joints and held measures."""
        names = {name for x in self.contact_points for name in (x.name, f"{x.name} sticking")}
        return [block for block in self.blocks if block.name not in names]

    @cached_property
    def _solved(self) -> tuple[Any, Any]:
        """Accelerations and multipliers, laws that ask for multipliers included."""
        if not self.blocks:
            return self._unconstrained, ca.SX(0, 1)
        right = self.tau - self.bias_forces
        if asks(right, list(self._unknown.values())):
            right = self._with_multipliers(right)
        f = {k: right[k] for k in range(self.layout.n_v)}
        bias = [x for block in self.blocks for x in ca.vertsplit(ca.densify(block.bias))]
        vdot, multipliers = self.factored.accelerations(f, bias)
        column = ca.vertcat(*multipliers) if multipliers else ca.SX(0, 1)
        return self._column(vdot), column

    @cached_property
    def _unconstrained(self) -> Any:
        """Accelerations of a tree without constraints, by the recursion that suits its size."""
        if self.layout.n_v <= SMALL:
            row = self.factored.accelerations(
                {k: x for k, x in enumerate(ca.vertsplit(self.tau - self.bias_forces))}, []
            )[0]
            return self._column(row)
        wrench, tau = self.applied
        given = {"tau": self.tau + tau, "wrench": wrench + self._external}
        found = run(FORWARD_LOADED, self.links, self.layout, self._tree | given, self.gravity)
        vdot = ca.SX.zeros(self.layout.n_v)
        for start, value in zip(self.layout.v_start, found["vdot"], strict=True):
            column = ca.SX(value)
            vdot[start : start + column.numel()] = column
        return vdot

    def _with_multipliers(self, right: Any) -> Any:
        """Forces with the multipliers put in, found by Newton's iteration (Sol F70)."""
        asked = {name: s for name, s in self._unknown.items() if asks(right, [s])}
        lam = ca.vertcat(*asked.values())
        places = self._places
        bias = [x for block in self.blocks for x in ca.vertsplit(ca.densify(block.bias))]

        def answered(forces: Any) -> Any:
            f = {k: forces[k] for k in range(self.layout.n_v)}
            found = ca.vertcat(*self.factored.accelerations(f, bias)[1])
            return ca.vertcat(*(found[places[name]] + self._given_force(name) for name in asked))

        # The multipliers answer linearly to forces: λ = a + B f(λ).
        unit = answered(right)
        residual = lam - unit
        A = ca.jacobian(residual, lam)
        x = ca.substitute(unit, lam, ca.SX.zeros(lam.numel()))
        for _ in range(_NEWTON if asks(A, [lam]) else 1):
            r, J = (ca.substitute(e, lam, x) for e in (residual, A))
            x = x - ca.solve(J, r)
        return ca.substitute(right, lam, x)

    def _given_force(self, name: str) -> Any:
        """Normal force that the mode of a contact gives; none of other constraints."""
        own = (x for x in self.contact_points if x.name == name and x.normal is not None)
        return next((x.given_force for x in own), ca.SX(0))

    @property
    def _unknown(self) -> dict[str, Any]:
        """Symbols of multipliers that are found, not given."""
        return {name: x for name, x in self.multiplier_symbols.items() if name in self._places}

    @cached_property
    def _places(self) -> dict[str, slice]:
        """Rows of each block."""
        places, start = {}, 0
        for block in self.blocks:
            places[block.name] = slice(start, start + block.n)
            start += block.n
        return places

    def _column(self, row: Row) -> Any:
        return ca.vertcat(*(ca.SX(row.get(k, 0.0)) for k in range(self.layout.n_v)))

    @column_quantity(Level.POSITION)
    def position_errors(self) -> Any:
        """All position errors: six of each cut joint, then those of holonomic constraints."""
        held = [b.error for b in self.blocks[len(self.cut_joints) :] if b.error is not None]
        parts = [*(c.error for c in self.cut_joints), *held]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def velocity_errors(self) -> Any:
        """Velocity errors of all rows."""
        parts = [block.rate for block in self.blocks]
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @column_quantity(Level.VELOCITY)
    def position_correction(self) -> Any:
        """Change of z that takes away position errors, to first order."""
        none = [ca.SX(0)]
        errors = [
            x
            for b in self.blocks
            for x in (none * b.n if b.error is None else ca.vertsplit(ca.densify(b.error)))
        ]
        dv_position = self._column(self.factored.correction(errors) if errors else {})
        dq = ca.jtimes(self.tree_rates, self.v, dv_position)
        dq_c = [
            cut.back @ (cut.error + ca.jtimes(cut.velocity.rate, self.v, dv_position))
            for cut in self.cut_joints
        ]
        still = ca.SX.zeros(len(self.parts.states) - len(self.parts.internal))
        return ca.vertcat(dq, *dq_c, still, self.internal_changes)

    @cached_property
    def internal_changes(self) -> Any:
        """Changes that take carried internal coordinates to where they belong.

        None where inputs have a part in it: corrections do not know them, see `input_changes`.
        """
        own = [
            ca.SX.zeros(x.numel()) if e.has_inputs else e.gamma - x
            for e, x in zip(self.eliminated.values(), self._carried, strict=True)
        ]
        return ca.vertcat(ca.SX(0, 1), *own)

    @column_quantity(Level.FORCE)
    def input_changes(self) -> Any:
        """Changes of all carried internal coordinates, inputs in force."""
        pairs = zip(self.eliminated.values(), self._carried, strict=True)
        return ca.vertcat(ca.SX(0, 1), *(e.gamma - x for e, x in pairs))

    @property
    def _carried(self) -> list[Any]:
        """Carried internal coordinates of each composite."""
        sizes = [e.gamma.numel() for e in self.eliminated.values()]
        start = len(self.parts.states) - sum(sizes)
        ends = [start + sum(sizes[:k]) for k in range(len(sizes) + 1)]
        return [self._s[a:b, :] for a, b in pairwise(ends)]

    @column_quantity(Level.VELOCITY)
    def velocity_correction(self) -> Any:
        """Change of v that takes away velocity errors."""
        rates = [x for b in self.blocks for x in ca.vertsplit(ca.densify(b.rate))]
        return self._column(self.factored.correction(rates) if rates else {})

    @column_quantity(Level.VELOCITY)
    def largest_errors(self) -> Any:
        """Largest position error and largest velocity error."""
        both = ca.vertcat(self.position_errors, self.internal_changes), self.velocity_errors
        return ca.vertcat(*(ca.norm_inf(e) if e.numel() else ca.SX(0) for e in both))

    @matrix_quantity(Level.POSITION)
    def jacobian(self) -> Any:
        """Constraint Jacobian P as a dense matrix (n_rows, n_v)."""
        return self._dense(self.rows[0])

    def _dense(self, rows: list[Row]) -> Any:
        """Rows as a dense matrix (n_rows, n_v)."""
        places = sorted((k, i) for i, row in enumerate(rows) for k in row)  # column by column
        pattern = ca.Sparsity.triplet(
            len(rows), self.layout.n_v, [i for _, i in places], [k for k, _ in places]
        )
        entries = [ca.SX(rows[i][k]) for k, i in places]
        return ca.densify(ca.SX(pattern, ca.vertcat(*entries) if entries else ca.SX(0, 1)))


def _block(name: str, q: Quantity, mask: Any) -> Block:
    """Rows of a measure that is held where the mask is 1."""
    bodies, coordinates = (
        {key: mask * J for key, J in table.items()} for table in (q.bodies, q.coordinates)
    )
    error = None if q.value is None else mask * q.value
    return Block(name, q.rate.numel(), bodies, coordinates, mask * q.rate, mask * q.bias, error)


def _stacked(parts: Sequence[Quantity], table: str) -> dict[str, Any]:
    """Derivatives of several measures by each body or coordinate, one above the other."""
    keys = dict.fromkeys(key for q in parts for key in getattr(q, table))
    columns = {key: 6 if table == "bodies" else 1 for key in keys}
    return {
        key: ca.vertcat(*(getattr(q, table).get(key, ca.SX(q.rate.numel(), n)) for q in parts))
        for key, n in columns.items()
    }


def _add(row: Row, k: int, entry: Any) -> None:
    if not entry.is_zero():
        row[k] = row[k] + entry if k in row else entry


def asks(expression: Any, symbols: list[Any]) -> bool:
    """Tell whether an expression depends on any of some symbols."""
    return any(bool(ca.depends_on(expression, s)) for s in symbols)
