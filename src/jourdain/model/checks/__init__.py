"""Checks of a model before it is compiled, and of values that a run gives."""
