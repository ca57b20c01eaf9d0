"""Laws of groups of contacts as numbers, or as compiled functions of speeds."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.errors import ModelError
from jourdain.model.laws.impact import Poisson
from jourdain.model.laws.unilateral import TURNS
from jourdain.solvers.timestep.groups import records as at
from jourdain.system.contact.group_kernels import law_kernel, static_pair

WORDS = ("friction", "friction", "static", "static", "restitution", *TURNS, "restitution")
"""What the numbers of a law are."""


class GroupLaw:
    """One law of a group.

    Parameters
    ----------
    law : Coulomb or Unilateral
        With numbers in the place of parameters.
    group : int
        Number of its group.
    what : str
        Whose law it is, for messages.

    Raises
    ------
    ModelError
        If a number is out of its bounds.
    """

    def __init__(self, law: Any, group: int, what: str) -> None:
        self.law, self.what = law, what
        friction = law.friction
        pair = friction if isinstance(friction, tuple) else (friction, friction)
        held = static_pair(law) if law.has_static else pair
        turning = [law.rolling, law.drilling]
        self._amounts = [*pair, *held, law.restitution, *turning, law.tangential_restitution]
        self.numbers = [0.0 if callable(x) else float(x) for x in self._amounts]
        self.has_friction = any(callable(x) or x > 0.0 for x in pair)
        self.turns = [callable(x) or float(x) > 0.0 for x in turning]
        for word, x in zip(WORDS, self._amounts, strict=True):
            if not callable(x):
                self._require(word, float(x))
        self.is_function = any(callable(x) for x in self._amounts)
        is_poisson = isinstance(law.impact, Poisson)
        self.integers = [2 * self.has_friction, *self.turns, is_poisson, group, 0, 0]

    def numbers_at(self, speeds: Any) -> list[float]:
        """Numbers at speeds of sliding, approach, roll and spin."""
        held = [at.SLIP] * 4 if not self.law.has_static else [at.SLIP, at.SLIP, -1, -1]
        of = [*held, at.APPROACH, at.ROLL, at.DRILL, at.SLIP]
        return [
            float(x(0.0 if k < 0 else float(speeds[k]))) if callable(x) else float(x)
            for k, x in zip(of, self._amounts, strict=True)
        ]

    def kernel(self) -> Kernel | None:
        """Compiled function of speeds; None for functions that take numbers only."""
        try:
            return law_kernel(self.law, f"{self.what}: its law")
        except ModelError:
            self.numbers_at([1.0] * at.SPEEDS)  # which fails by itself, if it does
            return None

    def callback(self, speeds: Any, numbers: Any) -> Any:
        """Function without arguments of its own for machine code: from speeds to numbers."""

        def ask(_: int) -> None:
            numbers[:] = np.nan
            with suppress(Exception):  # nothing can be raised here; NaN stops the step
                numbers[:] = self.numbers_at(speeds)

        return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ask)

    def _require(self, word: str, number: float) -> None:
        if not self.is_allowed(word, number):
            raise ModelError(
                f"{self.what}: the {word} of its law is {number:g}: give a parameter that is "
                f"{bounds(word)}."
            )

    def is_allowed(self, word: str, number: float) -> bool:
        """Tell whether a number is one that a law can have."""
        return 0.0 <= number <= (1.0 if word == "restitution" else np.inf)

    def fault(self, numbers: Any, speeds: Any) -> str:
        """What is wrong with numbers at speeds; empty if nothing is."""
        speed_of = [at.SLIP] * 4 + [at.APPROACH, at.ROLL, at.DRILL, at.SLIP]
        for word, number, k in zip(WORDS, numbers, speed_of, strict=True):
            if not self.is_allowed(word, number):
                unit = "rad/s" if word in TURNS else "m/s"
                return (
                    f"{self.what}: the {word} of its law is {number:g} at {speeds[k]:g} {unit}: it "
                    f"must be {bounds(word)}. Bound the function, for example with "
                    "jd.maximum(..., 0.0)."
                )
        return ""


def bounds(word: str) -> str:
    """Bounds of a number of a law in words."""
    return "from 0 to 1" if word == "restitution" else "at least 0"
