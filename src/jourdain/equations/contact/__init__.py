"""Contacts and dry friction as expressions: gaps, sliding, terms of a time step."""
