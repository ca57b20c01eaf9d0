"""What can be asked of a compiled system: one small object for each kind of question."""
