"""Two or more joints in series."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain import math
from jourdain.errors import ModelError
from jourdain.model.joints.joint import Joint
from jourdain.spatial.annotations import Takes


class Product(Joint):
    """Joints in series without bodies between them, made by ``Prismatic("x") * Revolute("z")``.

    The pose is the product of the poses of the factors, from the parent to the child; each
    factor acts in the axes that the factors before it have turned. Coordinates are those of the
    factors in order. A word that several factors use is numbered through: there are ``angle_1``
    and ``angle_2`` in ``Revolute("x") * Revolute("y")``, and ``position_1.x``, ``position_1.y``
    and ``position_2`` in ``Planar("z") * Prismatic("z")``.

    Parameters
    ----------
    factors : tuple of Joint
        The kinds, from the parent to the child; products among them are taken apart.

    Examples
    --------
    >>> import jourdain as jd
    >>> platform = jd.Prismatic("z") * jd.Revolute("x") * jd.Revolute("y")
    >>> list(platform.coordinates)
    ['position', 'angle_1', 'angle_2']
    """

    factors: Takes[Sequence[Joint], tuple[Joint, ...]]

    def __post_init__(self) -> None:
        flat: list[Joint] = []
        for k, factor in enumerate(self.factors, start=1):
            if not isinstance(factor, Joint):
                raise ModelError(
                    f"factor {k} of a joint product is {factor!r}, which is no joint kind. "
                    "Multiply kinds, for example Prismatic('x') * Revolute('z')."
                )
            flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
        if not flat:
            raise ModelError("a joint product has no factors. For a joint without motion: Fixed().")
        object.__setattr__(self, "factors", tuple(flat))

    @property
    def coordinates(self) -> Mapping[str, str]:
        """Names and units of the position coordinates."""
        return numbered([factor.coordinates for factor in self.factors])

    @property
    def velocities(self) -> Mapping[str, str]:
        """Names and units of the velocity coordinates."""
        return numbered([factor.velocities for factor in self.factors])

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Product of the poses of the factors."""
        R, r = np.eye(3), np.zeros(3)
        for factor, part in zip(self.factors, self._split(q), strict=True):
            R_k, r_k = factor.pose(part, t)
            r = r + R @ math.vector(r_k)
            R = R @ math.matrix(R_k)
        return R, r

    def rates(self, q: Any) -> Any:
        """Rates of the factors along the diagonal; None where all ``v`` are ``dq/dt``."""
        blocks = [
            factor.rates(part) for factor, part in zip(self.factors, self._split(q), strict=True)
        ]
        if all(block is None for block in blocks):
            return None
        sizes = [len(factor.coordinates) for factor in self.factors]
        return math.block_diagonal(
            *(np.eye(n) if block is None else block for n, block in zip(sizes, blocks, strict=True))
        )

    def start(self) -> tuple[float, ...]:
        """Reference position of every factor."""
        return tuple(x for factor in self.factors for x in factor.start())

    def canonical(self) -> tuple[Joint, Any]:
        """Product of the plainer factors where all of them are turned alike, else itself."""
        plain, turns = zip(*(factor.canonical() for factor in self.factors), strict=True)
        alike = all(np.array_equal(turn, turns[0]) for turn in turns)
        return (Product(plain), turns[0]) if alike else (self, None)

    def _split(self, q: Any) -> list[Any]:
        """Coordinates of each factor."""
        end, parts = 0, []
        for factor in self.factors:
            begin, end = end, end + len(factor.coordinates)
            parts.append(q[begin:end])
        return parts


def numbered(groups: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Join the names of several kinds; number the words that more than one of them uses."""
    users = Counter(word for names in groups for word in {_word(name) for name in names})
    count: Counter[str] = Counter()
    joined: dict[str, str] = {}
    for names in groups:
        stems: dict[str, str] = {}  # position.x and position.y of one kind share one number
        for name, unit in names.items():
            stem, dot, component = name.partition(".")
            word = _word(name)
            if users[word] > 1 and stem not in stems:
                count[word] += 1
                stems[stem] = f"{word}_{count[word]}"
            joined[stems.get(stem, stem) + dot + component] = unit
    return joined


def _word(name: str) -> str:
    """Name without component and number: ``position_2.x`` gives ``position``."""
    return re.sub(r"_\d+$", "", name.partition(".")[0])
