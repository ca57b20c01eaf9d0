"""Motion with contact, impact and dry friction: event by event, or in time steps."""

from jourdain.simulation.contact.stepper_choice import contact_stepper, smooth_method

__all__ = ["contact_stepper", "smooth_method"]
