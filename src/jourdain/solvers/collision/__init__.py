"""Contacts of many bodies: which contours are close and where, in machine code."""

from jourdain.solvers.collision.finder import Candidates, ContactFinder

__all__ = ["Candidates", "ContactFinder"]
