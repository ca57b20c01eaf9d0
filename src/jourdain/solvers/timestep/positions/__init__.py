"""Positions at the end of a step."""
