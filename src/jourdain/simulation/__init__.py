"""Motion of a compiled system through time: one driver, and steppers that it drives."""
