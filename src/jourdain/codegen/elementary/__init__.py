"""Elementary functions on lanes of doubles."""
