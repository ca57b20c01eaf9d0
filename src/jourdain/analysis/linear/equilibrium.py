"""`equilibrium`: states of rest and of steady motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.assemble import Assembly, assemble
from jourdain.analysis.linear.contact_state import ContactState, touched
from jourdain.analysis.linear.force_sets import ForceSet
from jourdain.analysis.linear.linearize import linearized
from jourdain.analysis.linear.point import OperatingPoint, inputs_of, system_of
from jourdain.analysis.linear.relaxation import relaxed
from jourdain.analysis.linear.rest_search import Balance, RestSearch
from jourdain.analysis.linear.stationary import StationarySearch
from jourdain.analysis.progress import tells_phases
from jourdain.errors import SingularSystemError
from jourdain.model.model import Model
from jourdain.spatial.check import by_name
from jourdain.system import System
from jourdain.system.linear.state_graph import Point, StateGraph

_ZERO = 1e-6  # real part of an eigenvalue, as part of the largest, that counts as none


@dataclass(frozen=True, repr=False)
class Equilibrium(Mapping[str, float]):
    """A state of rest or of steady motion. Made by `jd.equilibrium`; a start for `simulate`.

    Parameters
    ----------
    point : OperatingPoint
        State, inputs and contacts.
    steps : int
        Steps of the search.
    holding : mapping of str to float [N, N m]
        Forces along held coordinates and given speeds that keep them so.
    """

    point: OperatingPoint
    steps: int
    holding: Mapping[str, float]

    @property
    def system(self) -> System:
        """The compiled machine."""
        return self.point.system

    @property
    def q(self) -> Any:
        """Positions."""
        return self.point.at.q

    @property
    def v(self) -> Any:
        """Velocities."""
        return self.point.at.v

    @property
    def t(self) -> float:
        """Time [s]."""
        return self.point.at.t

    @property
    def contacts(self) -> tuple[ContactState, ...]:
        """Contacts that are closed or stick, with their forces."""
        return self.point.contacts.held

    @cached_property
    def contact_forces(self) -> ForceSet:
        """Contact forces with which it can rest: intervals, and the least use of friction."""
        return ForceSet(self.point)

    @cached_property
    def _state(self) -> Assembly:
        return Assembly(self.system, self.q, self.v, self.t)

    @cached_property
    def eigenvalues(self) -> Any:
        """Eigenvalues [1/s] of the linear equations about it, contacts as they are."""
        return linearized(self.point, moving=True).eigenvalues

    @property
    def is_stable(self) -> bool:
        """Whether no small disturbance grows; zeros of free motions do not count."""
        found = self.eigenvalues
        size = max(1.0, float(np.abs(found).max(initial=0.0)))
        return bool(found.real.max(initial=-1.0) <= _ZERO * size)

    def __getitem__(self, name: str) -> Any:
        return self._state[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state)

    def __len__(self) -> int:
        return len(self._state)

    def __repr__(self) -> str:
        return f"<equilibrium of {self.system.model.name!r}: {self._word}>"

    @property
    def _word(self) -> str:
        return "stable" if self.is_stable else "unstable"

    def __str__(self) -> str:
        lines = [f"equilibrium of {self.system.model.name!r}, {self._word}, {self.steps} steps"]
        lines += [f"  {name:<24} {self[name]: .10g}" for name in self]
        lines += [f"  force along {name:<12} {x: .6g}" for name, x in self.holding.items()]
        lines += [f"  contact {x}" for x in self.contacts]
        return "\n".join(lines)


@tells_phases
def equilibrium(
    model: Model | System,
    near: Mapping[str, Any] | None = None,
    *,
    hold: Mapping[str, Any] | Iterable[str] = (),
    speeds: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    t: float = 0.0,
    parameters: Mapping[str, Any] | None = None,
) -> Equilibrium:
    """Find a state of rest, or of steady motion, near a position.

    The search follows damped motion downhill, so that it comes to a stable rest where there is
    one; a start that is at rest already stays, be it stable or not. Contacts that carry are found.

    Parameters
    ----------
    model : Model or System
        The machine.
    near : mapping
        Rough positions by name; the rest is the reference position.
    hold : mapping or iterable of str
        Coordinates that stay as given, or as in ``near``; ``holding`` tells the forces needed.
    speeds : mapping of str to float or None [m/s, rad/s]
        Steady motion: velocities by name that are constant. None: the speed is to be found.
        Nothing may depend on the coordinates that they move, such as the angle of a shaft.
    inputs : mapping
        Forces and inputs of laws by name, as in `simulate`.
    t : float [s]
        Time for which drives are taken.
    parameters : mapping
        Values of parameters that differ from the nominal ones.

    Returns
    -------
    Equilibrium
        The state by name, its contacts, its stability.

    Raises
    ------
    SingularSystemError
        If there is none; the text names the coordinate that runs away and what nothing holds.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("scale")
    >>> pan = model.add_body("pan", jd.solid.ball(mass=2.0, radius=0.1))
    >>> _ = model.add_joint("guide", model.world, pan, jd.Prismatic("z"))
    >>> _ = model.add_connection("spring", jd.Coordinate("guide.position"), jd.Spring(400.0))
    >>> rest = jd.equilibrium(model)
    >>> round(rest["guide.position"], 9), rest.is_stable
    (-0.04905, True)
    """
    system = system_of(model)
    p = system.one_parameter_set(parameters)
    held = dict(hold) if isinstance(hold, Mapping) else {}
    names = tuple(hold)
    q = _start(system, near, held, t, p)
    system.check_inertia(q, t, p)
    values, free = inputs_of(system, inputs)
    graph = StateGraph(system, values, free)
    u = np.array([float(values[name]) for name in free])
    n_contacts = len(system.description.parts.contact_names)
    at = Point(q, np.zeros(len(system.names.v)), u, t, p, np.zeros(8 * n_contacts))
    point = OperatingPoint(graph, at, touched(system, values, q, at.v, t, p))
    if speeds is not None:
        given = by_name(speeds, "speeds", '"main.rate": 100.0')
        found, steps, forces = StationarySearch(point, names, given).run()
        return Equilibrium(found, steps, forces)
    search = RestSearch(point, names)
    last, is_found = search.run()
    if not is_found and system.has_contacts and not names:
        point = _relaxed(point, search.first_time)
        search = RestSearch(point, names)
        last, is_found = search.run()
    if not is_found:
        raise runaway(system, last)
    return _finished(search, point, last, values)


def _relaxed(point: OperatingPoint, duration: float) -> OperatingPoint:
    """Operating point where runs that are stopped again and again come to rest."""
    q, system, at = relaxed(point, duration), point.system, point.at
    values = {**point.graph.inputs, **dict(zip(point.graph.free, at.u.tolist(), strict=True))}
    found = touched(system, values, q, at.v, at.t, at.p)
    return OperatingPoint(point.graph, at.moved(q=q), found)


def _start(system: System, near: Any, held: dict[str, Any], t: float, p: Any) -> Any:
    """Positions to start from; constraints hold."""
    q = getattr(near, "q", None)
    if q is not None and np.ndim(q) == 1:
        return np.array(q)
    rough = by_name(near, "near", '"main.angle": 0.4')
    positions = {k: x for k, x in rough.items() if system.names.is_position(k)}
    return assemble(system, held, near=positions, t=t, parameters=p).q


def _finished(
    search: RestSearch, point: OperatingPoint, last: Balance, values: Mapping[str, Any]
) -> Equilibrium:
    at, system = last.at, point.system
    contacts = touched(system, values, at.q, at.v, at.t, at.p)
    final = at.moved(mode=contacts.mode, touch=None)
    found = OperatingPoint(point.graph, final, contacts)
    mass = system.mass_matrix(at.q, at.t, parameters=at.p)
    vdot = last.slopes.vdot
    forces = {}
    if search.hold:
        full = RestSearch(point, ()).balance(at)
        for name, k in zip(search.hold, search.held, strict=True):
            along = full.names.index(system.names.v[k]) if system.names.v[k] in full.names else None
            push = full.N[:, along] @ mass @ vdot if along is not None else np.nan
            forces[name] = -float(push)
    return Equilibrium(found, search.steps_done, forces)


def runaway(system: System, last: Balance) -> SingularSystemError:
    """Error that names what runs away, and which force nothing balances."""
    scale = 1.0 / np.sqrt(np.maximum(np.diagonal(last.M), 1e-300))
    left, sizes, right = np.linalg.svd(scale[:, None] * last.K * scale)
    loose = sizes <= max(1e-9 * sizes.max(initial=0.0), sizes.min(initial=np.inf))
    along = right[loose].T @ (left[:, loose].T @ (scale * last.R))
    shares = along**2 / max(float(along @ along), 1e-300)
    order = np.argsort(-shares)[:3]
    moving = [f"{last.names[k]!r} ({100 * shares[k]:.0f} %)" for k in order if shares[k] > 0.05]
    worst = int(np.argmax(np.abs(last.R * scale)))
    unit = dict(zip(system.names.v, system.names.v_units, strict=True)).get(last.names[worst], "")
    force = f"{last.R[worst]:.4g} {'N' if unit.startswith('m') else 'N m'}"
    first = _body(system, last.names[int(order[0])])
    return SingularSystemError(
        f"model {system.model.name!r} finds no rest: {force} along {last.names[worst]!r} are not "
        "balanced.\n"
        f"  What runs away: {', '.join(moving) or 'nothing'}; nothing holds {first!r} there.\n"
        "  Likely causes: a spring, a joint or a contact is missing; or the start is far away. "
        'Next: add what holds it, start elsewhere, near={...}, or hold it, hold=["..."].'
    )


def _body(system: System, name: str) -> str:
    """Body that a coordinate moves first."""
    for link in system.description.links:
        if name.startswith(f"{link.joint.name}."):
            return str(link.name)
    return name.partition(".")[0]
