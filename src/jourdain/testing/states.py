"""Random coordinates of joints and random states of systems, away from singular positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.assembly.settle import settled
from jourdain.equations.joints.motion import evaluate_motion, split, traced
from jourdain.errors import ModelError
from jourdain.model.drive import members
from jourdain.model.elements import JointElement, parameters_of
from jourdain.model.flexible.kinds import Elastic
from jourdain.model.joints.free import Free
from jourdain.model.joints.joint import Joint
from jourdain.model.names import element_of
from jourdain.spatial.parameter import evaluate, nominal, values_in_force
from jourdain.system.system import System

_SPREAD = {"rad": 1.2, "m": 0.5, "1": 0.5}  # largest distance from the reference position
_OTHER = 0.5  # for other units
_DEFORMED = {"rad": 0.01, "m": 0.002}  # largest elastic coordinates
_SINGULAR = 0.05  # least ratio of singular values of the free modes; half of it with drives
_TRIES = 200


def random_coordinates(
    kind: Joint, rng: Any = None, *, t: float = 0.0, given: Mapping[str, float] | None = None
) -> Any:
    """Random position coordinates of a joint kind, where its free mode vectors are independent.

    Angles lie within 1.2 rad and lengths within 0.5 m of the reference position; quaternions have
    unit length.

    Parameters
    ----------
    kind : Joint
        The kind.
    rng : numpy.random.Generator or int
        Source of random numbers, or its seed.
    t : float [s]
        Time, for kinds that move with it.
    given : mapping of str to float
        Coordinates that have a value already, such as driven ones.

    Returns
    -------
    (n_q,) [m, rad, 1]
        Coordinates in the order of ``kind.coordinates``.

    Raises
    ------
    ModelError
        If its velocities are dependent, or its mode vectors not finite, wherever it was tried.

    Examples
    --------
    >>> import jourdain as jd
    >>> q = jd.testing.random_coordinates(jd.Spherical(), 1)
    >>> round(float(q @ q), 12)
    1.0
    """
    rng, names = np.random.default_rng(rng), list(kind.coordinates)
    if isinstance(kind, Elastic):
        return _deformed(kind, rng, given or {})
    fixed = {names.index(name): value for name, value in (given or {}).items()}
    motion = traced(kind, tuple(sorted(fixed)), False, False)
    values = [nominal(x) for x in split(kind, False)[1]]
    limit = _SINGULAR if not fixed else 0.5 * _SINGULAR
    found = -1
    for _ in range(_TRIES):
        q = _sample(kind, rng)
        q[list(fixed)] = list(fixed.values())
        phi = evaluate_motion(motion, values, q, t)[0][:, list(motion.free_columns)]
        directions = _directions(phi, limit)
        if directions == phi.shape[1]:
            return q
        found = max(found, directions)
    if found < 0:
        raise ModelError(
            f"joint kind {kind!r} gives no finite mode vectors at {_TRIES} random positions near "
            f"its reference position {kind.start()}. Let start() return a position well inside "
            "its range, or give check_joint the states where it is defined."
        )
    raise ModelError(
        f"joint kind {kind!r}: its {phi.shape[1]} velocities move the child in only {found} "
        f"independent direction{'s' * (found != 1)}, as {_TRIES} random positions show. Leave out "
        "the coordinates that repeat others."
    )


def _deformed(kind: Elastic, rng: Any, given: Mapping[str, float]) -> Any:
    """Small elastic coordinates; shapes describe no large ones."""
    sizes = np.array([_DEFORMED.get(unit, 0.0) for unit in kind.units])
    drawn = dict(zip(kind.names, sizes * rng.uniform(-1.0, 1.0, len(sizes)), strict=True))
    return np.array([given.get(name, x) for name, x in drawn.items()])


def _directions(phi: Any, limit: float) -> int:
    """Count of independent mode vectors; -1 where they are not finite."""
    if not np.isfinite(phi).all():
        return -1
    sizes = np.linalg.svd(phi, compute_uv=False)
    return int(np.sum(sizes > limit * sizes.max(initial=0.0)))


def random_state(system: System, rng: Any = None) -> tuple[Any, Any, Any, float]:
    """Random admissible state of a system, away from the singular positions of its joints.

    With closed loops or held measures, it is near such a state, and satisfies the constraints.

    Parameters
    ----------
    system : System
        The compiled model.
    rng : numpy.random.Generator or int
        Source of random numbers, or its seed.

    Returns
    -------
    q : (n_q,) [m, rad, 1]
        Position coordinates, see `random_coordinates`.
    v : (n_v,) [m/s, rad/s]
        Velocity coordinates between -1 and 1.
    vdot : (n_v,) [m/s^2, rad/s^2]
        Their rates between -2 and 2.
    t : float [s]
        Time between 0 and 2.

    Raises
    ------
    AssemblyError
        If the constraints cannot be satisfied near the positions that were drawn.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.testing.random_model(1, 3)
    >>> system = jd.compile(model, execution=jd.Plain())
    >>> q, v, vdot, t = jd.testing.random_state(system, 1)
    >>> len(q) == len(system.names.q), len(v) == len(system.names.v)
    (True, True)
    """
    rng, model = np.random.default_rng(rng), system.model
    t = float(rng.uniform(0.0, 2.0))
    values: dict[str, float] = {}
    owner = {name: element_of(name, system.names.elements) for name in system.names.q}
    for element in dict.fromkeys(owner.values()):
        if element in model.coordinates:
            values[f"{element}.value"] = rng.uniform(-1.0, 1.0)
            continue
        if any(element in t for t in (model.connections, model.composites, model.states)):
            own = [name for name in system.names.q if owner[name] == element]
            values |= {name: float(rng.uniform(-_OTHER, _OTHER)) for name in own}
            continue
        joint = model.joints.get(element)
        kind = Free() if joint is None else joint.kind
        driven = {} if joint is None else _driven(joint, t)
        q = random_coordinates(kind, rng, t=t, given=driven)
        values |= {f"{element}.{name}": x for name, x in zip(kind.coordinates, q, strict=True)}
    n_v = len(system.names.v)
    v, vdot = rng.uniform(-1.0, 1.0, n_v), rng.uniform(-2.0, 2.0, n_v)
    q = np.array([values[name] for name in system.names.q])
    if system.has_constraints:
        q, v = system.project(assemble(system, near=values, t=t).q, v, t)
    return settled(system, q, t), v, vdot, t


def _driven(joint: JointElement, t: float) -> dict[str, float]:
    """Values of the driven coordinates of a joint at the nominal parameters."""
    parameters = {p.name: p.value for p in parameters_of(joint)}
    found: dict[str, float] = {}
    for key, function in joint.driven.items():
        with values_in_force(parameters):
            value = np.reshape(evaluate(function(t), parameters), -1)
        found |= dict(zip(members(joint.kind, key), value.astype(float).tolist(), strict=True))
    return found


def _sample(kind: Joint, rng: Any) -> Any:
    names, units = list(kind.coordinates), list(kind.coordinates.values())
    spread = np.array([_SPREAD.get(unit, _OTHER) for unit in units])
    q = np.array(kind.start(), dtype=float) + spread * rng.uniform(-1.0, 1.0, len(names))
    for indices in _quaternions(names):
        e = rng.normal(size=4)
        q[indices] = e / np.linalg.norm(e)
    return q


def _quaternions(names: list[str]) -> list[list[int]]:
    """Indices of the quaternions among coordinates: groups of components w, x, y, z."""
    groups: dict[str, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        groups[name.rpartition(".")[0]].append(i)
    return [g for g in groups.values() if [names[i].rpartition(".")[2] for i in g] == [*"wxyz"]]
