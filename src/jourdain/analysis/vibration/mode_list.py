"""Modes in a row: what tables of few and of many modes have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar, overload

import numpy as np


class _Mode(Protocol):
    @property
    def eigenvalue(self) -> complex: ...
    @property
    def frequency(self) -> float: ...
    @property
    def damping_ratio(self) -> float: ...
    @property
    def is_free_motion(self) -> bool: ...


AnyMode = TypeVar("AnyMode", bound=_Mode)


class ModeList(Sequence[AnyMode]):
    """Modes by number, and their numbers as arrays.

    A final class has `modes` and their `eigenvalues` (n,) [1/s], of pairs the one with positive
    imaginary part.
    """

    modes: Sequence[AnyMode]
    eigenvalues: Any

    @overload
    def __getitem__(self, k: int) -> AnyMode: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[AnyMode, ...]: ...
    def __getitem__(self, k: Any) -> Any:
        return self.modes[k]

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __iter__(self) -> Iterator[AnyMode]:
        return iter(self.modes)

    @property
    def frequencies(self) -> Any:
        """Undamped frequencies |λ|/2π (n,) [Hz]."""
        return np.abs(self.eigenvalues) / (2.0 * np.pi)

    @property
    def damping_ratios(self) -> Any:
        """Damping ratios −Re λ/|λ| (n,); NaN for free motions."""
        sizes = np.abs(self.eigenvalues)
        return 0.0 - self.eigenvalues.real / np.where(sizes > 0.0, sizes, np.nan)

    @property
    def free_motions(self) -> tuple[AnyMode, ...]:
        """Modes that nothing drives back."""
        return tuple(mode for mode in self.modes if mode.is_free_motion)
