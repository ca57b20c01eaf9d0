"""Texts of a model: summaries, short phrases, HTML for notebooks."""
