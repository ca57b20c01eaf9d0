"""Analyses: one function per question, one module per function."""
