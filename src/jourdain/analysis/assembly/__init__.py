"""The search for positions and velocities that fit together."""
