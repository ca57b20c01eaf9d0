"""Modal reduction of discrete trains: their modes as Ritz functions (4.F68)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import eigh

from jourdain.analysis.linear.linearize import linearize
from jourdain.errors import ModelError
from jourdain.library.powertrain.shafts.ritz_shaft import add_modes, motion_of_ports
from jourdain.model.model import Model
from jourdain.model.parts.part import Part
from jourdain.model.parts.result import Result
from jourdain.spatial import check

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group

NONE = 1e-9
"""Squared frequencies below this count as zero, in parts of the largest."""


class ModalTrain(Part):
    """A linear train by some of its modes, each a coordinate of inertia one (4.F68).

    Made by `modal_train`, or from measured modes. Its ports are angles of the train that it
    stands for.

    Parameters
    ----------
    shapes : mapping of str to sequence of float
        Angle of each port for one radian of each mode, for modes of inertia 1 kg m².
    frequencies : sequence of float [Hz]
        Frequency of each mode; 0 where the train turns freely.
    ratios : sequence of float
        Damping ratio of each mode.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> model = jd.Model("two discs of 2 kg m2")
    >>> shapes = {"a": (0.5, 0.5), "b": (0.5, -0.5)}
    >>> train = model.add("train", pt.ModalTrain(shapes, (0.0, 10.0), (0.0, 0.01)))
    >>> push = model.add_connection("push", train.a, jd.Force(4.0))
    >>> lin = jd.linearize(model, moving=True, outputs=[("train.mode_0")])
    >>> [round(mode.frequency, 6) for mode in jd.eigenmodes(lin)]
    [0.0, 10.0]
    """

    shapes: Mapping[str, Sequence[float]] = field(hash=False)
    frequencies: Sequence[float]
    ratios: Sequence[float] = ()

    def __post_init__(self) -> None:
        n = len(self.frequencies)
        ratios = tuple(self.ratios) or (0.0,) * n
        object.__setattr__(self, "ratios", ratios)
        wrong = [name for name, row in self.shapes.items() if len(row) != n]
        if not self.shapes or wrong or len(ratios) != n:
            raise ModelError(
                f"ModalTrain has {n} frequencies, {len(ratios)} ratios, and shapes of "
                f"{', '.join(wrong) or 'no port'} that do not fit: give as many numbers for each."
            )
        for what, numbers in (("frequencies", self.frequencies), ("ratios", ratios)):
            for x in numbers:
                check.number(x, f"{what} of ModalTrain", nonnegative=True)

    def build(self, group: Group) -> Mapping[str, Any]:
        """One coordinate for each mode."""
        omega = [2.0 * np.pi * f for f in self.frequencies]
        dampers = [2.0 * D * w for D, w in zip(self.ratios, omega, strict=True)]
        shapes = np.array(list(self.shapes.values()), dtype=float)
        angles = add_modes(group, 1.0, [w * w for w in omega], shapes, dampers)
        return dict(zip(self.shapes, angles, strict=True))

    def results(self, name: str) -> Mapping[str, Result]:
        """Angle and speed of each port."""
        return motion_of_ports(name, self.shapes)


def modal_train(model: Model, ports: Mapping[str, str], modes: int) -> ModalTrain:
    """The lowest modes of a model of linear shafts, gears and springs as one part (4.F68).

    The part answers at its ports as the model does, up to the frequencies of the modes that it
    has; its damping is that of each mode by itself.

    Parameters
    ----------
    model : Model
        The train by itself, at rest; constraints are taken along.
    ports : mapping of str to str
        Names of ports, and of the coordinates that they are: ``{"out": "wheel.angle"}``.
    modes : int
        How many, the lowest first; rigid ones count.

    Raises
    ------
    ModelError
        If the model is not linear and symmetric, or has fewer modes.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import powertrain as pt
    >>> chain = jd.Model("chain")
    >>> _ = chain.add("shaft", pt.ElasticShaft(0.5, stiffness=400.0, discs=50))
    >>> few = pt.modal_train(chain, {"a": "shaft.disc_1", "b": "shaft.disc_50"}, modes=3)
    >>> [round(f, 3) for f in few.frequencies]
    [0.0, 13.998, 27.982]
    """
    lin = linearize(model, outputs=list(ports.values()))
    M, D, K = (np.asarray(x.toarray(), dtype=float) for x in (lin.M, lin.D, lin.K))
    n, size = len(M), np.abs(K).max(initial=0.0)
    if K.shape != (n, n) or np.abs(K - K.T).max(initial=0.0) > NONE * size:
        raise ModelError(
            f"modal_train: {model.name!r} has states of elements, or a stiffness that is not "
            "symmetric: it needs a model of shafts, gears, springs and dampers alone."
        )
    if not 1 <= modes <= n:
        raise ModelError(f"modal_train: {modes} modes of {model.name!r}, which has {n}.")
    squares, shapes = eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    squares, shapes = squares[:modes], shapes[:, :modes]
    omega = np.sqrt(np.where(squares < NONE * size / np.trace(M), 0.0, squares))
    own = np.einsum("ik,ij,jk->k", shapes, D, shapes)
    ratios = np.divide(own, 2.0 * omega, out=np.zeros(modes), where=omega > 0.0)
    rows = lin.C[:, :n] @ shapes
    found = {name: tuple(row.tolist()) for name, row in zip(ports, rows, strict=True)}
    return ModalTrain(found, tuple((omega / (2.0 * np.pi)).tolist()), tuple(ratios.tolist()))
