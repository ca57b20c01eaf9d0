"""Laws of impact: how contacts part after they have met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from jourdain.errors import ModelError


@dataclass(frozen=True)
class Newton:
    """Newton's law: velocities after the impact are −e times those before (Pfeiffer 3.187).

    With friction it may create energy; the ledger tells. Contacts that rest are not opened by it.
    With a tangential restitution ``e_T`` the slip after an impact is −e_T times that before, along
    both tangents, as far as friction can turn it round.
    """

    stores: ClassVar[bool] = False
    gives_back: ClassVar[bool] = True


@dataclass(frozen=True)
class Poisson:
    """Poisson's law: the impulse of expansion is e times that of compression (Pfeiffer 3.5.2).

    Parameters
    ----------
    tangential : {"coulomb", "glocker", "beitelschmidt"}
        What happens to tangential impulses in the expansion: plain friction with nothing stored;
        or stored and given back, in the older form or in the newer one, which starts from the
        velocity that the stored impulses would cause (3.206). Stored impulses need contacts with
        one direction of friction.
    """

    tangential: Literal["coulomb", "glocker", "beitelschmidt"] = "coulomb"

    def __post_init__(self) -> None:
        known = ("coulomb", "glocker", "beitelschmidt")
        if self.tangential not in known:
            raise ModelError(
                f"Poisson has tangential={self.tangential!r}; give one of {', '.join(known)}."
            )

    @property
    def stores(self) -> bool:
        """Whether tangential impulses are given back, which is defined for one tangent."""
        return self.tangential != "coulomb"

    @property
    def gives_back(self) -> bool:
        """Whether a tangential restitution means something."""
        return self.stores


NEWTON = Newton()
