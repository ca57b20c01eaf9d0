"""Analyses: one function per question."""

from jourdain.analysis.rollout import rollout
from jourdain.analysis.simulate import Event, Sampled, simulate
from jourdain.analysis.structure import Structure, structure
from jourdain.analysis.verify import Check, Verification, verify

__all__ = [
    "Check",
    "Event",
    "Sampled",
    "Structure",
    "Verification",
    "rollout",
    "simulate",
    "structure",
    "verify",
]
