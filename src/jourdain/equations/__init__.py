"""Symbolic equations: motion of joints, recursion steps, formulations."""
