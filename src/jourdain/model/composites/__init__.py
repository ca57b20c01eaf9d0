"""Composite connections: members that meet in massless nodes."""
