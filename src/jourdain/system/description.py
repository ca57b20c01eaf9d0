"""A model prepared for evaluation: links, layout and names for one way of compiling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.connections.rated_inputs import rated_inputs
from jourdain.equations.joints.drives import drives
from jourdain.equations.parts import Parts
from jourdain.equations.recursion.links import Link, build_links
from jourdain.equations.recursion.sweeps import Layout, lay_out
from jourdain.model.model import Model
from jourdain.spatial.parameter import evaluate
from jourdain.system.names import Names, name_all
from jourdain.topology import build as build_topology
from jourdain.topology.tree import Topology


@dataclass(frozen=True)
class Description:
    """What every way of evaluating a model starts from.

    Parameters
    ----------
    model : Model
        The machine.
    share : bool
        Whether joints of one kind share code (looped) or are folded in (unrolled).
    cut : tuple of str
        Joints that must be cut.
    """

    model: Model
    share: bool
    cut: tuple[str, ...] = ()

    @cached_property
    def topology(self) -> Topology:
        """Tree and cuts."""
        return build_topology(self.model, self.cut)

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Parameters by name."""
        return self.model.parameters

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """One symbol per parameter."""
        return {name: ca.SX.sym(name) for name in self.parameters}

    @cached_property
    def p(self) -> Any:
        """Column of the parameters' symbols."""
        return ca.vertcat(*self.symbols.values()) if self.symbols else ca.SX(0, 1)

    @cached_property
    def nominal(self) -> Any:
        """Nominal values of the parameters; nobody may change them."""
        values = np.array([p.value for p in self.parameters.values()], dtype=float)
        values.setflags(write=False)
        return values

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Links with constants as expressions of the parameters."""
        return self.links_for(self.symbols)

    def links_for(self, values: Mapping[str, Any]) -> tuple[Link, ...]:
        """Links with constants for given parameter values."""
        return build_links(self.model, self.topology, values, share=self.share)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Links in the order in which their coordinates are listed.

        Automatic free joints come first, then joints in the order of adding, then scalar
        coordinates.
        """
        model = self.model
        place = {n: k for k, n in enumerate([*model.bodies, *model.joints, *model.coordinates])}
        joints = [link.joint for link in self.links]
        return tuple(sorted(range(len(joints)), key=lambda i: place[joints[i].name]))

    @cached_property
    def layout(self) -> Layout:
        """Places of the links' coordinates and bodies; scalar coordinates follow behind."""
        return lay_out(self.links, self.order, [*self.model.bodies, *self.model.coordinates])

    @property
    def n_q(self) -> int:
        """Number of position coordinates of the tree."""
        return self.layout.n_q

    @property
    def n_v(self) -> int:
        """Number of velocity coordinates."""
        return self.layout.n_v

    @cached_property
    def names(self) -> Names:
        """Names of the coordinates."""
        more = self.parts.cut_coordinates | self.parts.states
        others = [*self.model.joints, *self.model.connections, *self.model.composites]
        others += self.model.states
        renamed = {
            f"{name}.{own}": result.names[0]
            for name, built in self.model.parts.items()
            for own, result in built.part.results(name).items()
            if result.is_renamed
        }
        return name_all(
            self.links, self.order, self.model.bodies, self.parameters, more, others, renamed
        )

    @cached_property
    def parts(self) -> Parts:
        """Cut joints and connections."""
        model = self.model
        connections = (*model.connections.values(), *model.states.values())
        values = dict(zip(self.parameters, self.nominal.tolist(), strict=True))
        rated = rated_inputs(connections, values)
        return Parts(self.topology.cuts, connections, tuple(model.composites.values()), rated)

    @cached_property
    def user_symbols(self) -> dict[str, Any]:
        """Symbols q, v, t and p on which functions of users are traced, and cut velocities."""
        sizes = {"q": len(self.names.q), "v": len(self.names.v), "t": 1}
        sizes["p"] = len(self.names.parameters)
        sizes["cut"] = len(self.parts.cut_velocities)
        return {name: ca.SX.sym(name, n) for name, n in sizes.items()}

    @cached_property
    def user_symbol_places(self) -> dict[int, int]:
        """Numbers of `user_symbols` by the hash of the symbol."""
        column = ca.vertcat(*self.user_symbols.values())
        return {s.element_hash(): k for k, s in enumerate(ca.vertsplit(column))}

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        """Body to which each number of the inputs of functions belongs, by the inputs' names.

        Large graphs are taken apart along these (see `codegen.rolling.pieces`); -1 belongs to none.
        """
        layout, n = self.layout, self.layout.n_bodies
        found = {"q": [-1] * len(self.names.q)} | {x: [-1] * self.n_v for x in ("v", "tau")}
        for link, body, q, v in zip(
            self.links, layout.body, layout.q_start, layout.v_start, strict=True
        ):
            found["q"][q : q + link.count("q")] = [body] * link.count("q")
            for name in ("v", "tau"):
                found[name][v : v + link.count("v")] = [body] * link.count("v")
        for name, width in (("pose", 16), ("twist", 6), ("wrench", 6)):
            found[name] = [k for k in range(n) for _ in range(width)]
        return found | {f"{name}_dot": own for name, own in found.items()}

    def gravity(self, values: Mapping[str, Any]) -> Any:
        """Gravity [m/s²] for given parameter values."""
        entries = evaluate(self.model.gravity, values)
        is_symbolic = any(isinstance(x, ca.SX) for x in entries)
        return ca.vertcat(*entries) if is_symbolic else np.array(entries)

    @cached_property
    def moved_links(self) -> list[int]:
        """Numbers of the links that time moves: driven joints, and poses that depend on time."""
        motions = [link.motion for link in self.links]
        return [k for k, m in enumerate(motions) if m.driven or not m.modes[1].is_zero()]

    @cached_property
    def drives(self) -> Any:
        """Function (t, p) → (e, de/dt, d²e/dt²) of the driven coordinates; None without any."""
        if not self.layout.n_e:
            return None
        t = ca.SX.sym("t")
        return ca.Function("drives", [t, self.p], drives(self.links, self.layout, self.symbols, t))
