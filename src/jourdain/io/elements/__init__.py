"""How each kind of element stands in a file."""
