"""Integrators: one module for each method, and what their loops share."""
