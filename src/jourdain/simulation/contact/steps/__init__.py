"""Motion in time steps: one step in machine code, bound to a run."""
