"""Mass properties from robot files: taken as they are, or repaired with a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.io.robots.xml import Node
from jourdain.spatial.inertia import Inertia

REPAIR, STRICT = "repair", "strict"


def inertia_of(
    node: Node, mass: float, com: Any, moments: Any, how: str
) -> tuple[Inertia, str | None]:
    """Build the inertia of a link; what no body can have is refused, or repaired with a note.

    Parameters
    ----------
    node : Node
        Where it stands.
    mass : float [kg]
        Mass.
    com : (3,) [m]
        Centre of mass.
    moments : (3, 3) [kg m^2]
        Moments about it, in the axes of the link.
    how : {"strict", "repair"}
        What to do with impossible ones.

    Raises
    ------
    FormatError
        If it is impossible and to be strict.
    """
    try:
        return Inertia(mass, tuple(com), np.asarray(moments).tolist()), None
    except ModelError as error:
        if how == STRICT or not np.isfinite(moments).all() or mass < 0.0:
            text = str(error).removeprefix("inertia has ").rstrip(".")
            way = "" if mass < 0.0 else '. Next: inertia="repair" takes the nearest possible ones'
            raise node.wrong(f"has {text}{way}") from None
    made = nearest(np.asarray(moments, dtype=float))
    was, now = np.linalg.eigvalsh(_symmetric(moments)), np.linalg.eigvalsh(made)
    note = (
        f"{node.tag} {node.get('name')!r}: no body has the principal moments {_listed(was)} "
        f"kg m^2; taken were {_listed(now)}"
    )
    return Inertia(mass, tuple(com), made.tolist()), note


def nearest(moments: Any) -> Any:
    """Nearest matrix of moments (3, 3) that a body can have.

    With moments of mass ``m_k = tr/2 - J_k`` along the principal axes a body has none below
    zero; those that are become zero.
    """
    values, vectors = np.linalg.eigh(_symmetric(moments))
    spread = np.maximum(0.5 * values.sum() - values, 0.0)
    made = vectors * (spread.sum() - spread) @ vectors.T
    return _symmetric(made)


def _symmetric(J: Any) -> Any:
    J = np.asarray(J, dtype=float)
    return 0.5 * (J + J.T)


def _listed(values: Any) -> str:
    return f"({', '.join(f'{x:.3g}' for x in values)})"
