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
    """A file that cannot be read."""


class MissingExtraError(JourdainError, ImportError):
    """An optional dependency that is not installed."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'wrist'?`` for a near miss, else nothing."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" Did you mean {near[0]!r}?" if near else ""


def unknown_name(kind: str, name: str, known: Iterable[str], where: str) -> UnknownNameError:
    """Build the error for a name that is not there, with what is there."""
    known = list(known)
    listed = ", ".join(known[:12]) + (f", … ({len(known)} in all)" if len(known) > 12 else "")
    plural = kind + "s" if not kind.endswith("y") else kind[:-1] + "ies"
    have = f"{plural.capitalize()}: {listed}." if known else f"It has no {plural} yet."
    return UnknownNameError(f"no {kind} {name!r} in {where}. {have}{did_you_mean(name, known)}")


class IncompleteWarning(UserWarning):
    """A run was interrupted, so that its solution ends too early."""
