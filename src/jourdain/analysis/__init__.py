"""Analyses: one function per question."""

from jourdain.analysis.structure import Structure, structure

__all__ = ["Structure", "structure"]
