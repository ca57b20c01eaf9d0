"""Exact derivatives of the state equation at one state."""
