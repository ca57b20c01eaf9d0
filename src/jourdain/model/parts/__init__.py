"""Groups and parts: names put before names, pieces of machine that are used again."""
