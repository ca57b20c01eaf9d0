"""Linear analyses: rest, linearisation, modes, response, periodic motions."""
