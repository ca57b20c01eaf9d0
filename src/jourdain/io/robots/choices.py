"""Options of readers that are one of a few words."""

from __future__ import annotations

from typing import Any

from jourdain.errors import ModelError


def check_choice(word: str, given: Any, known: tuple[str, ...]) -> None:
    """Refuse another word than the known ones."""
    if given not in known:
        raise ModelError(f"{word}={given!r}: give {' or '.join(map(repr, known))}.")
