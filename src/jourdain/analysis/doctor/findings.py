"""The mechanism doctor: what can be said about a machine in one position."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from jourdain.analysis.assemble import Assembly, assemble
from jourdain.analysis.assembly.closure_search import Search
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.doctor.self_stress import SelfStress
from jourdain.analysis.doctor.shaky import neighbours
from jourdain.analysis.driving import coordinate_name, released, velocity_name, without_drives
from jourdain.analysis.wording import counted, some, wrapped
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import AssemblyError, ModelError
from jourdain.system import System

_NEAR_SINGULAR = 1e-2  # ratio of singular values worth a word
_TRIES = 4
_CARRIED = 1e-6  # part of the largest load that makes an element part of a conflict
_CONFLICT = 1e-9  # velocity in natural units that rows may want beyond others
_CLOSED = 1e-8  # error of a position [m, rad] that counts as none
_MOST_SETS = 6
_MOST_NAMES = 16
_LOAD = re.compile(r"(.*)\.((?:force|torque)(?:\.[^.]+)?)")  # element, quantity with its axis


@dataclass(frozen=True)
class Findings:
    """What the mechanism doctor finds in one position. Part of `Structure`.

    Parameters
    ----------
    where : str
        Words for the position.
    n_dof : int
        Degrees of freedom there: velocities that the constraints leave.
    n_dof_nearby : int
        The same in neighbouring positions; less at a change point.
    n_positions : int
        Degrees of freedom in positions; more than ``n_dof`` with nonholonomic constraints.
    n_rows, n_redundant : int
        Constraint rows, and those of them that repeat others.
    singular_values : tuple of float
        Of the constraint rows by the velocities of the tree, as they are.
    ratio : float
        Smallest of those that count against the largest, in natural units.
    repeated : tuple of (names, rows)
        Minimal sets of joints and connections that repeat each other, and by how many rows.
    not_unique, unique : tuples of str
        Components of loads of these elements that are not unique, and those that still are.
    proposal : tuple of str, condition : float
        Coordinates that are good to drive, and how many times faster others move.
    choice : tuple of str, choice_condition : float
        Coordinates that were asked for; the condition is infinite at a dead point.
    is_assembled : bool
        Whether the constraints hold there; if not, the rest is told where they fail least.
    problems : tuple of str
        Constraints that contradict each other, and other troubles, each in a sentence.
    """

    where: str
    n_dof: int
    n_dof_nearby: int
    n_positions: int
    n_rows: int
    n_redundant: int
    singular_values: tuple[float, ...]
    ratio: float
    repeated: tuple[tuple[tuple[str, ...], int], ...]
    not_unique: tuple[str, ...]
    unique: tuple[str, ...]
    proposal: tuple[str, ...]
    condition: float
    choice: tuple[str, ...] = ()
    choice_condition: float = 1.0
    is_assembled: bool = True
    problems: tuple[str, ...] = ()

    @property
    def is_change_point(self) -> bool:
        """Whether the machine has more freedoms there than nearby."""
        return self.n_dof > self.n_dof_nearby

    @property
    def is_dead_point(self) -> bool:
        """Whether the chosen coordinates do not determine the motion, though they are enough."""
        return len(self.choice) == self.n_dof and not np.isfinite(self.choice_condition)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def examine(
    system: System, at: Any = None, driven: Sequence[str] = (), parameters: Any = None
) -> Findings:
    """Find what can be said about a machine in one position.

    Parameters
    ----------
    system : System
        The compiled machine.
    at : Assembly or mapping
        The position; a mapping is assembled first. Default: near the reference.
    driven : sequence of str
        A choice of driven coordinates to judge.
    parameters : mapping
        Values of parameters that differ from the nominal ones.
    """
    q, t, where, problems = _position(system, at, parameters)
    p = system.parameter_array(parameters)
    here = Mobility(system, q, t, p)
    stress = SelfStress(here)
    is_assembled = not problems
    nearby: list[int] = []
    if not is_assembled:
        problems += _torn(here)
    else:
        nearby = _neighbours(here)
        problems += [*_contradictions(here, stress), *_special(here, nearby)]
    n_nearby = min([here.n_dof, *nearby])
    velocities = [velocity_name(system, name) for name in driven]
    proposal = here.proposal()
    return Findings(
        where=where,
        n_dof=here.n_dof,
        n_dof_nearby=n_nearby,
        n_positions=here.n_positions if _may_be_nonholonomic(system) else here.n_dof,
        n_rows=here.n_rows,
        n_redundant=here.n_redundant,
        singular_values=tuple(np.linalg.svd(here.P[here.held], compute_uv=False).tolist()),
        ratio=here.ratio,
        repeated=stress.sets,
        not_unique=stress.not_unique,
        unique=stress.unique,
        proposal=tuple(coordinate_name(system, name) for name in proposal),
        condition=here.condition(proposal),
        choice=tuple(driven),
        choice_condition=here.condition(velocities),
        is_assembled=is_assembled,
        problems=tuple(problems),
    )


def _position(system: System, at: Any, parameters: Any) -> tuple[Any, float, str, list[str]]:
    """Position to look at, its time, words for it, and why it is not assembled."""
    if isinstance(at, Assembly):
        if at.system.names.q != system.names.q:
            raise ModelError(
                f"at is an assembly of {at.system.model.name!r} with other coordinates than model "
                f"{system.model.name!r} has. Assemble this model."
            )
        return at.q, at.t, "in the given position", []
    if at is not None and not isinstance(at, Mapping):
        raise ModelError(
            f"at is {at!r:.60}; give an assembly, jd.assemble(model), or coordinates by name."
        )
    where = "in the given position" if at else "near the reference position"
    try:
        found = assemble(system, at, parameters=parameters)
    except AssemblyError as error:
        held = {k: x for k, x in (at or {}).items() if system.names.is_position(k)}
        search = Search(system, held, {}, 0.0, parameters)
        q = search.closest(system.state(held)[0])
        if np.abs(search._errors(q)).max(initial=0.0) < _CLOSED:
            return q, 0.0, where, []  # only the velocities contradict each other
        return q, 0.0, "where the errors are smallest", [str(error)]
    return found.q, found.t, where, []


def _torn(here: Mobility) -> list[str]:
    """Name the elements that want different things where the errors are smallest."""
    names = _carriers(SelfStress(here).of(here.of_rows(Mechanism.row_errors)[:, np.newaxis]))
    return [f"conflict: {', '.join(names)} cannot all hold; change one of them."] if names else []


def _carriers(loads: Mapping[str, Any]) -> list[str]:
    sizes = {name: float(np.abs(load).max(initial=0.0)) for name, load in loads.items()}
    most = max(sizes.values(), default=0.0)
    return [name for name, size in sizes.items() if size > _CARRIED * most]


def _contradictions(here: Mobility, stress: SelfStress) -> list[str]:
    """Velocities that repeated rows want and others do not, as drives of one freedom do."""
    if not here.n_redundant:
        return []
    wanted = here.of_rows(Mechanism.velocity_errors) / here.sizes
    mu = here.repeats * here.sizes[:, np.newaxis]
    excess = mu @ (mu.T @ wanted)
    size = float(np.abs(excess).max())
    if size <= _CONFLICT * (1.0 + np.abs(wanted).max()):
        return []
    names = _carriers(stress.of((excess / here.sizes)[:, np.newaxis]))
    return [
        f"conflict: what {', '.join(names)} prescribe differs by {size:.3g} per second in natural "
        "units; drive fewer coordinates, or the same motion."
    ]


def _neighbours(here: Mobility) -> list[int]:
    """Degrees of freedom in neighbouring positions that can be reached."""
    found, _ = neighbours(here, _TRIES)
    return [Mobility(here.system, q, here.t, here.p).n_dof for q in found]


def _special(here: Mobility, nearby: list[int]) -> list[str]:
    """Tell change points, dead points of the model's own drives, and shaky positions (Sol F62)."""
    is_shaky = bool(here.n_dof and here.n_rows and not nearby)
    if not is_shaky and min([here.n_dof, *nearby]) == here.n_dof:
        return []
    if without_drives(here.system.model) != here.system.model:
        other = released(here)
        around = _neighbours(other)
        if around and min(around) >= other.n_dof:
            names = (coordinate_name(other.system, name) for name in other.proposal())
            return [
                "dead point: the drives do not determine the motion here; good to drive are "
                f"{', '.join(names)}."
            ]
    if is_shaky:
        return [
            "shaky: the freedoms are infinitesimal, no neighbouring position can be reached; small "
            "loads cause very large ones here."
        ]
    return [
        f"change point: the freedoms are {here.n_dof} here, {min(nearby)} nearby; motion can go on "
        "in more than one way, and small forces decide which."
    ]


def _may_be_nonholonomic(system: System) -> bool:
    kinds = [joint.kind for joint in system.model.joints.values()]
    on_velocity = set(system.constraint_rows) - set(system.held_positions) - {
        cut.name for cut in system.topology.cuts
    }  # fmt: skip
    return bool(on_velocity) or any(len(k.velocities) < len(k.coordinates) for k in kinds)


def _lines(found: Findings) -> Iterator[str]:
    count = f"degrees of freedom: {found.n_dof}"
    if found.n_positions != found.n_dof:
        count += f" of velocities, {found.n_positions} of positions (nonholonomic)"
    yield f"{count}, {found.where}" if found.is_assembled else "degrees of freedom: not known"
    for problem in found.problems:
        yield from (line for part in problem.split("\n") for line in wrapped("  " + part.strip()))
    if not found.is_assembled:
        return
    yield from _redundancy(found)
    if found.ratio < _NEAR_SINGULAR:
        yield from wrapped(
            f"  near-singular: the smallest singular value of the constraint rows is "
            f"{found.ratio:.2g} of the largest; another position with more freedoms is near."
        )
    yield from _driving(found)


def _redundancy(found: Findings) -> Iterator[str]:
    if not found.n_redundant:
        return
    yield f"  redundant rows: {found.n_redundant} of {found.n_rows}"
    for names, n in found.repeated[:_MOST_SETS]:
        yield from wrapped(f"    {some(names, ', ', _MOST_NAMES)}: {counted(n, 'row')} too many")
    if len(found.repeated) > _MOST_SETS:
        yield f"    and {len(found.repeated) - _MOST_SETS} more sets"
    if found.not_unique:
        yield from wrapped(f"  loads that are not unique: {'; '.join(_grouped(found.not_unique))}")
    if found.unique:
        yield from wrapped(f"  still unique: {'; '.join(_grouped(found.unique))}")


def _driving(found: Findings) -> Iterator[str]:
    if found.choice:
        names = ", ".join(found.choice)
        if len(found.choice) != found.n_dof:
            count = counted(found.n_dof, "degree", "degrees")
            verdict = f"unsuitable, {len(found.choice)} for {count} of freedom"
        elif found.is_dead_point:
            verdict = "unsuitable, the motion is not determined here (dead point of this choice)"
        else:
            verdict = f"suitable (condition {found.choice_condition:.3g})"
        yield from wrapped(f"  driving {names}: {verdict}")
    if found.proposal:
        names = some(found.proposal, ", ", _MOST_NAMES)
        yield from wrapped(f"  good to drive: {names} (condition {found.condition:.3g})")


def _grouped(names: Sequence[str]) -> Iterator[str]:
    """Components with the elements they belong to: ``torque.x/z, force.y of main, pivot``."""
    loads = [_LOAD.fullmatch(name) or [name, name, ""] for name in names]
    of_element = {
        element: ", ".join(_joined([load[2] for load in group]))
        for element, group in groupby(loads, key=lambda load: load[1])
    }
    for components in dict.fromkeys(of_element.values()):
        owners = [element for element, own in of_element.items() if own == components]
        yield f"{components} of {some(owners, ', ', _MOST_NAMES)}"


def _joined(components: Sequence[str]) -> Iterator[str]:
    """Components of a vector in one word: ``force.x/z``."""
    for stem, group in groupby(components, key=lambda name: name.partition(".")[0]):
        parts = [name.partition(".")[2] for name in group]
        yield f"{stem}.{'/'.join(parts)}" if parts[0] else stem
