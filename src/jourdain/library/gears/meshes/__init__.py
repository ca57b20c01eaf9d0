"""Meshes of two wheels: ideal, with a law of force, rigid with play."""
