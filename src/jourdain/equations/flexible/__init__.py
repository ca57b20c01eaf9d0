"""Flexible bodies in the recursion: links that deform, and frames that move with them."""
