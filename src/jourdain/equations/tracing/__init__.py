"""Expressions out of what users wrote: simplified, solved, split at kinks."""
