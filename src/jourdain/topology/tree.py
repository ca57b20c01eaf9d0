"""The tree of a model: joints in regular numbering, cut joints, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from jourdain.errors import TopologyError, unknown_name
from jourdain.model.elements import WORLD, JointElement
from jourdain.topology.matrices import TreeMatrices, from_beta

_MOST_CUTS = 12  # named when printed


@dataclass(frozen=True, slots=True)
class TreeJoint:
    """A joint of the tree, with the body it carries.

    Parameters
    ----------
    number : int
        Regular number of the joint and of its outboard body, 1 … n.
    name : str
        Name of the joint; the name of the body for an automatic free joint.
    joint : JointElement
        The joint as the user wrote it.
    inboard : int
        Number of the body nearer to world; 0 is world.
    outboard : str
        Name of the body it carries.
    reversed : bool
        Whether the tree runs from the child to the parent of the joint as written.
    automatic : bool
        Whether the program added it, because no joint led to the body.
    """

    number: int
    name: str
    joint: JointElement
    inboard: int
    outboard: str
    reversed: bool
    automatic: bool


@dataclass(frozen=True)
class Topology:
    """Spanning tree of a model in regular numbering, and the joints cut to get it.

    Bodies have the numbers 1 … n, world is 0. Numbers grow along every path from world, joint k
    is the last one on the path to body k, and the bodies outboard of a body follow it without a
    gap (Sol F38). Made by `build`.

    Parameters
    ----------
    model_name : str
        Name of the model.
    tree : tuple of TreeJoint
        ``tree[k - 1]`` is joint k.
    cuts : tuple of JointElement
        Joints left out of the tree, in the order of adding; each closes one loop.
    """

    model_name: str
    tree: tuple[TreeJoint, ...]
    cuts: tuple[JointElement, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies by number; ``names[0]`` is world."""
        return (WORLD, *(joint.outboard for joint in self.tree))

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Numbers of the bodies by name."""
        return MappingProxyType({name: k for k, name in enumerate(self.names)})

    @cached_property
    def matrices(self) -> TreeMatrices:
        """Path, location, tree and loop matrices."""
        return self.matrices_in(self.names[1:])

    def matrices_in(self, order: Sequence[str]) -> TreeMatrices:
        """Matrices for bodies numbered in another order, for example that of a book.

        Parameters
        ----------
        order : sequence of str
            Names of all bodies; each after its inboard body.

        Raises
        ------
        TopologyError
            If the order leaves out a body, or names one before its inboard body.
        """
        if sorted(order) != sorted(self.names[1:]):
            missing = [name for name in self.names[1:] if name not in order]
            raise TopologyError(
                f"the order must name each of the {len(self.tree)} bodies of model "
                f"{self.model_name!r} once, but has {len(order)} names"
                + (f" and misses {missing[0]!r}." if missing else ".")
                + " Start from topology.names[1:] and rearrange it."
            )
        number = {name: k for k, name in enumerate((WORLD, *order))}
        inboard = {joint.outboard: number[self.names[joint.inboard]] for joint in self.tree}
        chords = ((number[cut.parent.body], number[cut.child.body]) for cut in self.cuts)
        return from_beta([inboard[name] for name in order], chords)

    def children(self, body: str | int) -> tuple[int, ...]:
        """Numbers of the bodies next to a body on its outboard side."""
        return self._children[self._number_of(body)]

    def depth(self, body: str | int) -> int:
        """Count of joints between world and a body."""
        return self._depths[self._number_of(body)]

    def path(self, body: str | int) -> tuple[int, ...]:
        """Numbers of the joints from world to a body."""
        k, path = self._number_of(body), []
        while k:
            path.append(k)
            k = self.tree[k - 1].inboard
        return tuple(reversed(path))

    def subtree(self, body: str | int) -> range:
        """Numbers of a body and of all bodies outboard of it."""
        k = self._number_of(body)
        return range(k, k + self._sizes[k])

    def loop(self, cut: str) -> tuple[str, ...]:
        """Names of the joints of the loop that a cut joint closes, once round.

        The order does not depend on the direction of the cut joint: it starts at the body of the
        loop nearest to world and leaves along the branch with the lower number.
        """
        if cut not in self._cut_by_name:
            cuts = list(self._cut_by_name)
            raise unknown_name("cut joint", cut, cuts, f"the tree of model {self.model_name!r}")
        joint = self._cut_by_name[cut]
        ends = self._to_common(self.number[joint.parent.body], self.number[joint.child.body])
        there, back = sorted(ends, key=lambda path: path[-1:] or [len(self.names)])
        names = [self.tree[k - 1].name for k in (*reversed(there), *back)]
        return (*names[: len(there)], cut, *names[len(there) :])

    def __str__(self) -> str:
        cuts = ", ".join(cut.name for cut in self.cuts[:_MOST_CUTS]) or "none"
        more = ", …" if len(self.cuts) > _MOST_CUTS else ""
        trees = len(self._children[0])
        return (
            f"topology of {self.model_name!r}: {len(self.tree)} bodies in {trees} "
            f"tree{'' if trees == 1 else 's'}, cut joints: {cuts}{more}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields alone; the maps are made again."""
        return Topology, (self.model_name, self.tree, self.cuts)

    def _to_common(self, one: int, other: int) -> tuple[list[int], list[int]]:
        """Joints from two bodies inwards to the first body that both paths share."""
        ends: tuple[list[int], list[int]] = ([], [])
        at = [one, other]
        while at[0] != at[1]:
            outer = at[0] < at[1]  # the larger number cannot be inboard of the smaller one
            ends[outer].append(at[outer])
            at[outer] = self.tree[at[outer] - 1].inboard
        return ends

    def _number_of(self, body: str | int) -> int:
        if isinstance(body, str):
            if body not in self.number:
                raise unknown_name("body", body, self.names[1:], f"model {self.model_name!r}")
            return self.number[body]
        if not 0 <= body <= len(self.tree):
            raise unknown_name(
                "body",
                str(body),
                self.names[1:],
                f"model {self.model_name!r}, which has the numbers 0 (world) to {len(self.tree)}",
            )
        return body

    @cached_property
    def _cut_by_name(self) -> Mapping[str, JointElement]:
        return {cut.name: cut for cut in self.cuts}

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.names]
        for joint in self.tree:
            children[joint.inboard].append(joint.number)
        return tuple(tuple(c) for c in children)

    @cached_property
    def _depths(self) -> tuple[int, ...]:
        depths = [0]
        for joint in self.tree:
            depths.append(depths[joint.inboard] + 1)
        return tuple(depths)

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        sizes = [1] * len(self.names)
        for joint in reversed(self.tree):
            sizes[joint.inboard] += sizes[joint.number]
        return tuple(sizes)
