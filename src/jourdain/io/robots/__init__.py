"""Robots from files of other programs, as parts of models."""
