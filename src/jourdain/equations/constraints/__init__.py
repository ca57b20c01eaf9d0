"""Constraints as expressions: cut joints, held measures, multipliers."""
