"""What can be asked of a solution, by name: one module for each kind of quantity."""
