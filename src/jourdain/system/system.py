"""The compiled system, and how a model becomes one."""

from __future__ import annotations

from collections.abc import Iterable

from jourdain.model.model import Model
from jourdain.system.derivatives import Differentiable
from jourdain.system.execution import Execution
from jourdain.system.plan import execution_for, size_of


class System(Differentiable):
    """A model compiled to machine code. Made by `jourdain.compile`; immutable.

    All arrays are in SI units and in the order of ``system.names``. Every method takes leading
    axes for batches: ``q`` of shape (1000, n_q) gives poses of 1000 configurations.
    """


def compile(
    model: Model, *, execution: Execution | None = None, cut: str | Iterable[str] = ()
) -> System:
    """Compile a model.

    Parameters
    ----------
    model : Model
        The machine. It is validated and copied; later changes do not reach the system.
    execution : Execution, optional
        `Unrolled` or `Looped` machine code, or `Plain` Python. By default straight-line code for
        small systems and for many small trees, and loops for large trees.
    cut : str or iterable of str
        Joints that must be cut where loops are opened; the others are chosen by the program, those
        with the most freedoms first. The motion and all unique loads are the same.

    Returns
    -------
    System
        Functions on arrays.
    """
    model.validate()
    if execution is None:
        execution = execution_for(size_of(model))
    return System(model, execution, (cut,) if isinstance(cut, str) else tuple(cut))
