"""Shifts: programs, control, the best way, and how good it was."""
