"""Free bodies as units of a step."""
