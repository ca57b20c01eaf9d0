"""Machines from the literature, ready to run."""

from jourdain.library.woodpecker import woodpecker

__all__ = ["woodpecker"]
