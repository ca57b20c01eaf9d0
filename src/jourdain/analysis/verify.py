"""Do the equations of motion of a machine hold together? Formulations, identities, executions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from jourdain.analysis.progress import tells_phases
from jourdain.analysis.proof import identities, loop_checks
from jourdain.analysis.proof.bodies import Bodies
from jourdain.analysis.proof.case import Case
from jourdain.analysis.proof.comparisons import Compare, OtherExecution, OtherFormulation
from jourdain.analysis.proof.loop_checks import tree_of
from jourdain.analysis.wording import counted, table
from jourdain.errors import AssemblyError, JourdainError, ModelError
from jourdain.formulations import all_formulations
from jourdain.model.model import Model
from jourdain.system import Looped, Plain, System
from jourdain.system import compile as compile_model

_ROUNDING = 1e-10  # between two ways to the same number
_LOOP_ROUNDING = 1e-9  # the same where loops amplify rounding
_DIFFERENCE = 1e-7  # between a rate and differences
_CONDITION = 1e-6  # of accelerations


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison, at its worst over all states.

    Parameters
    ----------
    name : str
        What is compared.
    between : str
        The two sides.
    discrepancy : float
        Worst difference relative to the size of the terms; infinite if there was no result.
    limit : float
        What rounding or differences may cause.
    where : str
        Coordinate or body with the worst difference, or why there was no result.
    """

    name: str
    between: str
    discrepancy: float
    limit: float
    where: str = ""

    @property
    def passed(self) -> bool:
        """Whether the discrepancy is within its limit."""
        return bool(self.discrepancy <= self.limit)


@dataclass(frozen=True)
class Verification:
    """Checks of one model. Made by `verify`; ``str()`` gives the table.

    Parameters
    ----------
    model_name : str
        Name of the model.
    n_states : int
        Number of random states.
    checks : tuple of Check
        All comparisons.
    """

    model_name: str
    n_states: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)

    @property
    def worst(self) -> Check:
        """Check that comes nearest to its limit, or exceeds it most."""
        return max(self.checks, key=lambda c: np.nan_to_num(c.discrepancy / c.limit, nan=np.inf))

    def require(self) -> None:
        """Raise if a check failed.

        Raises
        ------
        ModelError
            With the table.
        """
        if not self.passed:
            raise ModelError(
                f"{self}\nLikely cause: a joint kind whose modes() or rates() do not belong to its "
                "pose(): see jourdain.testing.check_joint."
            )

    def __str__(self) -> str:
        failed = sum(not check.passed for check in self.checks)
        verdict = f"{failed} FAILED" if failed else "all passed"
        states = counted(self.n_states, "random state")
        head = f"{self.model_name}: {counted(len(self.checks), 'check')} at {states}, {verdict}"
        rows = [("check", "between", "discrepancy", "limit", "")]
        return "\n".join([head, "", *table([*rows, *map(_row, self.checks)])])


def _row(check: Check) -> tuple[str, ...]:
    where = f" at {check.where!r}" if check.where and np.isfinite(check.discrepancy) else ""
    reason = f": {check.where}" if check.where and not where else ""
    verdict = "passed" if check.passed else f"FAILED{where}{reason}"
    return check.name, check.between, f"{check.discrepancy:.1e}", f"{check.limit:.0e}", verdict


@tells_phases
def verify(
    model: Model, n_states: int = 5, seed: int = 0, *, near: Mapping[str, Any] | None = None
) -> Verification:
    """Check a machine's equations of motion against each other: ``print(jd.verify(model))``.

    At random states it compares the formulations (recursive, velocity transformation, augmented),
    the ways of running the recursion, and both sides of identities: inverse of forward dynamics,
    symmetry and definiteness of M, energy, power, momentum, and twists and accelerations against
    differences of poses. It finds joint kinds of your own whose ``modes`` or ``rates`` do not
    belong to their ``pose``; rates alone are free to define the velocities.

    Parameters
    ----------
    model : Model
        The machine. Loops and connections are checked at states that satisfy the constraints,
        the tree without them at any state.
    n_states : int
        Number of states, away from singular positions of the joints.
    seed : int
        Seed of the random states.
    near : mapping
        Rough positions at time zero from which a machine with loops can be assembled, as for
        `assemble`; used where random ones do not lead there.

    Returns
    -------
    Verification
        ``.passed``, ``.worst``, ``.checks``; ``.require()`` raises if something is wrong.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("pendulum")
    >>> rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    >>> hinge = model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    >>> jd.verify(model, 2).passed
    True
    """
    from jourdain.testing.states import random_state  # noqa: PLC0415  above this layer

    whole = compile_model(model)
    model, cuts = whole.model, {cut.name for cut in whole.topology.cuts}
    is_open = not cuts and not model.connections
    if not is_open:
        model = tree_of(model, cuts)
    systems = compile_model(model, execution=Plain()), compile_model(model)
    bodies, order = Bodies(model), systems[0].topology.names[1:]
    rng, cases = np.random.default_rng(seed), []
    for _ in range(n_states):
        q, v, vdot, t = random_state(systems[0], rng)
        other = rng.uniform(-1.0, 1.0, len(v))
        cases.append(Case(systems[0], systems[1], bodies, q, v, vdot, t, other, order))
    checks = [*_formulations(cases), *_identities(cases), *_executions(cases)]
    if not is_open:
        checks += _loops(whole, cases, near or {}, rng)
    return Verification(model.name, n_states, tuple(checks))


def _loops(
    system: System, cases: Sequence[Case], known: Mapping[str, Any], rng: Any
) -> list[Check]:
    """Checks of closed loops and connections, starting from the positions of other cases."""
    found = []
    for case in cases:
        rough = dict(zip(case.system.names.q, case.q.tolist(), strict=True))
        try:
            found.append(loop_checks.LoopCase.near(system, rough, known, case.t, rng))
        except AssemblyError as error:
            reason = f"{str(error).splitlines()[0]} Give near={{...}}"
            return [Check("loops", "positions, constraints", float("inf"), _ROUNDING, reason)]
    return [_check(*row, found) for row in _LOOPS]


_LOOPS: tuple[tuple[str, str, float, Any], ...] = (
    ("accelerations with loops", "Recursive, Augmented", _LOOP_ROUNDING, loop_checks.accelerations),
    ("constraints", "motion, differences", _DIFFERENCE, loop_checks.constraints),
    ("power balance with loops", "dE/dt, power", _DIFFERENCE, loop_checks.power),
)


def _check(
    name: str, between: str, limit: float, compare: Compare | Any, cases: Sequence[Any]
) -> Check:
    """Worst result of a comparison; named is the first place beyond the limit, else the worst."""
    worst = Check(name, between, 0.0, limit)
    for case in cases:
        try:
            found = compare(case)
        except (JourdainError, np.linalg.LinAlgError) as error:
            return Check(name, between, float("inf"), limit, str(error).splitlines()[0])
        size = max(found.values(), default=0.0)
        size = float("nan") if any(np.isnan(x) for x in found.values()) else size
        if not size <= worst.discrepancy:
            beyond = [k for k, x in found.items() if not x <= limit]
            where = beyond[0] if beyond else max(found, key=lambda k: found[k])
            worst = Check(name, between, size, limit, where)
        if np.isnan(worst.discrepancy):
            return worst
    return worst


def _formulations(cases: Sequence[Case]) -> Iterator[Check]:
    reference, *others = all_formulations()
    for formulation in others:
        between, other = f"{_text(reference)}, {_text(formulation)}", OtherFormulation(formulation)
        if cases[0].names:
            yield _check("accelerations", between, _ROUNDING, other.accelerations, cases)
            yield _check("mass matrix", between, _ROUNDING, other.mass_matrix, cases)
            yield _check("forces", between, _ROUNDING, other.forces, cases)
        yield _check("loads of joints", between, _ROUNDING, other.loads, cases)


def _text(formulation: Any) -> str:
    """Formulation in few words: ``VelocityTransformation twists``."""
    return " ".join([type(formulation).__name__, *map(str, astuple(formulation))])


def _identities(cases: Sequence[Case]) -> Iterator[Check]:
    for name, between, limit, compare in _IDENTITIES:
        if cases[0].names or compare in _WITHOUT_VELOCITIES:
            some = cases[:2] if compare in _COSTLY else cases
            yield _check(name, between, limit, compare, some)
    if cases[0].names and identities.is_floating(cases[0].system.model):
        between = "momentum, weight"
        yield _check("conservation", between, _ROUNDING, identities.conservation, cases)


_IDENTITIES = (
    ("inverse of forward", "forces, forces", _ROUNDING, identities.inverse_of_forward),
    ("… with external loads", "forces, forces", _ROUNDING, identities.inverse_of_forward_loaded),
    ("columns of M", "M, forces of unit accelerations", _ROUNDING, identities.columns),
    ("symmetry of M", "M, its transpose", _ROUNDING, identities.symmetry),
    ("definiteness of M", "rounding, condition", _CONDITION, identities.definiteness),
    ("kinetic energy", "bodies, ½ vᵀ M v", _ROUNDING, identities.kinetic_energy),
    ("energies", "recursion, bodies one by one", _ROUNDING, identities.energy_of_bodies),
    ("momentum", "recursion, bodies one by one", _ROUNDING, identities.momentum_of_bodies),
    ("virtual power", "forces, loads of bodies", _ROUNDING, identities.virtual_power),
    ("twists", "modes, differences of poses", _DIFFERENCE, identities.twists_of_poses),
    (
        "body accelerations",
        "recursion, differences",
        _DIFFERENCE,
        identities.accelerations_of_twists,
    ),
    ("power balance", "dE/dt, power", _DIFFERENCE, identities.power_balance),
    ("rate of momentum", "differences, loads and weight", _DIFFERENCE, identities.momentum_rate),
)
_COSTLY = (identities.columns, identities.symmetry)  # one evaluation for each velocity
_WITHOUT_VELOCITIES = (
    identities.energy_of_bodies,
    identities.momentum_of_bodies,
    identities.twists_of_poses,
    identities.accelerations_of_twists,
    identities.power_balance,
    identities.momentum_rate,
)


def _executions(cases: Sequence[Case]) -> Iterator[Check]:
    usual = cases[0].compiled
    systems = [usual]
    if not isinstance(usual.execution, Looped):
        systems.append(compile_model(usual.model, execution=Looped()))
    for system in systems:
        other = OtherExecution(system, cases, is_batch=system is usual)
        between = f"Plain, {type(system.execution).__name__}"
        if cases[0].names:
            yield _check("accelerations", between, _ROUNDING, other.accelerations, cases)
            yield _check("forces", between, _ROUNDING, other.forces, cases)
        yield _check("motion of bodies", between, _ROUNDING, other.motion, cases)
