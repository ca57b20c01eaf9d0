"""Flexible bodies by finite elements: meshes, Craig-Bampton reduction, geometric stiffening."""

from jourdain.model.flexible.fem.from_fem import from_fem

__all__ = ["from_fem"]
