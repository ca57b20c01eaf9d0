"""Connections as expressions: measures, forces, internal coordinates."""
