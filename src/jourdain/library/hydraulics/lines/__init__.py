"""Lines and gaps."""
