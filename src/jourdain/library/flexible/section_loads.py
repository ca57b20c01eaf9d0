"""Section loads along flexible beams and their stresses, from the forces beyond a cut (F16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.library.flexible.rigid_rods import is_rod, rod_loads
from jourdain.model.elements import Body
from jourdain.model.flexible.beam import Beam
from jourdain.model.flexible.integrals import points_of
from jourdain.model.flexible.kinds import Section as SectionFrame
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.ritz import gauss
from jourdain.spatial import check

if TYPE_CHECKING:
    import xarray as xr

    from jourdain.results import Solution

_POINTS = 20  # of Gauss, beyond a cut, in each piece of a stepped beam
_SAME = (
    1e-9  # part of the length by which an attachment may lie before a cut and still be beyond it
)


def section_loads(solution: Solution, body: Body | str, at: float | Sequence[float]) -> xr.Dataset:
    """Forces and torques in cross-sections of a beam or of a rigid rod over time.

    They are the sum of all that acts on the part beyond the cut: inertia, weight, and what is
    fastened to it. So they are right to first order in the deformations whatever the number of
    modes; bending moments from curvatures converge slowly.

    Parameters
    ----------
    solution : Solution
        A run, or an `equilibrium` that was run.
    body : Body or str
        A flexible beam, or a rigid rod as `jourdain.solid.rod` makes it.
    at : float or sequence of float [m]
        Where it is cut, along it from its start. What is fastened right there counts as beyond the
        cut, but for what holds the start.

    Returns
    -------
    xarray.Dataset
        ``force`` [N] and ``torque`` [N m], with dimensions ``time``, ``x`` and ``axis``: what the
        part beyond x exerts on the part before it, in the axes of the cross-section (of a rod
        that is not along x: those of the body, turned the shortest way). So
        ``force.sel(axis="x")`` is the tension, and ``torque.sel(axis="z")`` the moment that bends
        the beam towards y; and ``stress`` [Pa], the largest normal stress of the cross-section,
        where its size and Young's modulus are known.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("board")
    >>> steel = jd.flexible.rectangle(jd.flexible.STEEL, height=0.02, width=0.02)
    >>> board = model.add_body("board", jd.flexible.beam(1.0, steel, modes=2, fields=("z",)))
    >>> wall = model.add_joint("wall", model.world, board, jd.Fixed())
    >>> sol = jd.simulate(model, 1e-3, start=jd.equilibrium(model))
    >>> loads = jd.flexible.section_loads(sol, "board", [0.0, 0.5])
    >>> loads.torque.sel(axis="y")[0].values.round(3)  # m g L / 2, and a quarter of it
    array([15.402,  3.85 ])
    """
    import xarray as xr  # noqa: PLC0415  heavy

    name = body.name if isinstance(body, Body) else body
    places = np.atleast_1d(np.asarray(at, dtype=float))
    rigid = solution.system.model.bodies.get(name)
    cut = None
    if rigid is not None and is_rod(rigid, solution.trajectory.values):
        found = rod_loads(solution, name, places.tolist())
    else:
        cut = _Cut(solution, name)
        found = np.stack([cut.loads(float(x)) for x in places], axis=1)
    coordinates = {"time": solution.time, "x": places, "axis": ["x", "y", "z"]}
    dims = ("time", "x", "axis")
    data: dict[str, Any] = {
        "force": (dims, found[..., 3:], {"units": "N"}),
        "torque": (dims, found[..., :3], {"units": "N m"}),
    }
    stresses = [cut.stress(found[:, k], float(x)) for k, x in enumerate(places)] if cut else []
    if stresses and all(own is not None for own in stresses):
        data["stress"] = (dims[:2], np.stack(stresses, axis=1), {"units": "Pa"})
    return xr.Dataset(data, coordinates)


class _Cut:
    """A beam in a run: what its points, sections and root do, in the axes of its frame."""

    def __init__(self, solution: Solution, name: str) -> None:
        self.name, self.run, model = name, solution.trajectory, solution.system.model
        pieces = {x: b for x, b in model.bodies.items() if b.elastic is not None}
        own = {b.piece_of or x: x for x, b in pieces.items()}
        if name not in own or not isinstance(pieces[own[name]].elastic, Beam):
            beams = [x for x, piece in own.items() if isinstance(pieces[piece].elastic, Beam)]
            raise ModelError(
                f"body {check.shown(name)} of model {solution.model_name!r} is no flexible beam, "
                f"and no rigid jd.solid.rod. Beams: {', '.join(beams) or 'none'}. For another "
                "rigid body take two bodies with a Fixed joint and ask for its force."
            )
        self.carrier = own[name]
        self.beam: Beam = pieces[self.carrier].elastic  # type: ignore[assignment]
        names = [f"{name}.elastic.{x}" for x in self.beam.coordinates]
        self.d, self.rate, self.rate2 = (
            np.stack([solution.values(f"{x}{end}") for x in names], axis=-1)
            for end in ("", "_rate", "_acceleration")
        )
        self.R, self.w, self.alpha, self.a = self._frame(model)
        self.sections = [
            (joint.kind.place, self._load(joint.name))
            for joint in model.joints.values()
            if isinstance(joint.kind, SectionFrame) and joint.parent.body == self.carrier
        ]
        main = model.joints[f"{name}.elastic"]
        self.root: Place | None = main.kind.root  # type: ignore[attr-defined]
        if self.root is not None:
            R_root = self.run.at_body(self._number(main.parent.body))[0][:, :3, :3]
            turn = np.einsum("nji,njk->nik", self.R, R_root)
            load = self._load(main.name)
            self.held = np.concatenate(
                [np.einsum("nij,nj->ni", turn, x) for x in (load[:, :3], load[:, 3:])], axis=-1
            )

    def _number(self, body: str) -> int:
        return int(self.run.system.description.names.bodies.index(body))

    def _load(self, joint: str) -> Any:
        return self.run.loads[joint]

    def _frame(self, model: Any) -> tuple[Any, Any, Any, Any]:
        """Axes of the frame, its rates, and its acceleration less that of gravity, in its axes."""
        from jourdain.spatial.parameter import evaluate  # noqa: PLC0415

        poses, twist, rate = self.run.at_body(self._number(self.carrier))
        R, g = poses[:, :3, :3], np.array(evaluate(model.gravity, self.run.values), dtype=float)
        vectors = twist[:, :3], rate[:, :3], rate[:, 3:] - g
        return (R, *(np.einsum("nji,nj->ni", R, x) for x in vectors))

    def _position(self, place: Place) -> Any:
        bent = np.einsum("aij,ni,nj->na", place.B, self.d, self.d)
        return place.x + self.d @ place.A.T + 0.5 * bent

    def _acceleration(self, place: Place, r: Any) -> Any:
        slope = place.A + np.einsum("aij,nj->nai", place.B, self.d)
        moving = np.einsum("nai,ni->na", slope, self.rate)
        own = np.einsum("nai,ni->na", slope, self.rate2)
        own = own + np.einsum("aij,ni,nj->na", place.B, self.rate, self.rate)
        spin = np.cross(self.w, np.cross(self.w, r)) + np.cross(self.alpha, r)
        return self.a + spin + 2.0 * np.cross(self.w, moving) + own

    def loads(self, x: float) -> Any:
        """Torque and force (n, 6) at the cross-section, in its axes."""
        here = self.beam.elasticity.place((x, 0.0, 0.0))
        at = self._position(here)
        total = np.zeros((len(self.d), 6))
        for mass, place in self._beyond(x):
            r = self._position(place)
            total -= _about(r - at, 0.0, mass * self._acceleration(place, r))
        margin = _SAME * self.beam.length
        for place, load in self.sections:
            if place.x[0] + self._origin >= x - margin:
                total -= _about(self._position(place) - at, load[:, :3], load[:, 3:])
        if self.root is not None and self._root_at >= x - margin and x > margin:
            total += _about(-at, self.held[:, :3], self.held[:, 3:])
        axes = self._axes(here)
        return np.concatenate(
            [np.einsum("nji,nj->ni", axes, v) for v in (total[:, :3], total[:, 3:])], axis=-1
        )

    @property
    def _root_at(self) -> float:
        """Where the beam is held."""
        return (0.0 if self.root is None else float(self.root.x[0])) + self._origin

    @property
    def _origin(self) -> float:
        """Where the frame of the shapes lies along the beam."""
        return -float(self.beam.elasticity.place((0.0, 0.0, 0.0)).x[0])

    def _axes(self, place: Place) -> Any:
        from scipy.spatial.transform import Rotation  # noqa: PLC0415  heavy

        turn = self.d @ place.T.T + 0.5 * np.einsum("aij,ni,nj->na", place.T2, self.d, self.d)
        return Rotation.from_rotvec(turn).as_matrix()

    def _beyond(self, x: float) -> list[tuple[float, Place]]:
        """Point masses beyond a cut."""
        beam, found = self.beam, list[tuple[float, Place]]()
        ends = [x, *(jump for jump in beam.jumps if jump > x), beam.length]
        for s, weight in zip(*gauss(ends, _POINTS), strict=True):
            own = beam.section_at(float(s))
            moments = weight * np.asarray(own.moments)
            place = beam.elasticity.place((float(s), 0.0, 0.0))
            found += points_of(weight * own.mass, moments, place) if weight else []
        for disc in beam.discs:
            if disc.at >= x - _SAME * beam.length:
                place = beam.elasticity.place((disc.at, *disc.offset))
                found += points_of(disc.mass, np.asarray(disc.moments), place)
        return found

    def stress(self, loads: Any, x: float) -> Any:
        """Largest normal stress (n,) [Pa] of the cross-section; None if it is not known."""
        own = self.beam.section_at(x)
        if not own.youngs_modulus or not own.height or not own.width:
            return None
        bent = np.stack([
            loads[:, 2] * 0.5 * own.height / own.EI_z, loads[:, 1] * 0.5 * own.width / own.EI_y
        ])  # fmt: skip
        both = np.linalg.norm(bent, axis=0) if own.is_round else np.abs(bent).sum(axis=0)
        return own.youngs_modulus * (np.abs(loads[:, 3]) / own.EA + both)


def _about(arm: Any, torque: Any, force: Any) -> Any:
    return np.concatenate([torque + np.cross(arm, force), force], axis=-1)
