"""Motion of a tree as expressions: bodies, mode columns and coordinates by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.parts import Parts
from jourdain.equations.recursion import kinematics
from jourdain.equations.recursion.links import Link, Wheel
from jourdain.equations.recursion.sweeps import Layout, run


class TreeMotion:
    """Motion of the tree of a mechanism.

    Parameters
    ----------
    links, layout
        The tree.
    parts : Parts
        Cut joints and connections.
    inputs : mapping
        Symbols ``q`` (that is z), ``v``, ``tau``, ``wrench`` (external loads on the bodies),
        ``extra`` (see `Parts.extra`), ``mode`` (of set-valued connections), ``t`` and drives
        ``e``, ``e1``, ``e2`` of the tree. ``pose`` and ``twist`` of the bodies may be given, for
        forces alone; and `Kinks` under ``kinks``, to have laws and drives by modes.
    values : mapping
        Symbols of the parameters.
    gravity : (3,) [m/s^2]
        Gravity.
    """

    def __init__(
        self,
        links: Sequence[Link],
        layout: Layout,
        parts: Parts,
        inputs: Mapping[str, Any],
        values: Mapping[str, Any],
        gravity: Any,
    ) -> None:
        self.links, self.layout, self.parts, self.values = links, layout, parts, values
        self.gravity, self._inputs, self.kinks = gravity, inputs, inputs.get("kinks")
        z, n = inputs["q"], layout.n_q
        ends = np.cumsum([0, n, len(parts.cut_coordinates), len(parts.states)])
        q, self._q_c, self._s = (z[a:b, :] for a, b in pairwise(ends))
        named = ("v", "tau", "t", "e", "e1", "e2")
        self._tree = {k: inputs[k] for k in named} | {"q": q}
        self.mode = inputs["mode"]
        self.has_modes = not self.mode.is_constant()  # else all contacts are open
        self.t, self.v, self.tau, self._external = (inputs[k] for k in ("t", "v", "tau", "wrench"))
        sizes = [len(parts.cut_velocities), len(parts.inputs), len(parts.rated)]
        sizes.append(3 * len(parts.contact_names))
        self._tau_c, self._w, self._w_rates, self._given_contact_forces = ca.vertsplit(
            inputs["extra"], [0, *np.cumsum(sizes).tolist()]
        )

    @cached_property
    def _moved(self) -> dict[str, list[Any]]:
        """Motion of the bodies where it is given, without accelerations; empty elsewhere."""
        if "pose" not in self._inputs:
            return {}
        pose, twist = self._inputs["pose"], self._inputs["twist"]
        return {
            "pose": [pose[16 * k : 16 * k + 16] for k in self.layout.body],
            "twist": [twist[6 * k : 6 * k + 6] for k in self.layout.body],
            "acceleration": [ca.SX.zeros(6) for _ in self.layout.body],
        }

    def _run(self, recursion: Any, **more: Any) -> dict[str, list[Any]]:
        return run(recursion, self.links, self.layout, self._tree | more, self.gravity)

    @cached_property
    def _at_rest(self) -> Any:
        return ca.SX.zeros(self.layout.n_v)

    @cached_property
    def body_motions(self) -> dict[str, tuple[Any, Any, Any, Any]]:
        """Rotation, position, twist and its rate at zero accelerations, of bodies by name."""
        moved = self._moved or self._run(kinematics.KINEMATICS, vdot=self._at_rest)
        bodies = {}
        for k, link in enumerate(self.links):
            pose = ca.SX(moved["pose"][k])
            R = ca.vertcat(*(pose[4 * i : 4 * i + 3].T for i in range(3)))
            p = ca.vertcat(*(pose[4 * i + 3] for i in range(3)))
            bodies[link.name] = R, p, ca.SX(moved["twist"][k]), ca.SX(moved["acceleration"][k])
        return bodies

    @cached_property
    def _columns(self) -> list[list[Any]]:
        """Per link: mode vectors in world components and the link's origin, column by column."""
        found = self._run(kinematics.COLUMNS)["columns"]
        return [
            [ca.SX(column)[9 * k : 9 * k + 9] for k in range(len(link.moved_by.free_columns))]
            for link, column in zip(self.links, found, strict=True)
        ]

    @cached_property
    def tree_rates(self) -> Any:
        """Rates of the tree's coordinates."""
        rates = ca.SX.zeros(self.layout.n_q)
        for start, value in zip(
            self.layout.q_start, self._run(kinematics.RATES)["qdot"], strict=True
        ):
            column = ca.SX(value)
            rates[start : start + column.numel()] = column
        return rates

    @cached_property
    def _tree_coordinates(self) -> dict[str, tuple[Any, Any, Any]]:
        """Values, rates and second rates of all coordinates of tree joints, driven ones too."""
        along = ca.jtimes(
            self.tree_rates, ca.vertcat(self._tree["q"], self.t), ca.vertcat(self.tree_rates, 1)
        )
        found = {}
        for i, link in enumerate(self.links):
            names = list(link.joint.joint.kind.coordinates)
            q, e = self.layout.q_start[i], self.layout.e_start[i]
            for k, place in enumerate(link.motion.free):
                found[f"{link.joint.name}.{names[place]}"] = (
                    self._tree["q"][q + k], self.tree_rates[q + k], along[q + k],
                )  # fmt: skip
            for k, place in enumerate(link.motion.driven):
                drives = (self._tree[name][e + k] for name in ("e", "e1", "e2"))
                found[f"{link.joint.name}.{names[place]}"] = tuple(drives)
        scalar = {name: name.removesuffix(".value") for name in found}
        return {scalar[k] if scalar[k] in self._scalars else k: x for k, x in found.items()}

    @cached_property
    def _scalars(self) -> set[str]:
        return {link.name for link in self.links if isinstance(link.joint.joint.kind, Wheel)}

    def along_velocities(self, name: str) -> dict[int, Any]:
        """Derivatives of the rate of a coordinate of the tree by velocities, those there are."""
        if name not in self._slopes:
            rate = self._tree_coordinates[name][1]
            own = [s for s in ca.symvar(ca.SX(rate)) if s.element_hash() in self._v_places]
            slopes = ca.jacobian(rate, ca.vertcat(ca.SX(0, 1), *own))
            self._slopes[name] = {
                self._v_places[s.element_hash()]: slopes[0, k] for k, s in enumerate(own)
            }
        return self._slopes[name]

    @cached_property
    def _slopes(self) -> dict[str, dict[int, Any]]:
        return {}

    @cached_property
    def _v_places(self) -> dict[int, int]:
        """Place in v of each symbol of it."""
        return {s.element_hash(): k for k, s in enumerate(ca.vertsplit(self.v))}
