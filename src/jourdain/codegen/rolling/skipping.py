"""What of a listing need not be computed where conditions do not hold.

A value ``if c: x, else 0`` needs x only where c holds. What is needed by such values alone is
skipped where none of their conditions holds: the geometry and force of a contact that is far away.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import casadi as ca

from jourdain.codegen.rolling.listing import Listing

_LEAVES = (ca.OP_INPUT, ca.OP_CONST)
_LEAST = 12  # operations from which a branch pays


@dataclass(frozen=True)
class Skipping:
    """A listing in three passes: before the conditions, what they guard, and what comes behind.

    Parameters
    ----------
    guards : list of int
        Values that are zero where their condition does not hold.
    before, skipped, behind : lists of int
        Values in the order of computing; guards lie between the second and the third.
    """

    guards: list[int]
    before: list[int]
    skipped: list[int]
    behind: list[int]


def skipping(listing: Listing) -> Skipping | None:
    """Find what can be skipped; None where that does not pay."""
    candidates = {k for k, op in enumerate(listing.operations) if op == ca.OP_IF_ELSE_ZERO}
    while candidates:
        guards, always = _needed(listing, candidates)
        late = _late(listing, guards, always)
        wrong = _with_opposites(listing, guards)
        wrong |= {k for k in guards if late.intersection(listing.arguments[k])}  # of others
        wrong |= _inside(listing, guards, always, late)
        if not wrong:
            skipped = [k for k in range(len(listing)) if k not in always]
            constants = sum(listing.operations[k] == ca.OP_CONST for k in skipped)
            if len(skipped) - constants < _LEAST:
                return None
            behind = sorted(late.difference(guards))
            return Skipping(guards, sorted(always - late), skipped, behind)
        candidates -= wrong
    return None


def _late(listing: Listing, guards: Collection[int], always: Collection[int]) -> set[int]:
    """Guards, and values that need them."""
    late = set(guards)
    for k in sorted(always):
        is_leaf = listing.operations[k] in _LEAVES
        if not is_leaf and any(a in late for a in listing.arguments[k]):
            late.add(k)
    return late


def _inside(
    listing: Listing, guards: Collection[int], always: Collection[int], late: Collection[int]
) -> set[int]:
    """Guards that what would be skipped needs: it comes before them."""
    skipped = (k for k in range(len(listing)) if k not in always)
    used = {a for k in skipped if listing.operations[k] not in _LEAVES
            for a in listing.arguments[k] if a in late}  # fmt: skip
    for k in sorted(late, reverse=True):
        if k in used and k not in guards:
            used.update(a for a in listing.arguments[k] if a in late)
    return used.intersection(guards)


def _needed(listing: Listing, candidates: Collection[int]) -> tuple[list[int], set[int]]:
    """Candidates that are always needed themselves, and all values that are."""
    always = {value for _, value in listing.outputs}
    guards: list[int] = []
    for k in range(len(listing) - 1, -1, -1):
        if k not in always or listing.operations[k] in _LEAVES:
            continue
        if k in candidates:
            guards.append(k)
            always.add(listing.arguments[k][0])
        else:
            always.update(listing.arguments[k])
    return guards[::-1], always


def _with_opposites(listing: Listing, guards: Collection[int]) -> set[int]:
    """Guards whose conditions hold by turns, as in ``where(c, x, y)``: nothing is skipped there."""
    conditions = {listing.arguments[k][0] for k in guards}
    opposite = {
        c: listing.arguments[c][0] for c in conditions if listing.operations[c] == ca.OP_NOT
    }
    both = {c for pair in opposite.items() if pair[1] in conditions for c in pair}
    return {k for k in guards if listing.arguments[k][0] in both}
