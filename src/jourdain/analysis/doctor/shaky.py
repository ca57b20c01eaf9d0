"""Positions in which a machine seems to move but cannot: infinitesimal freedoms (Sol F62)."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.assembly.closure_search import Search
from jourdain.analysis.doctor.mobility import Mobility
from jourdain.analysis.doctor.self_stress import SelfStress
from jourdain.analysis.driving import released, without_drives
from jourdain.analysis.wording import some
from jourdain.errors import SingularSystemError
from jourdain.system import System

_STEP = 0.03  # to neighbouring positions [rad, lengths of the machine]
_REACHED = 0.1  # part of the step that counts as moved
_MORE = 4  # tries beyond one for each freedom
_MOST_VELOCITIES = 60  # of machines that are examined before every run
_MOST_FREEDOMS = 12
_MOST_NAMES = 8


def neighbours(here: Mobility, n: int) -> tuple[list[Any], list[Any]]:
    """Neighbouring positions that are reached by n tries, and the ways there in natural units."""
    search = Search(here.system, {}, {}, here.t, here.p)
    rng = np.random.default_rng(0)
    found, ways = [], []
    lengths = [here.length if u == "m" else 1.0 for u in here.system.names.q_units]
    for k in range(n if here.n_dof else 0):
        direction = here.motions @ rng.normal(size=here.n_dof)
        if n > here.n_dof > k:
            direction = here.motions[:, k]
        step = _STEP * direction / np.linalg.norm(direction / here.units)
        q = search.newton(search._moved(here.q, step))
        if q is not None and np.linalg.norm((q - here.q) / lengths) > _REACHED * _STEP:
            found.append(q)
            ways.append((q - here.q) / lengths)
    return found, ways


def is_shaky(here: Mobility) -> bool:
    """Whether some freedom is infinitesimal: no neighbouring position can be reached along it."""
    if not here.n_redundant or not 0 < here.n_dof <= _MOST_FREEDOMS:
        return False
    found, ways = neighbours(here, 1)
    if found and here.n_dof == 1:
        return False
    found, ways = neighbours(here, here.n_dof + _MORE)
    sizes = np.linalg.svd(np.array(ways), compute_uv=False) if found else np.zeros(0)
    if np.sum(sizes > _REACHED * _STEP) >= here.n_dof:
        return False
    nearby = [Mobility(here.system, q, here.t, here.p).n_dof for q in found]
    if min(nearby, default=here.n_dof) < here.n_dof:
        return False  # a change point: motion can go on
    if without_drives(here.system.model) != here.system.model:
        return is_shaky(released(here))  # else a dead point of the drives
    return True


def require_firm(system: System, q: Any, t: float, p: Any) -> None:
    """Refuse to start where a machine with redundant rows has infinitesimal freedoms.

    Raises
    ------
    SingularSystemError
        If it has; the text names the joints.
    """
    if not system.has_constraints or len(system.names.v) > _MOST_VELOCITIES:
        return
    here = Mobility(system, q, t, p)
    if not is_shaky(here):
        return
    names = dict.fromkeys(name for own, _ in SelfStress(here).sets for name in own)
    raise SingularSystemError(
        f"model {system.model.name!r} is shaky at t = {t:g} s: "
        f"{some(list(names), ', ', _MOST_NAMES)} leave a freedom that is infinitesimal; no "
        "neighbouring position can be reached, and any load or speed along it causes endless "
        "forces.\n"
        "  Next: start elsewhere, change a length so that the position is not stretched, or remove "
        "a constraint; see print(jd.structure(model, at=...))."
    )
