"""Modes, responses and periodic motions."""
