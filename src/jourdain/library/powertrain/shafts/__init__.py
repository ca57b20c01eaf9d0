"""Shafts, rigid and elastic, and what couples them."""
