"""Gears, planetary sets and whole gearboxes."""
