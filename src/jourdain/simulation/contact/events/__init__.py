"""Motion from event to event: smooth phases, and modes decided all at once."""
