"""Compiled functions of contacts: by modes, for time steps, and closest points of contours."""
