"""Motion with contact, impact and dry friction: event by event, or in time steps."""
