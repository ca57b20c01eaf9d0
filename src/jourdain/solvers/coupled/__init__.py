"""Runs that another program leads: their memory, and the loops that it calls."""
