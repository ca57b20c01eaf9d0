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
    """Modes by number, and their numbers as arrays."""

    modes: tuple[AnyMode, ...]

    @overload
    def __getitem__(self, k: int) -> AnyMode: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[AnyMode, ...]: ...
    def __getitem__(self, k: Any) -> Any:
        return self.modes[k]

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[AnyMode]:
        return iter(self.modes)

    @property
    def eigenvalues(self) -> Any:
        """Eigenvalues (n,) [1/s], of pairs the one with positive imaginary part."""
        return np.array([mode.eigenvalue for mode in self.modes])

    @property
    def frequencies(self) -> Any:
        """Undamped frequencies (n,) [Hz]."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damping_ratios(self) -> Any:
        """Damping ratios (n,)."""
        return np.array([mode.damping_ratio for mode in self.modes])

    @property
    def free_motions(self) -> tuple[AnyMode, ...]:
        """Modes that nothing drives back."""
        return tuple(mode for mode in self.modes if mode.is_free_motion)
