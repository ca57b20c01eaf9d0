"""Flat drawings of circuits: symbols of parts, and lines between them."""
