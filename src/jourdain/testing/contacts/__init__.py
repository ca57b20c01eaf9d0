"""Proof of runs with contacts."""
