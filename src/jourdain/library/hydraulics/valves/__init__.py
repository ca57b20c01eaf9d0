"""Orifices and valves."""
