"""Exceptions of the package, and the phrases they share.

Every class also derives from the matching built-in, so ``except ValueError`` keeps working.
A message names the element, the numbers with units, the likely cause and the next step.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class JourdainError(Exception):
    """Base of all errors raised on purpose by this package."""


class ModelError(JourdainError, ValueError):
    """The description of a machine is wrong or incomplete."""


class UnknownNameError(JourdainError, LookupError):
    """A name that no element carries."""


class TopologyError(JourdainError, ValueError):
    """Bodies and joints do not form a usable graph."""


class AssemblyError(JourdainError, RuntimeError):
    """Loops that cannot be closed."""


class SingularSystemError(JourdainError, RuntimeError):
    """A coordinate without inertia, or constraints that leave motion undetermined."""


class IntegrationError(JourdainError, RuntimeError):
    """A time integration that had to stop; ``solution`` holds what was computed until then."""

    solution: object = None


class FormatError(JourdainError, ValueError):
    """A file that cannot be read or written; ``solution`` holds what was to be written."""

    solution: object = None


class MissingExtraError(JourdainError, ImportError):
    """An optional dependency that is not installed."""


class JourdainWarning(UserWarning):
    """Something that works, but not as well as it could."""


class DoubtWarning(JourdainWarning):
    """A result that a part of the model knows not to be true, such as oil in tension."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'wrist'?`` for a near miss, else nothing."""
    alike = difflib.get_close_matches(name, list(known), n=5, cutoff=0.6)
    near = [x for x in alike if x in name or name in x or _edits(name, x) <= max(1, len(name) // 3)]
    return f" Did you mean {near[0]!r}?" if near else ""


def _edits(a: str, b: str) -> int:
    """Letters to insert, delete, change or swap with the next one to make one word the other."""
    a, b = a.lower(), b.lower()
    last, row = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = last, row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, a[i - 2]) == (b[j - 2], y):
                row[-1] = min(row[-1], before[j - 2] + 1)
    return row[-1]


def unknown_name(kind: str, name: str, known: Iterable[str], where: str) -> UnknownNameError:
    """Build the error for a name that is not there, with what is there."""
    known = list(known)
    listed = ", ".join(known[:12]) + (f", … ({len(known)} in all)" if len(known) > 12 else "")
    plural = kind + "s" if not kind.endswith("y") else kind[:-1] + "ies"
    have = f"{plural.capitalize()}: {listed}." if known else f"It has no {plural} yet."
    return UnknownNameError(f"no {kind} {name!r} in {where}. {have}{did_you_mean(name, known)}")


class IncompleteWarning(UserWarning):
    """A run was interrupted, so that its solution ends too early."""
